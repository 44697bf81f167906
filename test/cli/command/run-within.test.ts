/** Commands that another one runs in its own process, over its client. */
import { expect, it } from 'vitest';
import { resolveConnection } from '../../../src/cli/account/connection.ts';
import { openClient } from '../../../src/cli/command/open-client.ts';
import { runWithin } from '../../../src/cli/command/run-within.ts';
import { runConfig } from '../../../src/cli/lookup/config.ts';
import { Messages } from '../../../src/cli/report/messages.ts';
import type { Runtime } from '../../../src/cli/runtime.ts';
import { type Script, scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

/** Runs command lines one after the other over one client, and returns their outcomes with all that the host printed. */
async function runAll(lines: readonly (readonly string[])[], script: Script, stdin?: string) {
  const platform = await scriptedPlatform(script);
  const outcomes: unknown[] = [];
  const program = async (_argv: readonly string[], given?: Runtime) => {
    const runtime = given as Runtime;
    const redactor = new Messages(runtime).redactor;
    const connection = await resolveConnection({}, runtime.env, await temporaryDirectory(), '0.1.0');
    const notice = () => {};
    const surroundings = { runtime, redactor, cached: false, debug: undefined, notice, announcement: notice };
    const client = await openClient(connection, surroundings);
    const config = await runConfig();
    const host = {
      config,
      runtime,
      connection,
      client,
      ...(stdin === undefined ? {} : { stdin: async () => Buffer.from(stdin) }),
    };
    for (const words of lines) outcomes.push(await runWithin(words, host));
    await client.close();
  };
  return { platform, outcomes, printed: await run([], { env: platform.env, program }) };
}

const silence = { stdout: '', stderr: '', code: 0 };

it('returns the result of each command as a value, and prints nothing', async () => {
  const { outcomes, printed } = await runAll(
    [
      ['orgs', 'get', 'acme'],
      ['repos', 'list', 'acme', '--limit', '2'],
    ],
    {
      'GET /orgs/acme': { body: { login: 'acme' } },
      'GET /orgs/acme/repos': { body: [{ name: 'site' }, { name: 'api', temp_clone_token: 'verysecretindeed' }] },
    },
  );
  expect({ outcomes, printed }).toEqual({
    outcomes: [
      { result: { login: 'acme' }, notices: [] },
      { result: [{ name: 'site' }, { name: 'api', temp_clone_token: '********' }], notices: [] },
    ],
    printed: silence,
  });
});

it('returns a failure with its exit code, and continues with the next command', async () => {
  const { outcomes, printed } = await runAll(
    [
      ['orgs', 'get', 'nosuch'],
      ['orgs', 'get', 'acme'],
    ],
    {
      'GET /orgs/acme': { body: { login: 'acme' } },
    },
  );
  expect({ outcomes, printed }).toEqual({
    outcomes: [
      { failure: expect.objectContaining({ exit: 3, code: 'not_found', status: 404 }), notices: [] },
      { result: { login: 'acme' }, notices: [] },
    ],
    printed: silence,
  });
});

it('returns a failure for an invalid command line, and sends nothing', async () => {
  const { platform, outcomes } = await runAll([['orgs', 'get', 'acme', '--nosuch']], {});
  expect(outcomes).toEqual([{ failure: expect.objectContaining({ exit: 2 }), notices: [] }]);
  expect(platform.requests).toEqual([]);
});

it('gives every command the same standard input', async () => {
  const { platform } = await runAll(
    [
      ['orgs', 'update', 'acme', '--input', '-'],
      ['orgs', 'update', 'globex', '--input', '-'],
    ],
    { 'PATCH /orgs/acme': { body: {} }, 'PATCH /orgs/globex': { body: {} } },
    '{"name":"Rockets"}',
  );
  expect(platform.requests.map(({ body }) => body)).toEqual(['{"name":"Rockets"}', '{"name":"Rockets"}']);
});

it('returns the request of a dry run, without the token', async () => {
  const { platform, outcomes } = await runAll([['orgs', 'update', 'acme', '--name', 'Rockets', '--dry-run']], {});
  expect(outcomes).toEqual([
    {
      result: expect.objectContaining({
        method: 'PATCH',
        body: { name: 'Rockets' },
        headers: expect.objectContaining({ authorization: '********' }),
      }),
      planned: [expect.objectContaining({ asked: expect.objectContaining({ method: 'PATCH', path: '/orgs/acme' }) })],
      notices: [],
    },
  ]);
  expect(platform.requests).toEqual([]);
});

it('returns notices with the result', async () => {
  const { outcomes, printed } = await runAll(
    [['orgs', 'update', 'acme', '--input', '-']],
    { 'PATCH /orgs/acme': { body: { login: 'acme' } } },
    '{"name":"Rockets","id":1}',
  );
  expect({ outcomes, printed }).toEqual({
    outcomes: [{ result: { login: 'acme' }, notices: ['Ignored read-only or null fields of --input: id.'] }],
    printed: silence,
  });
});

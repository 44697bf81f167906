/** forgectl each ends with the command lines that undo it, where there are such. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/serve.ts';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const noLine = 'This run cannot be undone with one command. Its journal contains the values before each change.\n';

/** A sandbox, forgectl with a folder of its own, and each with a journal in it. */
async function onSandbox() {
  const sandbox = await startSandbox({ orgs: 3, repos: 8 });
  onTestFinished(() => sandbox.close());
  const folder = await temporaryDirectory();
  const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic, XDG_STATE_HOME: folder };
  const forgectl = (...words: readonly string[]) => run(words, { env });
  const journal = join(folder, 'run.ndjson');
  const each = (...words: readonly string[]) => forgectl('each', '--journal', journal, ...words);
  const field = async (name: string) =>
    (await forgectl('repos', 'list', 'acme', '--all', '--jq', `map(.${name})`)).stdout;
  return { forgectl, each, journal, field };
}

/** The words of each printed line, as a shell reads them, without forgectl. */
function undoLines(stderr: string): readonly (readonly string[])[] {
  const [, lines = ''] = /^Undo with:\n((?: {2}forgectl .*\n)+)/m.exec(stderr) ?? [];
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) =>
      execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
        .split('\0')
        .slice(1, -1),
    );
}

it('prints the command that restores a setting where it was different, with the connection flags', async () => {
  const { forgectl, each, journal, field } = await onSandbox();
  const before = await field('delete_branch_on_merge');
  expect(before).toContain('true');
  const { stderr } = await each(
    ...['repos', 'acme', '--no-archived', '--expect', '7', '--max-wait', '9s'],
    ...['--', 'repos', 'update', '{}', '--delete-branch-on-merge'],
  );
  expect(stderr).toContain(
    `7 done\nUndo with:\n  forgectl each --from ${journal} --where '.before.delete_branch_on_merge == false' --max-wait 9s -- repos update '{}' --no-delete-branch-on-merge\n`,
  );
  expect(await field('delete_branch_on_merge')).not.toBe(before);
  for (const line of undoLines(stderr)) expect(await forgectl(...line)).toMatchObject({ code: 0 });
  expect(await field('delete_branch_on_merge')).toBe(before);
});

it('prints a command for each set of earlier values, but none for more than three sets', async () => {
  const { forgectl, each, journal } = await onSandbox();
  const locations = async () =>
    (await forgectl('each', 'orgs', '--jq', 'map(.result.location)|sort', '--', 'orgs', 'get', '{}')).stdout;
  const before = await locations();
  const { stderr } = await each('orgs', '--', 'orgs', 'update', '{}', '--location', 'Lima');
  const lines = undoLines(stderr);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(await forgectl(...line)).toMatchObject({ code: 0 });
  expect(await locations()).toBe(before);
  const words = ['each', 'repos', 'acme', '--no-archived', '--journal', `${journal}.2`];
  const described = await forgectl(...words, '--', 'repos', 'update', '{}', '--description', 'fleet');
  expect(described.stderr).toContain(`7 done\n${noLine}`);
});

it('does not change targets that failed, and prompts if the command does', async () => {
  const { forgectl, each, field } = await onSandbox();
  const before = await field('archived');
  const { stderr, code } = await each('repos', 'acme', '--yes', '--expect', '8', '--', 'repos', 'archive', '{}');
  expect(code).toBe(9);
  const [line = []] = undoLines(stderr);
  expect(line.slice(-7)).toEqual([
    '--where',
    '.outcome != "failed" and .before.archived == false',
    ...['--', 'repos', 'update', '{}', '--no-archived'],
  ]);
  expect(await forgectl(...line)).toMatchObject({ code: 2 });
  expect(await forgectl('each', '--yes', '--expect', '7', ...line.slice(1))).toMatchObject({ code: 0 });
  expect(await field('archived')).toBe(before);
});

it('changes no repository that has the name of an earlier one', async () => {
  const { forgectl, each } = await onSandbox();
  const { stderr } = await each('repos', 'acme', '--no-archived', '--', 'repos', 'update', '{}', '--no-has-issues');
  await forgectl('repos', 'delete', 'acme/site', '--yes');
  await forgectl('repos', 'create', 'acme/site', '--visibility', 'private');
  const [line = []] = undoLines(stderr);
  const { stdout, code } = await forgectl(...line);
  expect({ code, site: /^acme\/site\t.*$/m.exec(stdout)?.[0] }).toEqual({
    code: 9,
    site: expect.stringMatching(/^acme\/site\tfailed\t.*is now a different repository/),
  });
});

it.each([
  ['topics', ['repos', 'topics', '{}', '--set', 'fleet']],
  ['names, which no later run finds', ['repos', 'update', '{}', '--name', '{name}-old']],
  ['texts that differ', ['repos', 'update', '{}', '--description', 'Was {name}']],
])('reports that no command undoes %s', async (_, command) => {
  const { each } = await onSandbox();
  expect((await each('repos', 'acme', '--no-archived', '--', ...command)).stderr).toContain(`7 done\n${noLine}`);
});

it.each([
  ['changes nothing', ['repos', 'acme', '--no-archived', '--', 'repos', 'update', '{}', '--has-issues']],
  ['only sends events', ['repos', 'acme', '--no-archived', '--', 'repos', 'dispatch', '{}', 'build']],
  ['only reads', ['repos', 'acme', '--no-archived', '--', 'repos', 'get', '{}']],
])('prints nothing after a run that %s', async (_, words) => {
  const { each } = await onSandbox();
  expect((await each(...words)).stderr).toMatch(/7 done\n$/);
});

it.each([
  ['a control character', 'a\u001b[2Jb'],
  ['a mark of direction', 'a\u202eb'],
  ['a line separator', 'a\u2028b'],
  ['a secret', 'see https://ada:5ec@ghe.example.com'],
  ['a mask', 'was ********'],
  ['what the command line masks', 'token=abc'],
  ['what stands for the target', 'a {} b'],
  ['what stands for its organization', '{org} tools'],
  ['what stands for its name', '{name}'],
  ['no value, because the platform left it out', undefined],
])('prints no earlier text with %s', async (_, description) => {
  const platform = await scriptedPlatform({
    'GET /repos/acme/site': { body: { id: 1, full_name: 'acme/site', description } },
    'PATCH /repos/acme/site': { body: {} },
  });
  const env = { ...platform.env, XDG_STATE_HOME: await temporaryDirectory() };
  const words = ['each', '--from', '-', '--', 'repos', 'update', '{}', '--description', 'new'];
  const { stderr } = await run(words, { env, stdin: 'acme/site' });
  expect(stderr).toMatch(new RegExp(`1 done\\n${noLine}$`));
});

it('reads the targets of a journal, with their outcomes and earlier values', async () => {
  const { forgectl, each, journal } = await onSandbox();
  await each('repos', 'acme', '--where', '.name != "site"', '--', 'repos', 'update', '{}', '--no-has-wiki');
  const targets = async (where: string) => {
    const { stdout } = await forgectl(
      'each',
      '--from',
      journal,
      '--where',
      where,
      '--jq',
      '.[].target',
      '--',
      'repos',
      'get',
      '{}',
    );
    return stdout.split('\n').filter(Boolean).length;
  };
  expect(await targets('.outcome == "ok"')).toBe(6);
  expect(await targets('.outcome == "failed"')).toBe(1);
  expect(await targets('.writes == 1')).toBe(7);
  const piped = await run(['each', '--from', '-', '--jq', 'length', '--', 'repos', 'get', '{}'], {
    env: { FORGECTL_BASE_URL: 'http://127.0.0.1:9/api/v3', FORGECTL_TOKEN: 'x' },
    stdin: readFileSync(journal, 'utf8').replace('{"journal":2,', '{"journal":9,'),
  });
  expect(piped).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Line 1 of standard input is not a target.'),
  });
});

it('says nothing of earlier values after a transfer, of which the journal has only the ID', async () => {
  const platform = await scriptedPlatform({
    'GET /repos/acme/site': { body: { id: 7, full_name: 'acme/site' } },
    'POST /repos/acme/site/transfer': { status: 202, body: { id: 7, full_name: 'acme/site' } },
  });
  const journal = join(await temporaryDirectory(), 'run.ndjson');
  const words = ['each', '--from', '-', '--yes', '--expect', '1', '--journal', journal, '--'];
  const line = ['repos', 'transfer', '{}', 'globex'];
  const ended = await run([...words, ...line], { env: platform.env, stdin: 'acme/site' });
  expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('undone') });
  expect(readFileSync(journal, 'utf8')).toContain('"before":{"id":7}');
});

import { describe, expect, it } from 'vitest';
import { type RecordedRequest, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { askingCommands, changesSomething } from './commands.ts';
import { invocationOf, invoke, secrets } from './invocations.ts';

/** A login that fails says what is wrong with the token or with the base URL; its own tests hold that. */
const saysMore: Readonly<Record<string, readonly string[]>> = {
  'auth login': ['401', '404'],
  // It shows the organizations that it can read.
  audit: ['403', '404', '422', '500'],
};

const exitCodes: Readonly<Record<number, number>> = { 401: 4, 403: 5, 404: 3, 422: 6, 429: 7, 500: 8 };

/** A platform that is careless with what it was sent. */
const refusal =
  (status: number) =>
  ({ headers: { authorization = '' } }: RecordedRequest): ScriptedAnswer => ({
    status,
    headers: {
      date: 'Sun, 01 Mar 2026 12:00:00 GMT',
      'x-sent': String(authorization),
      ...(status === 429 ? { 'retry-after': '0' } : {}),
    },
    body: { message: `No (${authorization})`, errors: [{ field: 'name', message: `is not ${authorization}` }] },
  });

describe.each(Object.entries(exitCodes))('a platform that returns %s for every request', (status, exitCode) => {
  it.each(askingCommands.filter(({ name }) => !saysMore[name]?.includes(status)))(
    `makes $name exit with ${exitCode}, and no secret is shown`,
    async (command) => {
      const platform = await scriptedPlatform(refusal(Number(status)));
      const flags = ['--max-wait', '0s', ...(changesSomething(command) ? ['--yes'] : [])];
      const invocation = invocationOf(command.name);
      const text = await invoke(invocation, platform.env, flags);
      const json = await invoke(invocation, platform.env, [...flags, '--json', '--debug']);
      expect([text.code, json.code], text.stderr).toEqual([exitCode, exitCode]);
      expect([text.stdout, json.stdout]).toEqual(['', '']);
      expect(text.stderr).toMatch(/^forgectl: .* returned [45]\d\d No/m);
      const lines = json.stderr.trimEnd().split('\n');
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ error: { status: Number(status) } });
      expect(lines.filter((line) => line.startsWith('{"error"'))).toHaveLength(1);
      expect(json.stderr).toContain('x-sent: Bearer ********');
      for (const secret of secrets) expect(text.stderr + json.stderr).not.toContain(secret);
    },
  );
});

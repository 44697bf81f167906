/** forgectl each on real sockets: rate limits, writes side by side, and journals that cannot be used. */
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classicToken } from '../support/platform.ts';
import { instantClock, run, temporaryDirectory } from '../support/run.ts';
import { json, startServer } from '../support/server.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `acme/r${index}`);

async function each(origin: string, targets: readonly string[], journal?: string) {
  const directory = await temporaryDirectory();
  const path = journal ?? join(directory, 'run.ndjson');
  const words = ['each', '--from', '-', '--resume', path, '--', 'repos', 'update', '{}', '--description', 'new'];
  return run(words, {
    env: { FORGECTL_BASE_URL: `${origin}/api/v3`, FORGECTL_TOKEN: classicToken },
    stdin: targets.join('\n'),
    clock: instantClock(),
  });
}

describe('a rate limit in the middle of the writes', () => {
  it.each<[number, Record<string, string>, string]>([
    [429, { 'retry-after': '7' }, ''],
    [403, { 'retry-after': '7' }, ''],
    [429, {}, ''],
    [403, {}, 'You have exceeded a secondary rate limit'],
  ])('as %i with %j loses no target and repeats no accepted write', async (status, headers, message) => {
    const accepted: string[] = [];
    let writes = 0;
    const { origin } = await startServer((response, { method, url }) => {
      if (method === 'GET') return json(response, { id: 1, description: 'old' });
      if (++writes === 5) return json(response, { message }, headers, status);
      accepted.push(url.replace('/api/v3/repos/', ''));
      json(response, {});
    });
    const targets = names(12);
    expect(await each(origin, targets)).toMatchObject({ code: 0 });
    expect({ accepted: accepted.sort(), writes }).toEqual({ accepted: [...targets].sort(), writes: 13 });
  });
});

describe('writes', () => {
  it('are sent four at once where the platform announces no rate limits', async () => {
    const held: ServerResponse[] = [];
    let most = 0;
    const { origin } = await startServer((response, { method }) => {
      if (method === 'GET') return json(response, { id: 1, description: 'old' });
      most = Math.max(most, held.push(response));
      if (held.length === 4) for (const open of held.splice(0)) json(open, {});
    });
    expect(await each(origin, names(8))).toMatchObject({ code: 0 });
    expect(most).toBe(4);
  });
});

describe('a journal', () => {
  const at = '"at":"2026-03-01T12:00:00.000Z"';
  const command = '"command":["repos","update","{}","--description","new"]';

  it.each<[string, (platform: string) => readonly string[], string]>([
    ['of another platform', () => [`{"journal":1,"platform":"https://ghe.example.com/api/v3",${command}}`], 'platform'],
    ['of an unknown version', () => ['{"journal":9}'], 'version 9'],
    [
      'that is damaged in its middle',
      (platform) => [
        `{"journal":1,"platform":"${platform}",${command}}`,
        '{"tar',
        `{"target":"acme/r0","outcome":"ok",${at}}`,
      ],
      'is damaged, line 2',
    ],
  ])('%s is refused, and nothing is sent', async (_what, lines, message) => {
    const { origin, requests } = await startServer((response) => json(response, {}));
    const path = join(await temporaryDirectory(), 'run.ndjson');
    writeFileSync(
      path,
      lines(`${origin}/api/v3`)
        .map((line) => `${line}\n`)
        .join(''),
      { mode: 0o600 },
    );
    const { code, stderr } = await each(origin, names(2), path);
    expect({ code, stderr, requests }).toEqual({ code: 2, stderr: expect.stringContaining(message), requests: [] });
  });
});

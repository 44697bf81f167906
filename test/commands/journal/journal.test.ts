import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeJournals } from '../../support/journals.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

async function folder(): Promise<(name: string) => string> {
  const directory = await temporaryDirectory();
  writeJournals(directory);
  return (name) => join(directory, name);
}

describe('journal show', () => {
  it('counts what is done, failed, unknown and open', async () => {
    const file = await folder();
    const { stdout, code } = await run(['journal', 'show', file('run.ndjson'), '--json']);
    expect({ code, shown: JSON.parse(stdout) }).toEqual({
      code: 0,
      shown: {
        platform: 'https://ghe.example.com/api/v3',
        command: ['hooks', 'set', '{}', '5', '--enforcement', 'enabled'],
        done: 1,
        failed: 1,
        unknown: 1,
        open: 1,
      },
    });
  });

  it('prints the same on a terminal', async () => {
    const file = await folder();
    const { stdout } = await run(['journal', 'show', file('shard-2.ndjson')], { tty: true });
    expect(stdout).toBe(
      [
        'Command   hooks set {} 5 --enforcement enabled',
        'Platform  https://ghe.example.com/api/v3',
        'Shard     2/2',
        'Done      0',
        'Failed    1',
        'Unknown   0',
        'Open      1',
        '',
      ].join('\n'),
    );
  });

  it('rejects a damaged file and names the line', async () => {
    const file = await folder();
    writeFileSync(file('run.ndjson'), `${readFileSync(file('run.ndjson'), 'utf8')}{"what":1}\n`);
    const { stderr, code } = await run(['journal', 'show', file('run.ndjson')]);
    expect({ stderr, code }).toEqual({
      stderr: `forgectl: ${file('run.ndjson')} is damaged, line 6. Nothing was sent.\nRestore it from a copy, or start a new run with a new journal.\n`,
      code: 2,
    });
  });

  it('rejects a missing file', async () => {
    const file = await folder();
    const { stderr, code } = await run(['journal', 'show', file('nosuch.ndjson')]);
    expect({ stderr, code }).toEqual({ stderr: `forgectl: ${file('nosuch.ndjson')} is missing or empty.\n`, code: 2 });
  });
});

describe('journal merge', () => {
  it('prints the lines of all shards as one journal', async () => {
    const file = await folder();
    const { stdout, code } = await run(['journal', 'merge', file('shard-1.ndjson'), file('shard-2.ndjson')]);
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 0,
      lines: [
        '{"journal":2,"platform":"https://ghe.example.com/api/v3","command":["hooks","set","{}","5","--enforcement","enabled"]}',
        '{"targets":[{"name":"acme/docs","id":9},{"name":"acme/site"},{"name":"acme/web"}]}',
        '{"target":"acme/docs","outcome":"ok","at":"2026-03-01T12:00:00.000Z"}',
        '{"target":"acme/site","outcome":"failed","at":"2026-03-01T12:00:00.000Z","error":{"exit":5,"code":"not_permitted","message":"Resource not accessible"}}',
        '',
      ],
    });
  });

  it('rejects a missing shard, and prints nothing', async () => {
    const file = await folder();
    const { stdout, stderr, code } = await run(['journal', 'merge', file('shard-2.ndjson')]);
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: 'forgectl: Shard 1/2 is missing.\n', code: 2 });
  });
});

import fs, {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, integer } from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Journal } from '../../src/fleet/journal/journal.ts';
import type { EntryLine, TargetsLine } from '../../src/fleet/journal/lines.ts';
import { mergeJournals } from '../../src/fleet/journal/merge.ts';
import { readJournal } from '../../src/fleet/journal/read.ts';
import { inShard } from '../../src/fleet/shard.ts';
import { temporaryDirectory } from '../support/run.ts';

const platform = 'https://ghe.example.com/api/v3';
const run = { platform, command: ['hooks', 'set', '{}', '5', '--enforcement', 'enabled'] };
const at = '2026-03-01T12:00:00.000Z';

const freshPath = async () => join(await temporaryDirectory(), 'run.ndjson');

/** Writes a journal of these lines, and closes it. */
async function written(lines: readonly (EntryLine | TargetsLine)[] = [], header = run): Promise<string> {
  const path = await freshPath();
  const journal = new Journal(path, header);
  for (const line of lines)
    if ('targets' in line) journal.recordTargets(line.targets);
    else journal.record(line);
  journal.close();
  return path;
}

const resumed = (path: string, header: typeof run & { shard?: string } = run) =>
  new Journal(path, header, { resume: true });

const sent: readonly EntryLine[] = [
  { target: 'acme/site', sending: 'PATCH /a', at, before: { enforcement: 'disabled' } },
  { target: 'acme/site', received: 'PATCH /a', status: 200, at },
  { target: 'acme/site', outcome: 'ok', at },
];

describe('a journal', () => {
  it('has a header and a line for each event, and only its owner can read it', async () => {
    const path = await written([{ targets: [{ name: 'acme/site', id: 7 }, { name: 'acme' }] }, ...sent]);
    expect(readFileSync(path, 'utf8')).toBe(
      [
        `{"journal":2,"platform":"${platform}","command":["hooks","set","{}","5","--enforcement","enabled"]}`,
        '{"targets":[{"name":"acme/site","id":7},{"name":"acme"}]}',
        `{"target":"acme/site","sending":"PATCH /a","at":"${at}","before":{"enforcement":"disabled"}}`,
        `{"target":"acme/site","received":"PATCH /a","status":200,"at":"${at}"}`,
        `{"target":"acme/site","outcome":"ok","at":"${at}"}`,
        '',
      ].join('\n'),
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('is on disk before a write is sent: the header, the targets and the line of the write', async () => {
    const path = await freshPath();
    const synced: string[] = [];
    const lastLine = () => readFileSync(path, 'utf8').split('\n').at(-2) ?? '';
    const sync = vi.spyOn(fs, 'fdatasyncSync').mockImplementation(() => void synced.push(lastLine()));
    syncBuiltinESMExports();
    onTestFinished(() => {
      sync.mockRestore();
      syncBuiltinESMExports();
    });
    const journal = new Journal(path, run);
    journal.recordTargets([{ name: 'acme/site' }]);
    for (const line of sent) journal.record(line);
    journal.close();
    expect(synced).toEqual([
      JSON.stringify({ journal: 2, ...run }),
      '{"targets":[{"name":"acme/site"}]}',
      `{"target":"acme/site","sending":"PATCH /a","at":"${at}","before":{"enforcement":"disabled"}}`,
    ]);
  });

  it('keeps no secrets of the value before', async () => {
    const path = await freshPath();
    const journal = new Journal(path, run, { mask: (text) => text.replaceAll('hunter2', '********') });
    const before = { client_secret: 'opensesame', url: 'https://x:pass@example.com/?token=abc', note: 'use hunter2' };
    journal.record({ target: 'acme', sending: 'PATCH /a', at, before });
    journal.close();
    expect(readFileSync(path, 'utf8')).not.toMatch(/opensesame|pass@|abc|hunter2/);
  });

  it('keeps no secrets of lists before', async () => {
    const path = await freshPath();
    const journal = new Journal(path, run);
    const before = { api_token: ['abc', ['def'], null, { id: 1, password: ['ghi'] }], regions: ['eu'], secret: null };
    journal.record({ target: 'acme', sending: 'PATCH /a', at, before });
    journal.close();
    expect(readFileSync(path, 'utf8').split('\n').at(-2)).toBe(
      `{"target":"acme","sending":"PATCH /a","at":"${at}","before":{"api_token":["********",["********"],null,{"id":1,"password":["********"]}],"regions":["eu"],"secret":null}}`,
    );
  });

  it.each(['missing', 'empty', 'cut within its first line'])('that is %s is started', async (kind) => {
    const path = await freshPath();
    if (kind !== 'missing') writeFileSync(path, kind === 'empty' ? '' : '{"journal":2,"platf', { mode: 0o600 });
    resumed(path).close();
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify({ journal: 2, ...run })}\n`);
  });

  it('without targets has no run yet, and is started over', async () => {
    const path = await written([], { ...run, command: ['orgs', 'get', '{}'] });
    const journal = new Journal(path, run);
    journal.recordTargets([{ name: 'acme/site' }]);
    journal.close();
    expect(readFileSync(path, 'utf8')).toBe(
      `${JSON.stringify({ journal: 2, ...run })}\n{"targets":[{"name":"acme/site"}]}\n`,
    );
  });

  it.each([
    ['a token', 'ghp_notAJournal'],
    ['zeros', Buffer.alloc(70_000)],
    ['another object', '{"plan":2,'],
  ])('is not started over in place of a private file with %s and no complete line', async (_what, content) => {
    const path = await freshPath();
    writeFileSync(path, content, { mode: 0o600 });
    for (const resume of [false, true])
      expect(() => new Journal(path, run, { resume })).toThrow(`${path} is not a journal: line 1 is not a header.`);
    expect(readFileSync(path)).toEqual(Buffer.from(content));
  });

  it('that was cut off in its header is started over', async () => {
    const path = await freshPath();
    for (const length of [0, 1, 11, 40]) {
      writeFileSync(path, JSON.stringify({ journal: 2, ...run }).slice(0, length), { mode: 0o600 });
      new Journal(path, run).close();
      expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify({ journal: 2, ...run })}\n`);
    }
  });

  it('that has lines is not started over', async () => {
    const path = await written([{ targets: [{ name: 'acme/site' }] }]);
    expect(() => new Journal(path, run)).toThrow(`${path} already contains a run.`);
  });

  it('continues after the last complete line', async () => {
    const path = await written(sent);
    truncateSync(path, statSync(path).size - 3);
    const journal = resumed(path);
    expect(journal.find('acme/site')).toEqual({ outcome: undefined, done: new Set(['PATCH /a']), inDoubt: new Map() });
    journal.record({ target: 'acme/site', outcome: 'ok', at });
    journal.close();
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(5);
  });

  it.each<[what: string, header: typeof run & { shard?: string }, message: string]>([
    [
      'command line',
      { platform, command: ['orgs', 'get', '{}'] },
      'command line: hooks set {} 5 --enforcement enabled, not orgs get {}',
    ],
    [
      'platform',
      { ...run, platform: 'https://other.example.com' },
      `platform: ${platform}, not https://other.example.com`,
    ],
    ['shard', { ...run, shard: '1/4' }, 'shard: none, not 1/4'],
  ])('of another %s is rejected', async (_what, header, message) => {
    const path = await written([{ targets: [{ name: 'acme/site' }] }]);
    expect(() => resumed(path, header)).toThrow(`${path} is the journal of another ${message}. Nothing was sent.`);
  });

  it('of a newer version is rejected, with advice', async () => {
    const path = await freshPath();
    writeFileSync(path, '{"journal":3,"anything":true}\n', { mode: 0o600 });
    expect(() => resumed(path)).toThrow(
      expect.objectContaining({
        message: `${path} is a journal of version 3, and this forgectl reads version 2. Nothing was sent.`,
        advice: 'Begin a new one with: forgectl each TARGETS --journal FILE -- COMMAND',
      }),
    );
  });

  it.each<[what: string, line: string]>([
    ['no JSON', '{"target":'],
    ['no line of a journal', '{"target":"acme/site","what":1}'],
    ['no time', '{"target":"acme/site","outcome":"ok","at":"soon"}'],
    ['a response to nothing', `{"target":"acme/site","received":"PATCH /b","status":200,"at":"${at}"}`],
    ['a target that is done', `{"target":"done","sending":"PATCH /b","at":"${at}"}`],
    ['not UTF-8', '\xff'],
    ['another ID for a target', '{"targets":[{"name":"acme/x","id":7},{"name":"ACME/X","id":8}]}'],
  ])('with %s in its middle is rejected with file and line', async (_what, line) => {
    const path = await written([{ target: 'done', outcome: 'ok', at }]);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from(`${line}\n{"targets":[]}\n`, 'latin1')]));
    expect(() => resumed(path)).toThrow(`${path} is damaged, line 3. Nothing was sent.`);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('is used by one run at a time', async () => {
    const path = await freshPath();
    const first = new Journal(path, run);
    expect(() => resumed(path)).toThrow(`Another run is using ${path}. Nothing was sent.`);
    first.close();
    resumed(path).close();
  });

  it.skipIf(process.platform === 'win32')('that others can read, or that is a link, is rejected', async () => {
    const path = await written();
    chmodSync(path, 0o644);
    expect(() => resumed(path)).toThrow(`${path} must be a regular file that you own, with mode 0600.`);
    const link = await freshPath();
    symlinkSync(await written(), link);
    expect(() => resumed(link)).toThrow(`Cannot read ${link}: it is a symbolic link.`);
  });
});

describe('the state of a target', () => {
  const stateAfter = async (lines: readonly EntryLine[]) => {
    const journal = resumed(await written(lines));
    journal.close();
    return journal.find('acme/site');
  };
  const sending: EntryLine = { target: 'acme/site', sending: 'POST /a', at, creates: true, before: 1 };
  const received = (status: number): EntryLine => ({ target: 'acme/site', received: 'POST /a', status, at });
  const doubtful = { step: 'POST /a', sentAt: Date.parse(at), creates: true, before: 1 };

  it.each<[what: string, lines: EntryLine[], done: string[], inDoubt: object[]]>([
    ['without a response is in doubt', [sending], [], [doubtful]],
    ['with a success is done', [sending, received(201)], ['POST /a'], []],
    ['that did not reach the platform is not done', [sending, { target: 'acme/site', unsent: 'POST /a', at }], [], []],
    ['with a refusal is not done', [sending, received(403)], [], []],
    ['with a redirect, which no write follows, is not done', [sending, received(307)], [], []],
    ['with a server error is in doubt', [sending, received(502)], [], [doubtful]],
    ['with the timeout of a proxy is in doubt', [sending, received(408)], [], [doubtful]],
    [
      'that was sent again after a rate limit is done',
      [sending, received(429), sending, received(200)],
      ['POST /a'],
      [],
    ],
    [
      'found as wanted is done',
      [sending, { target: 'acme/site', verified: 'POST /a', found: 'wanted', at }],
      ['POST /a'],
      [],
    ],
    ['found absent is not done', [sending, { target: 'acme/site', verified: 'POST /a', found: 'absent', at }], [], []],
    [
      'found changed stays in doubt',
      [sending, { target: 'acme/site', verified: 'POST /a', found: 'other', at }],
      [],
      [doubtful],
    ],
  ])('a write %s', async (_what, lines, done, inDoubt) => {
    const record = await stateAfter(lines);
    expect([[...(record?.done ?? [])], [...(record?.inDoubt.values() ?? [])]]).toEqual([done, inDoubt]);
  });

  it('is counted', async () => {
    const path = await written([
      { targets: [...'abcdefghi'].map((name) => ({ name })) },
      { target: 'a', outcome: 'ok', at },
      { target: 'b', outcome: 'failed', at, error: { exit: 5, code: 'not_permitted', message: 'no' } },
      { target: 'c', outcome: 'unknown', at },
      { target: 'd', sending: 'POST /d', at },
      { target: 'e', sending: 'POST /e', at },
      { target: 'e', received: 'POST /e', status: 201, at },
    ]);
    expect(readJournal(path).state?.counts()).toEqual({ done: 1, failed: 1, unknown: 2, open: 5 });
  });
});

it('truncated at any byte of its last line, the journal loses that line and no other', async () => {
  const event = constantFrom('sending', 'received', 'outcome');
  await assert(
    asyncProperty(array(event, { minLength: 1, maxLength: 12 }), integer({ min: 1, max: 80 }), async (events, cut) => {
      const lines = events.flatMap((kind, index): EntryLine[] => {
        const target = `acme/é${index}`;
        const sending = { target, sending: 'POST /a', at };
        if (kind === 'sending') return [sending];
        if (kind === 'received') return [sending, { target, received: 'POST /a', status: 200, at }];
        return [{ target, outcome: 'ok', at }];
      });
      const path = await written(lines);
      const whole = readFileSync(path);
      const last = whole.lastIndexOf('\n', whole.length - 2) + 1;
      const kept = whole.length - Math.min(cut, whole.length - last);
      truncateSync(path, kept);
      const journal = resumed(path);
      journal.record(lines.at(-1) as EntryLine);
      journal.close();
      expect(readFileSync(path).equals(whole)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

describe('merging', () => {
  const targets = Array.from({ length: 40 }, (_, at) => `acme/service-${at}`);

  async function shards(count: number): Promise<string[]> {
    const paths: string[] = [];
    for (let index = 1; index <= count; index++) {
      const path = await freshPath();
      const journal = new Journal(path, { ...run, shard: `${index}/${count}` });
      const own = targets.filter((target) => inShard(target, { index, count }));
      journal.recordTargets(own.map((name) => ({ name })));
      for (const target of own.slice(1)) journal.record({ target, outcome: 'ok', at });
      journal.close();
      paths.push(path);
    }
    return paths;
  }

  it('merges all shards into one journal, which continues the whole run', async () => {
    const into = await freshPath();
    const lines = mergeJournals(await shards(3)).map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(into, lines.join(''), { mode: 0o600 });
    expect(readJournal(into).state?.counts()).toEqual({ done: 37, failed: 0, unknown: 0, open: 3 });
    const journal = resumed(into);
    expect(targets.filter((target) => journal.find(target)?.outcome === 'ok')).toHaveLength(37);
    journal.close();
  });

  it.each([1, 2])('keeps that the targets of shard %i/2 read standard input', async (reading) => {
    const paths: string[] = [];
    for (const index of [1, 2]) {
      const path = await freshPath();
      new Journal(path, { ...run, ...(index === reading && { stdin: true as const }), shard: `${index}/2` }).close();
      paths.push(path);
    }
    expect(mergeJournals(paths)).toEqual([{ journal: 2, ...run, stdin: true }, { targets: [] }]);
  });

  it('rejects a missing shard', async () => {
    const [first = '', , third = ''] = await shards(3);
    expect(() => mergeJournals([first, third])).toThrow('Shard 2/3 is missing.');
  });

  it('rejects a shard that is given twice', async () => {
    const [first = '', second = ''] = await shards(2);
    const copy = await freshPath();
    copyFileSync(second, copy);
    expect(() => mergeJournals([first, second, copy])).toThrow(`${second} and ${copy} are both shard 2/2.`);
  });

  it('rejects a target in the wrong shard', async () => {
    const path = await freshPath();
    const journal = new Journal(path, { ...run, shard: '1/4' });
    journal.record({ target: 'acme/site', outcome: 'ok', at });
    journal.close();
    expect(() => mergeJournals([path])).toThrow(`${path} has acme/site, which is not in shard 1/4.`);
    const [first = '', second = ''] = await shards(2);
    const [stray] = targets.filter((target) => inShard(target, { index: 1, count: 2 }));
    appendFileSync(second, `{"targets":[{"name":"${stray}","id":666}]}\n`);
    expect(() => mergeJournals([first, second])).toThrow(`${second} has ${stray}, which is not in shard 2/2.`);
  });

  it('rejects journals of different runs, and one that is not of a shard', async () => {
    const [first = ''] = await shards(2);
    const [, other = ''] = await shards(3);
    expect(() => mergeJournals([first, other])).toThrow(`${other} and ${first} are journals of different runs.`);
    const whole = await written();
    expect(() => mergeJournals([whole])).toThrow(`${whole} is not the journal of a shard.`);
  });
});

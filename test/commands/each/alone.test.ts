/** forgectl each --resume: the journal is all that a run needs to continue. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const names = ['acme/site', 'acme/api', 'acme/docs'];
const record = (name: string, id: number) => ({ id, full_name: name, archived: false });

/** Begins a run on three repositories, of which the platform refuses to change one, and then changes its mind. */
async function begun(own: readonly string[] = ['repos', 'acme', '--where', '.archived | not'], stdin?: string) {
  let status = 403;
  const repositories = names.map((name, at) => record(name, at + 1));
  const change = (name: string) => ({ [`PATCH /repos/${name}`]: { status: 200, body: {} } });
  const platform = await scriptedPlatform({
    'GET /orgs/acme/repos': { body: repositories },
    'GET /orgs/globex/repos': { body: [record('globex/site', 9)] },
    ...Object.assign({}, ...repositories.map((body) => ({ [`GET /repos/${body.full_name}`]: { body } }))),
    ...Object.assign({}, ...names.slice(0, 2).map(change)),
    'PATCH /repos/acme/docs': () => ({ status, body: {} }),
  });
  const directory = await temporaryDirectory();
  const path = join(directory, 'run.ndjson');
  const command = ['repos', 'update', '{}', '--description', 'new'];
  const { env } = platform;
  const first = await run(['each', ...own, '--journal', path, '--', ...command], {
    env,
    ...(stdin !== undefined && { stdin }),
  });
  expect(first).toMatchObject({ code: 9 });
  status = 200;
  const seen = platform.requests.length;
  return {
    path,
    directory,
    first,
    each: (words: readonly string[], input?: string) =>
      run(['each', ...words], { env, ...(input !== undefined && { stdin: input }) }),
    asked: () => platform.requests.slice(seen).map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`),
  };
}

const left = ['GET /repos/acme/docs', 'PATCH /repos/acme/docs'];

/** Where the ID is known, the repository is compared first. */
const leftWithId = ['GET /repos/acme/docs', ...left];

describe('each --resume', () => {
  it('needs only the journal: lists nothing, and sends only what is left', async () => {
    const { path, each, asked } = await begun();
    expect(await each(['--resume', path])).toMatchObject({
      stdout: 'acme/site\tskipped\t\t\nacme/api\tskipped\t\t\nacme/docs\tok\t\t\n',
      code: 0,
    });
    expect(asked()).toEqual(leftWithId);
  });

  it('prints the command line that does so', async () => {
    const { path, first } = await begun(['repos', 'acme', '--max-wait', '5s', '--concurrency=2']);
    expect(first.stderr).toContain(
      `\nContinue with:\n  forgectl each --max-wait 5s --concurrency=2 --resume ${path}\n`,
    );
  });

  it.each([
    [['repos', 'globex'], `repos acme --where '.archived | not', not each repos globex`],
    [['repos', 'acme'], `repos acme --where '.archived | not', not each repos acme`],
    [['--where', '.archived'], `repos acme --where '.archived | not', not each --where .archived`],
    [
      ['repos', 'acme', '--no-archived', '--where', '.archived | not'],
      `repos acme --where '.archived | not', not each repos acme --where '.archived | not' --no-archived`,
    ],
    [['orgs'], `repos acme --where '.archived | not', not each orgs`],
    [['--replace', '@'], ', not each --replace @'],
  ])('rejects another selection: %j', async (words, message) => {
    const { path, each, asked } = await begun();
    const { code, stderr } = await each([...words, '--resume', path]);
    expect({ code, stderr, asked: asked() }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${path} is the journal of another command line: each`),
      asked: [],
    });
    expect(stderr).toContain(`${message}. Nothing was sent.\n`);
  });

  it('rejects another command', async () => {
    const { path, each, asked } = await begun();
    expect(await each(['--resume', path, '--', 'repos', 'update', '{}', '--description', 'x'])).toMatchObject({
      code: 2,
      stderr: `forgectl: ${path} is the journal of another command line: repos update {} --description new, not repos update {} --description x. Nothing was sent.\n`,
    });
    expect(asked()).toEqual([]);
  });

  it('accepts the same selection and command, in another order of flags', async () => {
    const { path, each, asked } = await begun();
    const words = ['--resume', path, '--where=.archived | not', 'repos', 'acme'];
    expect(await each([...words, '--', 'repos', 'update', '{}', '--description', 'new'])).toMatchObject({ code: 0 });
    expect(asked()).toEqual(leftWithId);
  });

  it('compares --from by the targets that are read', async () => {
    const { path, each, asked, directory } = await begun(['--from', '-'], names.join('\n'));
    const file = join(directory, 'other.txt');
    writeFileSync(file, ['acme/site', 'acme/api', 'acme/wiki'].join('\n'));
    expect(await each(['--from', file, '--resume', path])).toMatchObject({
      code: 2,
      stderr: `forgectl: ${path} is the journal of a run on other targets: not in the journal: acme/wiki; only in the journal: acme/docs. Nothing was sent.\n`,
    });
    expect(asked()).toEqual([]);
    writeFileSync(file, ['ACME/docs', 'acme/api', 'acme/site'].join('\n'));
    expect(await each(['--from', file, '--resume', path])).toMatchObject({ code: 0 });
    // The journal has the ID that the repository had when it was to be changed.
    expect(asked()).toEqual(leftWithId);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['without targets', '{"journal":2,"platform":"https://ghe.example.com/api/v3","command":["orgs","get","{}"]}\n'],
  ])('rejects a journal that is %s', async (_kind, text) => {
    const { each, asked, directory } = await begun();
    const path = join(directory, 'none.ndjson');
    if (text !== undefined) writeFileSync(path, text, { mode: 0o600 });
    expect(await each(['repos', 'acme', '--resume', path, '--', 'repos', 'get', '{}'])).toMatchObject({
      code: 2,
      stderr: `forgectl: ${path} is missing or contains no run. Nothing was sent.\nTo start one there, use --resume-or-start.\n`,
    });
    expect(asked()).toEqual([]);
  });

  it('rejects the journal of policy apply', async () => {
    const { each, directory } = await begun();
    const path = join(directory, 'apply.ndjson');
    const header = { journal: 2, platform: 'https://ghe.example.com/api/v3', plan: 'x' };
    const lines = [header, { targets: [{ name: 'acme' }] }].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(path, lines.join(''), { mode: 0o600 });
    expect(await each(['--resume', path])).toMatchObject({
      code: 2,
      stderr: `forgectl: ${path} is the journal of a run of policy apply, not of each. Nothing was sent.\n`,
    });
  });

  it('shows with --dry-run what is left, and leaves the journal as it is', async () => {
    const { path, each, asked } = await begun();
    const before = readFileSync(path, 'utf8');
    const { stdout, code } = await each(['--resume', path, '--dry-run', '-o', 'ndjson']);
    const records = stdout.trimEnd().split('\n');
    expect({ targets: records.map((line) => JSON.parse(line).target), code }).toEqual({
      targets: ['acme/docs'],
      code: 0,
    });
    expect(asked().filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('keeps the number of a shard', async () => {
    const { path, each, first } = await begun(['repos', 'acme', '--shard', '1/1', '--expect', '3']);
    expect(first.stderr).toContain(`\n  forgectl each --expect 3 --resume ${path}\n`);
    expect(await each(['--shard', '2/2', '--resume', path])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is the journal of another shard: 1/1, not 2/2. Nothing was sent.'),
    });
    expect(await each(['--expect', '3', '--resume', path])).toMatchObject({ code: 0 });
  });

  it('counts the targets of all shards for --expect, as the journal of one shard has them', async () => {
    const { path, each, asked } = await begun(['repos', 'acme', '--shard', '2/3', '--expect', '3']);
    expect(readFileSync(path, 'utf8').split('\n')[1]).toBe(
      '{"targets":[{"name":"acme/api","id":2},{"name":"acme/docs","id":3}],"of":3}',
    );
    expect(await each(['--expect', '2', '--resume', path])).toMatchObject({
      code: 12,
      stderr: 'forgectl: Found 3 targets, but --expect allows 2. Nothing was sent.\n',
    });
    expect(asked()).toEqual([]);
    expect(await each(['--expect', '3', '--resume', path])).toMatchObject({
      stdout: 'acme/api\tskipped\t\t\nacme/docs\tok\t\t\n',
      code: 0,
    });
  });

  it('counts the targets of the journal for --expect', async () => {
    const { path, each, asked } = await begun();
    expect(await each(['--expect', '4', '--resume', path])).toMatchObject({
      code: 12,
      stderr: expect.stringContaining('Found 3 targets, but --expect allows 4. Nothing was sent.'),
    });
    expect(asked()).toEqual([]);
  });

  it('fails again for an organization whose repositories could not be listed', async () => {
    const { path, each } = await begun();
    const [header = '', , ...rest] = readFileSync(path, 'utf8').split('\n');
    const targets = JSON.stringify({ targets: [...names, 'globex'].map((name) => ({ name })) });
    writeFileSync(path, [header, targets, ...rest].join('\n'));
    const { stdout, stderr, code } = await each(['--resume', path]);
    expect(code).toBe(9);
    expect(stdout).toContain('globex\tfailed\t\tThe repositories of globex could not be listed when the run started.');
    expect(stderr).toContain('1 done, 2 skipped, 1 failed');
  });
});

describe('each --resume-or-start', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['without targets', '{"journal":2,"platform":"https://ghe.example.com/api/v3","command":["orgs","get","{}"]}\n'],
  ])('starts a run where the journal is %s, and continues it then', async (_kind, text) => {
    const { each, asked, directory } = await begun();
    const path = join(directory, 'job.ndjson');
    if (text !== undefined) writeFileSync(path, text, { mode: 0o600 });
    const job = ['repos', 'acme', '--resume-or-start', path, '--', 'repos', 'update', '{}', '--description', 'new'];
    expect(await each(job)).toMatchObject({ code: 0, stdout: expect.stringContaining('acme/docs\tok') });
    expect(asked()[0]).toBe('GET /orgs/acme/repos?per_page=100');
    const count = asked().length;
    expect(await each(job)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('\tok') });
    expect(asked()).toHaveLength(count);
  });

  it('requires targets and a command only to start', async () => {
    const { path, each, directory } = await begun();
    expect(await each(['--resume-or-start', join(directory, 'new.ndjson')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('TARGETS is required: repos ORG…, orgs [ORG…], or --from FILE'),
    });
    expect(await each(['--resume-or-start', path])).toMatchObject({ code: 0 });
  });
});

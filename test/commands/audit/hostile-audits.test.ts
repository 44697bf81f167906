/** Saved audits that somebody changed: each is shown, or rejected as damaged. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chance } from '../../support/chance.ts';
import { mutated } from '../../support/mutations.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { savedAudits } from '../../support/saved-audits.ts';

const fuzz = { seed: Number(process.env.FUZZ_SEED ?? 20_261_123), runs: Number(process.env.FUZZ_RUNS ?? 10) };

const [header, finding, trailer] = savedAudits[1];
const { shard: _shard, ...head } = header;
const suppressed = { ...finding, status: 'suppressed', suppression: { reason: 'Known', until: '2027-01-31' } };
const whole = [
  head,
  { ...finding, since: { time: '2026-02-01T00:00:00Z', source: 'audit log' }, baseline: 'new' },
  suppressed,
  { summary: { ...trailer.summary, baseline: { new: 1, same: 0, gone: 0 } } },
];

const formats = [['-o', 'ndjson'], ['--json'], ['--markdown'], ['-o', 'csv'], []];

async function merged(text: string, ...flags: readonly string[]) {
  const folder = await temporaryDirectory();
  const file = join(folder, 'audit.ndjson');
  writeFileSync(file, text);
  const files = [
    '--html',
    join(folder, 'a.html'),
    '--sarif',
    join(folder, 'a.sarif'),
    '--fix-policy',
    join(folder, 'f'),
  ];
  const result = await run(['audit', 'merge', file, ...files, ...flags]);
  return { ...result, folder, stderr: result.stderr.replaceAll(folder, '') };
}

const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

it('an audit with a change anywhere causes no internal error', async () => {
  for (let seed = 0; seed < fuzz.runs; seed++) {
    const random = chance(fuzz.seed + seed);
    const at = Math.floor(random() * whole.length);
    const { kind, path, text } = mutated(whole[at], random);
    const document = whole.map((line, index) => `${index === at ? text : JSON.stringify(line)}\n`).join('');
    const { code, stderr } = await merged(document, ...(formats[seed % formats.length] ?? []));
    expect([0, 2, 5], `seed ${seed}: line ${at + 1} ${path.join('.')} ${kind}: ${stderr}`).toContain(code);
  }
});

it.each([
  'repositories: 5\norganizations: [acme]',
  'repositories: [{ select: 5 }]\norganizations: [acme]',
  'organizations: [../../../acme]',
  'organizations: [acme, globex]',
  'enterprise: ../x',
  'settings: {}',
  '&a [*a]',
  ': : :',
])('a damaged policy writes nothing: %s', async (policy) => {
  const audit = lines([head, { ...finding, fix: { command: null, policy, hint: null } }, trailer]);
  const { code, stderr, folder } = await merged(audit);
  expect([code, stderr]).toEqual([2, 'forgectl: The policy that mends two-factor-required of acme is damaged.\n']);
  expect(existsSync(join(folder, 'f'))).toBe(false);
});

it('policies with secrets are not written', async () => {
  const policyWith = (settings: string) => ({
    ...finding,
    fix: { command: null, policy: `organizations: [acme]\nsettings: ${settings}\n`, hint: null },
  });
  const settings = ['{ blog: "https://ci:pw@h.example" }', '{ company: Acme }', '{ blog: "h?a=%2F%3Ftoken%3Dx" }'];
  const { code, stderr, folder } = await merged(lines([head, ...settings.map(policyWith), trailer]));
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('Omitted the policies of 2 findings, which contain secrets.\n'),
  ]);
  expect(readFileSync(join(folder, 'f/acme.yaml'), 'utf8')).toBe(
    'organizations:\n  - acme\nsettings:\n  company: Acme\n',
  );
});

it('names cannot be workflow commands or mentions in Markdown', async () => {
  const folder = await temporaryDirectory();
  const file = join(folder, 'audit.ndjson');
  writeFileSync(file, lines([{ ...head, organizations: [{ name: '##[error]x @mona' }] }, finding, trailer]));
  const { stdout } = await run(['audit', 'merge', file, '--markdown'], { env: { GITHUB_ACTIONS: 'true' } });
  expect(stdout.split('\n')[0]).toBe('### Audit of `#\\u0023[error]x @mona`');
});

it('names of targets cannot be paths out of a repository in SARIF', async () => {
  const targets = ['../../etc/x', '/etc/x', 'file:///etc/x', 'a/./..', '..', 'C:\\x', '..\\..\\x', ''];
  const audit = lines([head, ...targets.map((target) => ({ ...finding, target })), trailer]);
  const { folder, stderr } = await merged(audit);
  expect(stderr).not.toContain('Internal');
  const { results } = JSON.parse(readFileSync(join(folder, 'a.sarif'), 'utf8')).runs[0];
  type Result = { locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] };
  const uris = results.map(({ locations }: Result) => locations[0].physicalLocation.artifactLocation.uri);
  expect(uris.toSorted()).toEqual(
    ['_', '_', '_/_/etc/x', '_/etc/x', 'C-/x', '_/_/x', 'a/_/_', 'file-/_/_/etc/x'].toSorted(),
  );
});

it('names do not become links in SARIF', async () => {
  const name = '[Fix](https://globex.example)';
  const named = { ...finding, target: name, message: name, fix: { command: null, policy: null, hint: name } };
  const heading = { ...head, organizations: [{ name, unreadable: name }] };
  const { folder } = await merged(lines([heading, named, trailer]));
  const [{ results, invocations }] = JSON.parse(readFileSync(join(folder, 'a.sarif'), 'utf8')).runs;
  const shown = '[Fix] (https://globex.example)';
  expect(results[0].message.text).toBe(`${shown}: ${shown}\n${shown}`);
  expect(JSON.stringify(invocations)).toContain(`${shown} cannot be read: ${shown}.`);
  expect(JSON.stringify(invocations)).not.toContain('](');
});

it('names in plots cannot change what all objects have', async () => {
  const named = (check: string) => ({ ...finding, check });
  const audit = lines([head, ...['a', '__proto__', 'constructor', 'value'].map(named), trailer]);
  const { code, stderr, folder } = await merged(audit);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Wrote the report')]);
  expect(readFileSync(join(folder, 'a.html'), 'utf8').match(/>__proto__/g)).toHaveLength(3);
  expect(['prev', 'next'].filter((name) => name in {})).toEqual([]);
});

it('half of a character in a name is a path in SARIF, too', async () => {
  const { code, folder } = await merged(lines([head, { ...finding, target: 'acme/\ud83d' }, trailer]));
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'a.sarif'), 'utf8')).toContain('"uri":"acme/%EF%BF%BD"');
});

it('rows of Markdown keep their cells, whatever names and commands are', async () => {
  const named = {
    ...finding,
    check: '@mona',
    object: 'a\\|b',
    fix: { ...finding.fix, command: 'forgectl x\n\n# @mona', policy: null },
  };
  const { stdout } = await merged(lines([head, { ...named, message: '- \u0085<img>' }, trailer]), '--markdown');
  expect(stdout.split('\n').at(-2)).toBe(
    String.raw`| high | ${'`'}@mona${'`'} | ${'`'}acme: a\\u007cb${'`'} | ${'`'}- <img>${'`'} | ${'`'}forgectl x  # @mona${'`'} |`,
  );
});

it('long names leave room in Markdown for other findings', async () => {
  const long = Array.from({ length: 40 }, (_, index) => ({ ...finding, object: `${index} ${'x'.repeat(10_000)}` }));
  const { stdout } = await merged(lines([head, ...long, trailer]), '--markdown');
  expect(stdout.match(/^\| high /gm)).toHaveLength(40);
  expect(stdout).not.toContain('not shown');
});

it('values nested too deep are damage', async () => {
  const audit = `{"audit":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`;
  expect(await merged(audit)).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a saved audit') });
});

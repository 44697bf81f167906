/** schemas/ against what commands print: on the embedded platform, whole records without --fields, --jq and --quiet. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { allowedFile, writeAllowed, writeExtension } from '../support/extensions.ts';
import { writeJournals } from '../support/journals.ts';
import { start } from '../support/process.ts';
import { writeProfiles } from '../support/profiles.ts';
import { run, temporaryDirectory } from '../support/run.ts';
import { writeAudits } from '../support/saved-audits.ts';
import { writePlan } from '../support/saved-plan.ts';
import { commands, type Example, root } from './commands.ts';

const folder = join(root, 'schemas');
const schemaOf = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { $id: string };
const fileOf = (command: string) => command.replaceAll(' ', '-');

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const validator = (name: string) => ajv.getSchema(`${name}.json`) ?? ajv.compile(schemaOf(name));

function expectValid(name: string, document: unknown): void {
  const isValid = validator(name);
  expect(isValid(document), JSON.stringify(isValid.errors, null, 2)).toBe(true);
}

const snapshot =
  '{"version":0,"job":{"id":"7","correlator":"build"},"sha":"ce587453ced02b1526dfb4cb910479d431683101","ref":"refs/heads/main","detector":{"name":"d","version":"1","url":"https://d.example.com"},"scanned":"2026-03-10T12:00:00Z"}';

interface Line {
  readonly command: string;
  readonly words: readonly string[];
  readonly stdin?: string;
  readonly code?: number;
}

/** What the examples of the help leave out, or say with more than one command. FOLDER is a directory with journals and a snapshot. */
const lines: readonly Line[] = [
  { command: 'alias import', words: ['-'], stdin: 'mine: orgs list --all' },
  { command: 'auth login', words: ['--with-token', '--insecure-storage', '--profile', 'new'], stdin: 'TOKEN' },
  { command: 'auth token', words: [] },
  { command: 'autocomplete', words: ['bash'] },
  { command: 'bypass list', words: ['acme', '--time-period', 'month'] },
  { command: 'each', words: ['repos', 'acme', '--', 'repos', 'get', '{}'] },
  { command: 'journal list', words: ['FOLDER'] },
  { command: 'journal merge', words: ['FOLDER/shard-1.ndjson', 'FOLDER/shard-2.ndjson'] },
  { command: 'journal show', words: ['FOLDER/run.ndjson'] },
  { command: 'migrations download', words: ['78', '--file', 'FOLDER/acme.tar.gz'] },
  { command: 'permissions explain', words: ['GET /orgs/{org}/teams'] },
  {
    command: 'policy explain',
    words: ['acme', '-'],
    stdin: 'organizations: [acme]\nsettings: { company: x }\nhooks: [{ name: h, enforcement: testing }]',
  },
  { command: 'policy effects', words: [] },
  { command: 'policy schema', words: [] },
  {
    command: 'policy apply',
    words: ['-', '--yes', '--journal', 'FOLDER/apply.ndjson'],
    stdin: 'organizations: [acme]\nsettings: { company: Acme Works }',
  },
  { command: 'audit', words: ['acme', '--all', '--severity', 'low'] },
  { command: 'audit merge', words: ['FOLDER/audit-1.ndjson', 'FOLDER/audit-2.ndjson'] },
  { command: 'policy export', words: ['acme', '--dir', 'FOLDER/exported'] },
  {
    command: 'policy import',
    words: ['peribolos', '-', '--dir', 'FOLDER/imported'],
    stdin: 'orgs: { acme: { admins: [riverotter] } }',
  },
  { command: 'policy plan', words: ['-'], stdin: 'organizations: [acme]\nsettings: { company: Acme Works }' },
  { command: 'policy show', words: ['FOLDER/plan.ndjson'] },
  {
    command: 'policy validate',
    words: ['-'],
    stdin: 'organizations: [acme]\nsettings: { blogg: x }',
    code: 2,
  },
  {
    command: 'registries create',
    words: 'acme --registry-type npm_registry --url https://n.example.com --visibility all --secret-stdin'.split(' '),
    stdin: 'a registry secret',
  },
  { command: 'registries seal', words: ['acme', '--secret-stdin'], stdin: 'a registry secret' },
  { command: 'registries update', words: ['acme', 'PYTHON_INDEX_SECRET', '--visibility', 'all'] },
  { command: 'rulesets history', words: ['acme/site', '21000010', '--version', '210000101'] },
  { command: 'rulesets impact', words: ['10001010', 'acme'] },
  { command: 'rulesets lint', words: ['-'], stdin: '{"name": 7, "later": true}', code: 2 },
  { command: 'rulesets schema', words: [] },
  {
    command: 'snapshots create',
    words: ['--sbom', '-', '--job-id', '1', '--correlator', 'c', '--sha', '0'.repeat(40), '--ref', 'refs/heads/main'],
    stdin: '{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": []}',
  },
  {
    command: 'snapshots diff',
    words: ['FOLDER/last.json', '-'],
    stdin: '{"manifests": {"a": {"name": "a", "resolved": {"x": {"package_url": "pkg:npm/x@1"}}}}}',
  },
  { command: 'snapshots lint', words: ['-'], stdin: '{"version": 0}', code: 2 },
  { command: 'snapshots sbom', words: ['acme/site'] },
  { command: 'snapshots submit', words: ['acme/site', '--input', '-'], stdin: snapshot },
];

/** Examples that need more than one process or a file, or show less than a whole record, stand in the list above. */
const isPlain = (command: string) =>
  !/[|<>&$]|ruleset\.yaml|aliases\.yaml|snapshot\.json|package-lock\.json|snapshots create| --from \.| --offline|\.ndjson|\.txt| --(?:jq|fields|quiet|file|base-url|secret-file) | --wait$| -o | --(?:sarif|fix-policy) |^\S+ (?:help|sandbox|autocomplete|journal list|migrations download|policy)\b/.test(
    command,
  );

/** Words as a shell takes them, where nothing but plain quotes is in them. */
const shellWords = (line: string): string[] =>
  [...line.matchAll(/(?:'([^']*)'|"([^"]*)"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));

const examples: readonly Line[] = commands.flatMap(({ name, examples }) =>
  (examples as Example[])
    .map(({ command }) => command)
    .filter((command) => command.startsWith(`forgectl ${name}`) && isPlain(command))
    .map((command) => ({ command: name, words: shellWords(command).slice(1 + name.split(' ').length) })),
);

const named = (line: Line) => ({ ...line, shown: [line.command, ...line.words].join(' ') });
const all = [...examples, ...lines].map(named);

/** Runs a line as somebody who is logged in, on a platform and in a directory of its own. */
async function shown({ command, words, stdin }: Line) {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  const directory = await temporaryDirectory();
  writeJournals(directory);
  writeAudits(directory);
  writePlan(directory);
  writeFileSync(join(directory, 'last.json'), snapshot);
  const onlyForApps = /^installations (?:repos|revoke-token)$/.test(command);
  const token = sandbox.tokens[onlyForApps ? 'installation' : 'classic'];
  const { origin } = new URL(sandbox.baseUrl);
  const profile = { 'base-url': sandbox.baseUrl, token: { storage: 'file', origin, login: 'admin' } };
  writeProfiles(join(directory, 'settings'), {
    active: 'default',
    profiles: { default: profile, staging: profile },
    aliases: { 'all-orgs': 'orgs list --all' },
    tokens: { default: { origin, token }, staging: { origin, token } },
  });
  writeExtension(join(directory, 'bin'), 'report');
  writeAllowed(join(directory, 'settings'), { report: allowedFile('/usr/bin/forgectl-report') });
  const asApp = /^apps |^installations token$/.test(command) && {
    FORGECTL_BASE_URL: sandbox.baseUrl,
    FORGECTL_APP_ID: '41',
    FORGECTL_APP_PRIVATE_KEY: sandbox.app.privateKey(),
  };
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const given = words.map((word) => word.replace('FOLDER', directory)).toSpliced(end, 0, '--json');
  return run([...command.split(' '), ...given], {
    env: {
      FORGECTL_BASE_URL: command === 'auth login' ? sandbox.baseUrl : '',
      ...(command.startsWith('extensions') && { PATH: join(directory, 'bin') }),
      ...asApp,
    },
    configDir: join(directory, 'settings'),
    // As an app, the clocks of both must agree.
    ...(asApp && { now: new Date() }),
    ...(stdin === undefined ? {} : { stdin: stdin.replace('TOKEN', token) }),
  });
}

describe('the output of commands', () => {
  it.each(all)('forgectl $shown --json', async (line) => {
    const { stdout, stderr, code } = await shown(line);
    expect({ code, stderr }).toMatchObject({ code: line.code ?? 0 });
    const document = JSON.parse(stdout) as unknown;
    if (line.words.includes('--dry-run')) expectValid('dry-run', document);
    else {
      expectValid(fileOf(line.command), document);
      // An empty list would fit whatever the schema says.
      if (Array.isArray(document)) expect(document).not.toEqual([]);
    }
  });

  it('forgectl sandbox serve --json', async () => {
    const { child } = start(['sandbox', 'serve', '--json', '--port', '0']);
    const [announced] = (await child.stdout.take(1).toArray()) as Buffer[];
    expectValid('sandbox-serve', JSON.parse(String(announced)));
  });

  it('is checked for every command that prints JSON', () => {
    // Only a repository that a migration holds can be unlocked; like every answer without a body it is {}.
    // A review requires a terminal.
    const others = ['help', 'migrations unlock', 'policy review', 'sandbox serve'];
    const printing = commands.map(({ name }) => name).filter((name) => !others.includes(name));
    const shownWhole = all.filter(({ words }) => !words.includes('--dry-run')).map(({ command }) => command);
    expect(printing.filter((name) => !shownWhole.includes(name))).toEqual([]);
  });
});

describe('the last line on stderr', () => {
  it.each<[code: string, Line]>([
    ['usage', { command: 'registries delete', words: ['acme', 'PYTHON_INDEX_SECRET'] }],
    ['validation', { command: 'repos create', words: ['acme/site', '--visibility', 'secret'] }],
    ['not_found', { command: 'orgs get', words: ['nobody'] }],
    ['refused', { command: 'repos create', words: ['acme/site', '--private'] }],
    ['usage', { command: 'orgs get', words: ['acme', '--jsn'] }],
  ])('is a failure of code %s that its schema describes', async (code, line) => {
    const { stderr } = await shown(line);
    const error = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: { code: string } };
    expectValid('error', error);
    expect(error.error.code).toBe(code);
  });
});

describe('schemas/', () => {
  it('has a file for each command except help, named like the command, and one for each of the other formats', () => {
    const names = commands.map(({ name }) => name).filter((name) => name !== 'help');
    const others = ['audit-config', 'dry-run', 'error', 'journal', 'extensions-file', 'plan'];
    const files = [...names.map(fileOf), ...others].map((name) => `${name}.json`);
    expect(readdirSync(folder).sort()).toEqual(files.sort());
  });

  it('describes the lines of journals', () => {
    const at = '2026-03-01T12:00:00.000Z';
    for (const line of [
      { journal: 2, platform: 'https://ghe.example.com/api/v3', command: ['orgs', 'get', '{}'], shard: '1/4' },
      { targets: [{ name: 'acme/site', id: 100_001 }, { name: 'acme' }] },
      { target: 'acme/site', sending: 'PATCH /repos/acme/site', at, before: { archived: false } },
      { target: 'acme/site', received: 'PATCH /repos/acme/site', status: 200, at },
      { target: 'acme/site', unsent: 'PATCH /repos/acme/site', at },
      { target: 'acme/site', verified: 'PATCH /repos/acme/site', found: 'wanted', at },
      { target: 'acme/site', outcome: 'failed', at, error: { exit: 5, code: 'not_permitted', message: 'no' } },
    ])
      expectValid('journal', line);
    const isLine = validator('journal');
    expect(
      [{ target: 'acme/site' }, { journal: 3, platform: 'x' }, { targets: '219' }].map((line) => isLine(line)),
    ).toEqual([false, false, false]);
  });

  it('describes the lines of saved plans, and of undo plans', async () => {
    const directory = await temporaryDirectory();
    const sandbox = await startSandbox({ orgs: 1, repos: 1 });
    onTestFinished(() => sandbox.close());
    const env = {
      FORGECTL_BASE_URL: sandbox.baseUrl,
      FORGECTL_TOKEN: sandbox.tokens.classic,
      XDG_STATE_HOME: directory,
    };
    const stdin = 'organizations: [acme]\nsettings: { company: x }\nabsent: { rulesets: [No binaries, Nothing] }';
    const undo = join(directory, 'undo.ndjson');
    const plan = await run(['policy', 'plan', '-', '-o', 'ndjson'], { env, stdin });
    await run(['policy', 'apply', '-', '--yes', '--undo-out', undo], { env, stdin });
    const lines = `${plan.stdout}${readFileSync(undo, 'utf8')}`.split('\n').filter(Boolean);
    expect(lines).toHaveLength(8);
    for (const line of lines) expectValid('plan', JSON.parse(line));
    const isLine = validator('plan');
    expect([{ plan: 2 }, { action: 'create' }, { summary: {} }].map((line) => isLine(line))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('rejects a record without a required field or with a wrong type', () => {
    const isOrganizations = validator('orgs-list');
    expect(isOrganizations([{ login: 'acme' }])).toBe(false);
    expect(isOrganizations({})).toBe(false);
    expect(validator('repos-languages')({ Go: 'many' })).toBe(false);
  });

  it('accepts unknown fields, and the absence of fields that not all platforms have', () => {
    const hook = { id: 7, name: 'size', enforcement: 'enabled', later: true };
    expectValid('hooks-list', [hook]);
  });

  it('describes a list as its items, and each of them by name', () => {
    expect(schemaOf('repos-list')).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'repos-list.json',
      title: 'forgectl repos list',
      type: 'array',
      items: { $ref: '#/$defs/Repository' },
      $defs: {
        Repository: {
          properties: {
            id: { type: 'integer' },
            description: { type: ['string', 'null'] },
            archived: { type: 'boolean' },
          },
          required: [
            'id',
            'node_id',
            'name',
            'full_name',
            'owner',
            'html_url',
            'url',
            'description',
            'private',
            'fork',
          ],
        },
      },
    });
  });
});

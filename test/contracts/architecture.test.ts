import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/run.ts';
import { root } from './commands.ts';

const rooms = [
  'disk',
  'json',
  'jq',
  'dependencies',
  'foresight',
  'git',
  'platform',
  'client',
  'fleet',
  'output',
  'cli',
  'topics',
  'commands',
  'sandbox',
] as const;
const importers = [...rooms.filter((room) => room !== 'json'), 'start'] as const;

/** What each room may import. */
const allowed: Readonly<Record<(typeof importers)[number], readonly string[]>> = {
  disk: [],
  jq: ['disk'],
  git: [],
  dependencies: ['json', 'platform'],
  foresight: ['json', 'platform'],
  platform: ['json'],
  client: ['disk', 'json', 'platform'],
  fleet: ['disk', 'json', 'jq', 'client', 'platform'],
  output: ['json', 'jq', 'platform'],
  cli: ['disk', 'json', 'jq', 'client', 'fleet', 'foresight', 'output', 'platform'],
  topics: ['disk', 'json', 'jq', 'dependencies', 'foresight', 'git', 'cli', 'client', 'fleet', 'output', 'platform'],
  commands: [
    'disk',
    'json',
    'jq',
    'dependencies',
    'foresight',
    'git',
    'cli',
    'topics',
    'client',
    'fleet',
    'output',
    'platform',
    'sandbox',
  ],
  sandbox: ['platform'],
  start: ['disk'],
};

/** What each room inside cli may import of the others. */
const allowedInCli = {
  run: ['command', 'help', 'lookup', 'completion', 'result', 'account', 'input', 'report'],
  command: ['lookup', 'result', 'account', 'input', 'report'],
  help: ['lookup', 'input', 'report'],
  lookup: ['input', 'report'],
  completion: ['input', 'report'],
  result: ['account', 'input', 'report'],
  account: ['input', 'report'],
  input: ['report'],
  report: [],
} as const satisfies Record<string, readonly string[]>;

const forms = {
  value: (path: string) => `export { x } from '${path}';\n`,
  type: (path: string) => `export type { X } from '${path}';\n`,
  lazy: (path: string) => `export const load = () => import('${path}');\n`,
};

const packages: readonly (readonly [room: (typeof rooms)[number], name: string])[] = [
  ['platform', '@oclif/core'],
  ['platform', 'undici'],
  ['client', '@oclif/core'],
  ['fleet', '@oclif/core'],
  ['output', '@oclif/core'],
  ['dependencies', '@oclif/core'],
  ['foresight', '@oclif/core'],
  ['git', '@oclif/core'],
  ['sandbox', '@oclif/core'],
  ['sandbox', 'undici'],
];

describe('the lint rule for directories', () => {
  it('allows only the imports that the arrows allow, in every form of import', async () => {
    const folder = await temporaryDirectory();
    cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    const scratch = (file: string, text: string) => {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), text);
      return file;
    };
    const forbidden: string[] = [];
    for (const room of importers)
      for (const other of rooms.filter((each) => each !== room))
        for (const [form, text] of Object.entries(forms)) {
          const file = scratch(`src/${room}/${form}-${other}.ts`, text(`../${other}/any/file.ts`));
          if (!allowed[room].includes(other)) forbidden.push(file);
        }
    for (const [room, name] of packages)
      forbidden.push(scratch(`src/${room}/package-${name.replace(/\W/g, '')}.ts`, forms.value(name)));

    expect(refusedIn(folder).sort()).toEqual(forbidden.sort());
  });

  it('allows imports within cli in one direction only', async () => {
    const folder = await temporaryDirectory();
    cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    const forbidden: string[] = [];
    const inCli = Object.keys(allowedInCli);
    for (const [room, others] of Object.entries<readonly string[]>(allowedInCli)) {
      mkdirSync(join(folder, 'src/cli', room), { recursive: true });
      for (const other of inCli.filter((each) => each !== room)) {
        const file = `src/cli/${room}/${other}.ts`;
        writeFileSync(join(folder, file), forms.value(`../${other}/any/file.ts`));
        if (!others.includes(other)) forbidden.push(file);
      }
      const ground = `src/cli/ground-${room}.ts`;
      writeFileSync(join(folder, ground), forms.value(`./${room}/file.ts`));
      forbidden.push(ground);
    }
    expect(refusedIn(folder).sort()).toEqual(forbidden.sort());
  });

  it('rejects imports between commands', async () => {
    const folder = await temporaryDirectory();
    cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    mkdirSync(join(folder, 'src/commands/orgs'), { recursive: true });
    writeFileSync(join(folder, 'src/commands/orgs/get.ts'), forms.value('../../commands/orgs/list.ts'));
    expect(refusedIn(folder)).toEqual(['src/commands/orgs/get.ts']);
  });
});

describe('the lint rule against import cycles', () => {
  it('rejects files that import each other, even for types only', async () => {
    const folder = await temporaryDirectory();
    cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    mkdirSync(join(folder, 'src/platform'), { recursive: true });
    writeFileSync(join(folder, 'src/platform/one.ts'), forms.type('./other.ts'));
    writeFileSync(join(folder, 'src/platform/other.ts'), forms.type('./one.ts'));
    expect(refusedIn(folder, 'lint/suspicious/noImportCycles')).toEqual([
      'src/platform/one.ts',
      'src/platform/other.ts',
    ]);
  });
});

describe('the lint rules for length', () => {
  const lines = (count: number) => '  let x = 1;\n'.repeat(count);

  it('reject functions of more than 60 lines, and commands of more than 200', async () => {
    const folder = await temporaryDirectory();
    cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    mkdirSync(join(folder, 'src/commands/orgs'), { recursive: true });
    mkdirSync(join(folder, 'src/platform'), { recursive: true });
    for (const [name, count] of [
      ['whole', 59],
      ['long', 61],
    ] as const) {
      writeFileSync(join(folder, `src/platform/function-${name}.ts`), `export function f() {\n${lines(count)}}\n`);
      writeFileSync(
        join(folder, `src/platform/method-${name}.ts`),
        `export class C {\n  m() {\n${lines(count)}  }\n}\n`,
      );
    }
    writeFileSync(join(folder, 'src/commands/orgs/whole.ts'), lines(200));
    writeFileSync(join(folder, 'src/commands/orgs/long.ts'), lines(201));
    expect(refusedIn(folder, 'lint/complexity/noExcessiveLinesPerFunction')).toEqual([
      'src/platform/function-long.ts',
      'src/platform/method-long.ts',
    ]);
    expect(refusedIn(folder, 'lint/style/noExcessiveLinesPerFile')).toEqual(['src/commands/orgs/long.ts']);
  });
});

describe('directories', () => {
  const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => file.slice('src/'.length, -'.ts'.length));

  it('have at most 25 files, commands and the families of endpoints aside', () => {
    const files = Map.groupBy(sources, dirname);
    const full = [...files].filter(([directory, { length }]) => length > 25 && !/^commands\b/.test(directory));
    expect(full.filter(([directory]) => directory !== 'platform/endpoints')).toEqual([]);
  });

  it('of test/ are those of src/, and a test named after a file of src/ is at its path', () => {
    const files = new Set(sources);
    const directories = new Set(sources.flatMap(ancestors));
    const tests = globSync('test/*/**/*.test.ts', { cwd: root })
      .map((file) => file.slice('test/'.length, -'.test.ts'.length))
      .filter((test) => !/^(?:contracts|docs|trust)\//.test(test));
    const misplaced = tests.filter((test) => {
      if (files.has(test) || directories.has(test)) return false;
      const [room] = test.split('/');
      const namesakes = sources.filter((file) => basename(file) === basename(test) && file.startsWith(`${room}/`));
      return namesakes.length > 0 || !(directories.has(dirname(test)) || files.has(dirname(test)));
    });
    expect(tests.length).toBeGreaterThan(200);
    expect(misplaced).toEqual([]);
  });
});

const ancestors = (path: string): string[] =>
  dirname(path) === '.' ? [] : [dirname(path), ...ancestors(dirname(path))];

/** The files that Biome refuses for what they import, with this project's own settings. */
function refusedIn(folder: string, rule = 'lint/style/noRestrictedImports'): string[] {
  const biome = join(root, 'node_modules/.bin/biome');
  const { stdout } = spawnSync(
    biome,
    ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json', '.'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { category: string; severity: string; location: { path: string } }[];
  };
  return diagnostics
    .filter(({ category, severity }) => category === rule && severity === 'error')
    .map(({ location }) => location.path);
}

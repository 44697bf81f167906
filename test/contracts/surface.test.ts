import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { commands, type DeclaredCommand, type DeclaredFlag, hasFlag, isDecidedByPolicies, root } from './commands.ts';

/** Fields that are no flag of a command: an argument gives them, or the command has no use for them. */
const givenOtherwise: Readonly<Record<string, readonly string[]>> = {
  audit: ['ref', 'includes_parents'],
  'migrations start': ['repositories'],
  'migrations wait': ['exclude'],
  'labels create': ['name'],
  // Of an update, those that a new repository can have.
  'repos create': [
    'name',
    'owner',
    'security_and_analysis',
    'has_discussions',
    'has_pull_requests',
    'pull_request_creation_policy',
    'default_branch',
    'allow_update_branch',
    'archived',
    'allow_forking',
    'web_commit_signoff_required',
  ],
  'repos dispatch': ['event_type'],
  'repos grant': ['permission'],
  'repos topics': ['names'],
  'repos transfer': ['new_owner'],
  'rulesets impact': ['includes_parents'],
  'rulesets simulate': ['includes_parents'],
  'teams create': ['name', 'parent_team_id', 'parent_team_slug'],
  'teams update': ['parent_team_id', 'parent_team_slug'],
};

/** They look at a list on the way to something else. */
const listOnTheWay = [
  'audit',
  'auth check',
  'auth login',
  'auth status',
  'budgets delete',
  'budgets get',
  'budgets update',
  'each',
  'forks create',
  'members convert',
  'members remove',
  'members set',
  'migrations unlock',
  'repos access',
  'repos revoke',
  'rulesets impact',
  'rulesets simulate',
  'snapshots diff',
];

/** They make their bodies themselves: always the same, or one for each batch. */
const withOwnBody = ['auth check', 'auth login', 'auth status', 'properties set', 'repos archive', 'repos unarchive'];

/** Policies give the fields of their requests. */
const endpointsOf = ({ name, requests }: DeclaredCommand) =>
  isDecidedByPolicies(name) ? [] : allEndpoints.filter(({ route }) => requests.includes(route));

const bodyFieldsOf = (command: DeclaredCommand): readonly string[] =>
  withOwnBody.includes(command.name)
    ? []
    : endpointsOf(command).flatMap(({ body }) => Object.keys(body?.entries ?? {}));

const fieldsOf = (command: DeclaredCommand): readonly string[] => [
  ...endpointsOf(command)
    .filter(({ paging }) => !paging || !listOnTheWay.includes(command.name))
    .flatMap(({ query }) => Object.keys(query ?? {})),
  ...bodyFieldsOf(command),
];

describe('flags', () => {
  it.each(commands.filter((command) => fieldsOf(command).length > 0))(
    '$name has a flag for every query parameter and body field',
    (command) => {
      const lacking = fieldsOf(command).filter((field) => !hasFlag(command, field.replaceAll('_', '-')));
      expect([...new Set(lacking)]).toEqual(givenOtherwise[command.name] ?? []);
    },
  );

  it.each(commands.filter((command) => new Set(bodyFieldsOf(command)).size > 1))(
    '$name accepts a complete body',
    (command) => {
      expect(hasFlag(command, 'input')).toBe(true);
    },
  );

  it.each(
    commands.filter(
      (command) => endpointsOf(command).some(({ paging }) => paging) && !listOnTheWay.includes(command.name),
    ),
  )('$name says how much to list', (command) => {
    for (const name of ['limit', 'all', 'per-page', 'page', 'concurrency'])
      expect(hasFlag(command, name), name).toBe(true);
  });
});

it.each(commands.filter(({ name }) => name.endsWith(' list')))('$name selects items with --where', (command) => {
  expect(hasFlag(command, 'where')).toBe(true);
});

describe('completion', () => {
  it.each(commands)('knows the values of every flag of $name that has a fixed set', ({ flags }) => {
    const choices = flags.filter(({ helpValue = '' }) => helpValue === 'WORD' || /^(?!.*FILE).*\|/.test(helpValue));
    for (const { name, helpValue, options } of choices) {
      expect(options?.length, name).toBeGreaterThan(1);
      if (helpValue !== 'WORD') expect(options?.join('|'), name).toBe(helpValue);
    }
  });
});

describe('the surface', () => {
  it('has each command in the file of its name', () => {
    for (const { name, file } of commands) {
      expect(file).toBe(name.replaceAll(' ', '/'));
      expect(existsSync(`${root}/src/commands/${file}.ts`), file).toBe(true);
    }
  });

  it('has a test of its own for each command', () => {
    const folder = join(root, 'test/commands');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.test.ts'),
    );
    const tests = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
    const words = (name: string) => name.split(' ').map((word) => `'${word}'`);
    const untested = commands.filter(({ name }) => !tests.includes(name) && !tests.includes(words(name).join(', ')));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });

  it('matches surface.txt: commands, arguments and flags', async () => {
    await expect(surface()).toMatchFileSnapshot('surface.txt');
  });
});

/** All commands in words; what every command of a kind takes is said once. */
function surface(): string {
  const common = inCommon(commands);
  const kinds = [
    { kind: 'list', flags: inCommon(commands.filter(lists)).filter((flag) => !common.includes(flag)), has: lists },
    {
      kind: 'change',
      flags: inCommon(commands.filter(changes)).filter((flag) => !common.includes(flag)),
      has: changes,
    },
  ];
  const entries = commands.map((command) => {
    const own = kinds.filter(({ has }) => has(command));
    const said = [...common, ...own.flatMap(({ flags }) => flags)];
    const words = [command.name, ...command.args.map(argumentText), ...own.map(({ kind }) => `(${kind})`)];
    return [words.join(' '), ...command.flags.map(flagText).filter((flag) => !said.includes(flag))];
  });
  const shared = [['Every command', ...common], ...kinds.map(({ kind, flags }) => [`(${kind})`, ...flags])];
  return [...shared, ...entries].map(([first, ...flags]) => [first, ...flags.sort(), ''].join('\n')).join('\n');
}

const lists = (command: DeclaredCommand) => hasFlag(command, 'per-page');
const changes = (command: DeclaredCommand) => hasFlag(command, 'dry-run') && command.name !== 'each';

const inCommon = (some: readonly DeclaredCommand[]): string[] =>
  (some[0]?.flags ?? []).map(flagText).filter((flag) => some.every(({ flags }) => flags.map(flagText).includes(flag)));

const argumentText = ({ name, required, multiple }: DeclaredCommand['args'][number]): string => {
  const word = `${name.toUpperCase()}${multiple ? '…' : ''}`;
  return required ? word : `[${word}]`;
};

const flagText = ({ name, char, allowNo, type, helpValue = 'VALUE' }: DeclaredFlag): string =>
  `  --${allowNo ? '[no-]' : ''}${name}${char ? `, -${char}` : ''}${type === 'option' ? ` ${helpValue}` : ''}`;

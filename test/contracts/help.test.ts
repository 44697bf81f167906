import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { run } from '../support/run.ts';
import { commands, hasFlag, root } from './commands.ts';
import { readJson, type Schema } from './json-schema.ts';

/** Fields that the platform requires, and that no flag has to give: another flag may. */
const givenOtherwise: Readonly<Record<string, readonly string[]>> = {
  'comments create': ['body'],
  'comments update': ['body'],
  'bypass review': ['message'],
  'dismissals review': ['message'],
};

const { oclif } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  readonly oclif: { readonly topics: Readonly<Record<string, unknown>> };
};
const topics = Object.keys(oclif.topics).map((name) => name.replaceAll(':', ' '));
const guides = ['environment', 'exit-codes', 'flags', 'formatting'];

const helpOf = async (words: string) =>
  (await run(words.split(' ').filter(Boolean), { tty: true, columns: 80 })).stdout;

/** Headings in their order. */
const headingsIn = (help: string) => help.split('\n').filter((line) => /^[A-Z]{2}/.test(line));

describe.each(commands)('the help of $name', (command) => {
  it('has a one-line summary with a capital letter and no full stop', () => {
    expect(command.summary).toMatch(/^[A-Z][^\n]*[^.\n]$/);
  });

  it('has a description that says more than the summary', () => {
    expect(command.description).toMatch(/^[A-Z][\s\S]*[.:]$/);
    expect(command.description).not.toContain(command.summary);
  });

  it('has two or more examples, each with a caption without a full stop and a command line', () => {
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    for (const example of command.examples)
      expect(example).toEqual({
        description: expect.stringMatching(/^\S[^\n]*[^.\n]$/),
        command: expect.stringContaining('forgectl '),
      });
    expect(JSON.stringify(command.examples)).toContain(`forgectl ${command.name}`);
  });

  it('describes every argument and every flag, without a full stop', () => {
    for (const { name, description } of [...command.args, ...command.flags])
      expect(description, name).toMatch(/^\S[^\n]*[^.\n]$/);
  });

  it('marks exactly the required flags as required', () => {
    const writes = allEndpoints.filter(({ route, method }) => method !== 'GET' && command.requests.includes(route));
    const required = writes.map(({ body }) =>
      Object.entries(body?.entries ?? {})
        .filter(([, field]) => (field as { readonly type: string }).type !== 'optional')
        .map(([name]) => name),
    );
    const always = (required[0] ?? []).filter((name) => required.every((names) => names.includes(name)));
    const flagged = command.flags.filter(({ helpGroup }) => helpGroup === 'REQUIRED').map(({ name }) => name);
    expect(flagged.sort()).toEqual(
      always
        .map((name) => name.replaceAll('_', '-'))
        .filter((name) => hasFlag(command, name) && !givenOtherwise[command.name]?.includes(name))
        .sort(),
    );
    for (const { name, description } of command.flags)
      expect(description ?? '', name).not.toMatch(/\((.*; )?required\)$/);
  });

  describe('on a terminal', () => {
    let help: string;
    beforeAll(async () => {
      help = await helpOf(`${command.name} --help`);
    });

    it('fits 80 columns', () => {
      expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    });

    it('starts with the summary, the first sentence of the description, usage and examples', () => {
      const [opening = ''] = help.split('\n\nUSAGE\n');
      const [summary, , ...sentence] = opening.split('\n');
      expect(summary).toBe(command.summary);
      expect(sentence.join(' ')).toMatch(/[.:!]$/);
      const described = `${command.description?.replaceAll(/\s+/g, ' ')} `;
      expect(described.slice(0, sentence.join(' ').length + 1)).toBe(`${sentence.join(' ')} `);
      expect(headingsIn(help.slice(opening.length)).slice(0, 2)).toEqual(['USAGE', 'EXAMPLES']);
    });

    it('shows every argument, every flag, and every request with its permissions', () => {
      for (const { name } of command.args) expect(help).toMatch(new RegExp(`^  \\[?${name.toUpperCase()}…?\\]? `, 'm'));
      for (const { name, allowNo, hidden } of command.flags)
        if (!hidden) expect(help).toContain(`--${allowNo ? '[no-]' : ''}${name}`);
      const access = help.split('\nACCESS\n')[1] ?? '';
      if (command.requests.length > 5) {
        expect(access.replaceAll(/\s+/g, ' ')).toContain(`“forgectl permissions explain ${command.name}”`);
        return;
      }
      expect(
        access.match(/^ {2}[A-Z]+ \/\S*(\n {4}\{\S+)?$/gm)?.map((route) => route.replace(/\n\s+/, '').trim()) ?? [],
      ).toEqual(command.requests);
    });
  });
});

it('examples of --where use a field of the records', () => {
  const lists = commands.filter(
    (command) => !['api', 'audit', 'each', 'rulesets impact'].includes(command.name) && hasFlag(command, 'where'),
  );
  expect(lists.length).toBeGreaterThan(30);
  for (const { name, flags } of lists) {
    const description = flags.find((flag) => flag.name === 'where')?.description ?? '';
    const [, field = ''] = /such as \.(\w+)/.exec(description) ?? [];
    const { $defs = {}, ...schema } = readJson(`schemas/${name.replaceAll(' ', '-')}.json`) as Schema;
    const resolved = ({ $ref, ...rest }: Schema): Schema => ($ref ? ($defs[$ref.split('/').at(-1) ?? ''] ?? {}) : rest);
    const records = [schema, ...(schema.anyOf ?? [])].flatMap(({ items }) =>
      items ? [items, ...(items.anyOf ?? [])] : [],
    );
    expect(
      records.some((record) => resolved(record).properties?.[field]),
      `${name}: ${field}`,
    ).toBe(true);
  }
});

describe.each(topics)('the help of the topic %s', (topic) => {
  it('fits 80 columns, shows examples first, and lists all commands', async () => {
    // A topic may be a command as well.
    const isCommand = commands.some(({ name }) => name === topic);
    const help = await helpOf(isCommand ? `${topic} --help` : topic);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const headings = headingsIn(help);
    expect(isCommand ? headings.slice(0, 3) : headings).toEqual([
      'USAGE',
      'EXAMPLES',
      'COMMANDS',
      ...(isCommand ? [] : ['LEARN MORE']),
    ]);
    const below = commands.filter(({ name }) => name.startsWith(`${topic} `));
    expect(below.length).toBeGreaterThan(0);
    for (const { name, summary } of below) {
      expect(
        help.split('\n').some((line) => `${line} `.startsWith(`  ${name} `)),
        name,
      ).toBe(true);
      expect(help.replace(/\s+/g, ' ')).toContain(summary);
    }
  });
});

describe('the first page', () => {
  it('fits 80 columns, and lists every topic and every command without a topic', async () => {
    const help = await helpOf('');
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const name of new Set(commands.map((command) => command.name.split(' ')[0])))
      expect(help).toContain(`\n  ${name} `);
    for (const guide of guides) expect(help).toContain(`\n  help ${guide} `);
  });

  it('describes each topic', () => {
    for (const { name } of commands.filter((command) => command.name.includes(' ')))
      expect(topics).toContain(name.split(' ').slice(0, -1).join(' '));
  });
});

describe.each(guides)('forgectl help %s', (guide) => {
  it('fits 80 columns and starts with a summary', async () => {
    const help = await helpOf(`help ${guide}`);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(help).toMatch(/^[A-Z][^\n]*[^.\n]\n\n[A-Z]{2}/);
  });
});

it('help and docs/configuration.md list the same environment variables', async () => {
  const table =
    /\| Variable \| Meaning \|\n([\s\S]*?)\n\n/.exec(readFileSync(`${root}/docs/configuration.md`, 'utf8'))?.[1] ?? '';
  const variables = [...table.matchAll(/`([A-Z_]{4,})`/g)].map(([, name]) => name);
  const help = await helpOf('help environment');
  expect(variables.length).toBeGreaterThan(10);
  for (const name of variables) expect(help, name).toMatch(new RegExp(`\\b${name}\\b`));
});

it('help and docs/scripting.md list the same exit codes', async () => {
  const table =
    /\| Exit code \| Meaning \|\n([\s\S]*?)\n\n/.exec(readFileSync(`${root}/docs/scripting.md`, 'utf8'))?.[1] ?? '';
  const codes = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code);
  const help = await helpOf('help exit-codes');
  expect([...help.matchAll(/^ {2}(\d+) +[A-Z]/gm)].map(([, code]) => code)).toEqual(codes);
});

it('shows --yes only for commands that may ask for confirmation', async () => {
  const listed = JSON.parse(readFileSync(`${root}/oclif.manifest.json`, 'utf8')) as {
    readonly commands: Readonly<Record<string, { readonly flags: Readonly<Record<string, { hidden?: boolean }>> }>>;
  };
  const shown = Object.entries(listed.commands).filter(([, { flags }]) => flags.yes && !flags.yes.hidden);
  expect(shown.map(([id]) => id.replaceAll(':', ' ')).sort()).toEqual([
    'api',
    'auth login',
    'budgets delete',
    'bypass dismiss-response',
    'comments delete',
    'dismissals cancel',
    'each',
    'installations revoke-token',
    'labels delete',
    'members convert',
    'members remove',
    'migrations delete',
    'migrations unlock',
    'orgs immutable-releases remove',
    'orgs security disable',
    'orgs security enable',
    'orgs update',
    'policy apply',
    'properties define',
    'properties undefine',
    'registries delete',
    'repos alerts',
    'repos archive',
    'repos delete',
    'repos revoke',
    'repos security-fixes',
    'repos transfer',
    'repos unarchive',
    'repos update',
    'rulesets delete',
    'teams delete',
    'teams remove',
  ]);
  expect(await helpOf('repos archive --help')).toContain('--yes');
  expect(await helpOf('repos create --help')).not.toContain('--yes');
  const words = 'repos topics acme/site --clear --yes --dry-run --base-url http://127.0.0.1:9/api/v3 --anonymous'.split(
    ' ',
  );
  expect((await run(words)).code).toBe(0);
});

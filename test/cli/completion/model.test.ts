import { expect, it } from 'vitest';
import { completionModel, type ListedCommands } from '../../../src/cli/completion/model.ts';

const json = { name: 'json', type: 'boolean', description: 'As JSON', allowNo: false } as const;

const commands: ListedCommands = {
  version: '1.2.3',
  topics: [{ name: 'orgs', description: 'Organizations' }, { name: 'orgs:security' }],
  commands: [
    {
      id: 'orgs:security:enable',
      hidden: false,
      summary: 'Switch a feature on',
      args: {
        org: { name: 'org', description: 'Login' },
        product: { name: 'product', description: 'Feature', options: ['graph', 'scanning'] },
      },
      flags: { json },
    },
    {
      id: 'help',
      hidden: false,
      summary: 'Show\nhelp',
      args: { command: { name: 'command', multiple: true } },
      flags: { json },
    },
    { id: 'secret', hidden: true, summary: 'Nobody sees it', args: {}, flags: {} },
    {
      id: 'lint',
      hidden: false,
      summary: 'Check files',
      args: { file: { name: 'file', multiple: true } },
      flags: {
        json,
        strict: { name: 'strict', type: 'boolean', description: 'Be strict', allowNo: true },
        output: { name: 'output', char: 'o', type: 'option', description: 'Format', options: ['a', 'b'] },
        input: { name: 'input', type: 'option', helpValue: 'FILE|-' },
        rules: { name: 'rules', type: 'option', helpValue: 'JSON|@FILE' },
        name: { name: 'name', type: 'option', helpValue: 'TEXT', multiple: true },
      },
    },
  ],
};

const model = completionModel(commands, () => []);

it('lists the words after each topic, with one-line descriptions', () => {
  expect(model.topics).toEqual([
    {
      path: '',
      next: [
        { word: 'help', description: 'Show help' },
        { word: 'lint', description: 'Check files' },
        { word: 'orgs', description: 'Organizations' },
      ],
    },
    { path: 'orgs', next: [{ word: 'security', description: '' }] },
    { path: 'orgs security', next: [{ word: 'enable', description: 'Switch a feature on' }] },
  ]);
});

it('separates common flags from those of one command, with their values', () => {
  expect(model.commonFlags).toEqual([{ names: ['--json'], description: 'As JSON' }]);
  expect(model.commands.map(({ path, flags }) => ({ path, flags }))).toEqual([
    { path: 'help', flags: [] },
    {
      path: 'lint',
      flags: [
        { names: ['--strict'], description: 'Be strict' },
        { names: ['--no-strict'], description: 'Switch off: Be strict' },
        { names: ['--output', '-o'], description: 'Format', value: ['a', 'b'] },
        { names: ['--input'], description: '', value: 'file' },
        { names: ['--rules'], description: '', value: '@file' },
        { names: ['--name'], description: '', value: 'text', repeatable: true },
      ],
    },
    { path: 'orgs security enable', flags: [] },
  ]);
});

it('distinguishes arguments for words, files and the words of a command', () => {
  expect(model.commands.map((command) => command.arguments)).toEqual([
    [{ name: 'COMMAND', value: 'command', multiple: true }],
    [{ name: 'FILE', value: 'file', multiple: true }],
    [
      { name: 'ORG', value: 'organization' },
      { name: 'PRODUCT', value: ['graph', 'scanning'] },
    ],
  ]);
});

it('knows a command that runs the command line after -- by its usage', () => {
  const { commands: known } = completionModel(
    {
      version: '1.2.3',
      topics: [],
      commands: [
        { id: 'each', hidden: false, usage: 'each (orgs | repos ORG…) [FLAGS] -- COMMAND…', args: {}, flags: {} },
        { id: 'lint', hidden: false, usage: 'lint [FILE…]', args: {}, flags: {} },
      ],
    },
    () => [],
  );
  expect(known).toEqual([
    { path: 'each', flags: [], arguments: [], runsCommand: true },
    { path: 'lint', flags: [], arguments: [] },
  ]);
});

it('completes the fields of a command’s output, and profiles', () => {
  const fields = { name: 'fields', type: 'option', description: 'Fields', helpValue: 'a,b.c' } as const;
  const profile = { name: 'profile', type: 'option', description: 'Profile', helpValue: 'NAME' } as const;
  const { commands: known, commonFlags } = completionModel(
    {
      version: '1.2.3',
      topics: [],
      commands: ['get', 'switch'].map((id) => ({
        id,
        hidden: false,
        summary: '',
        args: { profile: { name: 'profile' } },
        flags: { fields, profile },
      })),
    },
    (id) => (id === 'get' ? ['id', 'name'] : []),
  );
  expect(commonFlags).toEqual([{ names: ['--profile'], description: 'Profile', value: 'profile' }]);
  expect(known).toEqual([
    {
      path: 'get',
      flags: [{ names: ['--fields'], description: 'Fields', value: { listOf: ['id', 'name'] } }],
      arguments: [{ name: 'PROFILE', value: 'profile' }],
    },
    {
      path: 'switch',
      flags: [{ names: ['--fields'], description: 'Fields', value: 'text' }],
      arguments: [{ name: 'PROFILE', value: 'profile' }],
    },
  ]);
});

it('completes the values of each setting', () => {
  const { topics, commands: known } = completionModel(
    {
      version: '1.2.3',
      topics: [],
      commands: [
        {
          id: 'config:set',
          hidden: false,
          summary: 'Change a setting',
          args: {
            key: { name: 'key', options: ['output', 'ca-file', 'vendor'] },
            value: { name: 'value' },
          },
          flags: { json },
        },
      ],
    },
    () => [],
  );
  expect(topics.at(-1)).toEqual({
    path: 'config set',
    next: ['output', 'ca-file', 'vendor'].map((word) => ({ word, description: '' })),
  });
  expect(known.map(({ path, arguments: args }) => [path, args])).toEqual([
    ['config set', []],
    ['config set output', [{ name: 'VALUE', value: ['table', 'tsv', 'csv', 'json', 'ndjson', 'yaml'] }]],
    ['config set ca-file', [{ name: 'FILE', value: 'file' }]],
    ['config set vendor', [{ name: 'VALUE', value: 'text' }]],
  ]);
});

it('offers common flags before the command, as text if their values differ', () => {
  const { leadingFlags } = completionModel(
    {
      ...commands,
      commands: [
        { id: 'a', hidden: false, args: {}, flags: { json, fields: { name: 'fields', type: 'option' } } },
        { id: 'b', hidden: false, args: {}, flags: { json, fields: { name: 'fields', type: 'option' } } },
      ],
    },
    (id) => [`${id}.id`],
  );
  expect(leadingFlags).toEqual([
    { names: ['--json'], description: 'As JSON' },
    { names: ['--fields'], description: '', value: 'text' },
  ]);
});

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CompletionModel } from '../../../src/cli/completion/model.ts';
import { scripts, shells } from '../../../src/cli/completion/scripts.ts';
import { temporaryDirectory } from '../../support/run.ts';
import { has, offeredByBash, offeredByFish, syntaxErrors } from './shells.ts';

const small: CompletionModel = {
  version: '1.2.3',
  topics: [
    {
      path: '',
      next: [
        { word: 'help', description: 'Show help' },
        { word: 'orgs', description: 'Organizations' },
      ],
    },
    { path: 'orgs', next: [{ word: 'get', description: 'Show an organization: what it’s like' }] },
  ],
  commands: [
    { path: 'help', flags: [], arguments: [{ name: 'COMMAND', value: 'command', multiple: true }] },
    {
      path: 'orgs get',
      flags: [
        { names: ['--wiki'], description: 'Wiki [on]' },
        { names: ['--no-wiki'], description: 'Switch off: Wiki [on]' },
        { names: ['--input'], description: 'Body', value: 'file' },
        { names: ['--rules'], description: 'Rules', value: '@file' },
        { names: ['--name'], description: 'Name', value: 'text', repeatable: true },
        { names: ['--fields'], description: 'Fields', value: { listOf: ['id', 'login'] } },
        { names: ['--profile'], description: 'Profile', value: 'profile' },
      ],
      arguments: [
        { name: 'ORG', value: 'text' },
        { name: 'KIND', value: ['user', 'team'] },
      ],
    },
  ],
  commonFlags: [{ names: ['--output', '-o'], description: 'Format', value: ['json', 'yaml'] }],
  leadingFlags: [{ names: ['--output', '-o'], description: 'Format', value: ['json', 'yaml'] }],
};

describe('the script for bash', () => {
  it.each([
    ['the words after each topic', '    orgs) words=(get) ;;'],
    [
      'the flags of each command',
      "    'orgs get') words=(--wiki --no-wiki --input --rules --name --fields --profile) ;;",
    ],
    ['the flags of all commands', '  words+=(--output --help)'],
    ['the flags without a command', "    '') words=(--help --version --output); return ;;"],
    ['flags that take files', "    'orgs get --input') takes=file ;;"],
    ['flags that take @ and a file', "    'orgs get --rules') takes=@file ;;"],
    ['flags and arguments that take text', "    'orgs get --name' | 'orgs get 0') takes=text ;;"],
    ['flags that take a list', "    'orgs get --fields') takes=list words=(id login) ;;"],
    ['flags that take a profile', "    'orgs get --profile') takes=profile ;;"],
    ['arguments that take words', "    'orgs get 1') words=(user team) ;;"],
    ['arguments that take the words of a command', "    'help '[0-9]*) takes=command ;;"],
    ['flags of all commands that take words', "    *' --output' | *' -o') words=(json yaml) ;;"],
    ['its registration for forgectl', 'complete -o default -F _forgectl forgectl'],
  ])('contains %s', (_, line) => {
    expect(scripts.bash(small).split('\n')).toContain(line);
  });
});

describe('the script for zsh', () => {
  it.each([
    ['its registration for forgectl', '#compdef forgectl'],
    ['the words after each topic, with descriptions', "        'get:Show an organization: what it’s like'"],
    ['switches', "        '--wiki[Wiki [on\\]]' \\"],
    ['flags that take files', "        '--input=[Body]:value:_files' \\"],
    ['flags that take @ and a file', "        '--rules=[Rules]:value:_forgectl_at_file' \\"],
    ['flags that can be repeated', "        '*--name=[Name]:text: ' \\"],
    ['flags that take a list', "        '--fields=[Fields]:value:_values -s , word id login' \\"],
    ['flags that take a profile', "        '--profile=[Profile]:value:_forgectl_profile' \\"],
    ['both names of a flag', "    '(--output -o)--output=[Format]:value:(json yaml)'"],
    ['both names of a flag', "    '(--output -o)-o+[Format]:value:(json yaml)'"],
    ['arguments that take text', "        '1:ORG: ' \\"],
    ['arguments that take words', "        '2:KIND:(user team)'"],
    ['arguments that take the words of a command', "        '*:COMMAND:_forgectl_command'"],
  ])('contains %s', (_, line) => {
    expect(scripts.zsh(small).split('\n')).toContain(line);
  });
});

describe('the script for fish', () => {
  it.each([
    ['words after no topic', '-n __forgectl_after -a orgs -d Organizations'],
    ['words after a topic', "-n '__forgectl_after orgs' -a get -d 'Show an organization: what it’s like'"],
    ['switches', "-n '__forgectl_in orgs get' -l no-wiki -d 'Switch off: Wiki [on]'"],
    ['flags that take files', "-n '__forgectl_in orgs get' -l input -r -F -d Body"],
    ['flags that take @ and a file', "-n '__forgectl_in orgs get' -l rules -x -a '(__forgectl_at_file)' -d Rules"],
    ['flags that take text', "-n '__forgectl_in orgs get' -l name -x -d Name"],
    ['flags that take a list', "-n '__forgectl_in orgs get' -l fields -x -a '(__forgectl_list id login)' -d Fields"],
    ['flags that take a profile', "-n '__forgectl_in orgs get' -l profile -x -a '(__forgectl_profiles)' -d Profile"],
    ['flags of all commands', "-n __forgectl_in_command -l output -s o -x -a 'json yaml' -d Format"],
    [
      'arguments that take words',
      "-n '__forgectl_in orgs get; and test (__forgectl_arguments orgs get) -eq 1' -a 'user team'",
    ],
  ])('contains %s', (_, rest) => {
    expect(scripts.fish(small).split('\n')).toContain(`complete -c forgectl ${rest}`);
  });
});

describe('the script for PowerShell', () => {
  it.each([
    ['its registration for forgectl', 'Register-ArgumentCompleter -Native -CommandName forgectl -ScriptBlock {'],
    ['words after a topic, with descriptions', "        'get\tShow an organization: what it''s like'"],
    ['switches', "        '--no-wiki\tSwitch off: Wiki [on]'"],
    ['flags of all commands', "      '--output\tFormat'"],
    ['flags that take files', "      'orgs get --input' { return 'file' }"],
    ['flags that take @ and a file', "      'orgs get --rules' { return '@file' }"],
    ['flags that take text', "      'orgs get --name' { return 'text' }"],
    ['flags that take a list', "      'orgs get --fields' { return 'word', 'id', 'login' }"],
    ['flags that take a profile', "      'orgs get --profile' { return 'profile' }"],
    ['arguments that take words', "      'orgs get 1' { return 'word', 'user', 'team' }"],
    ['arguments that take the words of a command', "      'help [0-9]*' { return 'command' }"],
    ['flags of all commands that take words', "      '-o' { return 'word', 'json', 'yaml' }"],
  ])('contains %s', (_, line) => {
    expect(scripts.powershell(small).split('\n')).toContain(line);
  });

  it('is ASCII only, for any encoding: some other quotes end a string in PowerShell', () => {
    expect(scripts.powershell(small)).toMatch(/^[\t\n -~]+$/);
  });

  it('single-quotes names with special characters, with each quote doubled', () => {
    const value = hostile.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ');
    expect(scripts.powershell(dangerous).split('\n')).toContain(`      'go --to' { return 'word', ${value} }`);
  });
});

/** Words and descriptions that would run something, or end a quotation, if they were not quoted. */
const hostile = [
  "it's",
  '$(touch ran)',
  '`touch ran`',
  'a b',
  '"; touch ran; "',
  'a:b',
  '(touch ran)',
  '[x]',
  '\\',
  '*',
];

const dangerous: CompletionModel = {
  version: '1.2.3',
  topics: [{ path: '', next: [{ word: 'go', description: hostile.join(' ') }] }],
  commands: [
    {
      path: 'go',
      flags: [{ names: ['--to'], description: hostile.join(' '), value: hostile }],
      arguments: [{ name: 'PLACE', value: hostile }],
    },
  ],
  commonFlags: [],
  leadingFlags: [],
};

describe('flags before the command', () => {
  it('are completed by bash, and followed by the words of a command', async () => {
    const folder = await temporaryDirectory();
    const offered = (...words: string[]) => offeredByBash(scripts.bash(small), folder, words);
    expect(offered('--o')).toEqual(['--output']);
    expect(offered('--output', 'y')).toEqual(['yaml']);
    expect(offered('--output', 'yaml', 'o')).toEqual(['orgs']);
    expect(offered('-o', 'yaml', 'orgs', '')).toEqual(['get']);
  });

  it('are skipped by zsh, with their values', () => {
    expect(scripts.zsh(small)).toContain('  valued=(--output -o)\n');
  });
});

describe('names with special characters', () => {
  it.each(shells.filter((shell) => shell !== 'powershell' && has(shell)))(
    'leave the script for %s intact',
    async (shell) => {
      expect(syntaxErrors(shell, scripts[shell](dangerous), await temporaryDirectory())).toBe('');
    },
  );

  it('are escaped by bash, and run nothing', async () => {
    const folder = await temporaryDirectory();
    for (const words of [
      ['go', ''],
      ['go', '--to', ''],
    ])
      expect(offeredByBash(scripts.bash(dangerous), folder, words)).toEqual([
        "it\\'s",
        '\\$\\(touch\\ ran\\)',
        '\\`touch\\ ran\\`',
        'a\\ b',
        '\\"\\;\\ touch\\ ran\\;\\ \\"',
        'a:b',
        '\\(touch\\ ran\\)',
        '\\[x\\]',
        '\\\\',
        '\\*',
      ]);
    expect(readdirSync(folder)).toEqual(['.script']);
  });

  it.runIf(has('fish'))('are completed by fish, and run nothing', async () => {
    const folder = await temporaryDirectory();
    for (const line of ['forgectl go ', 'forgectl go --to '])
      expect([...offeredByFish(scripts.fish(dangerous), folder, line)].sort()).toEqual([...hostile].sort());
    expect(readdirSync(folder)).not.toContain('ran');
  });
});

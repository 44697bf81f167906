import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { has, offeredByFish, syntaxErrors, typedInBash, typedInZsh } from '../cli/completion/shells.ts';
import { writeExtension } from '../support/extensions.ts';
import { run, temporaryDirectory } from '../support/run.ts';

/** A folder with files whose names can be completed, and below it the settings of two profiles. */
async function folderWithFiles(): Promise<string> {
  const folder = await temporaryDirectory();
  const configDir = join(folder, '.config', 'forgectl');
  for (const profile of ['prod-1.eu', 'staging'])
    await run(['config', 'set', 'vendor', 'forge', '--profile', profile], { configDir });
  await run(['alias', 'set', 'weekly-report', 'orgs list --all'], { configDir });
  // Lines of another program are never offered.
  writeFileSync(join(configDir, 'organizations'), 'globex\numbrella-corp\n$(touch run)\ninitech/x\n-rf\n');
  writeFileSync(join(folder, 'ruleset.json'), '{}');
  writeFileSync(join(folder, 'my file.json'), '{}');
  mkdirSync(join(folder, 'folder', 'inner'), { recursive: true });
  return folder;
}

describe('forgectl autocomplete', () => {
  it.each([
    ['bash', 'complete -o default -F _forgectl forgectl\n'],
    ['zsh', '#compdef forgectl\n'],
    ['fish', 'complete -c forgectl -f\n'],
    ['powershell', 'Register-ArgumentCompleter -Native -CommandName forgectl'],
  ])('prints the script for %s, named or in SHELL, and nothing else in a pipe', async (shell, line) => {
    const named = await run(['autocomplete', shell]);
    expect(named).toEqual({ stdout: expect.stringContaining(line), stderr: '', code: 0 });
    expect(
      await run(['autocomplete'], {
        env: shell === 'powershell' ? { PSModulePath: 'C:\\Modules' } : { SHELL: `/usr/local/bin/${shell}` },
      }),
    ).toEqual(named);
  });

  it.each([
    [
      'bash',
      'To load it now: eval "$(forgectl autocomplete bash)"\nTo load it in every session: add that line to ~/.bashrc\n',
    ],
    [
      'zsh',
      'To load it now: eval "$(forgectl autocomplete zsh)"\nTo load it in every session: add that line to ~/.zshrc\n',
    ],
    [
      'fish',
      'To load it now: forgectl autocomplete fish | source\nTo load it in every session: forgectl autocomplete fish > ~/.config/fish/completions/forgectl.fish\n',
    ],
    [
      'powershell',
      'To load it now: forgectl autocomplete powershell | Out-String | Invoke-Expression\nTo load it in every session: add that line to $PROFILE\n',
    ],
  ])('explains on a terminal how %s loads it', async (shell, stderr) => {
    const { stdout } = await run(['autocomplete', shell]);
    expect(await run(['autocomplete', shell], { tty: true })).toEqual({ stdout, stderr, code: 0 });
  });

  it('prints a string as JSON', async () => {
    const { stdout } = await run(['autocomplete', 'bash']);
    const json = await run(['autocomplete', 'bash', '--json'], { tty: true });
    expect(`${JSON.parse(json.stdout)}\n`).toBe(stdout);
    expect(json.stderr).toBe('');
  });

  it.each([
    [{ SHELL: '/bin/tcsh' }, 'forgectl: Completion is not supported for /bin/tcsh.'],
    [{}, 'forgectl: Could not detect the shell: SHELL is not set.'],
  ])('requires the shell if SHELL does not name it: %o', async (env, message) => {
    expect(await run(['autocomplete'], { env })).toEqual({
      stdout: '',
      stderr: `${message}\nSpecify one: forgectl autocomplete bash, zsh, fish or powershell.\n`,
      code: 2,
    });
  });

  it('rejects a shell without a script', async () => {
    expect(await run(['autocomplete', 'elvish'])).toEqual({
      stdout: '',
      stderr: 'forgectl: SHELL must be one of bash, zsh, fish, powershell.\n',
      code: 2,
    });
  });

  it.each(['bash', 'zsh', 'fish'].filter(has))('prints a script that %s can parse', async (shell) => {
    const { stdout } = await run(['autocomplete', shell]);
    expect(syntaxErrors(shell, stdout, await temporaryDirectory())).toBe('');
  });
});

describe('Tab in bash', () => {
  let script = '';
  beforeAll(async () => {
    script = (await run(['autocomplete', 'bash'])).stdout;
  });

  const lines: readonly (readonly [what: string, typed: string, words: readonly string[]])[] = [
    ['topics and commands', 'forgectl org→g→acme', ['orgs', 'get', 'acme']],
    ['topics below topics', 'forgectl orgs sec→en→acme', ['orgs', 'security', 'enable', 'acme']],
    ['flags', 'forgectl orgs get acme --js→', ['orgs', 'get', 'acme', '--json']],
    [
      'negated flags',
      'forgectl orgs update acme --no-web→',
      ['orgs', 'update', 'acme', '--no-web-commit-signoff-required'],
    ],
    ['flags before the command', 'forgectl --ver→', ['--version']],
    ['words of a flag', 'forgectl orgs get acme --output nd→', ['orgs', 'get', 'acme', '--output', 'ndjson']],
    ['words of a short flag', 'forgectl orgs get acme -o nd→', ['orgs', 'get', 'acme', '-o', 'ndjson']],
    ['words after =', 'forgectl orgs get acme --output=nd→', ['orgs', 'get', 'acme', '--output=ndjson']],
    [
      'values too numerous for the help',
      'forgectl dismissals create acme/site 7 --dismissed-reason no_→',
      ['dismissals', 'create', 'acme/site', '7', '--dismissed-reason', 'no_bandwidth'],
    ],
    ['words of an argument', 'forgectl config set out→json', ['config', 'set', 'output', 'json']],
    [
      'words of a later argument, past flags and their values',
      'forgectl orgs security enable --query-suite=default -o json acme adv→',
      ['orgs', 'security', 'enable', '--query-suite=default', '-o', 'json', 'acme', 'advanced_security'],
    ],
    ['words of an argument after --', 'forgectl config get -- out→', ['config', 'get', '--', 'output']],
    ['no flags after --', 'forgectl orgs get -- --js→', ['orgs', 'get', '--', '--js']],
    [
      'commands and their flags after the -- of each',
      'forgectl each repos acme --where .archived -- repos up→{} --no-has-w→',
      ['each', 'repos', 'acme', '--where', '.archived', '--', 'repos', 'update', '{}', '--no-has-wiki'],
    ],
    [
      'no flags after a second --',
      'forgectl each orgs -- orgs get -- --js→',
      ['each', 'orgs', '--', 'orgs', 'get', '--', '--js'],
    ],
    ['commands for help', 'forgectl help rules→che→', ['help', 'rulesets', 'check']],
    [
      'commands, and flags after them, for auth check',
      'forgectl auth check orgs ge→ --js→',
      ['auth', 'check', 'orgs', 'get', '--json'],
    ],
    ['files', 'forgectl rulesets create acme --input rule→', ['rulesets', 'create', 'acme', '--input', 'ruleset.json']],
    [
      'files for a secret',
      'forgectl registries seal acme --secret-file my→',
      ['registries', 'seal', 'acme', '--secret-file', 'my file.json'],
    ],
    ['files after =', 'forgectl auth login --ca-file=my→', ['auth', 'login', '--ca-file=my file.json']],
    [
      'files in quotes',
      'forgectl migrations download 7 --file "my→',
      ['migrations', 'download', '7', '--file', 'my file.json'],
    ],
    ['any number of files', 'forgectl rulesets lint rule→ my→', ['rulesets', 'lint', 'ruleset.json', 'my file.json']],
    [
      'the @ before a file',
      'forgectl rulesets create acme --conditions →rule→',
      ['rulesets', 'create', 'acme', '--conditions', '@ruleset.json'],
    ],
    [
      'files after @',
      'forgectl rulesets create acme --conditions=@my→',
      ['rulesets', 'create', 'acme', '--conditions=@my file.json'],
    ],
    [
      'files after @ in quotes',
      'forgectl rulesets create acme --conditions "@my→',
      ['rulesets', 'create', 'acme', '--conditions', '@my file.json'],
    ],
    [
      'folders, to continue in',
      'forgectl rulesets create acme --conditions @fol→x',
      ['rulesets', 'create', 'acme', '--conditions', '@folder/x'],
    ],
    [
      'files after @, step by step',
      'forgectl rulesets create acme --conditions @fol→inn→x',
      ['rulesets', 'create', 'acme', '--conditions', '@folder/inner/x'],
    ],
    [
      'files after @ and =, step by step',
      'forgectl rulesets create acme --conditions=@fol→inn→x',
      ['rulesets', 'create', 'acme', '--conditions=@folder/inner/x'],
    ],
    ['profiles', 'forgectl auth switch sta→', ['auth', 'switch', 'staging']],
    ['aliases', 'forgectl wee→', ['weekly-report']],
    ['aliases to delete', 'forgectl alias delete wee→', ['alias', 'delete', 'weekly-report']],
    ['profiles of a flag', 'forgectl orgs list --profile=pro→', ['orgs', 'list', '--profile=prod-1.eu']],
    ['organizations', 'forgectl orgs get umb→', ['orgs', 'get', 'umbrella-corp']],
    ['several organizations', 'forgectl each repos glo→ umb→', ['each', 'repos', 'globex', 'umbrella-corp']],
    [
      'organizations of a flag',
      'forgectl policy plan x.yaml --organization=glo→',
      ['policy', 'plan', 'x.yaml', '--organization=globex'],
    ],
    ['no names with other characters', 'forgectl orgs get in→', ['orgs', 'get', 'in']],
    ['values of a setting', 'forgectl config set out→nd→', ['config', 'set', 'output', 'ndjson']],
    ['files of a setting', 'forgectl config set ca-file rule→', ['config', 'set', 'ca-file', 'ruleset.json']],
    [
      'fields, one after the other',
      'forgectl repos list acme --fields full_n→,visi→ --js→',
      ['repos', 'list', 'acme', '--fields', 'full_name,visibility', '--json'],
    ],
    ['no file for a name', 'forgectl orgs get rule→', ['orgs', 'get', 'rule']],
    ['no file for text', 'forgectl orgs update acme --company rule→', ['orgs', 'update', 'acme', '--company', 'rule']],
    ['nothing after an unknown word', 'forgectl orgs gte --js→', ['orgs', 'gte', '--js']],
    [
      'flags after text with bash word breaks',
      'forgectl comments create acme/site c0ffee --path "a b=c:d" --body me@x --li→3',
      ['comments', 'create', 'acme/site', 'c0ffee', '--path', 'a b=c:d', '--body', 'me@x', '--line', '3'],
    ],
  ];

  it('completes every known word, and nothing else', async () => {
    const typed = typedInBash(
      script,
      await folderWithFiles(),
      lines.map(([, line]) => line),
    );
    expect(lines.map(([what], index) => [what, typed[index]])).toEqual(lines.map(([what, , words]) => [what, words]));
  });

  it('works if other completions have changed how bash splits words', async () => {
    const whole = String.raw`COMP_WORDBREAKS=$' \t\n"\'><;|&(';`;
    const typed = typedInBash(
      script,
      await folderWithFiles(),
      lines.map(([, line]) => line),
      whole,
    );
    expect(lines.map(([what], index) => [what, typed[index]])).toEqual(lines.map(([what, , words]) => [what, words]));
  });

  it('completes extensions on PATH', async () => {
    const folder = await folderWithFiles();
    writeExtension(join(folder, 'bin'), 'yearly-report');
    expect(
      typedInBash(script, folder, ['forgectl yea→', 'forgectl extensions allow yea→'], 'PATH=$PWD/bin:$PATH;'),
    ).toEqual([['yearly-report'], ['extensions', 'allow', 'yearly-report']]);
  });
});

describe.runIf(has('zsh'))('Tab in zsh', () => {
  it('completes every known word', async () => {
    const { stdout } = await run(['autocomplete', 'zsh']);
    const lines: readonly (readonly [typed: string, words: readonly string[]])[] = [
      ['forgectl org→ge→acme', ['orgs', 'get', 'acme']],
      ['forgectl orgs get acme --js→', ['orgs', 'get', 'acme', '--json']],
      ['forgectl orgs get acme -o nd→', ['orgs', 'get', 'acme', '-o', 'ndjson']],
      ['forgectl orgs security enable acme advanced→', ['orgs', 'security', 'enable', 'acme', 'advanced_security']],
      ['forgectl help rules→che→', ['help', 'rulesets', 'check']],
      [
        'forgectl each repos acme -o json -- repos up→{} --no-has-w→',
        ['each', 'repos', 'acme', '-o', 'json', '--', 'repos', 'update', '{}', '--no-has-wiki'],
      ],
      ['forgectl rulesets lint rule→', ['rulesets', 'lint', 'ruleset.json']],
      ['forgectl auth switch sta→', ['auth', 'switch', 'staging']],
      ['forgectl wee→', ['weekly-report']],
      ['forgectl alias delete wee→', ['alias', 'delete', 'weekly-report']],
      ['forgectl yea→', ['yearly-report']],
      // Tab looks at PATH each time: zsh does not know yet of a program that is installed while it runs.
      ['mv later-report bin/forgectl-later-report', []],
      ['forgectl extensions allow lat→', ['extensions', 'allow', 'later-report']],
      ['forgectl orgs list --profile=pro→', ['orgs', 'list', '--profile=prod-1.eu']],
      ['forgectl orgs get umb→', ['orgs', 'get', 'umbrella-corp']],
      ['forgectl policy plan x.yaml --organization=glo→', ['policy', 'plan', 'x.yaml', '--organization=globex']],
      ['forgectl config set out→nd→', ['config', 'set', 'output', 'ndjson']],
      ['forgectl config set --js→', ['config', 'set', '--json']],
      [
        'forgectl repos list acme --fields full_n→,visi→',
        ['repos', 'list', 'acme', '--fields', 'full_name,visibility'],
      ],
    ];
    const folder = await folderWithFiles();
    writeExtension(join(folder, 'bin'), 'yearly-report');
    renameSync(writeExtension(join(folder, 'bin'), 'later-report'), join(folder, 'later-report'));
    const typed = typedInZsh(stdout, folder, ['path+=($PWD/bin)', ...lines.map(([line]) => line)]);
    expect(typed).toEqual(lines.flatMap(([, words]) => (words.length > 0 ? [words] : [])));
  });
});

describe.runIf(has('fish'))('Tab in fish', () => {
  it.each([
    ['forgectl org', ['orgs']],
    ['forgectl orgs se', ['security']],
    ['forgectl orgs get acme --js', ['--json']],
    ['forgectl orgs update acme --no-web', ['--no-web-commit-signoff-required']],
    ['forgectl orgs get acme -o nd', ['ndjson']],
    ['forgectl orgs get acme --output=nd', ['--output=ndjson']],
    ['forgectl orgs security enable --json -o json acme adv', ['advanced_security']],
    ['forgectl config set output nd', ['ndjson']],
    ['forgectl config set --js', ['--json']],
    ['forgectl config set ca-file rule', ['ruleset.json']],
    ['forgectl auth switch ', ['prod-1.eu', 'staging']],
    ['forgectl wee', ['weekly-report']],
    ['forgectl alias delete ', ['weekly-report']],
    ['forgectl orgs list --profile=s', ['--profile=staging']],
    ['forgectl orgs get ', ['globex', 'umbrella-corp']],
    ['forgectl policy plan x.yaml --organization=g', ['--organization=globex']],
    ['forgectl repos list acme --fields full_n', ['full_name']],
    ['forgectl repos list acme --fields=id,full_n', ['--fields=id,full_name']],
    ['forgectl help rulesets ch', ['check']],
    ['forgectl each --from targets.txt -- or', ['orgs']],
    ['forgectl each repos acme -- repos up', ['update']],
    ['forgectl each repos acme -- repos update {} --no-has-w', ['--no-has-wiki']],
    ['forgectl each repos acme -- orgs get {} -o nd', ['ndjson']],
    ['forgectl each re', ['repos']],
    ['forgectl rulesets lint rule', ['ruleset.json']],
    ['forgectl rulesets create acme --conditions @rule', ['@ruleset.json']],
    ['forgectl rulesets create acme --conditions=@rule', ['--conditions=@ruleset.json']],
    ['forgectl orgs get rule', []],
    ['forgectl orgs --js', []],
    ['forgectl --vers', ['--version']],
    ['forgectl orgs get --vers', []],
  ])('offers for “%s” %j', async (line, offers) => {
    const { stdout } = await run(['autocomplete', 'fish']);
    expect(offeredByFish(stdout, await folderWithFiles(), line)).toEqual(offers);
  });
});

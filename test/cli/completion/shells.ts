/** Real shells that load a completion script and complete with it, in a folder of their own. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

function ran(shell: string, words: readonly string[], cwd: string, input: string): string {
  const env = { PATH: process.env.PATH, HOME: cwd, TERM: 'dumb', INPUTRC: '/dev/null', HISTFILE: '' };
  return spawnSync(shell, words, { cwd, env, input, encoding: 'utf8', timeout: 30_000 }).stdout;
}

/** What a shell says about the syntax of a script: nothing where it is right. */
export function syntaxErrors(shell: string, script: string, folder: string): string {
  const file = join(folder, `script.${shell}`);
  writeFileSync(file, script);
  return spawnSync(shell, ['-n', file], { encoding: 'utf8' }).stderr;
}

/**
 * The words that forgectl is started with when a line is typed in bash: each `→` is the Tab key. readline takes its keys
 * from a pipe as it does from a keyboard.
 */
export function typedInBash(script: string, folder: string, lines: readonly string[], setUp = ''): readonly string[][] {
  writeFileSync(join(folder, '.script'), script);
  const begin = `PS1=; ${setUp} . ./.script; forgectl() { printf '<%s>' "$@"; echo; }`;
  const keys = [begin, ...lines].map((line) => `${line.replaceAll('→', '\t')}\n`).join('');
  return wordsIn(ran('bash', ['--norc', '--noprofile', '-i'], folder, keys));
}

/** The same in zsh, which completes on a terminal alone: it brings one of its own. */
export function typedInZsh(script: string, folder: string, lines: readonly string[]): readonly string[][] {
  writeFileSync(join(folder, '.script'), script);
  writeFileSync(join(folder, '.typed'), '');
  const begin = `autoload -Uz compinit; compinit -u -D; . ./.script; PS1=; forgectl() { printf '<%s>' "$@" >> .typed; echo >> .typed; }`;
  const keys = [begin, ...lines].map((line) => `zpty -w z ${quoted(line.replaceAll('→', '\t'))}`);
  // What the shell says at its end is not what it echoes.
  const all = ['zmodload zsh/zpty', 'zpty z zsh -f -i', ...keys, 'zpty -w z "print D\'\'ONE; exit"'];
  ran(
    'zsh',
    ['-f', '-c', [...all, 'while zpty -r z line; do [[ $line == *DONE* ]] && break; done'].join('\n')],
    folder,
    '',
  );
  return wordsIn(readFileSync(join(folder, '.typed'), 'utf8'));
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const wordsIn = (output: string): string[][] =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(1, -1).split('><'));

/** What bash offers for a line, when Tab is pressed at its end. */
export function offeredByBash(script: string, folder: string, words: readonly string[]): readonly string[] {
  writeFileSync(join(folder, '.script'), script);
  const ask = `. ./.script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _forgectl forgectl "\${@: -1}" ''
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return ran('bash', ['--norc', '--noprofile', '-c', ask, 'bash', 'forgectl', ...words], folder, '')
    .split('\n')
    .filter(Boolean);
}

/** What fish offers for a line, without descriptions. */
export function offeredByFish(script: string, folder: string, line: string): readonly string[] {
  writeFileSync(join(folder, '.script'), script);
  return ran('fish', ['--no-config', '-c', 'source ./.script; complete -C $argv[1]', line], folder, '')
    .split('\n')
    .filter(Boolean)
    .map((offer) => offer.split('\t', 1)[0] ?? '');
}

/** Errors for unknown commands, with suggestions. */

import { ownMember } from '../../json/exact-json.ts';
import { closest } from '../../platform/suggest.ts';
import { UsageError } from '../errors.ts';
import type { KnownFlags } from '../input/flag-words.ts';
import { commonFlags, inputFlags, listFlags, writeFlags } from '../input/flags.ts';
import { maskedWords } from '../input/masked-words.ts';
import { completedCommandLine } from '../input/prompts/command-line.ts';
import { unknownExtension } from './extensions.ts';
import { leadingFlags } from './leading-flags.ts';
import { findCommand } from './load-command.ts';

/** Names that other programs use for the topics and verbs. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  organization: ['orgs'],
  organizations: ['orgs'],
  organisations: ['orgs'],
  repository: ['repos'],
  repositories: ['repos'],
  completion: ['autocomplete'],
  ls: ['list'],
  show: ['get'],
  view: ['get'],
  describe: ['get'],
  new: ['create'],
  add: ['create'],
  edit: ['update'],
  set: ['update'],
  change: ['update'],
  rm: ['delete', 'remove'],
  remove: ['delete'],
  destroy: ['delete'],
};

/** Commands of other programs that have a different name here. */
const otherLines: Readonly<Record<string, string>> = { whoami: 'auth status', apply: 'policy apply' };

/** Resources that other programs have commands for, with the paths that `api` reads; the rest is typed by the user. */
const apiPaths: Readonly<Record<string, readonly string[]>> = {
  users: ['/users/LOGIN'],
  secrets: ['/orgs/ORG/actions/secrets', '/repos/OWNER/NAME/actions/secrets'],
  variables: ['/orgs/ORG/actions/variables', '/repos/OWNER/NAME/actions/variables'],
  webhooks: ['/orgs/ORG/hooks', '/repos/OWNER/NAME/hooks'],
  runners: ['/orgs/ORG/actions/runners', '/repos/OWNER/NAME/actions/runners'],
  issues: ['/repos/OWNER/NAME/issues'],
  pulls: ['/repos/OWNER/NAME/pulls'],
  releases: ['/repos/OWNER/NAME/releases'],
};

const apiLines = (word: string): readonly string[] => {
  const name = Object.keys(apiPaths).find((plural) => plural === word || plural === `${word}s`);
  return name === undefined ? [] : (apiPaths[name] ?? []).map((path) => `forgectl api ${path}`);
};

const extensionFlags: KnownFlags = { 'yes-extension': { type: 'boolean' } };

/** Returns the error for flags before the command that not all commands share, with the corrected line if all flags are known. */
export function flagsFirst(argv: readonly string[]): UsageError {
  const at = leadingFlags(argv, { ...commonFlags, ...listFlags(), ...writeFlags, ...inputFlags, ...extensionFlags });
  const name = argv[at];
  if (name !== undefined && !name.startsWith('-') && argv.slice(0, at).includes('--yes-extension'))
    return unknownExtension(name);
  const found = findCommand(argv.slice(at));
  if (!found) return new UsageError('Put flags after the command.', 'See “forgectl help”.');
  const words = ['forgectl', ...found.id.split(':')];
  const { words: shown } = maskedWords(argv);
  const rest = shown.slice(argv.length - found.rest.length);
  const line = completedCommandLine(words, rest, { args: [], flags: shown.slice(0, at) });
  return new UsageError(`Put flags after the command:\n  ${line}`);
}

/** Returns the error for an unknown command. `names` lists all commands as typed. */
export function unknownCommand(typed: readonly string[], names: readonly string[]): UsageError {
  const { words } = maskedWords(typed);
  return new UsageError(`Unknown command “${words.join(' ')}”.`, `${meant(words, names)}See “forgectl help”.`);
}

function meant(typed: readonly string[], names: readonly string[]): string {
  const [word = '', ...rest] = typed;
  if (Object.hasOwn(otherLines, word)) return `Did you mean “forgectl ${[otherLines[word], ...rest].join(' ')}”? `;
  const lines = apiLines(word);
  if (lines.length > 0) return `Try ${lines.map((line) => `“${line}”`).join(' or ')}. `;
  const near = corrected(typed, names) ?? corrected([...typed].reverse(), names);
  if (near) return `Did you mean “forgectl ${near}”? `;
  const [first = ''] = typed;
  const below = nextWords([first], names);
  if (below.length) return `Commands of “forgectl ${first}”: ${below.join(', ')}. `;
  const verb = names.filter((name) => name.endsWith(` ${first}`));
  if (verb.length > 0 && verb.length <= 3)
    return `Did you mean ${verb.map((name) => `“forgectl ${name}”`).join(' or ')}? `;
  return '';
}

/**
 * Returns the words with misspelled parts corrected; undefined if one has no near match. Words after a complete command
 * stay unchanged.
 */
function corrected(typed: readonly string[], names: readonly string[]): string | undefined {
  const right: string[] = [];
  for (const [index, word] of typed.entries()) {
    const next = nextWords(right, names);
    if (next.length === 0) return [...right, ...typed.slice(index)].join(' ');
    const known = ownMember(synonyms, word);
    const synonym = known?.find((each) => next.includes(each));
    const near = next.includes(word) ? word : (synonym ?? closest(word, next));
    if (near === undefined) return undefined;
    right.push(near);
  }
  return right.join(' ');
}

/** Returns the words that may follow the first words of a command. */
function nextWords(words: readonly string[], names: readonly string[]): string[] {
  const begin = words.map((word) => `${word} `).join('');
  const below = names.filter((name) => name.startsWith(begin));
  return [...new Set(below.map((name) => name.slice(begin.length).split(' ', 1)[0] ?? ''))];
}

/** What to say of words that name no command: the one that was probably meant, or those that there are. */
import { UsageError } from './errors.ts';
import { closest } from './suggest.ts';

/** What other command lines call the topics and the verbs. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  organization: ['orgs'],
  organizations: ['orgs'],
  organisations: ['orgs'],
  repository: ['repos'],
  repositories: ['repos'],
  completion: ['autocomplete'],
  whoami: ['auth'],
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

/** The error for words that name no command. `names` are those of all commands, as they are typed. */
export function unknownCommand(typed: readonly string[], names: readonly string[]): UsageError {
  const [first = ''] = typed;
  if (first.startsWith('-'))
    return new UsageError(`A command comes first, and ${first} is not one.`, 'See “forgectl help”.');
  const words = typed.join(' ');
  return new UsageError(`There is no command “${words}”.`, `${meant(typed, names)}“forgectl help” lists all.`);
}

function meant(typed: readonly string[], names: readonly string[]): string {
  const near = corrected(typed, names) ?? corrected([...typed].reverse(), names);
  if (near) return `Did you mean “forgectl ${near}”? `;
  const [first = ''] = typed;
  const below = nextWords([first], names);
  if (below.length) return `“forgectl ${first}” has ${below.join(', ')}. `;
  const verb = names.filter((name) => name.endsWith(` ${first}`));
  if (verb.length > 0 && verb.length <= 3)
    return `Did you mean ${verb.map((name) => `“forgectl ${name}”`).join(' or ')}? `;
  return '';
}

/**
 * The words with each that is no part of a command in the nearest spelling; undefined where one is near nothing. What
 * comes after a whole command stays as it is.
 */
function corrected(typed: readonly string[], names: readonly string[]): string | undefined {
  const right: string[] = [];
  for (const [index, word] of typed.entries()) {
    const next = nextWords(right, names);
    if (next.length === 0) return [...right, ...typed.slice(index)].join(' ');
    const known = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined;
    const synonym = known?.find((each) => next.includes(each));
    const near = next.includes(word) ? word : (synonym ?? closest(word, next));
    if (near === undefined) return undefined;
    right.push(near);
  }
  return right.join(' ');
}

/** The words that may follow some that begin a command. */
function nextWords(words: readonly string[], names: readonly string[]): string[] {
  const begin = words.map((word) => `${word} `).join('');
  const below = names.filter((name) => name.startsWith(begin));
  return [...new Set(below.map((name) => name.slice(begin.length).split(' ', 1)[0] ?? ''))];
}

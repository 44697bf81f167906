/** Arguments and checks that commands share. Invalid values are collected, so that one message can list all of them. */
import * as Args from '@oclif/core/args';
import type { Arg } from '@oclif/core/interfaces';
import { invalid, type Problem } from '../../platform/validate.ts';
import { addressOf, type GivenAddress } from './repository-url.ts';
import { BadValue, oneOf, plainName, segment, wholeNumber } from './values.ts';

/** A repository as OWNER/NAME. */
export interface RepoName {
  readonly owner: string;
  readonly repo: string;
}

/** An organization, or one of its repositories. */
export type Target = { readonly org: string } | RepoName;

/**
 * A required argument that is missing or invalid. The problem is recorded, and `valid` rejects it before any request.
 * An optional argument that is missing is undefined.
 */
export const invalidArgument = null;

export type InvalidArgument = typeof invalidArgument;

/** Arguments that are all valid. */
export type Valid<A> = { [K in keyof A]: ValidValue<A[K]> };

type ValidValue<T> = T extends readonly (infer E)[] ? Exclude<E, InvalidArgument>[] : Exclude<T, InvalidArgument>;

/** False for an invalid argument. */
export const isRepo = (target: Target | InvalidArgument): target is RepoName =>
  target !== invalidArgument && 'repo' in target;

/** A target as typed. */
export const targetName = (target: Target): string => (isRepo(target) ? `${target.owner}/${target.repo}` : target.org);

/** Returns the API path of the organization or the repository that arguments name; undefined without one. */
export function placeNamed({ org, repo, target = repo }: Readonly<Record<string, unknown>>): string | undefined {
  const place = typeof org === 'string' ? { org } : (target as Target | InvalidArgument | undefined);
  if (!place) return undefined;
  const [kind, ...names] = isRepo(place) ? ['repos', place.owner, place.repo] : ['orgs', place.org];
  // Arguments are checked later: one may be no text that can be encoded.
  return `/${[kind, ...names.map((name) => encodeURIComponent(name.toWellFormed()))].join('/')}`;
}

/** The part of a command that collects problems of arguments and flags. */
export interface ProblemCollector {
  readonly problems: Problem[];
  /** Receives addresses, whose hosts are checked once the platform is known; without it they are not accepted. */
  readonly addresses?: GivenAddress[];
}

/** Converts text. Throws BadValue. */
export type Convert<T> = (text: string, collector: ProblemCollector) => T;

/** Returns a parser that records invalid values instead of throwing. */
export function collecting<T>(name: string, convert: Convert<T>) {
  return async (text: string, context: unknown): Promise<T | InvalidArgument> => {
    const collector = context as ProblemCollector;
    try {
      return convert(text, collector);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      collector.problems.push(invalid(name, error.message));
      return invalidArgument;
    }
  };
}

/** A required argument. oclif would read a missing one from standard input; these never do. */
function required<T>(name: string, convert: Convert<T>, description: string): Arg<T | InvalidArgument> {
  return Args.custom<T | InvalidArgument>({ parse: collecting(name, convert), ignoreStdin: true })({
    required: true,
    description,
  });
}

function optionalArg<T>(name: string, convert: Convert<T>, description: string): Arg<T | InvalidArgument | undefined> {
  return Args.custom<T | InvalidArgument>({ parse: collecting(name, convert), ignoreStdin: true })({ description });
}

/** Returns a converter of names that also accepts addresses, of which it converts the path and records the host. */
export const orAddress =
  <T>(field: string, convert: (name: string) => T): Convert<T> =>
  (text, { addresses }) => {
    const address = addresses && addressOf(text);
    if (!address) return convert(text);
    addresses.push({ field, ...address });
    return convert(address.path);
  };

/** Returns comma-separated repositories with names in place of addresses, whose hosts are recorded for the flag. */
export function namesOf(flag: string, text: string, collector: ProblemCollector): string {
  const convert = orAddress(flag, (name) => name);
  return text
    .split(',')
    .map((word) => convert(word.trim(), collector))
    .join(',');
}

/** Reads a repository written OWNER/NAME. Throws BadValue. */
export function readRepoName(text: string): RepoName {
  const parts = text.split('/');
  const [owner, name] = parts;
  if (parts.length !== 2 || !owner || !name) throw new BadValue('must have the form OWNER/NAME');
  return { owner: plainName(owner), repo: withoutSuffix(name) };
}

/** Repository names are written without `.git`. Specification, Conventions that apply to every endpoint. */
const withoutSuffix = (name: string) => plainName(name.replace(/\.git$/i, ''));

function target(text: string): Target {
  return text.includes('/') ? readRepoName(text) : { org: plainName(text) };
}

/** IDs and other numbers of the platform start at 1. */
const id = wholeNumber(1);

export const orgArg = () => required('ORG', plainName, 'Organization login');

/** One or more people. */
export const loginsArg = (): Arg<(string | InvalidArgument)[] | undefined> =>
  Args.custom<string | InvalidArgument>({ parse: collecting('LOGINS', plainName), ignoreStdin: true })({
    required: true,
    multiple: true,
    description: 'Logins of the people',
  }) as unknown as Arg<(string | InvalidArgument)[] | undefined>;

export const loginArg = () => required('LOGIN', plainName, 'Login of the person');

/** An organization, unless --enterprise takes its place. */
export const orgOrEnterpriseArg = () => ({
  ...optionalArg('ORG', plainName, 'Organization login; this or --enterprise is required'),
  question: 'Organization login',
});

export const installationArg = () => required('ORG|ID', plainName, 'Organization login, or ID of an installation');

export const repoArg = (description = 'Repository (OWNER/NAME)') =>
  required('REPO', orAddress('REPO', readRepoName), description);

export const optionalRepoArg = (description: string) =>
  optionalArg('REPO', orAddress('REPO', readRepoName), description);

export const targetArg = () =>
  required('TARGET', orAddress('TARGET', target), 'Organization (acme) or repository (acme/site)');

export const optionalTargetArg = (name: string, description: string) =>
  optionalArg(name, orAddress(name, target), description);

/** Any number of repositories, including none. */
export const reposArg = (): Arg<(RepoName | InvalidArgument)[] | undefined> =>
  Args.custom<RepoName | InvalidArgument>({
    parse: collecting('REPO', orAddress('REPO', readRepoName)),
    ignoreStdin: true,
  })({
    description: 'Repositories (OWNER/NAME)',
    multiple: true,
  });

/** Any number of organizations, including none. */
export const orgsArg = (): Arg<(string | InvalidArgument)[] | undefined> =>
  Args.custom<string | InvalidArgument>({ parse: collecting('ORG', plainName), ignoreStdin: true })({
    description: 'Organization logins',
    multiple: true,
  });

/** The name of a repository without its owner, which is dropped if given. */
export const optionalRepoNameArg = () =>
  optionalArg(
    'REPO_NAME',
    orAddress('REPO_NAME', (text) => (text.includes('/') ? readRepoName(text).repo : withoutSuffix(text))),
    'Repository name, without its owner',
  );

/** A directory to read. */
export const optionalFolderArg = (description: string): Arg<string | undefined> =>
  Args.custom<string>({ ignoreStdin: true })({ description });

/** A file to read. */
export const fileArg = (description: string): Arg<string> =>
  Args.custom<string>({ ignoreStdin: true })({ required: true, description }) as Arg<string>;

/** Files to read, one or more; `-` is standard input. */
export const filesArg = (description: string): Arg<string[]> =>
  Args.custom<string>({ ignoreStdin: true })({ required: true, multiple: true, description });

/** The name of a branch; the platform accepts no wildcards. */
export const branchArg = (description = 'Branch name (the branch need not exist)') =>
  required(
    'BRANCH',
    (text) => {
      if (/[*?[]/.test(text)) throw new BadValue('must be one branch name, without the wildcards * ? [');
      return segment(text);
    },
    description,
  );

/** A number assigned by the platform: an ID, an alert number, a project number. */
export const idArg = (name: string, description: string) => required(name, id, description);

export const optionalIdArg = (name: string, description: string) => optionalArg(name, id, description);

/** Any text that becomes one segment of a path: a branch, a commit, a name. */
export const nameArg = (name: string, description: string) => required(name, segment, description);

/** A name without a slash. */
export const plainNameArg = (name: string, description: string) => required(name, plainName, description);

export const optionalNameArg = (name: string, description: string) => optionalArg(name, segment, description);

/** One of a fixed set of words, which completion offers. */
export const wordArg = <const W extends string>(name: string, words: readonly W[], description: string) => ({
  ...required<W>(name, oneOf(words), `${description}: ${words.join(', ')}`),
  question: description,
  options: words,
});

export const optionalWordArg = <const W extends string>(name: string, words: readonly W[], description: string) => ({
  ...optionalArg<W>(name, oneOf(words), `${description}: ${words.join(', ')}`),
  question: description,
  options: words,
});

/**
 * Returns a declaration without allowed words and required arguments: for these oclif would end the run before all
 * problems are collected or prompts shown.
 */
export function lenient<D extends Declared>(declared: D): D {
  const { args, flags, baseFlags } = declared;
  const known = lenientDeclarations.get(declared) as D | undefined;
  const made = known ?? {
    ...declared,
    args: optionalWords(args),
    flags: anyWord(flags),
    baseFlags: anyWord(baseFlags),
  };
  lenientDeclarations.set(declared, made);
  return made;
}

/** A command that runs for many targets needs its declaration each time. */
const lenientDeclarations = new Map<Declared, Declared>();

interface Declared {
  readonly args?: object;
  readonly flags?: object;
  readonly baseFlags?: object;
}

const anyWord = (values: object = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, { options: _, ...rest }]) => [name, rest]));

/**
 * Placeholder for a missing argument before several others, which oclif accepts only where it is required or has a
 * default.
 */
const notTyped = Symbol('not typed');

/** Returns the arguments without placeholders. */
export const typedArgs = <A extends object>(args: A): A =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== notTyped)) as A;

function optionalWords(args: object = {}) {
  const entries = Object.entries(anyWord(args) as Record<string, { readonly multiple?: boolean }>);
  const several = entries.findIndex(([, { multiple }]) => multiple);
  return Object.fromEntries(
    entries.map(([name, arg], place) => [
      name,
      place < several ? { ...arg, required: true, default: notTyped } : { ...arg, required: false },
    ]),
  );
}

/** A repository by its id or by its name. */
export const repositoryIdOrRepoArg = () =>
  required<number | RepoName>(
    'REPOSITORY',
    orAddress('REPOSITORY', (text) => (text.includes('/') ? readRepoName(text) : id(text))),
    'Repository, by ID or as OWNER/NAME',
  );

/** Text that the command parses itself; completion offers `options`. */
export const optionalTextArg = (name: string, options: readonly string[], description: string) => ({
  ...optionalArg(name, (text) => text, description),
  options,
});

/** Text for the body, checked by the endpoint's schema. */
export const textArg = (name: string, description: string) => required(name, (text) => text, description);

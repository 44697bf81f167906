/** Matches repositories against selectors. */
import { fieldsUsed } from '../../../jq/fields-used.ts';
import type { JqLimits } from '../../../jq/jq.ts';
import { RecordFilter } from '../../../jq/record-filter.ts';
import { asText } from '../../../json/exact-json.ts';
import { valueNamed } from '../../../platform/custom-properties.ts';
import type { SelectableRepository, Selector } from './model.ts';
import { namePattern } from './name-pattern.ts';
import type { Placed } from './placed.ts';

export interface Selection<R> {
  /** In the order given. */
  readonly selected: readonly R[];
  /** Archived repositories that meet all conditions of a selector of others. */
  readonly archived: readonly R[];
  /** Patterns that match no name, which are probably misspelled. */
  readonly unmatched: readonly Placed<string>[];
}

/**
 * Returns the repositories for which every condition holds. Throws JqError if `where` fails for one of them, or exceeds
 * its time limit.
 */
export async function select<R extends SelectableRepository>(
  selector: Selector,
  repositories: readonly R[],
  limits: JqLimits = {},
): Promise<Selection<R>> {
  const isNamed = nameMatcher(selector);
  const candidates = repositories.filter((repository) => isNamed(repository.name) && holdsFor(selector, repository));
  const matching = await matchingWhere(selector, candidates, limits);
  return {
    selected: matching.filter(({ archived = false }) => archived === selector.archived),
    archived: selector.archived ? [] : matching.filter(({ archived }) => archived),
    unmatched: unmatchedPatterns(selector.names ?? [], repositories),
  };
}

const listedFields = ['id', 'name', 'full_name', 'archived', 'private', 'topics', 'visibility'] as const;

/**
 * Returns the fields of repositories that selectors read, sorted; undefined if they may read any. A record has 8 KB, and
 * an organization thousands of them.
 */
export function fieldsRead(selectors: readonly Pick<Selector, 'where'>[]): readonly string[] | undefined {
  const used = selectors.map(({ where }) => (where ? fieldsUsed(where.value) : []));
  if (used.includes(undefined)) return undefined;
  return [...new Set([...listedFields, ...used.flatMap((names) => names ?? [])])].toSorted();
}

/** Returns the patterns that match no name. */
export const unmatchedPatterns = (
  patterns: readonly Placed<string>[],
  repositories: readonly Pick<SelectableRepository, 'name'>[],
): readonly Placed<string>[] =>
  patterns.filter(({ value }) => {
    const { matches } = parsePattern(value);
    return !repositories.some(({ name }) => matches(name));
  });

/** Returns a test of names. Without patterns, every name is selected; otherwise the last pattern that matches decides. */
export function nameMatcher({ names }: Pick<Selector, 'names'>): (name: string) => boolean {
  const patterns = names?.map(({ value }) => parsePattern(value));
  return (name) => !patterns || patterns.findLast(({ matches }) => matches(name))?.excludes === false;
}

/** Returns whether a selector reads more of a repository than its name. Archived repositories are rarely selected. */
export const readsRecords = ({ visibility, archived, topics, properties, where }: Selector): boolean =>
  archived || [visibility, topics, properties, where].some((condition) => condition !== undefined);

function parsePattern(pattern: string) {
  const excludes = pattern.startsWith('!');
  return { excludes, matches: namePattern(excludes ? pattern.slice(1) : pattern) };
}

function holdsFor({ visibility, topics, properties }: Selector, repository: SelectableRepository): boolean {
  // Older platforms return only `private`.
  const { private: isPrivate, visibility: visible = isPrivate ? 'private' : 'public' } = repository;
  const { topics: own = [], custom_properties: values = {} } = repository;
  return (
    (visibility?.includes(visible) ?? true) &&
    (topics?.every((topic) => own.includes(topic.toLowerCase())) ?? true) &&
    [...(properties ?? [])].every(([name, { values: wanted }]) =>
      [valueNamed(name, values) ?? []].flat().some((value) => wanted.includes(asText(value))),
    )
  );
}

async function matchingWhere<R extends SelectableRepository>(
  { where }: Selector,
  candidates: readonly R[],
  limits: JqLimits,
): Promise<readonly R[]> {
  if (!where) return candidates;
  const nameOf = (index: number) => candidates[index]?.name ?? '';
  // Policies are often checked in public CI jobs, and repositories have fields that not everyone may read.
  const filter = new RecordFilter(where.value, { ...limits, quotesRecords: false });
  const indices = await filter.matching(candidates, nameOf);
  return indices.flatMap((index) => candidates[index] ?? []);
}

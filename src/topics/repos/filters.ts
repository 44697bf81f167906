/** Filters for repository lists. The platform supports only some of them. */

import * as Flags from '@oclif/core/flags';
import type { InferredFlags } from '@oclif/core/interfaces';
import { parseAge } from '../../cli/input/duration.ts';
import { textFlag, valueFlag, wordFlag } from '../../cli/input/flags.ts';
import type { Repository } from '../../platform/records.ts';
import { invalid, type Problem } from '../../platform/validate.ts';
import { visibility } from './columns.ts';

export const repositoryFilterFlags = {
  archived: Flags.boolean({
    allowNo: true,
    description: 'Only archived repositories, or only those that are not (filtered locally)',
  }),
  visibility: wordFlag('--visibility', ['public', 'private', 'internal'], {
    description: 'Only repositories with this visibility (internal is filtered locally)',
  }),
  topic: textFlag('--topic', {
    helpValue: 'TOPIC',
    description: 'Only repositories with this topic (filtered locally)',
  }),
  language: textFlag('--language', {
    helpValue: 'LANGUAGE',
    description: 'Only repositories with this main language, such as Go (filtered locally)',
  }),
  'pushed-before': valueFlag('--pushed-before', parseAge, {
    helpValue: 'DURATION',
    description: 'Only repositories last pushed to longer ago than this, such as 365d (filtered locally)',
  }),
};

export type RepositoryFilters = Partial<InferredFlags<typeof repositoryFilterFlags>>;

/** Returns the filter that the platform supports. It also supports internal, but not for every token. */
export const platformFilter = ({ visibility: word }: RepositoryFilters): 'public' | 'private' | undefined =>
  word === 'public' || word === 'private' ? word : undefined;

/**
 * Returns whether a repository passes all given filters; undefined if none is given. A field that is missing from the
 * record, or of another type, passes no filter.
 */
export function repositoryFilter(
  { archived, visibility: word, topic, language, 'pushed-before': age }: RepositoryFilters,
  now: Date,
): ((repository: Repository) => boolean) | undefined {
  const filters = [
    archived !== undefined && ((repository: Repository) => repository.archived === archived),
    word !== undefined && ((repository: Repository) => visibility(repository) === word),
    topic !== undefined &&
      (({ topics }: Repository) => Array.isArray(topics) && topics.some((each) => isSame(each, topic))),
    language !== undefined && ((repository: Repository) => isSame(repository.language, language)),
    age !== undefined &&
      (({ pushed_at: pushed }: Repository) => typeof pushed === 'string' && Date.parse(pushed) < now.getTime() - age),
  ].filter((filter) => filter !== false);
  return filters.length === 0 ? undefined : (repository) => filters.every((filter) => filter(repository));
}

/** Returns a problem for each given filter of targets that are not listed repositories. */
export function filterProblems(filters: RepositoryFilters, targets: unknown): Problem[] {
  if (targets === 'repos') return [];
  return (Object.keys(repositoryFilterFlags) as (keyof RepositoryFilters)[])
    .filter((name) => filters[name] !== undefined)
    .map((name) => invalid(filters[name] === false ? `--no-${name}` : `--${name}`, 'requires repos'));
}

const isSame = (one: unknown, other: string) => typeof one === 'string' && one.toLowerCase() === other.toLowerCase();

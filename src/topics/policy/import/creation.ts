/** The creation of a repository, as several tools declare it. */
import type { Placed } from '../../../fleet/policy/wanted/placed.ts';
import type { Lose } from './source.ts';

/** The keys of a creation that make the first commit. */
export const firstCommitKeys: readonly string[] = ['auto_init', 'gitignore_template', 'license_template'];

/** Returns whether a key of the first commit has its default: only `auto_init` can be false. */
export const isDefault = (key: string, { value }: Placed): boolean => key === 'auto_init' && value === false;

/** Returns the members of a creation; with a template, which has commits, no others make the first one. */
export function creationMembers(members: readonly (readonly [string, Placed])[], lose: Lose): [string, Placed][] {
  const hasTemplate = members.some(([key]) => key === 'template');
  return members.flatMap(([key, part]): [string, Placed][] => {
    if (!hasTemplate || !firstCommitKeys.includes(key)) return [[key, part]];
    if (!isDefault(key, part)) lose(part, 'cannot be combined with a template');
    return [];
  });
}

/** The merge methods of a repository, of which the platform requires one. */
import { member, type Placed } from '../../../fleet/policy/wanted/placed.ts';
import type { KeyTranslation } from './model.ts';

export const mergeMethods: readonly string[] = ['allow_merge_commit', 'allow_squash_merge', 'allow_rebase_merge'];

/** Returns whether a repository has no merge method, which the platform rejects. */
export const hasNoMergeMethod = (repository: Placed): boolean =>
  mergeMethods.every((key) => member(repository, key)?.value === false);

/** The comment about a repository without merge methods. */
export const noMergeMethod = 'merge methods are not managed: all are false, which the platform rejects';

/** Returns the rows of a table about repositories without merge methods. */
export const mergeMethodKeys = (prefix: string): readonly KeyTranslation[] =>
  mergeMethods.map((key) => ({
    key: `${prefix}${key}`,
    value: 'false for all three',
    note: 'No effect: the platform rejects a repository without a merge method',
  }));

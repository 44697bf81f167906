/** The levels of files, and what each of them declares. */
import { isDeepStrictEqual } from 'node:util';
import { member, type Placed, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../../../json/exact-json.ts';
import type { FilteredItem } from '../../app-access.ts';
import { readAppSettings } from '../../app-settings.ts';
import type { SourceFile } from '../../model.ts';
import { type Lose, placedAt } from '../../source.ts';
import { overlaid } from './overlay.ts';
import { suborgKeys } from './table.ts';

export type Level = 'organization' | 'suborg' | 'repository';

/** Returns the level of a file, which its folder says, as safe-settings reads it. */
export function levelOf({ file, root }: SourceFile): Level {
  const folder = /(?:^|[/\\])(suborgs|repos)[/\\][^/\\]+$/.exec(file)?.[1];
  if (folder === 'repos') return 'repository';
  return folder === 'suborgs' || suborgKeys.some((key) => root.parts.has(key)) ? 'suborg' : 'organization';
}

/** Returns the name of the repository that a file is about. */
export const repositoryOf = (file: string): string => file.replace(/^.*[/\\]/, '').replace(/\.ya?ml$/i, '');

export interface LevelDraft {
  /** By place in the policy. */
  readonly items: ReadonlyMap<string, FilteredItem>;
  /** What creations of repositories have, of all levels, by key of `create`. */
  readonly creation: ReadonlyMap<string, Placed>;
}

/** Returns a level without the nulls that take back values of the levels below, which are reported. */
export function withoutTakenBack(base: Placed | undefined, config: Placed, lose: Lose): Placed {
  const remaining = (below: Placed | undefined, over: Placed): Placed =>
    withParts(
      over,
      [...over.parts].filter(([key, part]) => {
        const isTakenBack = part.value === null && (below?.parts.get(key)?.value ?? null) !== null;
        if (isTakenBack) lose(part, 'Overrides cannot unset a value');
        return !isTakenBack;
      }),
    );
  const left = remaining(base, config);
  const repository = member(left, 'repository');
  if (!isObject(repository?.value)) return left;
  return withParts(left, [...left.parts, ['repository', remaining(member(base, 'repository'), repository)]]);
}

/** Returns what a level declares: what its own file has, and what is different with it. */
export function declaredAt(base: Placed | undefined, config: Placed, file: string, lose: Lose): LevelDraft {
  const before = itemsByKey(base ? readAppSettings(base, 'safe-settings', () => undefined).items : []);
  const { items, creation } = readAppSettings(overlaid(base, config), 'safe-settings', loseOf(file, lose));
  const declared = items.filter(({ value }) => isFrom(value, file));
  const kept = itemsByKey(declared);
  for (const item of declared) if (kept.get(keyOf(item)) !== item) lose(item.value, 'is declared twice');
  const after = itemsByKey([...items, ...declared]);
  const own = [...after].filter(([key, { path, value }]) => {
    const isDeclared = path[0] !== 'rulesets' && isFrom(value, file);
    return isDeclared || !isDeepStrictEqual(before.get(key)?.value.value, value.value);
  });
  const gone = [...before]
    .filter(([key, { path }]) => path[0] === 'rulesets' && !after.has(key))
    .map(([, { path }]) => path[1]);
  const absent = { path: ['absent', 'rulesets'], value: placedAt(gone, config.place) };
  return { items: new Map(gone.length > 0 ? [...own, ['absent.rulesets', absent]] : own), creation };
}

/** Returns the losses of a file's own parts: those of the levels below are reported there. */
export const loseOf =
  (file: string, lose: Lose): Lose =>
  (part, reason) => {
    if (part.place.file === file) lose(part, reason);
  };

const itemsByKey = (items: readonly FilteredItem[]): ReadonlyMap<string, FilteredItem> =>
  new Map(items.map((item) => [keyOf(item), item]));

const keyOf = ({ path }: FilteredItem): string => path.join('.');

/** Returns whether any part of a value comes from a file. */
const isFrom = ({ place, parts }: Placed, file: string): boolean =>
  parts.size === 0 ? place.file === file : [...parts.values()].some((part) => isFrom(part, file));

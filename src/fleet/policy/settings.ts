/** Compares the settings of a target, and the property values of a repository, with those that policies want. */
import { getOrganization, updateOrganization } from '../../platform/endpoints/orgs.ts';
import { getRepository, updateRepository } from '../../platform/endpoints/repos.ts';
import type { Given } from '../../platform/validate.ts';
import { effectOf, type PlannedChange } from './change.ts';
import { type Comparison, merge } from './diff.ts';
import { type Place, type Placed, sourceText } from './placed.ts';
import { permissionText, type Reader, type Reading } from './requests.ts';
import type { TargetPath, WantedTarget } from './target.ts';

export function readSettings(reader: Reader, path: TargetPath): Promise<Reading<Given>> {
  const read = 'repo' in path ? reader.get(getRepository, { path }) : reader.get(getOrganization, { path });
  return read as Promise<Reading<object>> as Promise<Reading<Given>>;
}

/** Returns the live values of fields. Text that is empty is null in records and “” in bodies. */
export function liveFields(record: Given, wanted: Given): Given {
  return Object.fromEntries(
    Object.keys(wanted).map((name) => [name, record[name] === null && wanted[name] === '' ? '' : record[name]]),
  );
}

export async function planSettings(wanted: WantedTarget, reader: Reader): Promise<PlannedChange[]> {
  const { target, path, settings } = wanted;
  const [first] = settings.values();
  if (!first) return [];
  const common = { kind: 'settings', target, name: '' } as const;
  const read = await readSettings(reader, path);
  if ('unreadable' in read)
    return [{ action: 'unreadable', ...common, source: sourceText(first.place), changes: [], reason: read.unreadable }];
  const all = valuesOf(settings);
  const live = liveFields(read.value, all);
  const hidden = Object.keys(all).filter((name) => live[name] === undefined);
  const { permission } = 'repo' in path ? updateRepository : updateOrganization;
  const unreadable = hidden.map(
    (name): PlannedChange => ({
      action: 'unreadable',
      ...common,
      name,
      source: sourceText(settings.get(name)?.place ?? first.place),
      changes: [],
      reason: `${name} cannot be read${permissionText(permission)}`,
    }),
  );
  const readable = Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.includes(name)));
  const update = updateOf('settings', readable, live);
  if (!update) return unreadable;
  const source = sourceOf(Object.keys(update.body), settings) ?? sourceText(first.place);
  const titled = withTitles(update.body, { ...read.value, ...all });
  return [{ action: 'update', ...common, source, ...update, body: titled }, ...unreadable];
}

export const valuesOf = (fields: ReadonlyMap<string, Placed>): Given =>
  Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));

interface FieldUpdate extends Pick<PlannedChange, 'changes' | 'effect'> {
  readonly before: Given;
  readonly body: Given;
}

/** Returns the change from live to wanted fields: only differences are sent. */
export function updateOf(
  kind: 'settings' | 'hook' | 'properties',
  wanted: Given,
  live: Given,
  comparison: Comparison = {},
): FieldUpdate | undefined {
  const fields = Object.keys(wanted)
    .toSorted()
    .filter((name) => merge(wanted[name], live[name], comparison).changes.length > 0);
  if (fields.length === 0) return undefined;
  const only = (given: Given) => Object.fromEntries(fields.map((name) => [name, given[name]]));
  const { changes } = merge(only(wanted), only(live), comparison);
  const effect = effectOf(kind, changes);
  return { changes, ...(effect && { effect }), before: only(live), body: only(wanted) };
}

const sourceOf = (names: readonly string[], fields: ReadonlyMap<string, Placed>): string | undefined => {
  const places = names.flatMap((name): readonly Place[] => [fields.get(name)?.place ?? []].flat());
  return places.map(sourceText).toSorted()[0];
};

/** A commit message setting requires the matching title setting in the same request. */
function withTitles(body: Given, values: Given): Given {
  const titles = ['squash_merge_commit', 'merge_commit'].filter((kind) => body[`${kind}_message`] !== undefined);
  return { ...Object.fromEntries(titles.map((kind) => [`${kind}_title`, values[`${kind}_title`]])), ...body };
}

/** The property values of repositories, by lower-case full name. */
export type PropertyValues = ReadonlyMap<string, Given>;

export function planProperties(wanted: WantedTarget, values: Reading<PropertyValues>): PlannedChange[] {
  const { target, properties } = wanted;
  const [first] = properties.values();
  if (!first) return [];
  const common = { kind: 'properties', target, name: '' } as const;
  const source = sourceOf([...properties.keys()], properties) ?? sourceText(first.place);
  if ('unreadable' in values)
    return [{ action: 'unreadable', ...common, source, changes: [], reason: values.unreadable }];
  const all = valuesOf(properties);
  const live = values.value.get(target.toLowerCase()) ?? {};
  const before = Object.fromEntries(Object.keys(all).map((name) => [name, live[name] ?? null]));
  const update = updateOf('properties', all, before, { sets: Object.keys(all) });
  return update ? [{ action: 'update', ...common, source, ...update }] : [];
}

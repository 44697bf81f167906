/** Finds the values of sources in the policies that an import writes, by the tables of the documents. */
import { isDeepStrictEqual } from 'node:util';
import { slugOfTeam } from '../../../../src/fleet/policy/kinds/people/team-names.ts';
import { type Declared, declaredOfEntries, declaredOfOwner } from '../../../../src/fleet/policy/wanted/explain.ts';
import type { Policy } from '../../../../src/fleet/policy/wanted/model.ts';
import { nameMatcher } from '../../../../src/fleet/policy/wanted/select.ts';
import { asText, isExactInteger } from '../../../../src/json/exact-json.ts';
import type { KeyTranslation } from '../../../../src/topics/policy/import/model.ts';

export type Path = readonly (string | number)[];

/** A value without members, with its path in the source. */
export interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

export function leavesIn(value: unknown, path: Path = []): readonly Leaf[] {
  if (isExactInteger(value)) return [{ path, value: String(value.rawJSON) }];
  const isLeaf = typeof value !== 'object' || value === null || value instanceof Uint8Array;
  if (isLeaf || Object.keys(value).length === 0) return [{ path, value }];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, each]) => leavesIn(each, [...path, key]));
}

/** Returns what a policy declares: paths as in the tables, whose brackets have the names of objects. */
export function declaredIn({ owners }: Policy, repository: string | undefined): readonly Leaf[] {
  return owners.flatMap((owner) => {
    if (repository === undefined) return declaredOfOwner(owner).flatMap(leavesOf);
    const entries = owner.repositories.filter(
      ({ select }) => nameMatcher(select)(repository) && (!select.properties || repository.endsWith('-silver')),
    );
    const rows = declaredOfEntries(entries).filter((row) => row.overridden_by === undefined);
    const selected = entries.flatMap(({ select: { names = [], properties } }) => [
      ...names.map(({ value }) => ({ path: ['select.names[]'], value: value.replace(/^!/, '') })),
      ...[...(properties ?? [])].flatMap(([name, { values }]) =>
        values.map((value) => ({ path: [`select.properties.${name}[]`], value })),
      ),
    ]);
    return [...rows.flatMap(leavesOf), ...selected].map(({ path, value }) => ({
      path: [`repositories[${repository}].${path.join('')}`],
      value,
    }));
  });
}

function leavesOf({ kind, name, field, value }: Declared): readonly Leaf[] {
  const [, list] = /^(\w+)\[.*\]$/s.exec(field) ?? [];
  if (field === 'absent') return [{ path: [`absent.${kind}[]`], value: name }];
  if (kind === 'members') return [{ path: [`members.${value}s[]`], value: name }];
  if (kind === 'access') {
    const [type = '', who = ''] = String(name).split(/:(.*)/s);
    return [{ path: [`access.${type}s.${who}`], value }];
  }
  if (name !== undefined && list !== undefined) return [{ path: [`${kind}[${name}].${list}[]`], value }];
  const at = name === undefined ? (kind === field ? kind : `${kind}.${field}`) : `${kind}[${name}].${field}`;
  const own = name === undefined ? [] : [{ path: [`${kind}[${name}].name`], value: name }];
  return [...own, ...nested(value, at)];
}

/** Elements of lists that have a type are objects with that name. */
function nested(value: unknown, at: string): readonly Leaf[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [{ path: [at], value }];
  if (!Array.isArray(value)) return Object.entries(value).flatMap(([key, each]) => nested(each, `${at}.${key}`));
  return value.flatMap((each: unknown) => {
    const { type = '', actor_id: actor } = (each ?? {}) as { type?: string; actor_id?: unknown };
    const short = typeof actor === 'string' ? [{ path: [`${at}[]`], value: actor }] : [];
    return [...short, ...nested(each, `${at}[${type}]`)];
  });
}

const plain = (path: string): string => path.replaceAll(/\[[^\]]*\]/g, '[]');

/** Returns a path of a source as in the tables. */
export const keyOf = (path: Path): string =>
  path
    .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
    .join('')
    .replace(/^\./, '');

/** A row of a table, with the rest of the path of a leaf below its key. */
export type RowFor = KeyTranslation & { readonly rest: string };

/** Returns the most specific rows of a table about a leaf. */
export function rowsFor(keys: readonly KeyTranslation[], key: string): readonly RowFor[] {
  const matching = keys.flatMap((row): RowFor[] => {
    const pattern = row.key
      .split('*')
      .map((part) => part.replaceAll(/[.[\]]/g, '\\$&'))
      .join('[^.[]*');
    const [, rest] = new RegExp(`^${pattern}((?:[.[].*)?)$`, 's').exec(key) ?? [];
    return rest === undefined ? [] : [{ ...row, rest }];
  });
  const shortest = Math.min(...matching.map(({ rest }) => rest.length));
  return matching.filter(({ rest }) => rest.length === shortest);
}

const roles: ReadonlyMap<string, string> = new Map([
  ['pull', 'read'],
  ['push', 'write'],
]);

/** Returns the values of a policy that stand for the value of a source. */
function translations(value: unknown, key: string): readonly unknown[] {
  if (key.endsWith('.private')) return value === true ? ['private', 'internal'] : ['public'];
  if (/\.(advanced_security|secret_scanning\w*)$/.test(key)) return [value === true ? 'enabled' : 'disabled'];
  if (key === 'github_team.notification_setting') return [value === 'notifications_enabled'];
  if (typeof value === 'number' && key.endsWith('color')) return [String(value).padStart(6, '0'), '5e8741'];
  if (typeof value !== 'string') return [value, String(value)];
  const color = value.replace(/^#/, '');
  return [
    value,
    roles.get(value) ?? value,
    slugOfTeam(value),
    `team:${slugOfTeam(value)}`,
    `app:${value}`,
    value.includes('/') ? actorNamed(value) : `user:${value}`,
    `refs/heads/${value}`,
    color,
    color.replaceAll(/./g, '$&$&'),
    value === 'default' ? '~DEFAULT_BRANCH' : value,
  ];
}

/** Terraform names people as `/LOGIN`, and teams as `ORG/TEAM`. */
function actorNamed(value: string): string {
  const [owner, name = ''] = value.split('/');
  return owner === '' ? `user:${name}` : `team:${slugOfTeam(name)}`;
}

const sameText = (one: unknown, other: unknown): boolean => asText(one).toLowerCase() === asText(other).toLowerCase();

/** Returns whether a policy has the value of a leaf at the place that a row of the table names. */
export function isFound(row: RowFor, { value }: Leaf, declared: readonly Leaf[], names: readonly string[]): boolean {
  const { policy = '', note = '' } = row;
  const wanted = plain(`${policy}${row.rest}`);
  const escaped = wanted
    .replaceAll(/[.[\]]/g, '\\$&')
    .replace(/\*$/, '.+')
    .replaceAll('*', '[^.[]+');
  const pattern = new RegExp(`^${escaped}(?:\\[\\])?$`, 's');
  const isNamed = (path: unknown) => names.length === 0 || names.some((name) => String(path).includes(`[${name}].`));
  // Names may have brackets.
  const unnamed = (path: unknown) => plain(names.reduce((text, name) => text.replace(`[${name}]`, '[]'), String(path)));
  const there = declared.filter(({ path: [path] }) => isNamed(path) && pattern.test(unnamed(path)));
  // False is what the parameters of pull requests are without the key.
  if (/\.(restrict_dismissals|\w+_conversation_resolution)$/.test(row.key) && value === false)
    return !there.some((each) => each.value === true);
  const [, word, on] = /^(\S+) if (true|false)/.exec(note) ?? [];
  if (word !== undefined) return there.some((each) => each.value === word) === (String(value ?? false) === on);
  if (row.key.endsWith('topics') && typeof value === 'string')
    return value
      .split(',')
      .every((topic) => topic.trim() === '' || there.some((each) => sameText(each.value, topic.trim())));
  const wantedValues = translations(value, row.key);
  return there.some(({ path: [path], value: found }) => {
    const values = policy.endsWith('.*')
      ? [
          found,
          plain(String(path))
            .slice(wanted.length - 1)
            .replace(/\[\]$/, ''),
        ]
      : [found];
    return values.some((each) => wantedValues.some((one) => isDeepStrictEqual(one, each) || sameText(one, each)));
  });
}

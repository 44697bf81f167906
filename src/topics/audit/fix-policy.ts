/** Joins the policies that mend findings to one document for each owner. */
import { isDeepStrictEqual } from 'node:util';
import { distinctFileNames } from '../../fleet/policy/file-names.ts';
import { asText, isObject } from '../../json/exact-json.ts';
import type { Given } from '../../platform/validate.ts';

/** A document with the name of its file. */
export interface FixFile {
  readonly name: string;
  readonly document: Given;
}

/** Returns the name of the file for `acme` or `enterprise:sandbox`, unless another owner has it. */
export const fixFileName = (owner: string): string => `${stemOf(owner)}.yaml`;

const stemOf = (owner: string): string => owner.replace(':', '-');

/** Returns a document for each owner. Repositories that get the same are one entry. */
export function fixFiles(policies: Iterable<Given>): FixFile[] {
  const owners = new Map<string, { head: Given; own: Given; repositories: Map<string, Given> }>();
  for (const { organizations, enterprise, repositories = [], ...sections } of policies) {
    const name =
      enterprise === undefined ? asText((organizations as readonly unknown[])[0]) : `enterprise:${asText(enterprise)}`;
    const head: Given = enterprise === undefined ? { organizations } : { enterprise };
    const owner = owners.get(name) ?? { head, own: {}, repositories: new Map<string, Given>() };
    owners.set(name, owner);
    owner.own = joined(owner.own, sections) as Given;
    for (const { select, ...wanted } of repositories as readonly (Given & { select: { names: readonly string[] } })[])
      for (const repository of select.names)
        owner.repositories.set(repository, joined(owner.repositories.get(repository) ?? {}, wanted) as Given);
  }
  const sorted = [...owners].sort(([a], [b]) => (a < b ? -1 : 1));
  // An organization may be named enterprise-sandbox, or differ from another only in case.
  const stems = distinctFileNames(sorted.map(([name]) => stemOf(name)));
  return sorted.map(([, { head, own, repositories }], at) => ({
    name: `${stems[at]}.yaml`,
    document: { ...head, ...own, ...(repositories.size > 0 && { repositories: entriesOf(repositories) }) },
  }));
}

function entriesOf(repositories: ReadonlyMap<string, Given>): Given[] {
  const entries = new Map<string, { names: string[]; wanted: Given }>();
  for (const [name, wanted] of [...repositories].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const key = JSON.stringify(wanted);
    const entry = entries.get(key) ?? { names: [], wanted };
    entry.names.push(name);
    entries.set(key, entry);
  }
  return [...entries.values()].map(({ names, wanted }) => ({ select: { names }, ...wanted }));
}

/** The fields that identify an element of a list, if it has the first of them. */
const identifying = [
  ['name'],
  ['budget_scope', 'budget_type', 'budget_product_sku', 'budget_entity_name', 'user'],
  ['type'],
  ['context'],
] as const;

/** Returns what satisfies both values: of two that differ, the stricter parameter of a rule. */
function joined(one: unknown, other: unknown): unknown {
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return Object.fromEntries(
      [...names].map((name) => [
        name,
        Object.hasOwn(one, name) && Object.hasOwn(other, name)
          ? joinedField(name, one[name], other[name])
          : (one[name] ?? other[name]),
      ]),
    );
  }
  if (Array.isArray(one) && Array.isArray(other)) return joinedLists(one, other);
  if (typeof one === 'boolean' && typeof other === 'boolean') return one || other;
  if (typeof one === 'number' && typeof other === 'number') return Math.max(one, other);
  return one;
}

/** Each fix of a bypass list removes others from it. */
const joinedField = (name: string, one: unknown, other: unknown): unknown =>
  name === 'bypass_actors' && Array.isArray(one) && Array.isArray(other)
    ? one.filter((actor) => other.some((each) => isDeepStrictEqual(each, actor)))
    : joined(one, other);

function joinedLists(one: readonly unknown[], other: readonly unknown[]): unknown[] {
  const all = [...one];
  for (const element of other) {
    const at = all.findIndex((each) => isSameElement(each, element));
    if (at === -1) all.push(element);
    else all[at] = joined(all[at], element);
  }
  return all;
}

function isSameElement(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return isDeepStrictEqual(one, other);
  const fields = identifying.find(([first]) => one[first] !== undefined);
  return fields?.every((name) => one[name] === other[name]) ?? false;
}

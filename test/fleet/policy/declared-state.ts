/** What the documents of a policy declare, compared with the stored state. */
import { isDeepStrictEqual } from 'node:util';
import { inOrder, keyOf, type Stored } from './stored-state.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object that a document declares, with the fields that show in the store. */
type Declared = Pick<Stored, 'target' | 'kind' | 'name' | 'fields'>;

/** Returns the declared objects and fields that the store lacks, and the objects that it should no longer have. */
export function unmetIn(documents: Readonly<Record<string, object>>, stored: readonly Stored[]): readonly string[] {
  return Object.values(documents).flatMap((document) => {
    const { repositories = [], enterprise, ...own } = document as Fields & { repositories?: readonly Fields[] };
    const target = enterprise === undefined ? 'acme' : 'enterprise:sandbox';
    return [...unmetOf(target, own, stored), ...repositories.flatMap((entry) => unmetOf('acme/site', entry, stored))];
  });
}

function unmetOf(target: string, sections: Fields, stored: readonly Stored[]): readonly string[] {
  // The policies of these laws list every undeclared object as absent, or none.
  const cleared = { ...(sections.manage as object), ...(sections.absent as object) };
  const declared = declaredBy(target, sections);
  const missing = declared.flatMap(({ fields, ...object }) => {
    const live = stored.find((each) => keyOf(each) === keyOf(object));
    const values: Fields = live?.effective ?? live?.fields ?? {};
    if (fields.enforcement === 'inherit') return Object.keys(live?.fields ?? {}).length ? [keyOf(object)] : [];
    return Object.keys(fields)
      .filter((field) => !isDeepStrictEqual(inOrder(fields[field]), shown(object.kind, values[field])))
      .map((field) => `${keyOf(object)} ${field}`);
  });
  const isUnwanted = ({ kind, fields, ...object }: Stored) =>
    object.target === target &&
    managed[kind] !== undefined &&
    managed[kind] in cleared &&
    Object.keys(fields).length > 0 &&
    !declared.some((each) => keyOf(each) === keyOf({ kind, ...object }));
  return [...missing, ...stored.filter(isUnwanted).map(keyOf)];
}

/** The sections that can be managed as a whole. */
const managed: Readonly<Partial<Record<Stored['kind'], string>>> = {
  ruleset: 'rulesets',
  registry: 'registries',
  budget: 'budgets',
  hook: 'hooks',
  label: 'labels',
};

function declaredBy(target: string, sections: Fields): readonly Declared[] {
  const { settings, properties, rulesets, registries, budgets, hooks, labels, property_schema, topics, alerts } =
    sections as Readonly<Record<string, readonly Fields[]>>;
  const all = (
    list: readonly Fields[] | undefined,
    kind: Stored['kind'],
    convert: (fields: Fields) => [string, Fields],
  ) =>
    (list ?? []).map((each): Declared => {
      const [name, fields] = convert(each);
      return { target, kind, name, fields };
    });
  return [
    { target, kind: 'settings', name: '', fields: { ...(settings as object) } },
    { target, kind: 'properties', name: '', fields: { ...(properties as object) } },
    ...all(rulesets, 'ruleset', ({ name, enforcement, rules }) => [
      String(name),
      { enforcement, ...(rules !== undefined && { rules: typesOf(rules) }) },
    ]),
    ...all(registries, 'registry', ({ secret: _, repositories: __, ...fields }) => [
      `${fields.registry_type} ${fields.url}`,
      fields,
    ]),
    ...all(budgets, 'budget', (fields) => {
      const {
        budget_scope: scope,
        budget_entity_name: entity = '',
        budget_type: type,
        budget_product_sku: sku,
      } = fields;
      const name = [scope, entity, type, sku, fields.user].filter(Boolean).join(' ').toLowerCase();
      return [name, { ...fields, budget_entity_name: String(entity).toLowerCase() }];
    }),
    ...all(hooks, 'hook', ({ name, ...fields }) => [String(name), fields]),
    ...(topics
      ? [{ target, kind: 'topics', name: '', fields: { topics: topics.map(String).map(inLower) } } as const]
      : []),
    ...Object.entries(alerts ?? {}).map(
      ([name, on]) => ({ target, kind: 'alerts', name, fields: { [name]: on } }) as const,
    ),
    ...all(labels, 'label', ({ name, was: _, color, ...fields }) => [
      String(name),
      { ...fields, ...(color !== undefined && { color: String(color).toLowerCase() }) },
    ]),
    ...all(property_schema, 'property', ({ name, ...fields }) => [String(name), fields]),
  ];
}

const inLower = (text: string): string => text.toLowerCase();

/** The types of known rules; unknown ones stay. */
const typesOf = (rules: unknown): readonly string[] =>
  (rules as readonly (string | { readonly type: string })[])
    .map((rule): { type: string } => (typeof rule === 'string' ? JSON.parse(rule) : rule))
    .map(({ type }) => type)
    .filter((type) => type !== 'rule_of_tomorrow');

/** Returns a stored value in the form of policies, with sorted lists. */
function shown(kind: Stored['kind'], value: unknown): unknown {
  if (kind === 'settings' && typeof value === 'object' && value !== null && 'secret_scanning' in value)
    return { secret_scanning: { status: value.secret_scanning ? 'enabled' : 'disabled' } };
  if (kind === 'settings') return value ?? '';
  if (kind === 'budget' || kind === 'label' || kind === 'topics' || kind === 'alerts') return value;
  if (kind === 'properties' || kind === 'property') return inOrder(value ?? null);
  return inOrder(Array.isArray(value) ? typesOf(value) : value);
}

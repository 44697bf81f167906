/** What a policy declares for one target, field by field, with its sources. */
import { isObject } from '../../../json/exact-json.ts';
import { budgetName, type OwnerPolicy, type RepositoryEntry } from './model.ts';
import { type Place, type Placed, sourceText } from './placed.ts';

/** One declared value. */
export interface Declared {
  readonly kind: 'settings' | 'properties' | 'rulesets' | 'registries' | 'budgets' | 'hooks';
  /** The name of the ruleset or hook, or what identifies the registry or budget. Absent for settings and properties. */
  readonly name?: string;
  /** The field; `absent` for something to delete, `manage` for a kind of which the undeclared is deleted. */
  readonly field: string;
  readonly value: unknown;
  /** The file and the line, such as policy/acme.yaml:4. */
  readonly source: string;
}

/** Returns what is declared for an organization or an enterprise itself. */
export function declaredOfOwner(owner: OwnerPolicy): Declared[] {
  const registries = owner.registries.flatMap(({ registryType, url, body, name, repositories, secret }) => {
    const key = `${registryType} ${url}`;
    const more = [
      ...(name === undefined ? [] : [{ field: 'name', value: name, place: body.place }]),
      ...(repositories ? [{ field: 'repositories', value: repositories.value, place: repositories.place }] : []),
      ...(secret
        ? [
            {
              field: 'secret',
              value: 'env' in secret ? { env: secret.env } : { file: secret.file },
              place: secret.place,
            },
          ]
        : []),
    ];
    return [
      ...fieldsOf('registries', key, body, ['registry_type', 'url']),
      ...more.map(({ field, value, place }) => declared('registries', key, field, value, place)),
    ];
  });
  const budgets = owner.budgets.flatMap(({ key, body }) =>
    fieldsOf('budgets', budgetName(key), body, Object.keys(key)),
  );
  return [...common(owner), ...registries, ...budgets];
}

/** Returns what an entry of `repositories` declares for each repository that it selects. */
export const declaredOfEntry = (entry: RepositoryEntry): Declared[] => [
  ...common(entry),
  ...[...entry.properties].map(([name, { value, place }]) => declared('properties', undefined, name, value, place)),
];

type Common = Pick<OwnerPolicy, 'settings' | 'rulesets' | 'hooks' | 'absent' | 'managed'>;

function common({ settings, rulesets, hooks, absent, managed }: Common): Declared[] {
  return [
    ...[...settings].map(([name, { value, place }]) => declared('settings', undefined, name, value, place)),
    ...rulesets.flatMap(({ name, was, body }) => [
      ...(was === undefined ? [] : [declared('rulesets', name, 'was', was, body.place)]),
      ...fieldsOf('rulesets', name, body, ['name']),
    ]),
    ...hooks.flatMap(({ name, inherits, body }) =>
      inherits ? [declared('hooks', name, 'enforcement', 'inherit', body.place)] : fieldsOf('hooks', name, body, []),
    ),
    ...absent.map((each) => {
      if (each.kind === 'rulesets') return declared(each.kind, each.name, 'absent', true, each.place);
      const name = each.kind === 'budgets' ? budgetName(each.key) : `${each.registryType} ${each.url}`;
      return declared(each.kind, name, 'absent', true, each.place);
    }),
    ...[...managed].map(([kind, place]) => declared(kind, undefined, 'manage', 'all', place)),
  ];
}

/** Returns the fields of a body other than those of its name. */
function fieldsOf(kind: Declared['kind'], name: string, body: Placed, key: readonly string[]): Declared[] {
  if (!isObject(body.value)) return [];
  const fields = [...body.parts].filter(([field]) => !key.includes(String(field)));
  // Something that only its name describes is wanted all the same.
  if (fields.length === 0) return [declared(kind, name, 'name', name, body.place)];
  return fields.map(([field, { value, place }]) => declared(kind, name, String(field), value, place));
}

const declared = (
  kind: Declared['kind'],
  name: string | undefined,
  field: string,
  value: unknown,
  place: Place,
): Declared => ({
  kind,
  ...(name === undefined ? {} : { name }),
  field,
  value,
  source: sourceText(place),
});

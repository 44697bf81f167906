/** Defaults for kinds of objects that their name identifies and that lists return in full. */
import type { Route } from '../../../platform/endpoint.ts';
import type { Operations } from '../../../platform/resource.ts';
import type { Given } from '../../../platform/validate.ts';
import { canonical, fieldsOf } from '../../diff.ts';
import type { PlannedChange } from '../live/change.ts';
import { earlierNamesOf } from '../wanted/earlier-names.ts';
import { textOf, without } from '../wanted/placed.ts';
import { kindOfTarget } from '../wanted/target.ts';
import { creationProblems } from './creation.ts';
import { fieldUpdate, isWholeRemoval, keptFields, liveFields, touchedFields } from './field-update.ts';
import { type ExplainedField, isCalled, type ListedObject, namesItself } from './kind.ts';
import { sections } from './names.ts';
import type { Found, ObjectContext, ObjectDeclaration, Objects } from './object-declaration.ts';

/** Returns a declaration with the defaults of everything that it does not declare. */
export function withDefaults(declaration: ObjectDeclaration): Objects {
  const kind: Objects = {
    plural: sections[declaration.name],
    isManageable: true,
    openPaths: `${sections[declaration.name]}\\[\\d+\\]`,
    bodyComparison: {},
    parseObject: (object) => {
      const name = textOf(object, 'name');
      const was = earlierNamesOf(object);
      return name === undefined ? undefined : { name, was, body: without<Given>(object, ['was']) };
    },
    parseKey: () => undefined,
    nameOf: (declared) => (declared as { readonly name: string }).name,
    labelOf: (declared) => `${kind.name} “${kind.nameOf(declared)}”`,
    keyFields: ['name'],
    explain: (wanted) => explainedFields(kind.explainedName?.(wanted) ?? kind.nameOf(wanted), wanted, kind.keyFields),
    actions: ['create', 'update', 'delete'],
    ids: 'existing',
    isNamed: namesItself,
    reads: routesOf(declaration, 'list', ...(declaration.read ? (['get'] as const) : [])),
    writes: routesOf(declaration, 'create', 'update', 'delete', 'unset'),
    idValue: ({ id = '' }) => id,
    sentBody: ({ body = {} }) => body,
    keyText: 'name',
    find: (key, listed) => foundByName(kind, key, listed),
    isOwn: () => true,
    isKeyed: ({ name }, live) => isSameName(kind, live.name, name),
    isMeant: ({ name, id }, live) => isCalledSo(kind, name, live, id),
    isThere: () => true,
    changesOf: (wanted, live, context) => changesOf(kind, wanted, live, context),
    createdBody: ({ body }) => canonical(body.value, kind.bodyComparison) as Given,
    updateOf: ({ body }, live) => fieldUpdate(body.value as Given, kind.bodyOf(live) ?? {}, kind, kind.bodyComparison),
    seen: (live, change) => (isWholeRemoval(change) ? live : touchedFields(live, change)),
    stored: (_change, data) => data,
    kept: async (change, data, reader) => {
      const { body = {} } = change;
      return keptFields(liveFields(await kind.stored(change, data, reader), body), body);
    },
    effects: [],
    creation: () => undefined,
    deletion: 'loosens',
    sortKey: ({ name }) => (kind.ignoresCase ? name.toLowerCase() : name),
    exported: (live) => kind.bodyOf(live),
    ...declaration,
  };
  return kind;
}

/** Returns whether two names are those of the same object. */
export const isSameName = (kind: Pick<Objects, 'ignoresCase'>, a: string, b: string): boolean =>
  nameKey(kind, a) === nameKey(kind, b);

/** Returns a text that all names of the same object share. */
export const nameKey = ({ ignoresCase }: Pick<Objects, 'ignoresCase'>, name: string): string =>
  ignoresCase ? name.toLowerCase() : name;

const isCalledSo = (kind: Objects, planned: string, { name }: ListedObject, id: PlannedChange['id']): boolean =>
  kind.ignoresCase ? isCalled(planned.toLowerCase(), name.toLowerCase(), id) : isCalled(planned, name, id);

/** Returns the operations on the objects of a target. */
export const operationsOf = ({ resource }: Pick<Objects, 'resource'>, target: string): Operations =>
  resource.owners[kindOfTarget(target)] ?? {};

const routesOf = (
  { resource }: Pick<Objects, 'resource'>,
  ...operations: readonly (keyof Operations)[]
): readonly Route[] =>
  operations.flatMap((operation) =>
    Object.values(resource.owners).flatMap(({ [operation]: endpoint }) => endpoint?.route ?? []),
  );

/** Returns the rows of the fields of a body, except those that its name contains. */
export function explainedFields(
  name: string,
  { was, body }: Parameters<Objects['explain']>[0],
  keyFields: readonly string[],
): readonly ExplainedField[] {
  const { place } = body;
  const earlier = was === undefined ? [] : [{ name, field: 'was', value: was.length === 1 ? was[0] : was, place }];
  const fields = [...body.parts].filter(([field]) => !keyFields.includes(String(field)));
  // An object without fields of its own is declared too.
  if (fields.length === 0) return [...earlier, { name, field: 'name', value: name, place }];
  return [
    ...earlier,
    ...fields.map(([field, part]) => ({ name, field: String(field), value: part.value, place: part.place })),
  ];
}

/** Finds the objects of a name, and those to rename by their earlier one. */
function foundByName(
  kind: Objects,
  key: object & { readonly was?: readonly string[] | undefined },
  listed: readonly ListedObject[],
): Found {
  const called = (name: string) => listed.filter((live) => isSameName(kind, live.name, name));
  const named = called(kind.nameOf(key));
  const found = [named, ...(key.was ?? []).map(called)].find(({ length }) => length > 0) ?? [];
  if (found.length <= 1) return { live: found[0], all: found };
  const reason = `${found.length} ${kind.plural} have this ${kind.keyText}`;
  return { all: found, refused: { action: 'ambiguous', reason } };
}

/** Returns the creation or the update of an object; none if nothing differs. */
async function changesOf(
  kind: Objects,
  wanted: Parameters<Objects['changesOf']>[0],
  live: ListedObject | undefined,
  { target, readings, change }: ObjectContext<ListedObject>,
): Promise<readonly PlannedChange[]> {
  const name = kind.nameOf(wanted);
  const { place } = wanted.body;
  if (live) {
    const update = kind.updateOf(wanted, live);
    return update ? [change('update', name, place, { id: live.id, ...update })] : [];
  }
  const body = kind.createdBody(wanted);
  const { create = {} } = operationsOf(kind, target);
  const reason = creationProblems(create, body) ?? (await kind.whyNotCreated?.(wanted, readings));
  if (reason !== undefined) return [change('unresolved', name, place, { reason })];
  const effect = kind.creation(body);
  return [change('create', name, place, { changes: fieldsOf(body), ...(effect && { effect }), body })];
}

/** Compares a declared JSON Schema with the public platform's description of the same value. */
import { type Definitions, describedDefinitions, type Schema } from './json-schema.ts';

/** A schema with its alternatives put together. */
interface Shape {
  readonly types: ReadonlySet<string>;
  /** The allowed texts; undefined for any. */
  readonly words: ReadonlySet<string> | undefined;
  /** The alternatives of an object by the word in their member `type`; undefined if they have none. */
  readonly kinds: ReadonlyMap<string, Schema> | undefined;
  /** Undefined for an object with members of any name. */
  readonly properties: ReadonlyMap<string, readonly Schema[]> | undefined;
  /** The members that all alternatives require. */
  readonly required: ReadonlySet<string>;
  readonly items: readonly Schema[];
}

/** Follows references, and returns one schema for each type and alternative. */
function alternatives(schema: Schema, definitions: Definitions): readonly Schema[] {
  const { $ref, allOf = [], anyOf, oneOf, ...own } = schema;
  if ($ref) return alternatives(definitions?.[$ref.replace('#/$defs/', '')] ?? {}, definitions);
  const parts = [...allOf.map((part) => [part]), ...[anyOf, oneOf].filter((each) => each !== undefined)];
  return parts.reduce<readonly Schema[]>((wholes, part) => {
    const each = part.flatMap((schema) => alternatives(schema, definitions));
    return wholes.flatMap((whole) => each.map((schema) => merged(whole, schema)));
  }, typesOf(own));
}

function typesOf(schema: Schema): readonly Schema[] {
  const { type = schema.properties ? 'object' : schema.const === undefined ? undefined : typeof schema.const } = schema;
  return type === undefined ? [schema] : [type].flat().map((each) => ({ ...schema, type: each }));
}

/** Returns a schema with the members of both. */
function merged(a: Schema, b: Schema): Schema {
  const properties = a.properties || b.properties ? { ...a.properties, ...b.properties } : undefined;
  const required = [...(a.required ?? []), ...(b.required ?? [])];
  return { ...a, ...b, ...(properties && { properties }), required };
}

export function shapeOf(schema: Schema, definitions: Definitions): Shape {
  const all = alternatives(schema, definitions);
  const objects = all.filter(({ properties }) => properties);
  const properties = new Map<string, Schema[]>();
  for (const each of objects)
    for (const [name, property] of Object.entries(each.properties ?? {}))
      properties.set(name, [...(properties.get(name) ?? []), property]);
  const [first = [], ...others] = objects.map(({ required = [] }) => required);
  return {
    types: new Set(all.flatMap(({ type }) => type ?? [])),
    words: wordsOf(all.filter(({ type }) => type === 'string')),
    kinds: kindsOf(objects, definitions),
    properties: objects.length ? properties : undefined,
    required: new Set(first.filter((name) => others.every((required) => required.includes(name)))),
    items: all.flatMap(({ items }) => items ?? []),
  };
}

function wordsOf(texts: readonly Schema[]): Shape['words'] {
  const words = texts.map(({ enum: several, const: one }) => several ?? (one === undefined ? undefined : [one]));
  if (words.length === 0 || words.includes(undefined)) return undefined;
  return new Set(words.flatMap((each) => each?.filter((word) => word !== null).map(String) ?? []));
}

function kindsOf(objects: readonly Schema[], definitions: Definitions): Shape['kinds'] {
  const kinds = new Map<string, Schema>();
  for (const each of objects) {
    const [word, ...more] = shapeOf(each.properties?.type ?? {}, definitions).words ?? [];
    if (word === undefined || more.length || kinds.has(word)) return undefined;
    kinds.set(word, each);
  }
  return kinds.size > 1 ? kinds : undefined;
}

const union = (schemas: readonly Schema[]): Schema => ({ anyOf: schemas });
const listed = (words: Iterable<string>) => [...words].sort().join(', ');
const without = (a: Iterable<string>, b: ReadonlySet<string>) => [...a].filter((each) => !b.has(each));

/** Yields `place: what` wherever a declared schema differs from the described one. */
export function* differences(
  declared: Schema,
  described: Schema,
  place: string,
  definitions: Definitions = declared.$defs,
): Generator<string> {
  const [ours, theirs] = [shapeOf(declared, definitions), shapeOf(described, describedDefinitions)];
  // A schema without a type allows everything.
  if (ours.types.size === 0 || theirs.types.size === 0) return;
  if (listed(ours.types) !== listed(theirs.types))
    yield `${place}: ${listed(ours.types)}, described as ${listed(theirs.types)}`;
  if (ours.words && theirs.words) yield* differentWords(ours.words, theirs.words, place);
  else if (ours.words && theirs.types.has('string')) yield `${place}: ${listed(ours.words)}, described as any text`;
  else if (theirs.words && ours.types.has('string')) yield `${place}: any text, described as ${listed(theirs.words)}`;
  if (ours.items.length && theirs.items.length)
    yield* differences(union(ours.items), union(theirs.items), `${place}[]`, definitions);
  if (ours.kinds && theirs.kinds) {
    yield* differentWords(new Set(ours.kinds.keys()), new Set(theirs.kinds.keys()), place);
    for (const [kind, schema] of ours.kinds) {
      const other = theirs.kinds.get(kind);
      if (other) yield* differences(schema, other, `${place}.${kind}`, definitions);
    }
  } else yield* differentMembers(ours, theirs, place, definitions);
}

function* differentMembers(ours: Shape, theirs: Shape, place: string, definitions: Definitions): Generator<string> {
  if (!ours.properties || !theirs.properties) return;
  for (const [name, schemas] of ours.properties) {
    const other = theirs.properties.get(name);
    if (other) yield* differences(union(schemas), union(other), `${place}.${name}`, definitions);
    else yield `${place}.${name}: not described`;
  }
  for (const name of theirs.properties.keys()) if (!ours.properties.has(name)) yield `${place}.${name}: not declared`;
  for (const name of without(ours.required, theirs.required)) yield `${place}.${name}: required, described as optional`;
  for (const name of without(theirs.required, ours.required)) yield `${place}.${name}: optional, described as required`;
}

function* differentWords(ours: ReadonlySet<string>, theirs: ReadonlySet<string>, place: string): Generator<string> {
  const [undescribed, undeclared] = [without(ours, theirs), without(theirs, ours)];
  if (undescribed.length) yield `${place}: ${listed(undescribed)} not described`;
  if (undeclared.length) yield `${place}: ${listed(undeclared)} not declared`;
}

/** Reusable pieces of policies: `define` names them, and `use` takes one, with its own keys laid over it. */
import type * as v from 'valibot';
import { isObject } from '../../../json/exact-json.ts';
import { deepestYaml, tooDeep } from '../../../json/nesting.ts';
import { didYouMean } from '../../../platform/suggest.ts';
import { joinPath } from '../../../platform/validate.ts';
import {
  members,
  mostValues,
  mostValuesTogether,
  type Placed,
  type PolicyProblem,
  placeText,
  withParts,
} from './placed.ts';

interface Piece {
  readonly content: Placed;
  isUsed: boolean;
}

/** The pieces of all files of a policy. */
export class Pieces {
  readonly #pieces = new Map<string, Piece>();
  readonly #problems: PolicyProblem[] = [];
  /** The values that pieces have added to all documents. */
  #added = 0;

  /** The problems of `define` itself, in all files. */
  get problems(): readonly PolicyProblem[] {
    return this.#problems;
  }

  /** A warning for each piece that no file uses. */
  get unused(): readonly PolicyProblem[] {
    return [...this.#pieces]
      .filter(([, { isUsed }]) => !isUsed)
      .map(([name, { content }]) => ({ place: content.place, message: `${pathOfPiece(name)} is not used` }));
  }

  /** Adds the pieces of a document. */
  add(document: Placed): void {
    const define = isObject(document.value) ? document.parts.get('define') : undefined;
    if (define && !isObject(define.value))
      this.#problems.push({ place: define.place, message: 'define must be a mapping of names to pieces' });
    for (const [name, content] of members(define)) this.#add(name, content);
  }

  #add(name: string, content: Placed): void {
    const { place, value } = content;
    const refuse = (why: string) => this.#problems.push({ place, message: `${pathOfPiece(name)} ${why}` });
    const earlier = this.#pieces.get(name);
    if (earlier) refuse(`is declared twice (first at ${placeText(earlier.content.place)})`);
    else if (!isObject(value) && !Array.isArray(value)) refuse('must be a mapping or a list');
    else this.#pieces.set(name, { content, isUsed: false });
  }

  /** Returns a document with the pieces that it uses, without `define`. Its schema says which mappings have names as keys. */
  expanded(
    document: Placed,
    schema: v.GenericSchema,
  ): { readonly document: Placed; readonly problems: readonly PolicyProblem[] } {
    const expansion = new Expansion(this.#pieces, Math.max(0, mostValuesTogether - this.#added));
    const whole: Context = { path: '', schemas: [schema], inside: [] };
    const parts = [...document.parts]
      .filter(([name]) => name !== 'define')
      .map(([name, part]) => [name, expansion.of(part, partOf(whole, name))] as [string | number, Placed]);
    this.#added += expansion.values;
    return { document: withParts(document, parts), problems: expansion.problems };
  }
}

/** The path of a piece in messages. */
const pathOfPiece = (name: string): string => joinPath('define', name);

/** The surroundings of a value. */
interface Context {
  /** The path of the value in its document or piece, for messages. */
  readonly path: string;
  /** The possible schemas of the value; none if it is unknown. */
  readonly schemas: readonly v.GenericSchema[];
  /** The pieces that the value is part of, outermost first. */
  readonly inside: readonly string[];
}

class Expansion {
  readonly #pieces: ReadonlyMap<string, Piece>;
  /** By position: a mistake in a piece is reported once, however often the piece is used. */
  readonly #problems = new Map<string, PolicyProblem>();
  readonly #left: number;
  /** The values that pieces have added. */
  values = 0;

  /** `left` values can be added, in all files. */
  constructor(pieces: ReadonlyMap<string, Piece>, left: number) {
    this.#pieces = pieces;
    this.#left = left;
  }

  get problems(): readonly PolicyProblem[] {
    return [...this.#problems.values()];
  }

  /** Returns a value with the pieces that it uses; the same value if it uses none. */
  of(placed: Placed, context: Context, depth = 0): Placed {
    const most = Math.min(mostValues, this.#left);
    if (context.inside.length > 0 && ++this.values > most) {
      const limit =
        most < mostValues
          ? `${mostValuesTogether.toLocaleString('en')} values to all files`
          : `${most.toLocaleString('en')} values`;
      if (this.values === most + 1) this.#refuse(placed, `${context.path} adds more than ${limit} by use`);
      return placed;
    }
    if (depth > deepestYaml) {
      this.#refuse(placed, `${context.path} ${tooDeep(deepestYaml)}`);
      return placed;
    }
    if (Array.isArray(placed.value)) return this.#list(placed, context, depth);
    return isObject(placed.value) ? this.#mapping(placed, context, depth) : placed;
  }

  /** The elements of a piece that is a list take the place of the element that uses it. */
  #list(list: Placed, context: Context, depth: number): Placed {
    const elements = [...list.parts].flatMap(([index, element]) => {
      const expanded = this.of(element, partOf(context, index), depth + 1);
      const isSpread = Array.isArray(expanded.value) && !Array.isArray(element.value);
      return isSpread ? [...expanded.parts.values()] : [expanded];
    });
    const isSame = elements.length === list.parts.size && elements.every((each, at) => each === list.parts.get(at));
    return isSame ? list : withParts(list, elements.entries());
  }

  #mapping(mapping: Placed, context: Context, depth: number): Placed {
    const use = context.schemas.some(hasNamesAsKeys) ? undefined : mapping.parts.get('use');
    const own = [...mapping.parts]
      .filter(([, part]) => part !== use)
      .map(([name, part]): [string | number, Placed] => [name, this.of(part, partOf(context, name), depth + 1)]);
    if (!use) return own.every(([name, part]) => mapping.parts.get(name) === part) ? mapping : withParts(mapping, own);
    const base = this.#used(use, context, depth);
    const { place } = mapping;
    if (!base) return withParts(mapping, own);
    if (own.length === 0) return { ...base, place };
    if (isObject(base.value)) return { ...withParts(base, [...base.parts, ...own]), place };
    this.#refuse(use, `${context.path}.use is a list, so that no other keys can be given`);
    return mapping;
  }

  /** Returns the content of a piece at the place that uses it. */
  #used(use: Placed, { path, schemas, inside }: Context, depth: number): Placed | undefined {
    const name = use.value;
    const at = joinPath(path, 'use');
    if (typeof name !== 'string') {
      this.#refuse(use, `${at} must be the name of a piece`);
      return undefined;
    }
    const piece = this.#pieces.get(name);
    if (!piece) {
      this.#refuse(use, `${at} is not a piece of define${didYouMean(name, [...this.#pieces.keys()])}`);
      return undefined;
    }
    piece.isUsed = true;
    if (inside.includes(name)) {
      const circle = [...inside.slice(inside.indexOf(name)), name].join(' → ');
      this.#refuse(use, `${at} is circular: ${circle}`);
      return undefined;
    }
    return this.of(piece.content, { path: pathOfPiece(name), schemas, inside: [...inside, name] }, depth + 1);
  }

  #refuse({ place }: Placed, message: string): void {
    this.#problems.set(placeText(place), { place, message });
  }
}

const partOf = ({ path, schemas, inside }: Context, key: string | number): Context => ({
  path: joinPath(path, key),
  schemas: partSchemas(schemas, key),
  inside,
});

interface Introspected {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  /** The schema of every field of a record. */
  readonly value?: v.GenericSchema;
  /** The alternatives of a union or a variant, or the words of a picklist. */
  readonly options?: readonly unknown[];
}

/** Returns the schemas that a schema stands for: its alternatives, without what only wraps them. */
function alternativesOf(schema: v.GenericSchema): readonly Introspected[] {
  const { wrapped, type, options = [] } = schema as Introspected;
  if (wrapped) return alternativesOf(wrapped);
  if (type === 'union' || type === 'variant') return (options as readonly v.GenericSchema[]).flatMap(alternativesOf);
  return [schema as Introspected];
}

/** Returns whether the keys of a mapping are names, such as those of properties: `use` is one of them there. */
const hasNamesAsKeys = (schema: v.GenericSchema): boolean =>
  alternativesOf(schema).some(({ type }) => type === 'record');

/** Returns the possible schemas of a member or an element of a value. */
const partSchemas = (schemas: readonly v.GenericSchema[], key: string | number): readonly v.GenericSchema[] =>
  schemas.flatMap(alternativesOf).flatMap(({ type, entries, item, value }) => {
    if (typeof key === 'number') return item ?? [];
    if (entries && Object.hasOwn(entries, key)) return entries[key] ?? [];
    return type === 'record' && value ? value : [];
  });

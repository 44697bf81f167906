/** The fields for `--fields`, read from the JSON Schema of a command's output. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asText } from '../../json/exact-json.ts';

export interface ListedField {
  /** A path, as in `--fields`. */
  readonly field: string;
  readonly type: string;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/**
 * Returns the fields of a command's records, by its ID (`repos:list`), with nested fields down to `maxDepth`. `root` is
 * the folder of schemas/. Returns none if only the platform knows them.
 */
export function fieldsPrinted(id: string, root: string, maxDepth: number): readonly ListedField[] {
  const file = join(root, 'schemas', `${id.replaceAll(':', '-')}.json`);
  if (!existsSync(file)) return [];
  const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
  const fields = new Map<string, Set<string>>();
  for (const { field, type } of new Reader(schema.$defs ?? {}, maxDepth).fieldsOf(schema, '', []))
    fields.set(field, new Set([...(fields.get(field) ?? []), ...type.split(' or ')]));
  return [...fields].map(([field, types]) => ({ field, type: [...types].join(' or ') }));
}

/** Returns whether records with these fields may have one at this path; true if unknown. */
export function mayHave(fields: readonly ListedField[], path: string): boolean {
  const types = new Map(fields.map(({ field, type }) => [field, type]));
  if (types.size === 0 || types.has(path)) return true;
  const names = path.split('.');
  const above = names.map((_, length) => names.slice(0, length).join('.')).findLast((prefix) => types.has(prefix));
  const isOpen = above !== undefined && !fields.some(({ field }) => field.startsWith(`${above}.`));
  return isOpen && /\b(object|any)\b/.test(types.get(above) ?? '');
}

class Reader {
  readonly #definitions: Readonly<Record<string, Schema>>;
  readonly #maxDepth: number;

  constructor(definitions: Readonly<Record<string, Schema>>, maxDepth: number) {
    this.#definitions = definitions;
    this.#maxDepth = maxDepth;
  }

  /** Records nested in their own kind, such as a fork's parent, are not expanded again. */
  *fieldsOf(schema: Schema, prefix: string, within: readonly Schema[]): Generator<ListedField> {
    for (const each of this.#alternatives(schema)) {
      if (within.includes(each)) continue;
      if (each.items) yield* this.fieldsOf(each.items, prefix, within);
      for (const [name, member] of Object.entries(each.properties ?? {})) {
        const field = prefix + name;
        yield { field, type: this.#typeOf(member) };
        if (field.split('.').length < this.#maxDepth) yield* this.fieldsOf(member, `${field}.`, [...within, each]);
      }
    }
  }

  #alternatives(schema: Schema): readonly Schema[] {
    if (schema.$ref !== undefined) {
      const referred = this.#definitions[schema.$ref.replace('#/$defs/', '')];
      return referred ? this.#alternatives(referred) : [];
    }
    return schema.anyOf ? schema.anyOf.flatMap((each) => this.#alternatives(each)) : [schema];
  }

  #typeOf(schema: Schema): string {
    const types = this.#alternatives(schema).flatMap(({ type, items, enum: words, const: word }) => {
      if (words) return words.map(asText);
      if (typeof word === 'string') return word;
      if (type === 'array') return items ? `list of ${this.#typeOf(items)}` : 'list';
      return type ?? 'any';
    });
    return [...new Set(types)].join(' or ');
  }
}

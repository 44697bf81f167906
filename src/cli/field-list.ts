/** The fields that `--fields` takes, read off the JSON Schema of what a command prints. */
import { readFileSync } from 'node:fs';
import { UsageError } from './errors.ts';

export interface ListedField {
  /** As `--fields` takes it: a path. */
  readonly field: string;
  readonly type: string;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Fields of fields are named down to here; what lies deeper can be given all the same. */
const deepest = 2;

/**
 * The fields of the records that a command prints, by its id (`repos:list`). `root` is the folder of schemas/. Throws
 * UsageError for a command whose answers have fields that only the platform knows.
 */
export function fieldsPrinted(id: string, root: string): ListedField[] {
  const schema = JSON.parse(readFileSync(`${root}/schemas/${id.replaceAll(':', '-')}.json`, 'utf8')) as Schema;
  const fields = new Map<string, ListedField>();
  for (const field of new Reader(schema.$defs ?? {}).fieldsOf(schema, '', [])) fields.set(field.field, field);
  if (fields.size === 0)
    throw new UsageError(
      `No fields are known of what ${id.replaceAll(':', ' ')} prints.`,
      'See what there is with -o json, and take any of it with --fields.',
    );
  return [...fields.values()];
}

class Reader {
  readonly #definitions: Readonly<Record<string, Schema>>;

  constructor(definitions: Readonly<Record<string, Schema>>) {
    this.#definitions = definitions;
  }

  /** A record that holds one of its own kind, as a fork holds its parent, is not opened again. */
  *fieldsOf(schema: Schema, prefix: string, within: readonly Schema[]): Generator<ListedField> {
    for (const each of this.#alternatives(schema)) {
      if (within.includes(each)) continue;
      if (each.items) yield* this.fieldsOf(each.items, prefix, within);
      for (const [name, member] of Object.entries(each.properties ?? {})) {
        const field = prefix + name;
        yield { field, type: this.#typeOf(member) };
        if (field.split('.').length < deepest) yield* this.fieldsOf(member, `${field}.`, [...within, each]);
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
    const types = this.#alternatives(schema).flatMap(({ type, items, enum: words }) => {
      if (words) return words.map(String);
      if (type === 'array') return items ? `list of ${this.#typeOf(items)}` : 'list';
      return type ?? 'any';
    });
    return [...new Set(types)].join(' or ');
  }
}

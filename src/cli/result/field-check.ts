/** Finds fields in --fields that no record has, so that blanks are not mistaken for values. */

import { isObject } from '../../json/exact-json.ts';
import { type FieldPath, parsePath } from '../../output/fields.ts';
import { closest } from '../../platform/suggest.ts';
import { UsageError } from '../errors.ts';
import type { ListedField } from './field-list.ts';

/** Lists the fields in the command's schema, down to a depth. */
export type KnownFields = (maxDepth: number) => Promise<readonly ListedField[]>;

/** If a field is null, deeper fields may exist in other records. */
type FieldStatus = 'there' | 'lacking' | 'unknown';

/** Maximum number of records whose field names are used for suggestions. */
const mostNamed = 100;
const deepestNamed = 3;

export class FieldCheck {
  readonly #standings: Map<FieldPath, FieldStatus>;
  readonly #knownFields: KnownFields;
  readonly #names = new Set<string>();
  #known: readonly ListedField[] | undefined;
  #seen = 0;

  constructor(fields: readonly string[], knownFields: KnownFields) {
    this.#standings = new Map(fields.map((field) => [parsePath(field), 'unknown']));
    this.#knownFields = knownFields;
  }

  /** True once some record has each field. */
  get isComplete(): boolean {
    return [...this.#standings.values()].every((standing) => standing === 'there');
  }

  see(record: unknown): void {
    if (this.#seen++ < mostNamed) this.#name(record, '', deepestNamed);
    for (const [path, standing] of this.#standings) {
      if (standing === 'there') continue;
      const here = fieldStatus(record, path);
      if (here !== 'unknown') this.#standings.set(path, here);
    }
  }

  /**
   * Returns the fields that are missing in some record, present in none and in no schema: a newer platform may have
   * others.
   */
  async unknown(): Promise<readonly string[]> {
    const lacking = this.#lacking();
    if (lacking.length === 0) return [];
    this.#known ??= await this.#knownFields(Math.max(...[...this.#standings.keys()].map(({ length }) => length)));
    const known = this.#known;
    const { mayHave } = await import('./field-list.ts');
    return lacking.filter((field) => !mayHave(known, field));
  }

  /** Throws UsageError for unknown fields. */
  async refuseUnknown(): Promise<void> {
    const unknown = await this.unknown();
    if (unknown.length === 0) return;
    const named = unknown.map((field) => {
      const meant = this.#meant(field);
      return meant === undefined ? field : `${field} (did you mean ${meant}?)`;
    });
    throw new UsageError(
      `Unknown ${named.length > 1 ? 'fields' : 'field'} in --fields: ${named.join(', ')}.`,
      'See --fields help for all fields.',
    );
  }

  /** Returns a line for each field that some record lacks and none has. */
  warnings(): string[] {
    return this.#lacking().map((field) => {
      const isKnown = this.#known?.some((known) => known.field === field);
      const meant = isKnown ? undefined : this.#meant(field);
      const holder = this.#seen === 1 ? 'The record has no field' : 'No record here has a field';
      return `${holder} ${field}${meant ? `; did you mean ${meant}?` : '.'}`;
    });
  }

  #lacking(): string[] {
    return [...this.#standings].flatMap(([path, standing]) => (standing === 'lacking' ? [path.join('.')] : []));
  }

  #meant(field: string): string | undefined {
    const names = [...new Set([...this.#names, ...(this.#known ?? []).map((known) => known.field)])];
    return names.find((name) => name.toLowerCase() === field.toLowerCase()) ?? closest(field, names);
  }

  #name(value: unknown, prefix: string, depth: number): void {
    if (Array.isArray(value)) for (const element of value.slice(0, 1)) this.#name(element, prefix, depth);
    if (!isObject(value) || depth === 0) return;
    for (const [name, member] of Object.entries(value)) {
      this.#names.add(prefix + name);
      this.#name(member, `${prefix}${name}.`, depth - 1);
    }
  }
}

function fieldStatus(value: unknown, [name, ...rest]: FieldPath): FieldStatus {
  if (name === undefined) return 'there';
  if (value === null || value === undefined) return 'unknown';
  if (Array.isArray(value)) {
    const standings = value.map((element) => fieldStatus(element, [name, ...rest]));
    return standings.includes('there') ? 'there' : standings.includes('lacking') ? 'lacking' : 'unknown';
  }
  return isObject(value) && Object.hasOwn(value, name) ? fieldStatus(value[name], rest) : 'lacking';
}

/** Tells of fields that were asked for by a name that no record has, so that blanks are not taken for an answer. */

import { type FieldPath, parsePath } from '../output/fields.ts';
import { isObject } from '../platform/exact-json.ts';
import { closest } from './suggest.ts';

/** A record whose member is null may have what lies below it another time. */
type Standing = 'there' | 'lacking' | 'unknown';

/** Names are for suggestions; the first records have them all. */
const mostNamed = 100;
const deepestNamed = 3;

export class FieldCheck {
  readonly #standings: Map<FieldPath, Standing>;
  readonly #names = new Set<string>();
  #seen = 0;

  constructor(fields: readonly string[]) {
    this.#standings = new Map(fields.map((field) => [parsePath(field), 'unknown']));
  }

  see(record: unknown): void {
    if (this.#seen++ < mostNamed) this.#name(record, '', deepestNamed);
    for (const [path, standing] of this.#standings) {
      if (standing === 'there') continue;
      const here = standingOf(record, path);
      if (here !== 'unknown') this.#standings.set(path, here);
    }
  }

  /** One line for each field that some record lacks and none has. */
  warnings(): string[] {
    const lacking = [...this.#standings].filter(([, standing]) => standing === 'lacking');
    return lacking.map(([path]) => this.#warning(path.join('.')));
  }

  #warning(field: string): string {
    const names = [...this.#names];
    const meant = names.find((name) => name.toLowerCase() === field.toLowerCase()) ?? closest(field, names);
    const holder = this.#seen === 1 ? 'The record has no field' : 'No record here has a field';
    return `${holder} ${field}; ${meant ? `did you mean ${meant}?` : '--fields help lists those that there may be.'}`;
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

function standingOf(value: unknown, [name, ...rest]: FieldPath): Standing {
  if (name === undefined) return 'there';
  if (value === null || value === undefined) return 'unknown';
  if (Array.isArray(value)) {
    const standings = value.map((element) => standingOf(element, [name, ...rest]));
    return standings.includes('there') ? 'there' : standings.includes('lacking') ? 'lacking' : 'unknown';
  }
  return isObject(value) && Object.hasOwn(value, name) ? standingOf(value[name], rest) : 'lacking';
}

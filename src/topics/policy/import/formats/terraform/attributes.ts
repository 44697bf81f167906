/** The attributes of a resource of a state. */
import type { Placed } from '../../../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../../../json/exact-json.ts';
import type { Lose } from '../../source.ts';
import { lackingAttributes, ownAttributes, readOnlyAttributes, unknownAttribute } from './table.ts';

/** The attributes of a resource, of which all that nobody takes are reported. */
export class Attributes {
  readonly all: Placed;
  readonly #type: string;
  readonly #lose: Lose;
  readonly #taken = new Set<string>();

  constructor(type: string, all: Placed, lose: Lose) {
    this.#type = type;
    this.all = all;
    this.#lose = lose;
  }

  /** Returns an attribute; undefined if it is unset, for which states have null, or a value that is empty. */
  take(name: string): Placed | undefined {
    this.#taken.add(name);
    const part = this.all.parts.get(name);
    return part && !isUnset(part) ? part : undefined;
  }

  /** Returns an attribute that is text, and reports any other. */
  text(name: string): string | undefined {
    const part = this.take(name);
    if (part && typeof part.value !== 'string') this.#lose(part, 'must be text');
    return typeof part?.value === 'string' ? part.value : undefined;
  }

  /** Reports a resource that lacks what policies need: its repository, for one. */
  loseAll(reason = `${this.#type} is incomplete in the state`): void {
    for (const [key, part] of this.all.parts)
      if (!readOnlyAttributes.includes(String(key)) && !isUnset(part)) this.#lose(part, reason);
  }

  finish(): void {
    for (const [key, part] of this.all.parts) {
      const name = String(key);
      const isIgnored = readOnlyAttributes.includes(name) || ownAttributes.includes(name);
      if (this.#taken.has(name) || isIgnored || isUnset(part)) continue;
      const lacking = lackingAttributes[`${this.#type}.${name}`];
      if (lacking === undefined || ![false, 'false'].includes(part.value as never))
        this.#lose(part, lacking ?? unknownAttribute);
    }
  }
}

export const isUnset = ({ value, parts }: Placed): boolean =>
  value === null || value === '' || ((Array.isArray(value) || isObject(value)) && parts.size === 0);

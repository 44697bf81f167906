/** Masks secrets in records before they are formatted. */
import { isExactInteger } from '../json/exact-json.ts';
import { LazyList } from '../json/lazy-list.ts';
import { isSecretName, maskTextSecrets, secretMask } from '../json/secrets.ts';

/** Masks the secrets that the run knows. */
export type MaskText = (text: string) => string;

/**
 * Returns a copy of `value` in which secret fields, signing parameters and passwords of URLs, and everything that
 * `mask` knows are masked at any depth. Parts without secrets are not copied, and `value` is never changed. Only
 * non-empty text is masked: flags and nulls show whether there is a secret.
 */
export function maskSecrets<T>(value: T, mask?: MaskText): T {
  return secretMasker(mask)(value);
}

/** Returns `maskSecrets` for many records, whose names it compares once. */
export function secretMasker(mask: MaskText = (text) => text): <T>(value: T) => T {
  const masking = new Masking(mask);
  return <T>(value: T) => masking.of(value) as T;
}

/** No secret is shorter. Most numbers are. */
const shortestNumber = 8;

/** An element of a list in the path of a change, such as that of `rules[workflows].parameters`. */
const element = /\[.*\]/s;

/** The name of a field: how it is shown, and whether its value is a secret. */
interface Name {
  readonly shown: string;
  readonly isSecret: boolean;
}

/** More names are data, which may never come again. */
const mostNames = 1000;

class Masking {
  readonly #mask: MaskText;
  /** Records have the same few names. */
  readonly #names = new Map<string, Name>();

  constructor(mask: MaskText) {
    this.#mask = mask;
  }

  of(value: unknown): unknown {
    // Known secrets first: masking by context could split one, so that it would no longer be found.
    if (typeof value === 'string') return maskTextSecrets(this.#mask(value));
    if (typeof value === 'number') return this.#number(value, String(value));
    if (typeof value !== 'object' || value === null) return value;
    if (isExactInteger(value)) return this.#number(value, value.rawJSON);
    if (value instanceof LazyList) return value.map((each) => this.of(each));
    return Array.isArray(value) ? this.#list(value) : this.#members(value as Readonly<Record<string, unknown>>);
  }

  #number<T>(value: T, digits: string): T | string {
    return digits.length < shortestNumber || this.#mask(digits) === digits ? value : secretMask;
  }

  #list(elements: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    // By index, because iterators would create half of the garbage.
    for (let index = 0; index < elements.length; index++) {
      const element = elements[index];
      const shown = this.of(element);
      if (shown !== element) copy ??= elements.slice(0, index);
      copy?.push(shown);
    }
    return copy ?? elements;
  }

  #members(given: Readonly<Record<string, unknown>>): object {
    const record = this.#change(given);
    let copy: [string, unknown][] | undefined;
    const names = Object.keys(record);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      const member = record[name];
      const { shown: shownName, isSecret } = this.#name(name);
      const shown = isSecret ? this.#secret(member) : this.of(member);
      if (shown !== member || shownName !== name) copy ??= names.slice(0, index).map((each) => [each, record[each]]);
      copy?.push([shownName, shown]);
    }
    // fromEntries defines fields, so a field named `__proto__` stays a field.
    return copy ? Object.fromEntries(copy) : record;
  }

  /** Returns a change of a plan with its values masked if its path, the only place for the name of the field, is that of a secret. */
  #change(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { path } = record;
    if (typeof path !== 'string' || !('from' in record || 'to' in record)) return record;
    if (!path.split(element).some(isSecretName)) return record;
    return {
      ...record,
      path: path.replace(element, `[${secretMask}]`),
      ...('from' in record && { from: this.#secret(record.from) }),
      ...('to' in record && { to: this.#secret(record.to) }),
    };
  }

  /** Masks the value of a field with the name of a secret. */
  #secret(value: unknown): unknown {
    if (typeof value === 'string') return value === '' ? value : secretMask;
    return Array.isArray(value) ? value.map((each) => this.#secret(each)) : this.of(value);
  }

  #name(name: string): Name {
    let known = this.#names.get(name);
    if (!known) {
      known = { shown: maskTextSecrets(this.#mask(name)), isSecret: isSecretName(name) };
      if (this.#names.size === mostNames) this.#names.clear();
      this.#names.set(name, known);
    }
    return known;
  }
}

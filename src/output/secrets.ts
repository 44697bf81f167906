/** Masks the secrets inside records before anything else sees them. */
import { isSecretName, maskUrlSecrets, secretMask } from '../json/secrets.ts';

/** Masks in any text what the run itself knows to be secret. */
export type MaskText = (text: string) => string;

/**
 * A copy of `value` in which, at any depth, the text of secret members is masked, and so are the signing parameters and
 * passwords of URLs in any text, and what `mask` knows. What holds no secret is not copied, and `value` itself is never
 * changed. Only text is masked: a flag or a null says that there is or is no secret, and so does empty text.
 */
export function maskSecrets<T>(value: T, mask: MaskText = (text) => text): T {
  return new Masking(mask).of(value) as T;
}

/** One name of a member: how it is shown, and whether its text is a secret. */
interface Name {
  readonly shown: string;
  readonly isSecret: boolean;
}

class Masking {
  readonly #mask: MaskText;
  /** The same few names come with every record. */
  readonly #names = new Map<string, Name>();

  constructor(mask: MaskText) {
    this.#mask = mask;
  }

  of(value: unknown): unknown {
    // What is known goes first: a part of it, masked by its place, would not be found any more.
    if (typeof value === 'string') return maskUrlSecrets(this.#mask(value));
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.#list(value) : this.#members(value as Readonly<Record<string, unknown>>);
  }

  #list(elements: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (const [index, element] of elements.entries()) {
      const shown = this.of(element);
      if (shown !== element) copy ??= elements.slice(0, index);
      copy?.push(shown);
    }
    return copy ?? elements;
  }

  #members(record: Readonly<Record<string, unknown>>): object {
    let copy: [string, unknown][] | undefined;
    const names = Object.keys(record);
    for (const [index, name] of names.entries()) {
      const member = record[name];
      const { shown: shownName, isSecret } = this.#name(name);
      const shown = isSecret && typeof member === 'string' && member !== '' ? secretMask : this.of(member);
      if (shown !== member || shownName !== name) copy ??= names.slice(0, index).map((each) => [each, record[each]]);
      copy?.push([shownName, shown]);
    }
    // fromEntries defines members, so that one named `__proto__` stays a member.
    return copy ? Object.fromEntries(copy) : record;
  }

  #name(name: string): Name {
    let known = this.#names.get(name);
    if (!known) {
      known = { shown: this.#mask(name), isSecret: isSecretName(name) };
      this.#names.set(name, known);
    }
    return known;
  }
}

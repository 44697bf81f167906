/** The policies of fixes as YAML. */
import { isFolderName } from '../../fleet/policy/file-names.ts';
import type { Given } from '../../platform/validate.ts';
import { policyOf } from './saved-lines.ts';

/** Names that YAML never reads as anything else: a letter, then a letter or digit at the end, and no words such as `yes`. */
const plainName = /^(?!(?:true|false|null|yes|no|on|off|inf|nan|e[-\d_.]*)$)[a-z][\w.-]*[a-z\d]$/i;

const [ownerMark, nameMark] = ['owner-of-the-target', 'name-of-the-target'];

/** The maximum number of texts that are kept. */
const mostTexts = 1000;

/**
 * Writes policies. Those of one check differ in the names of their targets alone, and writing YAML takes longer than anything
 * else that is done with a finding, so that texts are kept with marks in place of the names.
 */
export class PolicyTexts {
  readonly #write: (policy: Given) => string;
  readonly #texts = new Map<string, string>();

  constructor(write: (policy: Given) => string) {
    this.#write = write;
  }

  of(policy: Given, target: string): string {
    const [owner = '', name = nameMark] = target.split('/');
    const json = JSON.stringify(policy);
    const hasMarks = json.includes(ownerMark) || json.includes(nameMark);
    if (![owner, name].every((each) => plainName.test(each)) || owner === name || hasMarks) return this.#write(policy);
    const shape = json.replaceAll(`"${owner}"`, `"${ownerMark}"`).replaceAll(`"${name}"`, `"${nameMark}"`);
    const text = this.#texts.get(shape) ?? this.#write(JSON.parse(shape) as Given);
    if (this.#texts.size < mostTexts) this.#texts.set(shape, text);
    return text.replaceAll(ownerMark, owner).replaceAll(nameMark, name);
  }
}

/** Reads what `PolicyTexts` has written, or what somebody has made of it, as fast. */
export class PolicyDocuments {
  /** In JSON, with marks in place of the names; undefined for a text that is no policy with them. */
  readonly #documents = new Map<string, string | undefined>();

  /** Returns the policy of a fix; undefined for a text that is none. */
  of(text: string, target: string): Given | undefined {
    const [owner = '', name = nameMark] = target.split('/');
    const hasMarks = text.includes(ownerMark) || text.includes(nameMark);
    const isPlain = [owner, name].every((each) => plainName.test(each) && isFolderName(each));
    if (!isPlain || owner === name || hasMarks) return policyOf(text);
    const shape = text.replaceAll(wholeWord(owner), ownerMark).replaceAll(wholeWord(name), nameMark);
    const document = this.#documents.has(shape) ? this.#documents.get(shape) : jsonOf(policyOf(shape));
    if (this.#documents.size < mostTexts) this.#documents.set(shape, document);
    // A repository may have the name of a key, such as `settings`.
    return document === undefined
      ? policyOf(text)
      : (JSON.parse(document.replaceAll(ownerMark, owner).replaceAll(nameMark, name)) as Given);
  }
}

/** A part of a word, or of an escape sequence, may be anything. */
const wholeWord = (name: string): RegExp =>
  new RegExp(`(?<![\\w.\\\\-])${name.replaceAll('.', String.raw`\.`)}(?![\\w.-])`, 'g');

const jsonOf = (policy: Given | undefined): string | undefined => policy && JSON.stringify(policy);

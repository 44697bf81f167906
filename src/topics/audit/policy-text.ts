/** The policies of fixes as YAML. */
import type { Given } from '../../platform/validate.ts';

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

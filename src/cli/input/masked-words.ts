/** Command lines without their secrets, for journals and for the line that continues a run. */
import { isSecretName, maskHeader, maskUrlSecrets, secretMask } from '../../json/secrets.ts';

export interface MaskedWords {
  readonly words: readonly string[];
  /** What was masked, such as “the header X-Api-Key”. */
  readonly masked: readonly string[];
}

/** Masks values of headers, of fields with the name of a secret, and secrets in URLs. `mask` masks the secrets of the run. */
export function maskedWords(words: readonly string[], mask: (text: string) => string = (text) => text): MaskedWords {
  const masked: string[] = [];
  const shown = words.map((word, at) => {
    const { text, what } = maskedWord(word, words[at - 1]);
    const all = mask(text);
    if (all.includes(secretMask)) masked.push(what);
    return all;
  });
  return { words: shown, masked: [...new Set(masked)] };
}

const headerFlag = /^(?:-[A-Za-z]*H|--header)$/;

function maskedWord(word: string, before = ''): { readonly text: string; readonly what: string } {
  const [, flag = '', header] =
    /^(-[A-Za-z]*H|--header=)(.+)$/s.exec(word) ?? (headerFlag.test(before) ? [word, '', word] : []);
  if (header !== undefined) {
    const [, name, space = '', value = ''] = /^([^:]*):(\s*)(.*)$/s.exec(header) ?? [];
    const text = name === undefined ? secretMask : `${name}:${space}${maskHeader(name.trim(), value)}`;
    return { text: `${flag}${text}`, what: name === undefined ? 'a header' : `the header ${name}` };
  }
  const [, name] = /^([^=]+)=./s.exec(word) ?? [];
  if (name !== undefined && isSecretName(name)) return { text: `${name}=${secretMask}`, what: `the field ${name}` };
  return { text: maskUrlSecrets(word), what: 'the secret of a URL' };
}

/** Returns the words without those that name a journal or a shard, which a journal has elsewhere. */
export function withoutJournal(words: readonly string[]): string[] {
  const isNamed = (word: string | undefined) => /^--(?:journal|resume|shard)$/.test(word ?? '');
  return words.filter((word, at) => !/^--(?:journal|resume|shard)(?:=|$)/.test(word) && !isNamed(words[at - 1]));
}

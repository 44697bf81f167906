/** Command lines without their secrets, for journals and for the line that continues a run. */
import { isSecretName, maskHeader, maskTextSecrets, privateKeyMark, secretMask } from '../../json/secrets.ts';

export interface MaskedWords {
  readonly words: readonly string[];
  /** Descriptions of the masked values, such as “the header X-Api-Key”. */
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

interface MaskedWord {
  readonly text: string;
  readonly what: string;
}

const headerFlag = /^(?:-[A-Za-z]*H|--header)$/;

/** A field, also with its flag attached, as in `--field=config[secret]=…`, and behind another short flag. */
const fieldWord = /^((?:-[A-Za-z]*?[fF]=?|--[a-z-]*field=)?)([^-=][^=]*)=(.+)$/s;

function maskedWord(word: string, before = ''): MaskedWord {
  const [, flag = '', header] =
    /^(-[A-Za-z]*H|--header=)(.+)$/s.exec(word) ?? (headerFlag.test(before) ? [word, '', word] : []);
  if (header !== undefined) return maskedHeader(flag, header);
  const [, option = '', name] = fieldWord.exec(word) ?? [];
  if (name !== undefined && namesIn(name).some(isSecretName))
    return { text: `${option}${name}=${secretMask}`, what: `the field ${name}` };
  const what = word.includes(privateKeyMark) ? 'a private key' : 'the secret of a URL';
  return { text: maskTextSecrets(word.replace(urlUser, secretMask)), what };
}

function maskedHeader(flag: string, header: string): MaskedWord {
  const [, name, space = '', value = ''] = /^([^:]*):(\s*)(.*)$/s.exec(header) ?? [];
  if (name === undefined) return { text: `${flag}${secretMask}`, what: 'a header' };
  return { text: `${flag}${name}:${space}${maskHeader(name.trim(), value)}`, what: `the header ${name}` };
}

/** The names in `config[secret]` and `secret[]`. */
const namesIn = (field: string): string[] => field.split(/[[\]]+/);

/** A user without a password, or with the one that stands for none, is a token. */
export const urlUser = /(?<=https?:\/\/)[^\s/?#:@]+(?=(?::(?:x-oauth-basic)?)?@)/gi;

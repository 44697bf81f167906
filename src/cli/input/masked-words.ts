/** Command lines without their secrets, for journals and for the line that continues a run. */
import { containsSecrets, secretsInText } from '../../client/redact.ts';
import {
  isSecretName,
  maskHeader,
  maskTextSecrets,
  privateKeyMark,
  secretMask,
  textSecrets,
} from '../../json/secrets.ts';
import { shellLine } from './prompts/command-line.ts';

export interface MaskedWords {
  readonly words: readonly string[];
  /** Descriptions of the masked values, such as “the header X-Api-Key”. */
  readonly masked: readonly string[];
}

/** Masks values of headers, of fields and flags with the name of a secret, and secrets in URLs. `mask` masks the secrets of the run. */
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

/** A header with its flag attached, also behind other short flags than those of `api` that have values. */
const headerWord = /^(-[^\s=XfFpH-]*H|--header=)(.+)$/s;

const headerFlag = /^(?:-[^\s=XfFpH-]*H|--header)$/;

/** A field, also with its flag attached, as in `--field=config[secret]=…`, behind another short flag, and with JSON after `:=`. */
const fieldWord = /^((?:-[A-Za-z]*?[fF]=?|--[a-z-]*field=)?)(-?[^-=][^=]*?)(:?=)(.+)$/s;

const urlSign = /:\/\/|\?/;

/** A flag with its value attached. */
const flagWord = /^--([a-z-]+)=(.+)$/s;

/** The only flag whose next word is a secret: `--with-token` and others read theirs elsewhere. */
const secretFlag = '--encrypted-value';

/** Flags that name the sources of secrets, which plans show. */
const namesSecrets = /^(?:allow|rotate)-secret$/;

/** Returns the value of a flag with the name of a secret, with the flag; undefined for any other word. */
function secretOfFlag(word: string, before = ''): { readonly flag: string; readonly value: string } | undefined {
  if (before === secretFlag) return { flag: before, value: word };
  const [, name = '', value = ''] = flagWord.exec(word) ?? [];
  return isSecretName(name) && !namesSecrets.test(name) ? { flag: `--${name}`, value } : undefined;
}

function maskedWord(word: string, before = ''): MaskedWord {
  const [, flag = '', header] = headerWord.exec(word) ?? (headerFlag.test(before) ? [word, '', word] : []);
  if (header !== undefined) return maskedHeader(flag, header);
  const secret = secretOfFlag(word, before);
  if (secret) return { text: word.slice(0, -secret.value.length) + secretMask, what: secret.flag };
  const [, option = '', name, sign] = fieldWord.exec(word) ?? [];
  const isSecret = name !== undefined && isSecretField(name);
  // What precedes the first sign of a URL is no name, and may contain others.
  const text = maskTextSecrets(isSecret ? `${option}${name}${sign}${secretMask}` : word, 'word');
  if (isSecret && !urlSign.test(name)) return { text, what: `the field ${name}` };
  return { text, what: word.includes(privateKeyMark) ? 'a private key' : 'the secret of a URL' };
}

function maskedHeader(flag: string, header: string): MaskedWord {
  const [, name, space = '', value = ''] = /^([^:]*):(\s*)(.*)$/s.exec(header) ?? [];
  if (name === undefined) return { text: `${flag}${secretMask}`, what: 'a header' };
  return { text: `${flag}${name}:${space}${maskHeader(name.trim(), value)}`, what: `the header ${name}` };
}

/** Returns a command line for a POSIX shell, with secrets masked. */
export const maskedLine = (words: readonly string[]): string => shellLine(maskedWords(words).words);

/** Returns whether a word certainly contains a secret: a token, a field with the name of a secret, a password in a URL. */
export const hasSecret = (word: string): boolean =>
  [word, headerWord.exec(word)?.[2] ?? ''].some(containsSecrets) || isSecretField(fieldWord.exec(word)?.[2] ?? '');

/**
 * Returns the secrets of words except values of headers, which may only describe the content. A word in the wrong place
 * may become the name of an object or of a file, which messages repeat.
 */
export const secretsOfWords = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    const secret = secretOfFlag(word, words[at - 1]);
    if (secret) return secret.value;
    const [, , name = '', , value = ''] = fieldWord.exec(word) ?? [];
    return [...(isSecretField(name) ? [value] : []), ...secretsInText(word), ...textSecrets(word, 'word')];
  });

/** Names are also those in `config[secret]` and `secret[]`. */
export const isSecretField = (field: string): boolean => field.split(/[[\]]+/).some(isSecretName);

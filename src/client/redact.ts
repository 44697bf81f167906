/** Masks secrets in debug lines and messages. */
import { type Range, withMasks } from '../json/ranges.ts';
import { privateKey, secretMask, secretNames, urlSecretsIn } from '../json/secrets.ts';
import { behindEscapes, SecretFinder, type Sought } from './secret-finder.ts';
import { withoutEscapes } from './unescaped.ts';

/**
 * JSON between the name of a secret field and its value: a text, a number, a list or an object. Looking back from the end
 * of each text is seven times as fast as looking for names.
 */
const secretMember = new RegExp(
  `"(?<="([^"]*(?:${secretNames.join('|').replaceAll('_', '[^a-z\\d"]*')})[^a-z\\d"]*)")\\s*:\\s*(?=["[{]|-?\\d)`,
  'gi',
);

/** The parts of JSON: the start of a text, brackets, and words, which are numbers in valid JSON. */
const part = /"|[[{]|[\]}]|[^\s",:[\]{}]+/g;

const isMemberName = /"\s*:/y;

/** Words of JSON that are not secret: they only show whether there is one. */
const noSecret = /^(?:true|false|null)$/;

/** Patterns of other secrets, recognized by their context. The first group is kept. */
const secretPatterns: readonly RegExp[] = [
  /\b((?:proxy-)?authorization\s*[:=]\s*(?:(?:bearer|basic|token|digest|negotiate|api-?key)\s+)?)[^\s,;"']+/gi,
  /^((?:set-)?cookie: ).+$/gim,
  privateKey,
  // Tokens with a prefix. Those without one look like the ID of a commit.
  /()\b(?:github_pat_|gh[opr-u]_)\w{16,}/g,
];

/** Shorter secrets would match encoded text, numbers and words by chance. */
const minEncodedLength = 8;

/** Text could not be masked. Contains neither the text nor the cause, because both might contain secrets. */
export class MaskingError extends Error {
  constructor() {
    super('The output could not be masked, so it is not shown.');
  }
}

/** Shown instead of a message that could not be masked. */
export const maskingFailed = 'This message could not be masked, so it is not shown.';

/** Masks registered secrets, in every encoding in which they are sent, and secrets recognized by their context. */
export class Redactor {
  readonly #secrets = new Set<string>();
  readonly #finder = new SecretFinder();

  add(secret: string): void {
    if (secret === '' || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    for (const encoding of encodingsOf(secret)) this.#finder.add(encoding);
  }

  /** Whether `maskKnown` might mask something in a text, given as bytes, or in one of its parts (default: all of it). */
  mayMask(text: Buffer, parts: Iterable<Buffer> = [text]): boolean {
    return this.#secrets.size > 0 && this.#finder.isInBytes(text, parts);
  }

  /** Whether `text` contains a registered secret, in any encoding. */
  contains(text: string): boolean {
    return this.#finder.isIn(text);
  }

  /** Masks only registered secrets: for records, whose secret fields are masked by name. Throws MaskingError. */
  maskKnown(text: string): string {
    try {
      return this.#finder.masked(text, secretMask);
    } catch {
      throw new MaskingError();
    }
  }

  /** Throws MaskingError. */
  redact(text: string): string {
    const known = this.maskKnown(text);
    try {
      return withMasks(known, behindEscapes(known, secretsIn), secretMask);
    } catch {
      throw new MaskingError();
    }
  }

  /** Returns a message with its secrets masked, or a fixed one if that fails. */
  message(text: string, otherwise = maskingFailed): string {
    try {
      return this.redact(text);
    } catch {
      return otherwise;
    }
  }
}

/**
 * Masks the secrets of this process from 8 characters, and those recognized by their context, in text that is laid out or
 * shortened before it is written: parts of a secret would not be found later.
 */
export const masked = (text: string): string => redactorFrom(minEncodedLength).message(text);

/** Returns the start of a text that is longer than `most` characters, with its secrets masked first. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = masked(text);
  return shown.length <= most ? shown : `${shown.slice(0, most).toWellFormed()}…`;
}

/** Whether a text contains a secret recognized by its context: a secret field, a signed URL. */
export function containsSecrets(text: string): boolean {
  for (const _ of behindEscapes(text, secretsIn)) return true;
  return false;
}

/** Returns the secrets in a text that are recognized by their context. */
export const secretsInText = (text: string): string[] =>
  Array.from(behindEscapes(text, secretsIn), ({ start, end }) => text.slice(start, end));

/** Yields the secrets that are recognized by their context. */
function* secretsIn(text: string): Generator<Range> {
  yield* secretMembersIn(text);
  yield* urlSecretsIn(text, 'message');
  for (const place of secretPatterns)
    for (const { index, 0: whole, 1: kept = '' } of text.matchAll(place))
      yield { start: index + kept.length, end: index + whole.length };
}

function* secretMembersIn(text: string): Generator<Range> {
  let end = 0;
  for (const { index, 0: before, 1: name = '' } of text.matchAll(secretMember)) {
    const start = index + before.length;
    // Within a text of JSON, whose escapes are resolved first: its end would not be found.
    const isNested = name.endsWith('\\') && text[start] !== '"';
    if (!isNested && start >= end) end = yield* secretPartsOf(text, start);
  }
}

/**
 * Yields the texts and numbers of the JSON value at `start`, except names. Returns its end, or that of the text if the
 * value is cut short.
 */
function* secretPartsOf(text: string, start: number): Generator<Range, number> {
  let depth = 0;
  part.lastIndex = start;
  for (let match = part.exec(text); match; match = part.exec(text)) {
    const [word] = match;
    let end = part.lastIndex;
    if (word === '"') {
      const from = end;
      const to = endOfText(text, from);
      end = to + 1;
      isMemberName.lastIndex = to;
      if (to > from && !isMemberName.test(text)) yield { start: from, end: to };
    } else if (/[[{]/.test(word)) depth++;
    else if (/[\]}]/.test(word)) depth--;
    else if (!noSecret.test(word)) yield { start: match.index, end };
    if (depth <= 0) return end;
    part.lastIndex = end;
  }
  return text.length;
}

/**
 * Returns the index of the quote that ends a JSON string. A regular expression that skips escapes runs out of memory
 * after some megabytes.
 */
function endOfText(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}

/** Every command that runs within another one registers the same secrets. */
const knownEncodings = new Map<string, readonly Sought[]>();

/** Returns all secrets that were registered in this process, for errors that belong to no command. */
export const knownSecrets = (): Iterable<string> => knownEncodings.keys();

/** In characters: shorter secrets would match text in records by chance; no token is that short. */
export const shortestInRecords = 16;

/** By the length of the shortest secret, with the number of secrets that there were. */
const ofProcess = new Map<number, { readonly redactor: Redactor; readonly of: number }>();

/** Returns a redactor of the secrets that were registered in this process and are long enough. */
function redactorFrom(shortest: number): Redactor {
  const known = ofProcess.get(shortest);
  if (known?.of === knownEncodings.size) return known.redactor;
  const redactor = new Redactor();
  for (const secret of knownEncodings.keys()) if (secret.length >= shortest) redactor.add(secret);
  ofProcess.set(shortest, { redactor, of: knownEncodings.size });
  return redactor;
}

/** Returns whether a record contains a secret that was registered in this process, in any encoding. */
export const containsKnownSecret = (record: unknown): boolean =>
  redactorFrom(shortestInRecords).contains(JSON.stringify(record) ?? '');

function encodingsOf(secret: string): readonly Sought[] {
  const encodings = knownEncodings.get(secret) ?? allEncodingsOf(secret);
  knownEncodings.set(secret, encodings);
  return encodings;
}

/** Returns the encodings of a secret: plain, in forms, in hexadecimal, in base64 at any offset. Escapes are resolved before. */
function allEncodingsOf(secret: string): Sought[] {
  const texts = [secret, new URLSearchParams({ '': secret }).toString().slice(1), ...resolvedForms(secret)];
  // As in bytes that are read as Latin-1.
  const inBytes = texts.map((text) => Buffer.from(text).toString('latin1'));
  const isLong = secret.length >= minEncodedLength;
  const hexadecimal = isLong ? Buffer.from(secret).toString('hex') : '';
  const inBase64 = isLong ? base64Parts(secret) : [];
  const form = (isBase64: boolean) => (text: string) => ({ text, isBase64 });
  return [...new Set([...texts, ...inBytes, hexadecimal, hexadecimal.toUpperCase()])]
    .map(form(false))
    .concat([...new Set(inBase64)].map(form(true)));
}

/** Returns what a secret that looks escaped itself, such as `p%41ss`, becomes where the escapes around it are resolved. */
function resolvedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    json,
    // Some encoders of JSON escape what HTML interprets.
    json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`),
    secret.replaceAll('&', '&amp;'),
    encodeURI(secret.toWellFormed()),
    encodeURIComponent(secret.toWellFormed()),
  ];
  const resolved = forms.flatMap((form) => withoutEscapes(form)?.text ?? []);
  return resolved.filter(({ length }) => length >= minEncodedLength);
}

/**
 * Returns the base64 of the secret after 0, 1 or 2 bytes of other text, as in `user:token`. Characters at either end
 * that depend on adjacent bytes are omitted; the last one is masked with it.
 */
function base64Parts(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor((bytes.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((alphabet) => bytes.toString(alphabet).slice(from, to));
  });
}

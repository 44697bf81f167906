/** Masks secrets in debug lines and messages. */
import { secretMask, secretNames, secretParameter } from '../json/secrets.ts';

/**
 * JSON between the name and the value of a secret member. Looking back from the end of each text is seven times as fast
 * as looking for names.
 */
const secretMember = new RegExp(`"(?<="(?:[a-z0-9_-]*_)?(?:${secretNames.join('|')})")\\s*:\\s*"`, 'gi');

/** Patterns of other secrets, recognized by their context. The first group is kept. */
const secretPatterns: readonly RegExp[] = [
  secretParameter,
  // The password in a URL, as in records; but the text may be JSON, in which a quotation mark ends the URL.
  /(:\/\/[^\s/?#:"]*:)[^\s/?#"]+(?=@)/g,
  /\b((?:proxy-)?authorization\s*[:=]\s*(?:(?:bearer|basic|token)\s+)?)[^\s,;"']+/gi,
  /^((?:set-)?cookie: ).+$/gim,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----).+?(?=-----END|$)/gs,
];

/** Shorter secrets would match base64 text by chance. */
const minBase64SecretLength = 8;

/** Masks registered secrets, in every encoding in which they are sent, and secrets recognized by their context. */
export class Redactor {
  readonly #secrets = new Set<string>();
  #forms: readonly Encoding[] = [];
  #pattern: RegExp | undefined;

  add(secret: string): void {
    if (secret === '' || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    // Longer encodings first: one may be the prefix of another.
    this.#forms = [...this.#forms, ...encodingsOf(secret)].sort((a, b) => b.text.length - a.text.length);
    this.#pattern = undefined;
  }

  /** Whether `maskKnown` might mask something in this text, given as bytes. */
  mayMask(text: Buffer): boolean {
    return this.#forms.some(({ bytes }) => text.includes(bytes));
  }

  /** Whether `text` contains a registered secret, in any encoding. */
  contains(text: string): boolean {
    return this.#forms.some((form) => text.includes(form.text));
  }

  /** Masks only registered secrets: for records, whose secret members are masked by name. */
  maskKnown(text: string): string {
    return this.#forms.length > 0 ? text.replace(this.#known(), secretMask) : text;
  }

  #known(): RegExp {
    this.#pattern ??= new RegExp(this.#forms.map(({ text, ending }) => quoted(text) + ending).join('|'), 'g');
    return this.#pattern;
  }

  redact(text: string): string {
    let shown = maskMembers(this.maskKnown(text));
    for (const place of secretPatterns) shown = shown.replace(place, `$1${secretMask}`);
    return shown;
  }
}

/** Whether a text contains a secret recognized by its context: a secret member, a signed URL. */
export function containsSecrets(text: string): boolean {
  return maskMembers(text) !== text || secretPatterns.some((place) => text.search(place) !== -1);
}

function maskMembers(text: string): string {
  let shown = '';
  let from = 0;
  for (const { index, 0: before } of text.matchAll(secretMember)) {
    const start = index + before.length;
    const end = endOfText(text, start);
    if (start < from || end === start) continue;
    shown += text.slice(from, start) + secretMask;
    from = end;
  }
  return shown + text.slice(from);
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

/** An encoded form of a secret. */
interface Encoding {
  readonly text: string;
  /** The text in UTF-8. */
  readonly bytes: Buffer;
  /** Pattern for what follows and is masked, too. */
  readonly ending: string;
}

/** Every command that runs within another one registers the same secrets. */
const knownEncodings = new Map<string, readonly Encoding[]>();

function encodingsOf(secret: string): readonly Encoding[] {
  const encodings = knownEncodings.get(secret) ?? allEncodingsOf(secret);
  knownEncodings.set(secret, encodings);
  return encodings;
}

/** Returns the encodings of a secret: plain, in JSON, in URLs, in base64 at any offset. */
function allEncodingsOf(secret: string): Encoding[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const texts = new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replace(/%../g, (triple) => triple.toLowerCase()),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ]);
  const inBase64 = new Set(secret.length < minBase64SecretLength ? [] : base64Parts(secret));
  const form = (ending: string) => (text: string) => ({ text, bytes: Buffer.from(text), ending });
  return [...[...texts].map(form('')), ...[...inBase64].map(form('[\\w+/-]?={0,2}'))];
}

/**
 * Returns the base64 of the secret after 0, 1 or 2 bytes of other text, as in `user:token`. Characters at either end
 * that depend on adjacent bytes are left out; the last one is masked with it.
 */
function base64Parts(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor((bytes.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((alphabet) => bytes.toString(alphabet).slice(from, to));
  });
}

const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

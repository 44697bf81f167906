/** Masks secrets in text that leaves the program: debug lines and messages. */
import { secretMask, secretNames, secretParameter } from '../json/secrets.ts';

/** What stands in JSON before the text of a secret member. */
const secretMember = new RegExp(`"(?:[a-z0-9_-]*_)?(?:${secretNames.join('|')})"\\s*:\\s*"`, 'gi');

/** What else is secret by its place, whatever it says. The first group stays. */
const secretPatterns: readonly RegExp[] = [
  secretParameter,
  // The password in a URL, as records have it; but text may be JSON, in which a quotation mark ends the URL.
  /(:\/\/[^\s/?#:"]*:)[^\s/?#"]+(?=@)/g,
  /\b((?:proxy-)?authorization\s*[:=]\s*(?:(?:bearer|basic|token)\s+)?)[^\s,;"']+/gi,
  /^((?:set-)?cookie: ).+$/gim,
];

/** Shorter secrets would be found in base64 text by chance. */
const minBase64SecretLength = 8;

/** Masks the secrets that it was told, in the forms they take on their way, and what is secret by its place. */
export class Redactor {
  readonly #secrets = new Set<string>();
  #forms: readonly Encoding[] = [];
  #pattern: RegExp | undefined;

  add(secret: string): void {
    if (secret === '' || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    // Longer forms first: a form may begin with another.
    this.#forms = [...this.#forms, ...encodingsOf(secret)].sort((a, b) => b.text.length - a.text.length);
    this.#pattern = new RegExp(this.#forms.map(({ text, ending }) => quoted(text) + ending).join('|'), 'g');
  }

  /** Whether `maskKnown` may find something to mask in a text, given as its bytes. */
  mayMask(text: Buffer): boolean {
    return this.#forms.some(({ bytes }) => text.includes(bytes));
  }

  /** Whether a secret that it was told stands in `text`, in any of its forms. */
  contains(text: string): boolean {
    return this.#pattern !== undefined && text.search(this.#pattern) !== -1;
  }

  /** Masks what it was told, and nothing else: for records, whose secret members are masked by name. */
  maskKnown(text: string): string {
    return this.#pattern ? text.replace(this.#pattern, secretMask) : text;
  }

  redact(text: string): string {
    let shown = maskMembers(this.maskKnown(text));
    for (const place of secretPatterns) shown = shown.replace(place, `$1${secretMask}`);
    return shown;
  }
}

/** Whether a text holds something that is secret by its place: a secret member, a signed URL. */
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

/** Where a text of JSON ends: at its quote. A pattern that steps over escapes runs out of memory after some megabytes. */
function endOfText(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}

/** A way in which a secret is written. */
interface Encoding {
  readonly text: string;
  /** The same in UTF-8. */
  readonly bytes: Buffer;
  /** A pattern of what after it is masked, too. */
  readonly ending: string;
}

/** The ways in which a secret is written: plain, in JSON, in URLs, in base64 at any offset. */
function encodingsOf(secret: string): Encoding[] {
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
 * What base64 makes of the secret after 0, 1 or 2 bytes of other text, as in `user:token`. The characters at both ends
 * that depend on the neighbours are left out; the last is masked with it.
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

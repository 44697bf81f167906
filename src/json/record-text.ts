/** A page of records as raw text, for output without parsing: one line of JSON per record. */
import { isUtf8 } from 'node:buffer';
import { parseJson } from './exact-json.ts';
import { containsTextSecret, isSecretName, secretMask, secretNames, secretQueryParameters } from './secrets.ts';

/** The records of a page: parsed, or as raw text. */
export type Records<T> = readonly T[] | RecordText<T>;

/** A buffer reused for the lines of each page; grows to the size of the longest. */
export class ReusableBuffer {
  #bytes = Buffer.alloc(0);

  /** Returns a view of `length` bytes; invalidates the previous view. */
  for(length: number): Buffer {
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(length + length / 8);
    return this.#bytes.subarray(0, length);
  }
}

/** A part of the text that is replaced in the output. */
interface Edit {
  /** Offsets in bytes; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** A record to be masked as a value, or the value of a secret field. */
  readonly what: 'record' | 'secret';
}

/**
 * Records as platforms send them: a compact UTF-8 JSON array of objects. The scan has validated the JSON and located
 * everything that may be secret.
 */
export class RecordText<T = unknown> implements Iterable<T> {
  readonly length: number;
  /** The whole page. */
  readonly bytes: Buffer;
  /** Offset after each record: of a comma or the closing bracket. */
  readonly #ends: readonly number[];
  /** In order, without overlaps. */
  readonly #edits: readonly Edit[];

  private constructor(bytes: Buffer, { ends, edits }: Scan) {
    this.bytes = bytes;
    this.length = ends.length;
    this.#ends = ends;
    this.#edits = edits;
  }

  /**
   * Returns the records of a page; undefined if they are in any other form, invalid or too deep. Then they must be
   * parsed.
   */
  static of<T>(bytes: Buffer): RecordText<T> | undefined {
    const scan = isUtf8(bytes) ? new Scanner(bytes).page() : undefined;
    return scan && new RecordText(bytes, scan);
  }

  /** Returns the records at these places, which are in order. */
  only(places: readonly number[]): Records<T> {
    if (places.length === this.length) return this;
    const parts = [...this.parts()];
    const texts = places.map((place) => (parts[place] as Buffer).toString('latin1'));
    const joined = Buffer.from(`[${texts.join(',')}]`, 'latin1');
    return RecordText.of<T>(joined) ?? [];
  }

  /** Yields the text of each record. */
  *parts(): Generator<Buffer, void, undefined> {
    let from = 1;
    for (const end of this.#ends) {
      yield this.bytes.subarray(from, end);
      from = end + 1;
    }
  }

  /** Returns a line for each record as the platform wrote it, including secrets. */
  lines(buffer: ReusableBuffer): Buffer {
    return this.#linesWith([], [], buffer);
  }

  /**
   * Returns the lines with `********` instead of the values of secret fields. A record that may contain other secrets, or hides them
   * behind escapes, is parsed and formatted by `line`.
   */
  maskedLines(line: (record: T) => string, buffer: ReusableBuffer): Buffer {
    const shown = this.#edits.map(({ from, to, what }) =>
      what === 'secret' ? mask : Buffer.from(line(parseJson(this.bytes.toString('utf8', from, to)) as T)),
    );
    return this.#linesWith(this.#edits, shown, buffer);
  }

  #linesWith(edits: readonly Edit[], shown: readonly Buffer[], buffer: ReusableBuffer): Buffer {
    // Without the opening bracket; the closing one becomes a line break.
    const length = edits.reduce(
      (sum, { from, to }, index) => sum + (shown[index] as Buffer).length - (to - from),
      this.bytes.length - 1,
    );
    const lines = buffer.for(length);
    const ends = this.#ends;
    let next = 0;
    let from = 1;
    let at = 0;
    // By index: iterators would cause a quarter of the garbage of a long list.
    const copy = (to: number) => {
      this.bytes.copy(lines, at, from, to);
      for (; next < ends.length && (ends[next] as number) < to; next++)
        lines[at + (ends[next] as number) - from] = newline;
      at += to - from;
    };
    edits.forEach((edit, index) => {
      copy(edit.from);
      at += (shown[index] as Buffer).copy(lines, at);
      from = edit.to;
    });
    copy(this.bytes.length);
    return lines;
  }

  /** Parses one record at a time: the objects of a whole page would outlive garbage collections. */
  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (const part of this.parts()) yield parseJson(part.toString()) as T;
  }
}

interface Scan {
  readonly ends: readonly number[];
  readonly edits: readonly Edit[];
}

const newline = 0x0a;
const quote = 0x22;
const percent = 0x25;
const comma = 0x2c;
const slash = 0x2f;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const equals = 0x3d;
const at = 0x40;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const mask = Buffer.from(secretMask);

/** Records are about five levels deep; deeper values are left to the parser, which can reject them. */
const maxJsonDepth = 64;

/** Bytes without special meaning: not a quote, not an escape, not part of a secret in a URL. */
const plain = new Uint8Array(256).fill(1);
plain.fill(0, 0, 0x20);
for (const byte of [quote, backslash, equals, at, percent, openBracket]) plain[byte] = 0;

/** The last two letters of secret names. Few other names end in them, so few names are compared in full. */
const memberEndings = endings(secretNames);
const parameterEndings = endings([...secretNames, ...secretQueryParameters]);

/** Bytes that are no letters or digits, such as brackets: names of secrets may end in any number of them. */
const other = new Uint8Array(256).fill(1);
for (const byte of Buffer.from('=0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ')) other[byte] = 0;

const mayEnd = (table: Uint8Array, bytes: Buffer, end: number): boolean =>
  table[ending(bytes, end)] === 1 || other[bytes[end - 1] as number] === 1;

function endings(names: readonly string[]): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const name of names) table[ending(Buffer.from(name), name.length)] = 1;
  return table;
}

/** Returns the last two letters of a name as a number, ignoring case. */
function ending(bytes: Buffer, end: number): number {
  return (((bytes[end - 2] as number) | 0x20) << 8) | ((bytes[end - 1] as number) | 0x20);
}

/** `true`, `false` and `null` by their first byte. */
const words: (Buffer | undefined)[] = [];
for (const word of ['true', 'false', 'null']) words[word.charCodeAt(0)] = Buffer.from(word);

/** The text is not in the supported form. */
class OtherForm extends Error {}

/** Scans a page once, byte by byte. Supports a subset of JSON; spaces, fractions and the like require parsing. */
class Scanner {
  readonly #bytes: Buffer;
  #at = 0;
  #edits: Edit[] = [];
  /** Whether the current record must be parsed. */
  #unclear = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  page(): Scan | undefined {
    try {
      return this.#records();
    } catch (error) {
      if (error instanceof OtherForm) return undefined;
      throw error;
    }
  }

  #records(): Scan {
    const bytes = this.#bytes;
    const ends: number[] = [];
    if (bytes[0] !== openBracket) throw new OtherForm();
    for (let more = true; more; ) {
      const from = ++this.#at;
      const edits = this.#edits.length;
      this.#unclear = false;
      if (bytes[from] !== openBrace) throw new OtherForm();
      this.#object(1);
      ends.push(this.#at);
      if (this.#unclear) this.#edits.splice(edits, Number.POSITIVE_INFINITY, { from, to: this.#at, what: 'record' });
      more = bytes[this.#at] === comma;
    }
    if (bytes[this.#at] !== closeBracket || this.#at + 1 !== bytes.length) throw new OtherForm();
    return { ends, edits: this.#edits };
  }

  #value(depth: number): void {
    const first = this.#bytes[this.#at] as number;
    if (first === quote) this.#text();
    else if (first === openBrace) this.#object(depth + 1);
    else if (first === openBracket) this.#array(depth + 1);
    else this.#word(first);
  }

  #object(depth: number): void {
    const bytes = this.#bytes;
    if (depth > maxJsonDepth) throw new OtherForm();
    if (bytes[++this.#at] === closeBrace) {
      this.#at++;
      return;
    }
    for (;;) {
      const name = this.#at + 1;
      if (bytes[this.#at] !== quote) throw new OtherForm();
      this.#text();
      const nameEnd = this.#at - 1;
      if (bytes[this.#at++] !== colon) throw new OtherForm();
      const from = this.#at + 1;
      const isText = bytes[this.#at] === quote;
      const isList = bytes[this.#at] === openBracket;
      this.#value(depth);
      const to = this.#at - 1;
      if ((isList || (isText && to > from)) && mayEnd(memberEndings, bytes, nameEnd))
        if (isSecretName(bytes.toString('utf8', name, nameEnd))) {
          if (isList) this.#unclear = true;
          else this.#edits.push({ from, to, what: 'secret' });
        }
      const after = bytes[this.#at++];
      if (after === closeBrace) return;
      if (after !== comma) throw new OtherForm();
    }
  }

  #array(depth: number): void {
    const bytes = this.#bytes;
    if (depth > maxJsonDepth) throw new OtherForm();
    if (bytes[++this.#at] === closeBracket) {
      this.#at++;
      return;
    }
    for (;;) {
      this.#value(depth);
      const after = bytes[this.#at++];
      if (after === closeBracket) return;
      if (after !== comma) throw new OtherForm();
    }
  }

  #text(): void {
    const bytes = this.#bytes;
    const from = this.#at + 1;
    let to = from;
    let mayBeUrl = false;
    for (;;) {
      while (plain[bytes[to] as number] === 1) to++;
      const byte = bytes[to] as number;
      if (byte === quote) break;
      if (byte === backslash) {
        this.#unclear = true;
        to = this.#escaped(to + 1);
      } else if (byte === equals) {
        if (mayEnd(parameterEndings, bytes, to)) mayBeUrl = true;
        to++;
      } else if (byte === at) {
        if (this.#followsAuthority(to)) mayBeUrl = true;
        to++;
      } else if (byte === percent || byte === openBracket) {
        // A URL within another one is encoded, and a bracket may follow the name of a secret.
        mayBeUrl = true;
        to++;
      } else throw new OtherForm();
    }
    this.#at = to + 1;
    if (mayBeUrl && !this.#unclear && containsTextSecret(bytes.toString('utf8', from, to))) this.#unclear = true;
  }

  /** Whether the text before an `@` may be a password or a token: whether it follows a colon or a slash. */
  #followsAuthority(end: number): boolean {
    let byte: number;
    do byte = this.#bytes[--end] as number;
    while (byte !== colon && byte !== slash && byte !== quote && byte !== at);
    return byte === colon || byte === slash;
  }

  /** Returns the offset after an escape; `from` is the offset after its backslash. */
  #escaped(from: number): number {
    const [sequence] = /^(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/.exec(this.#bytes.toString('latin1', from, from + 5)) ?? [];
    if (sequence === undefined) throw new OtherForm();
    return from + sequence.length;
  }

  /** Scans an integer, `true`, `false` or `null`. */
  #word(first: number): void {
    const bytes = this.#bytes;
    const from = this.#at;
    let to = from + 1;
    if (first >= zero && first <= nine) {
      while ((bytes[to] as number) >= zero && (bytes[to] as number) <= nine) to++;
      if (first === zero && to > from + 1) throw new OtherForm();
    } else {
      const word = words[first];
      if (word === undefined) throw new OtherForm();
      for (; to < from + word.length; to++) if (bytes[to] !== word[to - from]) throw new OtherForm();
    }
    this.#at = to;
  }
}

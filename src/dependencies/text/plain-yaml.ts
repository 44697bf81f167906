/**
 * The YAML that package managers write into lockfiles: mappings and lists by indentation or in brackets, and plain,
 * quoted and block text. The whole language, with anchors and tags, takes a library twenty times as long.
 */
import { ParseError } from '../dependency-graph.ts';

export type Yaml = string | YamlMap | readonly Yaml[];
export type YamlMap = ReadonlyMap<string, Yaml>;

/** No lockfile nests deeper, and the parser calls itself for each level. */
const maxDepth = 100;

/** Parses the only document to texts, lists and maps. All scalars are texts: `5.10` is a version. Throws ParseError. */
export function parsePlainYaml(text: string): Yaml {
  const [document = '', ...others] = parsePlainYamlDocuments(text);
  if (others.length > 0) throw new ParseError('more than one document');
  return document;
}

/** Parses documents that lines of three hyphens separate. Throws ParseError. */
export function parsePlainYamlDocuments(text: string): readonly Yaml[] {
  return new Parser(text).documents();
}

/** Returns the map; one without entries for anything else. */
export const mapOf = (value: Yaml | undefined): YamlMap => (value instanceof Map ? value : none);

const none: YamlMap = new Map();

interface Line {
  readonly number: number;
  readonly indent: number;
  readonly text: string;
}

class Parser {
  readonly #lines: readonly string[];
  #next = 0;
  #line: Line | undefined;

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/);
  }

  documents(): readonly Yaml[] {
    const documents: Yaml[] = [];
    while (this.#next < this.#lines.length) {
      this.#advance();
      if (this.#line === undefined) continue;
      documents.push(this.#block(this.#line.indent, 0));
      if (this.#line !== undefined) throw this.#error('unexpected indentation');
    }
    return documents;
  }

  /** Moves to the next line of the document that is neither empty nor a comment. */
  #advance(): void {
    while (this.#next < this.#lines.length) {
      const raw = this.#lines[this.#next] ?? '';
      this.#next += 1;
      const text = raw.trim();
      if (text === '' || text.startsWith('#')) continue;
      if (text === '---' && raw.startsWith(text)) break;
      const indent = raw.length - raw.trimStart().length;
      this.#line = { number: this.#next, indent, text };
      if (raw.slice(0, indent).includes('\t')) throw this.#error('tab as indentation');
      return;
    }
    this.#line = undefined;
  }

  #error(message: string): ParseError {
    return new ParseError(message, this.#line?.number);
  }

  #block(indent: number, depth: number): Yaml {
    if (depth > maxDepth) throw this.#error(`more than ${maxDepth} levels`);
    const { text } = this.#line as Line;
    if (text === '-' || text.startsWith('- ')) return this.#list(indent, depth);
    if (keyEnd(text) === -1) {
      const scalar = this.#inline(text);
      this.#advance();
      return scalar;
    }
    return this.#map(indent, depth);
  }

  #map(indent: number, depth: number): YamlMap {
    const map = new Map<string, Yaml>();
    while (this.#line !== undefined && this.#line.indent === indent) {
      let { text } = this.#line;
      let explicit = false;
      // Keys of more than 128 characters: “? key” and “: value” on lines of their own.
      if (text.startsWith('? ')) {
        explicit = true;
        text = text.slice(2).trim();
      }
      const end = explicit ? text.length : keyEnd(text);
      if (end === -1) throw this.#error('expected “key: value”');
      const key = this.#scalar(text.slice(0, end).trimEnd());
      if (map.has(key)) throw this.#error('a key that occurs twice');
      if (explicit) {
        this.#advance();
        const line = this.#line as Line | undefined;
        if (line === undefined || line.indent !== indent || !/^:(?: |$)/.test(line.text)) {
          map.set(key, '');
          continue;
        }
        const inner = line.text.slice(1).trimStart();
        if (inner !== '' && keyEnd(inner) !== -1 && !/^["'{[]/.test(inner)) {
          // The value is a mapping that starts on the line of the colon.
          const column = indent + line.text.length - inner.length;
          this.#line = { number: line.number, indent: column, text: inner };
          map.set(key, this.#block(column, depth + 1));
        } else map.set(key, this.#value(inner, indent, depth));
        continue;
      }
      map.set(key, this.#value(text.slice(end + 1).trimStart(), indent, depth));
    }
    if (this.#line !== undefined && this.#line.indent > indent) throw this.#error('unexpected indentation');
    return map;
  }

  #list(indent: number, depth: number): readonly Yaml[] {
    const list: Yaml[] = [];
    while (this.#line !== undefined && this.#line.indent === indent && /^-(?: |$)/.test(this.#line.text)) {
      const { number, text } = this.#line;
      const inner = text.slice(1).trimStart();
      if (inner !== '' && !/^["'{[]/.test(inner) && (keyEnd(inner) !== -1 || inner.startsWith('- '))) {
        const column = indent + text.length - inner.length;
        this.#line = { number, indent: column, text: inner };
        list.push(this.#block(column, depth + 1));
      } else list.push(this.#value(inner, indent, depth));
    }
    if (this.#line !== undefined && this.#line.indent > indent) throw this.#error('unexpected indentation');
    return list;
  }

  /** Parses what follows a colon or a dash: on its line, or below it. */
  #value(rest: string, indent: number, depth: number): Yaml {
    if (/^[|>][+-]?\d?[+-]?(?:\s+#.*)?$/.test(rest)) return this.#blockText(indent);
    if (rest !== '' && !rest.startsWith('#')) {
      const value = this.#inline(rest);
      this.#advance();
      return value;
    }
    this.#advance();
    const line = this.#line;
    if (line === undefined) return '';
    if (line.indent > indent) return this.#block(line.indent, depth + 1);
    // Lists may lie at the indentation of their key.
    return line.indent === indent && /^-(?: |$)/.test(line.text) ? this.#list(indent, depth + 1) : '';
  }

  #blockText(indent: number): string {
    const lines: string[] = [];
    for (; this.#next < this.#lines.length; this.#next += 1) {
      const raw = this.#lines[this.#next] ?? '';
      if (raw.trim() !== '' && raw.length - raw.trimStart().length <= indent) break;
      lines.push(raw.trim());
    }
    this.#advance();
    return lines.join('\n').trim();
  }

  #inline(text: string): Yaml {
    if (!/^[{[]/.test(text)) return this.#scalar(text);
    // Brackets may continue on further lines.
    const flow = new Flow(() => {
      const line = this.#lines[this.#next];
      this.#next += 1;
      return line;
    }, text);
    try {
      return flow.whole();
    } catch (error) {
      if (error instanceof FlowError) throw this.#error(error.message);
      throw error;
    }
  }

  #scalar(text: string): string {
    try {
      return scalar(text);
    } catch (error) {
      if (error instanceof FlowError) throw this.#error(error.message);
      throw error;
    }
  }
}

class FlowError extends Error {}

/** Returns where the key of “key: value” ends; -1 if the line is none. */
function keyEnd(text: string): number {
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const end = quotedEnd(text, 0);
    if (end === -1) return -1;
    const colon = text.indexOf(':', end);
    return colon !== -1 && text.slice(end, colon).trim() === '' && /^(?:\s|$)/.test(text.slice(colon + 1, colon + 2))
      ? colon
      : -1;
  }
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    const after = text[at + 1];
    if (after === undefined || after === ' ') return at;
  }
  return -1;
}

/** Returns the index after the closing quote; -1 if there is none. */
function quotedEnd(text: string, start: number): number {
  const quote = text[start] ?? '';
  for (let at = start + 1; at < text.length; at += 1) {
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text[at] === quote) {
      if (quote === "'" && text[at + 1] === "'") at += 1;
      else return at + 1;
    }
  }
  return -1;
}

function scalar(text: string): string {
  const first = text[0];
  if (first === '"' || first === "'") {
    const end = quotedEnd(text, 0);
    if (end === -1) throw new FlowError('a quote is not closed');
    const rest = text.slice(end).trim();
    if (rest !== '' && !rest.startsWith('#')) throw new FlowError(`unexpected text after a quote`);
    return unquote(text.slice(0, end));
  }
  if (first === '&' || first === '*' || first === '!') throw new FlowError('anchors and tags are not supported');
  const comment = text.search(/\s#/);
  return comment === -1 ? text : text.slice(0, comment).trimEnd();
}

function unquote(text: string): string {
  const inner = text.slice(1, -1);
  if (text[0] === "'") return inner.replaceAll("''", "'");
  if (!inner.includes('\\')) return inner;
  return inner.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gi, (_all, x?: string, u?: string, plain = '') => {
    const code = x ?? u;
    return code === undefined ? (escapes.get(plain) ?? plain) : String.fromCharCode(Number.parseInt(code, 16));
  });
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['0', '\0'],
]);

/** Mappings and lists in brackets, such as `{node: '>=18', cpu: [x64]}`. */
class Flow {
  readonly #more: () => string | undefined;
  #text: string;
  #at = 0;

  constructor(more: () => string | undefined, text: string) {
    this.#more = more;
    this.#text = text;
  }

  whole(): Yaml {
    const value = this.#value(0);
    const rest = this.#text.slice(this.#at).trim();
    if (rest !== '' && !rest.startsWith('#')) throw new FlowError('unexpected text after a bracket');
    return value;
  }

  #value(depth: number): Yaml {
    if (depth > maxDepth) throw new FlowError(`more than ${maxDepth} levels`);
    const next = this.#peek();
    if (next === '{') return this.#map(depth);
    if (next === '[') return this.#list(depth);
    return this.#scalar(/[,\]}]/);
  }

  /** Returns the next character that is not a space. */
  #peek(): string {
    for (;;) {
      while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at += 1;
      const character = this.#text[this.#at];
      if (character !== undefined) return character;
      const more = this.#more();
      if (more === undefined) throw new FlowError('a bracket is not closed');
      this.#text = more;
      this.#at = 0;
    }
  }

  #map(depth: number): YamlMap {
    const map = new Map<string, Yaml>();
    this.#at += 1;
    while (this.#peek() !== '}') {
      const key = this.#scalar(/:(?=[\s,}\]]|$)|[,}\]]/);
      if (map.has(key)) throw new FlowError('a key that occurs twice');
      if (this.#peek() === ':') {
        this.#at += 1;
        map.set(key, /[,}]/.test(this.#peek()) ? '' : this.#value(depth + 1));
      } else map.set(key, '');
      this.#separator('}');
    }
    this.#at += 1;
    return map;
  }

  #list(depth: number): readonly Yaml[] {
    const list: Yaml[] = [];
    this.#at += 1;
    while (this.#peek() !== ']') {
      list.push(this.#value(depth + 1));
      this.#separator(']');
    }
    this.#at += 1;
    return list;
  }

  #separator(close: string): void {
    const next = this.#peek();
    if (next === ',') this.#at += 1;
    else if (next !== close) throw new FlowError(`expected “,” or “${close}”`);
  }

  #scalar(end: RegExp): string {
    const quote = this.#peek();
    if (quote === '"' || quote === "'") {
      const close = quotedEnd(this.#text, this.#at);
      if (close === -1) throw new FlowError('a quote is not closed');
      const text = this.#text.slice(this.#at, close);
      this.#at = close;
      return unquote(text);
    }
    const sticky = new RegExp(end.source, 'g');
    sticky.lastIndex = this.#at;
    const at = sticky.exec(this.#text)?.index ?? this.#text.length;
    const text = this.#text.slice(this.#at, at).trim();
    if (text === '' && at === this.#at) throw new FlowError('expected a value');
    this.#at = at;
    return scalar(text);
  }
}

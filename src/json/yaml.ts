/**
 * YAML that people write, parsed in linear time. The library's own `parse` compares all keys of a mapping with each other,
 * collects an error for every bad character, and recurses as deep as the text is nested.
 */
import {
  Composer,
  type CST,
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
} from 'yaml';
import { asText, integerOf } from './exact-json.ts';
import { deepestYaml, tooDeep } from './nesting.ts';

/** The library searches all anchors for each alias. */
const mostAliases = 1000;

/** The values of a document, those that aliases repeat counted each time. The largest YAML without aliases has fewer. */
const mostValues = 1_000_000;

/** The problem with a document. The message follows the document's name; `reason` follows its position, if it has one. */
export class YamlError extends Error {
  readonly reason: string;
  /** Line and column count from 1. */
  readonly position: { readonly line: number; readonly col: number } | undefined;

  constructor(reason: string, position?: YamlError['position']) {
    super(position ? `is not valid YAML (line ${position.line}, column ${position.col}): ${reason}` : reason);
    this.reason = reason;
    this.position = position;
  }
}

/** A document with the positions of its nodes; whole numbers are bigints, and keys may occur twice. */
export interface ComposedYaml {
  readonly document: Document.Parsed | undefined;
  readonly lines: LineCounter;
  /** Throws YamlError. */
  readonly refuse: Refuse;
}

/** Parses a document of YAML's core schema, with its whole numbers exact. Throws YamlError. */
export function parseYaml(text: string): unknown {
  const { document, refuse } = composeYaml(text);
  checkNode(document?.contents, refuse);
  return documentValue(document);
}

/** Parses a document of YAML's core schema to nodes. Throws YamlError. */
export function composeYaml(text: string): ComposedYaml {
  const lines = new LineCounter();
  let first: YamlError | undefined;
  const refuse: Refuse = (offset, why, code) => {
    first ??= new YamlError(withoutText(why, code), lines.linePos(offset));
    // The composer reports errors thrown within a scalar a second time, at another position.
    throw first;
  };
  const tokens = tokensOf(text, lines, refuse);
  const composer = new Composer({
    ...{ schema: 'core', intAsBigInt: true, uniqueKeys: false, prettyErrors: false },
    // Its warnings repeat keys.
    logLevel: 'error',
  });
  // The composer continues after errors; thousands of them take minutes.
  Object.assign(composer, {
    onError(at: number | readonly [number] | { offset: number }, code: string, message: string, isWarning?: boolean) {
      if (!isWarning) refuse(typeof at === 'number' ? at : 'offset' in at ? at.offset : at[0], message, code);
    },
  });
  let document: Document.Parsed | undefined;
  for (const each of composer.compose(tokens, true, text.length)) {
    if (document) refuse(each.range[0], 'Only one document is allowed');
    document = each;
  }
  const [error] = document?.errors ?? [];
  if (error) refuse(error.pos[0], error.message, error.code);
  return { document, lines, refuse };
}

/** Reasons for codes of the library whose messages repeat pieces of the text anywhere. */
const reasons: Readonly<Record<string, string>> = {
  BAD_DIRECTIVE: 'Invalid directive',
  BAD_DQ_ESCAPE: 'Invalid escape sequence',
  TAG_RESOLVE_FAILED: 'Invalid tag, or a value that it does not allow',
};

/** A message of the library without pieces of the text, which may be secret: the others repeat them only after a colon that ends a word. */
const withoutText = (message: string, code = ''): string => reasons[code] ?? message.replace(/(?<! ): .*|\n.*/s, '');

type Refuse = (offset: number, why: string, code?: string) => never;

function tokensOf(text: string, lines: LineCounter, refuse: Refuse): CST.Token[] {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let aliases = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') refuse(token.offset, token.message);
      tokens.push(token);
    }
    if (parser.stack.length > deepestYaml) throw new YamlError(tooDeep(deepestYaml));
    if (lexeme.startsWith('*') && ++aliases > mostAliases) throw new YamlError(`has more than ${mostAliases} aliases`);
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** Rejects duplicate keys, and converts whole numbers as `parseJson` does. */
function checkNode(node: unknown, refuse: Refuse): void {
  if (isScalar(node) && typeof node.value === 'bigint') node.value = integerOf(node.value);
  if (!isCollection(node)) return;
  const keys = new Set<string>();
  for (const item of node.items) {
    if (!isPair(item)) {
      checkNode(item, refuse);
      continue;
    }
    if (isMap(node) && isScalar(item.key)) {
      const key = asText(item.key.value);
      if (keys.has(key)) refuse(item.key.range?.[0] ?? 0, 'Map keys must be unique');
      keys.add(key);
    } else checkNode(item.key, refuse);
    checkNode(item.value, refuse);
  }
}

function documentValue(document: Document.Parsed | undefined): unknown {
  let value: unknown;
  try {
    value = document?.toJS();
  } catch (error) {
    throw new YamlError(`is not valid YAML: ${withoutText((error as Error).message)}`);
  }
  measure(value, 0, { left: mostValues });
  return value;
}

/** Aliases can repeat a value thousands of times, or within itself. */
function measure(value: unknown, depth: number, values: { left: number }): void {
  if (values.left-- === 0) throw new YamlError(`has more than ${mostValues.toLocaleString('en')} values`);
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepestYaml) throw new YamlError(tooDeep(deepestYaml));
  for (const member of Object.values(value)) measure(member, depth + 1, values);
}

/** Values of a wrong shape at any place of a JSON document. */

/** A place in a document, and what is changed there. */
export interface Mutation {
  readonly path: readonly (string | number)[];
  readonly kind: string;
  /** Whether the value has another type, or is missing: other mutations may make another document of the right shape. */
  readonly isWrongType: boolean;
  readonly text: string;
}

const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);

/** JSON by what it is. */
const replacements: Readonly<Record<string, string>> = {
  null: 'null',
  number: '7',
  'negative number': '-1',
  fraction: '1.5',
  'huge integer': '99999999999999999999999',
  'unsafe integer': '9007199254740993',
  'infinite number': '1e999',
  true: 'true',
  false: 'false',
  text: '"x"',
  'empty text': '""',
  'long text': JSON.stringify('long '.repeat(20_000)),
  'name of a prototype': '"__proto__"',
  'name of a constructor': '"constructor"',
  path: '"x/../../../evil"',
  'control characters': '"\\u001b[31m\\u0000\\u202e"',
  'lone surrogate': '"\\ud800"',
  'empty list': '[]',
  'empty object': '{}',
  'nested lists': '[[[[]]]]',
  'list of null': '[null]',
  'list of numbers': '[7]',
  'list of objects': '[{}]',
  'object of null': '{"a":null}',
  'list of an unsafe integer': '[9007199254740993]',
  'object that cannot be text': '{"toString":1,"valueOf":1}',
  'object with a prototype': '{"__proto__":{"id":7,"name":"x"},"constructor":{"prototype":7}}',
  'lists nested 900 deep': deep(900, '[', ']'),
  'objects nested 900 deep': `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`,
  'lists nested 100,000 deep': deep(100_000, '[', ']'),
  'objects nested 100,000 deep': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
};

const changes = [
  'missing',
  'renamed to __proto__',
  'duplicated',
  'in a list',
  'in an object',
  'as the other container',
];

const mark = '@@changed@@';

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

type Container = Record<string | number, unknown>;

/** Returns a document with one place changed, by random numbers from 0 to 1. */
export function mutated(document: unknown, chance: () => number): Mutation {
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T;
  const path = randomPath(document, chance);
  const value = path.reduce<unknown>((at, key) => (at as Container)[key], document);
  const kind = chance() < 0.3 ? oneOf(changes) : oneOf(Object.keys(replacements));
  const replacement = replacements[kind];
  const copy = structuredClone({ '': document }) as Container;
  const full = ['', ...path];
  const last = full.at(-1) as string | number;
  const parent = full.slice(0, -1).reduce<Container>((at, key) => at[key] as Container, copy);
  const set = (text: string, isWrongType: boolean): Mutation => {
    parent[last] = mark;
    const whole = JSON.stringify(copy['']) ?? '';
    return { path, kind, isWrongType, text: whole.replace(JSON.stringify(mark), () => text) };
  };
  if (replacement !== undefined) {
    const type = typeOf(kind.includes('100,000') ? undefined : JSON.parse(replacement));
    return set(replacement, value !== null && type !== typeOf(value));
  }
  const json = JSON.stringify(value);
  const isMember = typeof last === 'string' && path.length > 0;
  switch (kind) {
    case 'duplicated':
      return typeof last === 'number' ? set(`${json},${json}`, false) : set(`[${json},${json}]`, value !== null);
    case 'in a list':
      return set(`[${json}]`, !Array.isArray(value));
    case 'in an object':
      return set(`{"a":${json}}`, typeOf(value) !== 'object');
    case 'as the other container':
      if (Array.isArray(value)) return set(JSON.stringify({ ...value }), true);
      return set(JSON.stringify(typeOf(value) === 'object' ? Object.values(value as object) : String(value)), true);
    default: {
      if (!isMember) return set('null', false);
      delete parent[last];
      if (kind === 'missing') return { path, kind, isWrongType: value !== null, text: JSON.stringify(copy['']) };
      const whole = JSON.stringify({ ...parent, [mark]: value }).replace(mark, '__proto__');
      parent[mark] = mark;
      for (const key of Object.keys(parent)) if (key !== mark) delete parent[key];
      const text = JSON.stringify(copy['']).replace(JSON.stringify({ [mark]: mark }), () => whole);
      return { path, kind, isWrongType: value !== null, text };
    }
  }
}

/** Returns a place at a random depth; the document itself is as likely as a member of a member. */
function randomPath(document: unknown, chance: () => number): (string | number)[] {
  const path: (string | number)[] = [];
  let value = document;
  while (typeof value === 'object' && value !== null) {
    const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
    const key = keys[Math.floor(chance() * keys.length)];
    if (key === undefined || chance() < 0.15) break;
    path.push(key);
    value = (value as Container)[key];
  }
  return path;
}

/** Changes of the files of other tools: wrong shapes, and what people write in YAML. */
import { parseYaml } from '../../../../src/json/yaml.ts';
import { mutated } from '../../../support/mutations.ts';
import type { Path } from './found.ts';

export interface Change {
  readonly path: Path;
  readonly kind: string;
  readonly text: string;
}

type Container = Record<string | number, unknown>;

/** YAML within JSON. */
const written: Readonly<Record<string, string>> = {
  'tagged text': '!!str 5',
  binary: '!!binary aGVsbG8=',
  'unknown tag': '!custom x',
  set: '!!set {a, b}',
  date: '2026-01-02',
  time: '2026-01-02T03:04:05Z',
  infinity: '.inf',
  'no number': '.nan',
  octal: '0o17',
  hexadecimal: '0x1F',
  underscores: '1_000',
  'integer beyond 2^53': '9007199254740993',
  'negative integer beyond 2^53': '-9007199254740993',
  yes: 'yes',
  tilde: '~',
  'list with an alias': '[&a x, *a]',
  'alias of itself': '&a [*a]',
  'unknown alias': '*nothing',
  'merged number': '{"<<": 5}',
  'merged null': '{"<<": null}',
  'merged list': '{"<<": [{"a": 1}, {"b": 2}], "c": 3}',
  'complex key': '{[a]: b}',
  'keys of other types': '{1: x, true: y, 2.5: z}',
  'text of several lines': '"a\\nb"',
  spaces: '"  "',
  'list of text': '["a", "A", "a"]',
  'list of named objects': '[{"name": "a"}, {"name": "A"}]',
};

const mark = '@@changed@@';

/** Returns a source with one or two places changed, by random numbers from 0 to 1. */
export function changed(text: string, chance: () => number): Change {
  const which = chance();
  if (which < 0.35) return mutated(parseYaml(text), chance);
  if (which < 0.4) return ofWhole(text, chance);
  const root = structuredClone({ '': parseYaml(text) }) as Container;
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T;
  const places = placesIn(root);
  const [place, other] = [oneOf(places), oneOf(places)];
  const values = places.map(({ value }) => value);
  const mappings = values.filter((value) => isMapping(value) && Object.keys(value).length > 0) as Container[];
  const lists = values.filter((value) => Array.isArray(value) && value.length > 0) as unknown[][];
  if (mappings.length === 0 || lists.length === 0) return mutated(root[''], chance);
  const kind = oneOf(which < 0.65 ? Object.keys(written) : Object.keys(changes));
  const raw = written[kind] ?? changes[kind]?.({ place, other, mappings, lists, oneOf });
  if (raw !== undefined) place.parent[place.key] = mark;
  const json = JSON.stringify(root['']);
  const path = place.path.slice(1);
  return { path, kind, text: raw === undefined ? json : json.replace(JSON.stringify(mark), () => raw) };
}

interface Place {
  readonly path: Path;
  readonly parent: Container;
  readonly key: string | number;
  readonly value: unknown;
}

interface Context {
  readonly place: Place;
  readonly other: Place;
  /** Those that are not empty. */
  readonly mappings: readonly Container[];
  readonly lists: readonly unknown[][];
  readonly oneOf: <T>(values: readonly T[]) => T;
}

const isMapping = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a name in another case. */
const recased = (name: string): string => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase());

/** Changes within the document, and those that return YAML for the place. */
const changes: Readonly<Record<string, (context: Context) => string | undefined>> = {
  'value of another place': ({ other }) => JSON.stringify(other.value),
  'two values swapped': ({ place, other }) => {
    if (isWithin(place, other) || isWithin(other, place)) return;
    [place.parent[place.key], other.parent[other.key]] = [other.value, place.value];
  },
  'key in another case, too': ({ mappings, oneOf }) => {
    const mapping = oneOf(mappings);
    const key = oneOf(Object.keys(mapping));
    mapping[recased(key)] = structuredClone(mapping[key]);
  },
  'element in another case, too': ({ lists, oneOf }) => {
    const list = oneOf(lists);
    list.push(JSON.parse(JSON.stringify(oneOf(list)).replaceAll(/(?<=[[:,]|^)"[^"]*"/g, recased)));
  },
  'element twice': ({ lists, oneOf }) => {
    const list = oneOf(lists);
    list.push(structuredClone(oneOf(list)));
  },
  'unknown key': ({ mappings, oneOf }) => {
    oneOf(mappings).unknown_key = oneOf<unknown>([1, 'x', [], { a: ['b'] }]);
  },
  'misspelled key': ({ mappings, oneOf }) => {
    const mapping = oneOf(mappings);
    const key = oneOf(Object.keys(mapping));
    mapping[`${key}s`] = structuredClone(mapping[key]);
  },
  'key of another level': ({ mappings, oneOf }) => {
    const [from, to] = [oneOf(mappings), oneOf(mappings)];
    const key = oneOf(Object.keys(from));
    to[key] = structuredClone(from[key]);
  },
  'name of another element': ({ mappings, oneOf }) => {
    const named = mappings.filter(({ name }) => typeof name === 'string');
    if (named.length > 1) oneOf(named).name = oneOf(named).name;
  },
  'key twice': ({ place: { value } }) => (isMapping(value) ? `{"k":1,"k":${JSON.stringify(value)}}` : `{"k":1,"k":2}`),
  'merged mapping': ({ place: { value } }) => `{"<<":${JSON.stringify(value)}}`,
  'merged over': ({ place: { value } }) => {
    const [first] = Object.keys((value ?? {}) as object);
    return `{"<<":${JSON.stringify(value)},${JSON.stringify(first ?? 'x')}:"y"}`;
  },
  'anchor and alias': ({ place: { value } }) => `[&m ${JSON.stringify(value)},*m]`,
  'anchor, merged and alias': ({ place: { value } }) => `{"a":&m ${JSON.stringify(value)},"b":*m,"<<":*m}`,
  'all of them null': ({ mappings, oneOf }) => {
    const mapping = oneOf(mappings);
    for (const key of Object.keys(mapping)) mapping[key] = null;
  },
};

const isWithin = (inner: Place, outer: Place): boolean => outer.path.every((key, at) => inner.path[at] === key);

/** Returns every place of a document, which is itself at the empty key. */
function placesIn(parent: Container, path: Path = []): Place[] {
  return Object.keys(parent).flatMap((each) => {
    const key = Array.isArray(parent) ? Number(each) : each;
    const value = parent[key];
    const own = { path: [...path, key], parent, key, value };
    return typeof value === 'object' && value !== null ? [own, ...placesIn(value as Container, own.path)] : [own];
  });
}

function ofWhole(text: string, chance: () => number): Change {
  const texts: Readonly<Record<string, string>> = {
    empty: '',
    'comment alone': '# nothing\n',
    'two documents': `${JSON.stringify(parseYaml(text))}\n---\na: 1\n`,
    'with a document end': `---\n${JSON.stringify(parseYaml(text))}\n...\n`,
    'byte order mark': `\u{feff}${text}`,
    'carriage returns': text.replaceAll('\n', '\r\n'),
    directive: `%YAML 1.1\n---\n${text}`,
    'half of it': text.slice(0, Math.floor(text.length * chance())),
    tabs: text.replaceAll('  ', '\t'),
  };
  const kinds = Object.keys(texts);
  const kind = kinds[Math.floor(chance() * kinds.length)] as string;
  return { path: [], kind, text: texts[kind] ?? '' };
}

import { defineMappingTag, FAILSAFE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import { ParseError } from '../dependency-graph.ts';

export type Yaml = string | YamlMap | readonly Yaml[];
export type YamlMap = ReadonlyMap<string, Yaml>;

/** Twice the largest lockfile known: each character can be a value that takes 200 bytes of memory. */
const largestYaml = 10 * 1024 * 1024;

/** No lockfile nests deeper, and the parser recurses for each level. */
const maxDepth = 100;

/** Scalars stay text, as `5.10` is a version, and keys such as `__proto__` are ordinary ones. */
const schema = FAILSAFE_SCHEMA.withTags(
  defineMappingTag<Map<unknown, unknown>>('tag:yaml.org,2002:map', {
    create: () => new Map(),
    addPair: (map, key, value) => {
      if (typeof key !== 'string') throw new ParseError('a key that is not text');
      map.set(key, value);
      return '';
    },
    has: (map, key) => map.has(key),
    keys: (map) => map.keys(),
    get: (map, key) => map.get(key),
    identify: () => false,
  }),
);

/** Parses the only document to texts, lists and maps. Throws ParseError. */
export function parseYaml(text: string): Yaml {
  const [document = '', ...others] = parseYamlDocuments(text);
  if (others.length > 0) throw new ParseError('more than one document');
  return document;
}

/** Parses YAML without aliases, which lockfiles do not use and which can repeat a value endlessly. Throws ParseError. */
export function parseYamlDocuments(text: string): readonly Yaml[] {
  if (text.length > largestYaml) throw new ParseError('more than 10 MiB of YAML');
  try {
    return loadAll(text, { schema, maxDepth, maxAliases: 0 }) as Yaml[];
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { mark, reason } = error;
    throw new ParseError(problemIn(reason), mark && mark.line + 1, mark && mark.column + 1);
  }
}

/** Returns the reason without the library’s options and without text from the file, which may be secret. */
function problemIn(reason: string): string {
  if (reason.startsWith('aliases exceeded')) return 'aliases are not supported';
  if (reason.startsWith('nesting exceeded')) return `nested more than ${maxDepth} levels deep`;
  return `not valid YAML: ${reason.replace(/(?:: | for "| "| !<).*/s, '')}`;
}

/** Returns the map; one without entries for anything else. */
export const mapOf = (value: Yaml | undefined): YamlMap => (value instanceof Map ? value : none);

const none: YamlMap = new Map();

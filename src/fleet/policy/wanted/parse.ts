/** Parses a policy file to values with positions. */
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Pair, type Scalar } from 'yaml';
import { asText, integerOf } from '../../../json/exact-json.ts';
import { deepestYaml, tooDeep } from '../../../json/nesting.ts';
import { composeYaml, YamlError } from '../../../json/yaml.ts';
import { mostValues, type Place, type Placed, type PolicyProblem, placeText } from './placed.ts';

interface Parsed {
  /** Undefined if the file has no values or cannot be parsed. */
  readonly root: Placed | undefined;
  readonly problems: readonly PolicyProblem[];
  /** The number of values. */
  readonly values: number;
}

/** Parses the text of a file. Never throws. Problems never repeat values, which may be secret. */
export function parsePolicyFile(file: string, text: string): Parsed {
  const problems: PolicyProblem[] = [];
  try {
    const { document, lines } = composeYaml(text);
    const placeAt = (offset: number): Place => {
      const { line, col } = lines.linePos(offset);
      return { file, line, column: col };
    };
    if (!document?.contents) return { root: undefined, problems, values: 0 };
    const walk = new Walk(document, placeAt, problems);
    return { root: walk.root(), problems, values: walk.values };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line, col: column } = error.position ?? { line: 1, col: 1 };
    return {
      root: undefined,
      problems: [...problems, { place: { file, line, column }, message: error.reason }],
      values: 0,
    };
  }
}

class Walk {
  readonly #document: Document.Parsed;
  readonly #placeAt: (offset: number) => Place;
  readonly #problems: PolicyProblem[];
  values = 0;

  constructor(document: Document.Parsed, placeAt: (offset: number) => Place, problems: PolicyProblem[]) {
    this.#document = document;
    this.#placeAt = placeAt;
    this.#problems = problems;
  }

  root(): Placed {
    return this.#placed(this.#document.contents, this.#placeAt(0), 0);
  }

  #placed(node: unknown, around: Place, depth: number): Placed {
    if (depth > deepestYaml) throw this.#error(around, tooDeep(deepestYaml));
    this.values += 1;
    if (this.values > mostValues) throw this.#error(around, `has more than ${mostValues.toLocaleString('en')} values`);
    const { range } = (node ?? {}) as { range?: readonly [number, number, number] | null };
    const place = range ? this.#placeAt(range[0]) : around;
    if (isAlias(node)) return { ...this.#placed(this.#target(node, place), place, depth + 1), place };
    if (isSeq(node)) return this.#list(node.items, place, depth);
    if (isMap(node)) return this.#mapping(node.items, place, depth);
    const value = isScalar(node) ? plain(node) : null;
    const written = typeof value === 'number' ? (node as Scalar).source : undefined;
    return { value, place, parts: new Map(), ...(written !== undefined && { written }) };
  }

  #target(alias: Alias, place: Place): unknown {
    const target = alias.resolve(this.#document);
    if (!target) throw this.#error(place, 'is an alias of an anchor that does not exist above it');
    return target;
  }

  #list(items: readonly unknown[], place: Place, depth: number): Placed {
    const parts = new Map(items.map((item, index) => [index, this.#placed(item, place, depth + 1)]));
    return { value: [...parts.values()].map(({ value }) => value), place, parts };
  }

  #mapping(items: readonly Pair[], place: Place, depth: number): Placed {
    const parts = new Map<string, Placed>();
    for (const { key, value } of items) {
      const keyPlace = this.#keyPlace(key, place);
      if (!isScalar(key)) {
        this.#problems.push({
          place: keyPlace,
          message: 'must be a name: keys that are lists or mappings are not supported',
        });
        continue;
      }
      const name = asText(key.value);
      const earlier = parts.get(name);
      const message = earlier && `duplicate key ${name} (first at ${placeText(earlier.place)})`;
      if (message) this.#problems.push({ place: keyPlace, message });
      else parts.set(name, { ...this.#placed(value, keyPlace, depth + 1), place: keyPlace });
    }
    // fromEntries keeps a member named `__proto__` a plain member.
    const value = Object.fromEntries([...parts].map(([name, part]) => [name, part.value]));
    return { value, place, parts };
  }

  #keyPlace(key: unknown, around: Place): Place {
    const { range } = (key ?? {}) as { range?: readonly [number, number, number] | null };
    return range ? this.#placeAt(range[0]) : around;
  }

  #error({ line, column }: Place, reason: string): YamlError {
    return new YamlError(reason, { line, col: column });
  }
}

const plain = ({ value }: Scalar): unknown => (typeof value === 'bigint' ? integerOf(value) : value);

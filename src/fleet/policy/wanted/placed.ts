/** Values of policy files with their positions. */
import { isObject } from '../../../json/exact-json.ts';

/** The values of a file, those that aliases repeat counted each time, and those that its pieces add. */
export const mostValues = 200_000;

/** The values of all files of a policy; each takes 500 bytes of memory. */
export const mostValuesTogether = 2_000_000;

/** A position in a policy file; line and column count from 1. */
export interface Place {
  /** The path as given on the command line, or below the folder given there. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export const placeText = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/** The source of a change in a plan. */
export const sourceText = ({ file, line }: Place): string => `${file}:${line}`;

/** A value with its position, and its members or elements with theirs. */
export interface Placed<T = unknown> {
  readonly value: T;
  /** The position of the value; for a member of a mapping, the position of its key. */
  readonly place: Place;
  /** The members of a mapping by name, or the elements of a list by index. */
  readonly parts: ReadonlyMap<string | number, Placed>;
  /** A number as the file has it, such as 000000 or 5e8741. */
  readonly written?: string;
}

/** Returns the part at a dotted path as in `Problem.field`, or the innermost one around it that exists. */
export function partAt(whole: Placed, path: string): Placed {
  let part = whole;
  for (const [, index, quoted, name] of path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([\w$-]+)/g)) {
    const key = index === undefined ? (name ?? (JSON.parse(quoted as string) as string)) : Number(index);
    const next = part.parts.get(key);
    if (!next) break;
    part = next;
  }
  return part;
}

/** A problem of a policy file. */
export interface PolicyProblem {
  readonly place: Place;
  readonly message: string;
}

/** Policy files that cannot be used, with all of their problems in the order of files and lines. */
export class PolicyError extends Error {
  readonly problems: readonly PolicyProblem[];

  constructor(problems: readonly PolicyProblem[]) {
    const lines = problems.map(({ place, message }) => `${placeText(place)}: ${message}`);
    super(
      [
        `The policy has ${lines.length === 1 ? 'an error' : `${lines.length} errors`}; nothing was sent.`,
        ...lines,
      ].join('\n'),
    );
    this.problems = problems;
  }
}

/** Returns a mapping or list with other parts; the last one of a name counts. */
export function withParts<T = unknown>(
  { value, place }: Placed,
  entries: Iterable<readonly [string | number, Placed]>,
): Placed<T> {
  const parts = new Map(entries);
  const values = [...parts].map(([name, part]): [string | number, unknown] => [name, part.value]);
  const whole = Array.isArray(value) ? values.map(([, each]) => each) : Object.fromEntries(values);
  return { value: whole as T, place, parts };
}

/** Returns a mapping without some of its members. */
export const without = <T = unknown>(mapping: Placed, names: readonly string[]): Placed<T> =>
  withParts(
    mapping,
    [...mapping.parts].filter(([name]) => !names.includes(String(name))),
  );

/** Returns a member of a mapping. */
export const member = (mapping: Placed | undefined, name: string): Placed | undefined => mapping?.parts.get(name);

/** Returns the elements of a list; none for any other value. */
export const elements = (list: Placed | undefined): readonly Placed[] =>
  list && Array.isArray(list.value) ? [...list.parts.values()] : [];

/** Returns the members of a mapping by name; none for any other value. */
export const members = (mapping: Placed | undefined): readonly (readonly [string, Placed])[] =>
  mapping && isObject(mapping.value) ? [...mapping.parts].map(([name, part]) => [String(name), part]) : [];

/** Returns a member of a mapping that is text. */
export const textOf = (mapping: Placed | undefined, name: string): string | undefined => {
  const value = member(mapping, name)?.value;
  return typeof value === 'string' ? value : undefined;
};

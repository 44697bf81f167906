/** Flags whose values may come from files, or from standard input, which can be read only once. */
import { asText } from '../../json/exact-json.ts';
import { invalid, type Problem } from '../../platform/validate.ts';
import { isStandardInput } from './sources.ts';

interface StdinReader {
  /** Returns whether the value, or one of several, means standard input. */
  readonly readsStdin: (value: unknown) => boolean;
}

/** Returns whether a value is a path of standard input. */
export const isStdin = (value: unknown): boolean => typeof value === 'string' && isStandardInput(value);

/** A flag that takes a file. */
export const fileOnly = { helpValue: 'FILE' };

/** A flag that takes a file to write to, or standard output. */
export const fileOrStdout = { helpValue: 'FILE|-' };

/** A flag that takes a file, or standard input. */
export const fileOrStdin = { helpValue: 'FILE|-', readsStdin: isStdin };

/** A flag that takes JSON, which may be in a file or on standard input. */
export const jsonOrFile = {
  helpValue: 'JSON|@FILE',
  readsStdin: (value: unknown) => isStdin(/^@(.+)$/s.exec(asText(value))?.[1]),
};

/** A flag that takes a value with a key before it. */
export const keyAndValue = {
  helpValue: 'key=value|@FILE',
  readsStdin: (value: unknown) => isStdin(/^[^=]+=@(.+)$/s.exec(asText(value))?.[1]),
};

/** A flag without a value that reads standard input. */
export const stdinSwitch = { readsStdin: (value: unknown) => value === true };

/** Returns one problem for each flag after the first that reads standard input. */
export function stdinProblems(
  declared: Readonly<Record<string, object>>,
  values: Readonly<Record<string, unknown>>,
): Problem[] {
  const given = Object.keys(declared).filter((name) => values[name] !== undefined);
  const readers = given.flatMap((name) => {
    const { readsStdin = () => false } = declared[name] as Partial<StdinReader>;
    const typed = [values[name]].flat().filter(readsStdin);
    return typed.map((value) => ({ name, asTyped: value === true ? `--${name}` : `--${name} ${asText(value)}` }));
  });
  const [first, ...others] = readers.toSorted(
    (one, other) => Number(other.name === 'input') - Number(one.name === 'input'),
  );
  return others.map(({ name }) => invalid(`--${name}`, `cannot read standard input: ${first?.asTyped} already does`));
}

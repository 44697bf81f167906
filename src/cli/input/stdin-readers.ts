/** Standard input can be read once: which flags of a command line want it. */
import { invalid, type Problem } from '../../platform/validate.ts';

interface DeclaredFlag {
  readonly helpValue?: string | undefined;
}

/** How a value that is standard input is typed, by what help says that a flag takes. */
const fromStdin: Readonly<Record<string, RegExp>> = {
  'FILE|-': /^-$/,
  'JSON|@FILE': /^@-$/,
  'name=JSON|@FILE': /^[^=]+=@-$/,
};

/** One problem for each flag that wants standard input after another one. */
export function stdinProblems(
  declared: Readonly<Record<string, object>>,
  values: Readonly<Record<string, unknown>>,
): Problem[] {
  const readers = Object.entries(declared).flatMap(([name, flag]) => {
    const typed = fromStdin[(flag as DeclaredFlag).helpValue ?? ''];
    if (name === 'secret-stdin') return values[name] ? [{ name, asTyped: '--secret-stdin' }] : [];
    const texts = [values[name]].flat().filter((value) => typeof value === 'string');
    return texts.filter((text) => typed?.test(text)).map((text) => ({ name, asTyped: `--${name} ${text}` }));
  });
  const [first, ...others] = readers.toSorted(
    (one, other) => Number(other.name === 'input') - Number(one.name === 'input'),
  );
  return others.map(({ name }) => invalid(`--${name}`, `cannot read standard input, because ${first?.asTyped} does`));
}

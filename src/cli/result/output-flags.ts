/** The flags that say what of a result is printed, and how: which of them go together. */
import type { Format } from '../../output/render.ts';
import { invalid, type Problem } from '../../platform/validate.ts';

export interface OutputFlags {
  readonly output?: Format;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly fields?: readonly string[];
  readonly jq?: string;
}

/** Whether jq has something to filter. */
export const takesJq = ({ output }: OutputFlags): boolean =>
  output === undefined || output === 'json' || output === 'ndjson';

/** What is wrong with these flags together. `hasIds` is false of a command that prints nothing with an id. */
export function outputProblems(flags: OutputFlags, hasIds: boolean): Problem[] {
  const { output, json, quiet, jq } = flags;
  const problems: Problem[] = [];
  if (json && output !== undefined && output !== 'json')
    problems.push(invalid('--json', `cannot be used with --output ${output}`));
  if (jq !== undefined && !takesJq(flags)) problems.push(invalid('--jq', `cannot be used with --output ${output}`));
  if (!quiet) return problems;
  const others = (['output', 'json', 'fields', 'jq'] as const).filter((name) => flags[name] !== undefined);
  if (others.length) problems.push(invalid('--quiet', `cannot be used with --${others.join(' and --')}`));
  if (!hasIds) problems.push(invalid('--quiet', 'is not supported: the output of this command has no IDs'));
  return problems;
}

/** The word that takes the place of fields, for a list of those there are. */
const fieldsHelp = 'help';

/** Whether the fields there are were asked for. */
export const asksForFields = ({ fields }: OutputFlags): boolean => String(fields) === fieldsHelp;

/** The same for where the rest of the command line, which may be unfinished, cannot be parsed. */
export function wordsAskForFields(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) => word === `--fields=${fieldsHelp}` || (word === '--fields' && argv[at + 1] === fieldsHelp),
  );
}

/** The output flags, and which can be combined. */
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
export const supportsJq = ({ output }: OutputFlags): boolean => output !== 'yaml';

/** Returns the problems of combined flags. `hasIds` is false for commands whose output has no IDs. */
export function outputProblems(flags: OutputFlags, hasIds: boolean): Problem[] {
  const { output, json, quiet, jq } = flags;
  const problems: Problem[] = [];
  if (json && output !== undefined && output !== 'json')
    problems.push(invalid('--json', `cannot be used with --output ${output}`));
  if (jq !== undefined && !supportsJq(flags)) problems.push(invalid('--jq', `cannot be used with --output ${output}`));
  if (!quiet) return problems;
  const others = (['output', 'json', 'fields', 'jq'] as const).filter((name) => flags[name] !== undefined);
  if (others.length) problems.push(invalid('--quiet', `cannot be used with --${others.join(' and --')}`));
  if (!hasIds) problems.push(invalid('--quiet', 'is not supported: the output of this command has no IDs'));
  return problems;
}

/** The value of --fields that lists the fields. */
const fieldsHelp = 'help';

export const requestsFieldsHelp = ({ fields }: OutputFlags): boolean => String(fields) === fieldsHelp;

/** The same for an invalid command line, which may be incomplete. */
export function wordsRequestFieldsHelp(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) => word === `--fields=${fieldsHelp}` || (word === '--fields' && argv[at + 1] === fieldsHelp),
  );
}

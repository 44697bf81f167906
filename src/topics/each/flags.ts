import * as Flags from '@oclif/core/flags';
import type { InferredFlags } from '@oclif/core/interfaces';
import { fileOrStdin } from '../../cli/input/file-flags.ts';
import { textFlag, valueFlag, whereFlag } from '../../cli/input/flags.ts';
import { wholeNumber } from '../../cli/input/values.ts';
import { asText } from '../../json/exact-json.ts';
import { invalid, missing, type Problem } from '../../platform/validate.ts';
import { filterProblems, repositoryFilterFlags } from '../repos/filters.ts';
import { allInstallationsFlag } from '../runs/installations.ts';
import { journalFlags, journalProblems } from '../runs/journal-flags.ts';
import { settleShard, shardFlags } from '../runs/shard-flag.ts';
import { isTarget, parseExpected, parseShare } from './targets.ts';

export const eachFlags = {
  from: Flags.string({
    ...fileOrStdin,
    description:
      'File with one target per line, JSON records of targets or results, or the journal of a run (- for standard input)',
  }),
  where: {
    ...whereFlag().where,
    helpGroup: undefined,
    description: 'Process only the repositories or organizations for which a jq expression is true, such as .archived',
  },
  ...repositoryFilterFlags,
  ...allInstallationsFlag,
  replace: textFlag('--replace', {
    helpValue: 'MARK',
    description: 'Placeholder for the target in the command (default: {})',
  }),
  concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
    helpValue: 'NUMBER',
    description:
      'Targets in parallel, and writes where no rate limits apply, per app installation, 1 to 100 (default: 8 targets, 4 writes)',
  }),
  expect: valueFlag('--expect', parseExpected, {
    helpValue: 'N..M',
    description: 'Expected number of targets; if it differs, nothing is sent and the exit code is 12',
  }),
  'max-failures': valueFlag('--max-failures', parseShare, {
    helpValue: 'N[%]',
    description: 'Number or percentage of failed targets after which the rest are skipped',
  }),
  ...shardFlags('Process only part I of N, by target name; I counts from 1'),
  ...journalFlags({
    journal: 'New file for the journal (default: one in the state directory, for commands that change something)',
    resume: 'Journal of a run to resume with its targets and command',
    'resume-or-start': 'Journal to resume; starts a new run if the file is missing or empty',
  }),
  'dry-run': Flags.boolean({
    helpGroup: 'REQUEST',
    description: 'Print the requests for all targets without sending them',
  }),
  yes: Flags.boolean({
    helpGroup: 'REQUEST',
    description: 'Skip the confirmation prompt; a command that itself requires confirmation also requires --expect',
  }),
};

type EachFlags = InferredFlags<typeof eachFlags>;

/** Returns the problems of arguments and flags that cannot be combined. */
export function combinationProblems(
  { targets, org = [] }: { readonly targets?: unknown; readonly org?: readonly unknown[] | undefined },
  flags: EachFlags,
): readonly Problem[] {
  const { from, where, resume, 'resume-or-start': start, 'all-installations': all } = flags;
  const problems: Problem[] = filterProblems(flags, targets);
  const problem = (field: string, message: string) => void problems.push(invalid(field, message));
  if (all && from !== undefined) problem('--all-installations', 'cannot be used with --from');
  if (all && org.length > 0) problem('--all-installations', 'cannot be used with ORG');
  if (targets === undefined && from === undefined && resume === undefined && start === undefined)
    problems.push(missing('TARGETS', 'is required: repos ORG…, orgs [ORG…], or --from FILE'));
  if (targets !== undefined && from !== undefined) problem('--from', `cannot be used with ${asText(targets)}`);
  if (targets === 'repos' && org.length === 0 && !all)
    problems.push(missing('ORG', 'is required: organization logins'));
  if (targets === 'orgs') {
    for (const name of org)
      if (typeof name === 'string' && !isTarget(name))
        problem('ORG', `must be the login of an organization, not “${name}”`);
    if (org.length > 0 && where !== undefined)
      problem('--where', 'cannot be used with orgs ORG…, which are only names');
  }
  return [...problems, ...settleShard(flags), ...journalProblems(flags)];
}

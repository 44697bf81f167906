/** The flags of `properties set`. */
import type { InferredFlags } from '@oclif/core/interfaces';
import { namesOf } from '../../cli/input/args.ts';
import { fileOnly, fileOrStdin } from '../../cli/input/file-flags.ts';
import { textFlag, valueFlag, writeFlags } from '../../cli/input/flags.ts';
import { filledText } from '../../cli/input/values.ts';
import { invalid, type Problem } from '../../platform/validate.ts';

export const setFlags = {
  repos: valueFlag('--repos', (text, collector) => namesOf('--repos', filledText(text), collector), {
    helpValue: 'REPO,…',
    description: 'Repositories, as NAME or ORG/NAME; this or --from is required',
  }),
  from: {
    ...textFlag('--from', {
      description: 'File with one repository per line, or - for standard input; this or --repos is required',
    }),
    ...fileOrStdin,
  },
  journal: textFlag('--journal', {
    ...fileOnly,
    description: 'New file for the journal (default: one in the state directory, for more than 30 repositories)',
  }),
  resume: textFlag('--resume', {
    ...fileOnly,
    description: 'Journal of a run to resume with its repositories and values',
  }),
  ...writeFlags,
};

type SetFlags = InferredFlags<typeof setFlags>;

/** Returns the problems of flags that cannot be combined. */
export function combinationProblems({ resume, journal, ...flags }: SetFlags): Problem[] {
  const beside = Object.entries({ repos: flags.repos, from: flags.from, journal });
  return [
    ...beside.flatMap(([name, value]) =>
      resume !== undefined && value !== undefined ? [invalid(`--${name}`, 'cannot be used with --resume')] : [],
    ),
    ...(flags['dry-run'] && journal !== undefined ? [invalid('--dry-run', 'cannot be used with --journal')] : []),
  ];
}

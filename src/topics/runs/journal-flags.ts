/** The flags for the journal of a run, and the combinations that are not allowed. */
import type { InferredFlags } from '@oclif/core/interfaces';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { textFlag, wordFlag } from '../../cli/input/flags.ts';
import { invalid, type Problem } from '../../platform/validate.ts';

type Described = 'journal' | 'resume' | 'resume-or-start';

/** Returns the flags; their descriptions depend on the command. */
export const journalFlags = (descriptions: Readonly<Record<Described, string>>) => ({
  journal: textFlag('--journal', { ...fileOnly, description: descriptions.journal }),
  resume: textFlag('--resume', { ...fileOnly, description: descriptions.resume }),
  'resume-or-start': textFlag('--resume-or-start', { ...fileOnly, description: descriptions['resume-or-start'] }),
  only: wordFlag('--only', ['failed'], { description: 'With --resume, process only the targets that failed' }),
});

type JournalFlags = InferredFlags<ReturnType<typeof journalFlags>> & { readonly 'dry-run': boolean };

/** Returns the problems of flags that cannot be combined. */
export function journalProblems({
  journal,
  resume,
  'resume-or-start': start,
  only,
  'dry-run': dryRun,
}: JournalFlags): Problem[] {
  const problems: Problem[] = [];
  const problem = (field: string, message: string) => void problems.push(invalid(field, message));
  if (journal !== undefined && resume !== undefined) problem('--journal', 'cannot be used with --resume');
  if (journal !== undefined && start !== undefined) problem('--journal', 'cannot be used with --resume-or-start');
  if (resume !== undefined && start !== undefined) problem('--resume', 'cannot be used with --resume-or-start');
  if (only !== undefined && resume === undefined) problem('--only', 'requires --resume');
  if (dryRun && journal !== undefined) problem('--dry-run', 'cannot be used with --journal');
  return problems;
}

/** The flags of `policy apply`, and which of them exclude each other. */

import * as Flags from '@oclif/core/flags';
import type { InferredFlags } from '@oclif/core/interfaces';
import { UsageError } from '../../../cli/errors.ts';
import { fileOnly } from '../../../cli/input/file-flags.ts';
import { confirmedWriteFlags, textFlag, unknownFlag, valueFlag, wordFlag } from '../../../cli/input/flags.ts';
import { listOfNames, wholeNumber } from '../../../cli/input/values.ts';
import type { SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { invalid, type Problem } from '../../../platform/validate.ts';
import { journalFlags, journalProblems } from '../../runs/journal-flags.ts';
import { settleShard, shardFlags } from '../../runs/shard-flag.ts';

export const applyFlags = {
  prune: Flags.boolean({ description: 'Delete what no policy declares, where policies say manage: all' }),
  'rotate-secrets': Flags.boolean({ description: 'Send the secrets of all existing registries again' }),
  'rotate-secret': valueFlag('--rotate-secret', listOfNames, {
    helpValue: 'NAME,…',
    description: 'Send the secrets of these existing registries again, such as NPM_REGISTRY_SECRET',
  }),
  'resend-selection': Flags.boolean({
    description: 'Send the repositories that may use existing registries again, where policies select them',
  }),
  'allow-deletes': valueFlag('--allow-deletes', wholeNumber(1), {
    helpValue: 'NUMBER',
    description: 'Allow up to this many deletions, even of a large part of a kind, or of registries',
  }),
  allow: valueFlag('--allow', listOfNames, {
    helpValue: 'archived,visibility',
    description: 'Allow changes that archive repositories or change their visibility, and new public ones',
  }),
  'allow-self': Flags.boolean({ description: 'Allow changes that end the token owner’s own role as an owner' }),
  'allow-secret': valueFlag('--allow-secret', listOfNames, {
    helpValue: 'NAME,…',
    description: 'With a saved plan, allow secrets from these variables and files; required without a terminal',
  }),
  deny: wordFlag('--deny', ['loosens'], {
    description: 'Stop before the first write if a change loosens protection',
  }),
  organization: textFlag('--organization', {
    helpValue: 'ORG',
    description: 'Organization to change instead of the one in the files; profile.yaml is ignored',
  }),
  concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
    helpValue: 'NUMBER',
    description: 'Targets in parallel, and writes where no rate limits apply, 1 to 100 (default: 8 targets, 4 writes)',
  }),
  limit: valueFlag('--limit', wholeNumber(1), {
    helpValue: 'NUMBER',
    description: 'Change only this many repositories; --resume makes the other changes later',
  }),
  ...shardFlags('With a saved plan, make only part I of N, by target name; I counts from 1'),
  'undo-out': textFlag('--undo-out', {
    ...fileOnly,
    description: 'Save a plan that undoes the changes, without secrets, for policy apply',
  }),
  ...journalFlags({
    journal: 'New file for the journal (default: one in the state directory); its plan is saved beside it',
    resume: 'Journal to continue, with the plan beside it',
    'resume-or-start': 'Journal to continue; starts a new run, with the given paths, if it is missing or empty',
  }),
  ...unknownFlag,
  ...confirmedWriteFlags,
};

export type ApplyFlags = InferredFlags<typeof applyFlags>;

/** The flags that decide which changes a run makes, so that a resumed run has the same ones. */
export const extentFlags = ['prune', 'rotate-secrets', 'rotate-secret', 'resend-selection'];

/** Returns the problems of flags that cannot be combined. */
export function combinationProblems(flags: ApplyFlags): Problem[] {
  const { allow = [], 'undo-out': undo, 'rotate-secret': named } = flags;
  return [
    ...settleShard(flags),
    ...journalProblems(flags),
    ...(flags['dry-run'] && undo !== undefined ? [invalid('--dry-run', 'cannot be used with --undo-out')] : []),
    ...(flags['rotate-secrets'] && named !== undefined
      ? [invalid('--rotate-secret', 'cannot be used with --rotate-secrets')]
      : []),
    ...allow
      .filter((word) => word !== 'archived' && word !== 'visibility')
      .map(() => invalid('--allow', 'must be archived, visibility or both')),
  ];
}

/** Throws UsageError for flags that do not go with a saved plan, or require one. */
export function requireFlagsFor(
  saved: SavedPlan | undefined,
  { organization, shard }: Pick<ApplyFlags, 'organization' | 'shard'>,
): void {
  if (saved && organization !== undefined)
    throw new UsageError('--organization cannot be used with a saved plan. Nothing was sent.');
  if (!saved && shard)
    throw new UsageError(
      '--shard requires a saved plan, so that all shards apply the same plan. Nothing was sent.',
      'Save it with: forgectl policy plan --out plan.ndjson',
    );
}

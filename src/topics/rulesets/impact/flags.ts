/** The flags of `rulesets impact`. */
import * as Flags from '@oclif/core/flags';
import type { InferredFlags } from '@oclif/core/interfaces';
import { textFlag, valueFlag, whereFlag, wordFlag } from '../../../cli/input/flags.ts';
import { wholeNumber } from '../../../cli/input/values.ts';
import { htmlFlags } from '../../html-report.ts';
import { shardFlagNames, shardFlags } from '../../runs/shard-flag.ts';

/** Flags that choose among the repositories of an organization. */
export const ofOrganizations = ['where', 'limit', ...shardFlagNames] as const;

export const defaultDetails = 200;

export const impactFlags = {
  'time-period': wordFlag('--time-period', ['day', 'week', 'month', 'quarter', 'year'], {
    description: 'Period of the pushes; a ruleset in evaluate has at most a month (default: month)',
  }),
  compare: Flags.boolean({ description: 'Show only what differs from the live ruleset with the ID of the file' }),
  clones: textFlag('--clones', {
    helpValue: 'FOLDER',
    description: 'Folder with clones, OWNER/NAME or NAME, for rules about commits',
  }),
  'suite-details': valueFlag('--suite-details', wholeNumber(0), {
    helpValue: 'NUMBER',
    description: `Maximum number of rule suites whose rules are read (default: ${defaultDetails})`,
  }),
  where: {
    ...whereFlag().where,
    helpGroup: undefined,
    description: 'Only the repositories for which a jq expression is true, such as .archived',
  },
  limit: valueFlag('--limit', wholeNumber(1), {
    char: 'L',
    helpValue: 'NUMBER',
    description: 'Maximum number of repositories (default: all)',
  }),
  ...shardFlags('Only part I of N of the repositories, by name; I counts from 1'),
  concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
    helpValue: 'NUMBER',
    description: 'Repositories to read in parallel, 1 to 100 (default: 8)',
  }),
  ...htmlFlags,
  'fail-on': wordFlag('--fail-on', ['refused'], { description: 'End with exit code 13 if a push is refused' }),
};

export type ImpactFlags = InferredFlags<typeof impactFlags>;

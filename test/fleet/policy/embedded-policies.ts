/** Plans and applies policies on the embedded platform. */
import { ApplyRun } from '../../../src/fleet/policy/applying/apply.ts';
import { type OptionalChanges, stepsOf } from '../../../src/fleet/policy/applying/optional-changes.ts';
import { stepsIn } from '../../../src/fleet/policy/applying/phases.ts';
import { undoPlan } from '../../../src/fleet/policy/applying/undo.ts';
import { Reader } from '../../../src/fleet/policy/live/requests.ts';
import { exportOwner } from '../../../src/fleet/policy/planning/export.ts';
import { type PolicyPlan, planPolicy } from '../../../src/fleet/policy/planning/plan.ts';
import { parsePlan, planText, type SavedPlan } from '../../../src/fleet/policy/planning/plan-file.ts';
import { loadPolicy } from '../../../src/fleet/policy/wanted/load.ts';
import type { Policy } from '../../../src/fleet/policy/wanted/model.ts';
import type { TargetError } from '../../../src/fleet/runner.ts';
import type { embeddedPlatform } from '../../support/embedded-platform.ts';

export interface Applied {
  readonly failures: readonly string[];
  /** Targets with the names of steps. */
  readonly done: readonly string[];
  /** False if the apply was stopped. */
  readonly isWhole: boolean;
}

const describeError = (error: unknown): TargetError => ({ exit: 1, code: 'error', message: String(error) });

/** A document as YAML: JSON with a line for each key, which takes half the time to parse. */
const textOf = (document: object): string =>
  `{${Object.entries(document)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    .join(',\n')}}`;

/** Returns the policy of documents by file name. */
export const policyOf = (documents: Readonly<Record<string, object>>): Promise<Policy> =>
  loadPolicy(Object.entries(documents).map(([file, document]) => ({ file, text: textOf(document) })));

/** Applies also make the changes that need `--prune`. */
const withPrune = (extent: OptionalChanges): OptionalChanges => ({ prune: true, ...extent });

export const stepsFor = (plan: SavedPlan, extent: OptionalChanges = {}) => stepsOf(plan, withPrune(extent));

/** Returns the plan that undoes another, saved and read again. */
export const undoOf = (plan: SavedPlan, extent: OptionalChanges = {}): SavedPlan =>
  parsePlan('undo.ndjson', planText(undoPlan(plan, stepsIn(stepsFor(plan, extent)).steps)));

/** An organization, unless `kind` says otherwise. */
interface ExportedOwner {
  readonly name?: string;
  readonly kind?: 'organization' | 'enterprise';
  readonly repositories?: boolean;
}

export function embeddedPolicies({
  client,
  afterWrite,
}: Pick<ReturnType<typeof embeddedPlatform>, 'client' | 'afterWrite'>) {
  return {
    planOf: (wanted: Policy, warn: (text: string) => void = () => {}): Promise<PolicyPlan> =>
      planPolicy(wanted, { client, describe: describeError, warn }),

    /** Returns the documents that an export writes, by the name of the owner and path. Throws if a part cannot be read. */
    async exported({ name = 'acme', kind = 'organization', repositories = true }: ExportedOwner = {}) {
      const files = await exportOwner({
        reader: new Reader(client),
        owner: { kind, name },
        repositories,
        warn: () => {},
        lacks: (part) => {
          throw new Error(`Not exported: ${part}`);
        },
      });
      return Object.fromEntries(files.map(({ path, document }) => [`${name}/${path}`, document]));
    },

    /** Applies a plan, and stops it after some writes. */
    async apply(
      plan: SavedPlan,
      extent: OptionalChanges = {},
      mostWrites = Number.POSITIVE_INFINITY,
    ): Promise<Applied> {
      const stopping = new AbortController();
      const { signal } = stopping;
      let writes = 0;
      const ignore = afterWrite(() => {
        if (++writes >= mostWrites) stopping.abort();
      });
      const failures: string[] = [];
      const done: string[] = [];
      const secrets = () => Buffer.from('sealed');
      const { steps } = stepsIn(stepsFor(plan, extent));
      for await (const outcome of new ApplyRun(steps, { client, describe: describeError, signal, secrets }))
        if ('error' in outcome) failures.push(outcome.error.message);
        else if (outcome.status === 'ok')
          done.push(...outcome.result.map((step) => `${outcome.target.target}: ${step}`));
      ignore();
      return { failures, done, isWhole: !signal.aborted };
    },
  };
}

/** The ruleset whose impact is judged: from a file, or live. */
import type { Readable } from 'node:stream';
import type { Session } from '../../../cli/command/session.ts';
import { UsageError } from '../../../cli/errors.ts';
import { type Target, targetName } from '../../../cli/input/args.ts';
import { NotFoundError } from '../../../client/errors.ts';
import type { JudgedRuleset } from '../../../foresight/facts.ts';
import { asText, isObject } from '../../../json/exact-json.ts';
import type { Ruleset } from '../../../platform/records.ts';
import { rulesets } from '../../../platform/resources/rulesets.ts';
import type { Given } from '../../../platform/validate.ts';
import { readProposed, rulesOf } from '../judged.ts';
import { readRuleset } from '../record-shape.ts';
import type { ImpactFlags } from './flags.ts';

export interface Subject {
  readonly ruleset: JudgedRuleset;
  /** Who may bypass it; undefined if the token may not see that. */
  readonly bypassActors: readonly Given[] | undefined;
  /** The live version that the rules are those of, or replace. */
  readonly live: Ruleset | undefined;
  /** True for a live ruleset in evaluate, of which the platform knows what it would have said. */
  readonly isEvaluated: boolean;
}

/** Returns the subject of a file or an ID. Throws UsageError, ValidationError, and the errors of requests. */
export async function subjectOf(
  named: string,
  target: Target,
  { session, stdin }: { readonly session: Session; readonly stdin: Readable },
): Promise<Subject> {
  if (isId(named)) {
    const live = await read(session, target, Number(named));
    return { ...subject({ ...live }, target, live), isEvaluated: live.enforcement === 'evaluate' };
  }
  const proposed = await readProposed(named, stdin);
  const { id } = proposed;
  const live = typeof id === 'number' ? await read(session, target, id).catch(unlessMissing) : undefined;
  return { ...subject(proposed, target, live), isEvaluated: false };
}

export const isId = (named: string): boolean => /^[1-9]\d*$/.test(named);

/** Returns the live version of a proposed ruleset as the subject of a comparison. Throws UsageError without one. */
export function liveSubject({ live }: Subject, named: string, target: Target): Subject {
  if (live) return { ...subject({ ...live }, target, live), isEvaluated: false };
  throw new UsageError(
    `--compare requires a file with the ID of a ruleset of ${targetName(target)}: ${named} has none. Nothing was compared.`,
    `Save a ruleset with its ID: forgectl rulesets get ${targetName(target)} ID -o yaml > ruleset.yaml`,
  );
}

const read = (session: Session, target: Target, id: number): Promise<Ruleset> =>
  readRuleset(session, rulesets.of(target).get, { path: { ...target, ruleset_id: id }, query: {} } as never);

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}

function subject(given: Given, target: Target, live: Ruleset | undefined): Omit<Subject, 'isEvaluated'> {
  // An update without bypass actors keeps those that the ruleset has.
  const { bypass_actors: actors = live ? live.bypass_actors : [] } = given;
  const source = typeof given.source === 'string' ? given.source : targetName(target);
  return {
    ruleset: {
      id: live?.id,
      name: asText(given.name),
      source: live?.source ?? source,
      target: asText(given.target ?? 'branch'),
      enforcement: asText(given.enforcement),
      conditions: isObject(given.conditions) ? given.conditions : {},
      rules: rulesOf(given.rules),
      bypass: undefined,
    },
    bypassActors: Array.isArray(actors) ? actors.filter(isObject) : undefined,
    live,
  };
}

/** Activity has branches only. Rule suites also have tags, and the results of push rulesets. */
export const isKnown = ({ ruleset, isEvaluated }: Subject): boolean => isEvaluated || ruleset.target === 'branch';

/** Throws UsageError for flags about which the platform knows nothing of the ruleset. */
export function requireKnown(
  subject: Subject,
  { 'time-period': period, 'fail-on': failsOn }: Pick<ImpactFlags, 'time-period' | 'fail-on'>,
): void {
  const { name, target } = subject.ruleset;
  if (subject.isEvaluated && (period === 'quarter' || period === 'year'))
    throw new UsageError(
      `--time-period ${period} cannot be used with ruleset ${name}, which is in evaluate: the platform has evaluations of at most a month.`,
      'To judge the activity of a longer period, save the ruleset to a file, and run impact with the file.',
    );
  if (failsOn !== undefined && !isKnown(subject))
    throw new UsageError(
      `--fail-on cannot be used with ruleset ${name}: activity does not show what a ${target} ruleset refuses.`,
    );
}

/** Judges the facts of a target by checks. */
import { asText } from '../../json/exact-json.ts';
import type { Check, Context, Evidence, Fact, Verdict } from './check.ts';
import type { Finding } from './finding.ts';
import { readingOf } from './readings.ts';

/** The thresholds that audit.yaml changes, by check. */
export type Thresholds = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Returns the findings of a check; undefined if it does not apply to the target, or to this edition of the platform. `facts`
 * has each reading that the check names.
 */
export function judged(
  check: Check,
  facts: Readonly<Record<string, Fact<unknown>>>,
  context: Context,
  thresholds: Thresholds = {},
): readonly Finding[] | undefined {
  const values: Record<string, unknown> = {};
  const missing: string[] = [];
  for (const name of check.reads) {
    const fact = facts[name] as Fact<unknown>;
    if ('value' in fact) values[name] = fact.value;
    else if (fact.isElsewhere) return undefined;
    else missing.push(fact.unreadable);
  }
  const { target } = context;
  // One request often answers several readings.
  if (missing.length > 0)
    return [findingOf(check, target, { status: 'unreadable', message: [...new Set(missing)].join('; ') })];
  for (const name of check.mayRead) values[name] = facts[name];
  try {
    const verdicts = check.judge(values, context, limitsOf(check, thresholds));
    return verdicts && [verdicts].flat().map((verdict) => findingOf(check, target, verdict as Verdict));
  } catch (error) {
    // Not all fields are checked when they are read.
    if (!(error instanceof TypeError)) throw error;
    return [findingOf(check, target, { status: 'unreadable', message: 'a response has a value of another type' })];
  }
}

const noLimits: Readonly<Record<string, number>> = {};

function limitsOf({ id, thresholds: declared }: Check, changed: Thresholds): Readonly<Record<string, number>> {
  if (!declared) return noLimits;
  const defaults = Object.entries(declared).map(([name, { default: value }]) => [name, value] as const);
  return { ...Object.fromEntries(defaults), ...changed[id] };
}

function findingOf({ id, severity, title }: Check, target: string, verdict: Verdict): Finding {
  const { status, object } = verdict;
  const common = {
    check: id,
    severity,
    target,
    ...(object !== undefined && { object: asText(object) }),
    status,
    evidence: [],
  };
  if (status === 'pass') return { ...common, message: `${title}.` };
  if (status === 'unreadable') return { ...common, message: `Cannot be read: ${verdict.message}.` };
  const { message, evidence, fix, since } = verdict;
  const values = evidence.map(({ value, ...each }) => (value === undefined ? each : { ...each, value: scalar(value) }));
  const mend = fix.command ? { ...fix, command: fix.command.map(asText) } : fix;
  return {
    ...{ ...common, severity: verdict.severity ?? severity, message, evidence: values, fix: mend },
    ...(since && { since }),
  };
}

/** The value of a field may have another type than declared. */
const scalar = (value: Evidence['value']): Evidence['value'] =>
  typeof value === 'object' && value !== null ? asText(value) : value;

/** Returns whether a check needs more requests for each repository than are made by default. */
export const isDeep = ({ scope, reads }: Check): boolean => reads.some((name) => readingOf(scope, name).deep === true);

/** Returns the names of all readings of checks, each once. */
export const readingsOf = (checks: readonly Check[]): readonly string[] => [
  ...new Set(checks.flatMap(({ reads, mayRead }) => [...reads, ...mayRead])),
];

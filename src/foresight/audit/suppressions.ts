/** Findings that somebody has accepted, until a date. */
import type { Severity } from './check.ts';
import type { Finding } from './finding.ts';

export interface Suppression {
  readonly check: string;
  /** `acme`, `acme/site` or `enterprise:sandbox`; `*` stands for any part of a name. */
  readonly target: string;
  readonly reason: string;
  /** The last day, as `2027-01-31`, in UTC. */
  readonly until: string;
}

/** The check of suppressions themselves. */
export const suppressionExpired = {
  id: 'suppression-expired',
  severity: 'medium' as Severity,
  title: 'Suppressions have not expired',
} as const;

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

const isExpired = ({ until }: Suppression, now: number): boolean => until < dayOf(now);

/** Returns the suppression of a finding that holds on that day, if there is one. */
export const suppressionOf = (
  { check, target }: Pick<Finding, 'check' | 'target'>,
  suppressions: readonly Suppression[],
  now: number,
): Suppression | undefined =>
  suppressions.find((each) => each.check === check && !isExpired(each, now) && matchesTarget(each.target, target));

/** Returns a finding for each suppression that has ended: its findings are open again. */
export const expiredFindings = (suppressions: readonly Suppression[], now: number): readonly Finding[] =>
  suppressions
    .filter((each) => isExpired(each, now))
    .map(({ check, target, reason, until }) => ({
      check: suppressionExpired.id,
      severity: suppressionExpired.severity,
      target,
      object: check,
      status: 'fail',
      message: `The suppression of ${check} ended on ${until}.`,
      evidence: [{ name: 'reason', value: reason }],
      fix: { hint: 'Mend the finding, or review the suppression in audit.yaml, and set a new date.' },
    }));

/** Returns whether a target matches a pattern, ignoring case. `*` does not match a slash. */
function matchesTarget(pattern: string, target: string): boolean {
  const [patterns, names] = [pattern, target].map((text) => text.toLowerCase().split('/')) as [string[], string[]];
  return patterns.length === names.length && patterns.every((part, at) => matchesPart(part, names[at] as string));
}

/** Each literal part is found at the first place where it fits, so that the time is at most the product of both lengths. */
function matchesPart(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  if (others.length === 0) return pattern === name;
  const last = others.pop() as string;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  const end = name.length - last.length;
  return others.every((part) => {
    const found = name.indexOf(part, at);
    at = found + part.length;
    return found !== -1 && at <= end;
  });
}

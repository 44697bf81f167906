/** Plans as files: a header, a line for each change, and the counts, in ndjson with the same bytes for equal plans. */
import { isObject, parseJson } from '../../../json/exact-json.ts';
import { isJsonTooDeep } from '../../../json/nesting.ts';
import { stepName } from '../applying/steps.ts';
import { PlanFileError } from '../errors.ts';
import { isCreation, kindNamed } from '../kinds/lookup.ts';
import { slugOfTeam } from '../kinds/people/team-names.ts';
import { isRefused, type PlannedChange, targetIdOf } from '../live/change.ts';
import { ownerOf } from '../wanted/target.ts';
import { digestedHeader, digestOfPlan, linesText } from './digest.ts';
import { createdTeams, lacksIds, takesName } from './people-ids.ts';
import type { PolicyPlan } from './plan.ts';
import { plannedChange } from './plan-line.ts';

const newPlanAdvice = 'Save a new one with: forgectl policy plan --out FILE';

/** The first line of a plan. */
interface PlanHeader extends Pick<PolicyPlan, 'platform' | 'identity' | 'organizations' | 'policy_digest' | 'digest'> {
  /** Version of the format: 2, or 3 for the part of a plan that its reviewer kept. */
  readonly plan: 2 | 3;
  /** The digest of the plan that was reviewed; only in version 3. */
  readonly reviewed_from?: string;
}

/** The last line of a plan. A file without it is not complete. */
interface PlanTrailer extends Pick<PolicyPlan, 'summary'> {}

export type PlanLine = PlanHeader | PlannedChange | PlanTrailer;

/** Returns the lines of a plan. The requests that it took are not part of it, as they depend on what was cached. */
export function planLines({ changes, summary, ...plan }: SavedPlan): readonly PlanLine[] {
  return [{ ...digestedHeader(plan), digest: plan.digest }, ...changes, { summary }];
}

export const planText = (plan: SavedPlan): string => linesText(planLines(plan));

/** What `apply` needs of a saved plan. */
export type SavedPlan = PlanHeader & Pick<PolicyPlan, 'changes' | 'summary'>;

/**
 * Parses a saved plan. Throws PlanFileError for one that is cut off, changed, or of another version. A file can say
 * anything of its changes: `derivePlan` says what they are.
 */
export function parsePlan(file: string, text: string): SavedPlan {
  const damaged = (line: number) =>
    new PlanFileError(`${file} is truncated or damaged at line ${line}. Nothing was sent.`);
  if (!text.startsWith('{')) throw new PlanFileError(`${file} is not a saved plan. Nothing was sent.`);
  const lines = text.split('\n');
  if (lines.pop() !== '') throw damaged(lines.length + 1);
  const values = lines.map((line, at) => {
    const value = parsedLine(line);
    if (value === undefined) throw damaged(at + 1);
    return value;
  });
  const header = values.shift();
  const trailer = values.pop();
  if (!isObject(header) || !('plan' in header)) throw new PlanFileError(`${file} is not a plan: line 1 is no header.`);
  if (header.plan !== 2 && header.plan !== 3)
    throw new PlanFileError(
      `${file} is a plan of version ${JSON.stringify(header.plan)}; this version of forgectl reads versions 2 and 3. Nothing was sent.`,
      newPlanAdvice,
    );
  if (!isPlanHeader(header)) throw damaged(1);
  const fits = fitsOthers();
  const changes = values.map((value, at) => {
    const change = plannedChange(value);
    if (!change || !fits(change)) throw damaged(at + 2);
    return change;
  });
  const created = createdTeams(changes);
  const taken = changes.findIndex((change) => takesName(change, created));
  if (taken !== -1) throw damaged(taken + 2);
  const older = changes.find((change) => lacksIds(change, created));
  if (older)
    throw new PlanFileError(
      `${file} lacks the IDs of teams and people (${older.kind} ${older.name}): an older version of forgectl saved it. Nothing was sent.`,
      newPlanAdvice,
    );
  if (!isObject(trailer) || !isObject(trailer.summary)) throw damaged(lines.length);
  const plan = { ...header, changes, summary: trailer.summary } as unknown as SavedPlan;
  // A line that forgectl would write differently, such as one with a duplicate key, may mean something else to other programs.
  if (planText(plan) !== text || header.digest !== digestOfPlan(plan))
    throw new PlanFileError(`${file} was changed after it was saved. Nothing was sent.`);
  const planned = new Set(plan.organizations.map((organization) => organization.toLowerCase()));
  const foreign = changes.find(({ target }) => !planned.has(ownerOf(target).toLowerCase()));
  if (foreign)
    throw new PlanFileError(
      `${file} changes ${foreign.target}, but is a plan for ${plan.organizations.join(', ')}. Nothing was sent.`,
    );
  return plan;
}

/**
 * Returns a function that returns whether a change differs from all earlier ones, and agrees with them on the spelling and
 * the ID of its target: guards and checks consider the changes of a target together. Only a plan that creates a repository
 * changes one without an ID.
 */
function fitsOthers(): (change: PlannedChange) => boolean {
  const known = new Map<string, unknown>();
  const agrees = (key: string, value: unknown) => {
    if (!known.has(key)) known.set(key, value);
    return known.get(key) === value;
  };
  return (change) => {
    const { target } = change;
    const key = target.toLowerCase();
    const owner = ownerOf(target);
    if (isCreation(change)) known.set(`${key} is created`, true);
    return (
      (!change.new_repository || isRefused(change) || known.has(`${key} is created`)) &&
      agrees(`${key} ${stepKey(change)}`, change) &&
      (change.id === undefined || !hasOwnId(change) || agrees(`${key} ${change.kind} ${change.id}`, change.name)) &&
      agrees(key, target) &&
      agrees(owner.toLowerCase(), owner) &&
      (isRefused(change) || agrees(`${key} ID`, targetIdOf(change)))
    );
  };
}

/** Returns whether the ID of a change is that of no other object of its target. */
const hasOwnId = ({ kind }: PlannedChange): boolean => kindNamed(kind).returnsId === true;

/** Returns the same for two changes of one object. Rulesets and registries have names that differ only in case. */
function stepKey(change: PlannedChange): string {
  const { kind } = change;
  const { ids, ignoresCase } = kindNamed(kind);
  // The slug of its name identifies a team.
  const name = stepName(kind === 'team' ? { ...change, name: slugOfTeam(change.name) } : change);
  return ids === 'never' || ignoresCase ? name.toLowerCase() : name;
}

/** Returns the JSON of a line; undefined for any other text. */
function parsedLine(line: string): unknown {
  try {
    if (isJsonTooDeep(line)) return undefined;
    const value = parseJson(line);
    return hasPrototype(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Returns whether a value has a key that would become the prototype of a copy. */
const hasPrototype = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototype));

function isPlanHeader(header: object): header is PlanHeader {
  const { plan, platform, identity, organizations, policy_digest, reviewed_from, digest } =
    header as Partial<PlanHeader>;
  return (
    typeof reviewed_from === (plan === 3 ? 'string' : 'undefined') &&
    [platform, policy_digest, digest].every((text) => typeof text === 'string') &&
    (identity === null || typeof identity === 'string') &&
    Array.isArray(organizations) &&
    organizations.every((each) => typeof each === 'string')
  );
}

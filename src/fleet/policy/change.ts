/** One object in a plan: the change, its effect on protection, and everything needed to apply it later. */
import { isObject } from '../../json/exact-json.ts';
import type { Given } from '../../platform/validate.ts';
import type { FieldChange } from './diff.ts';

/** The kinds of objects that plans change. */
export const plannedKinds = ['settings', 'ruleset', 'hook', 'properties'] as const;
export type PlannedKind = (typeof plannedKinds)[number];

/**
 * `unset` removes an owner's own setting of a hook. `unreadable`, `unresolved` and `ambiguous` change nothing: a value that
 * cannot be read, a name that does not exist, and several objects with one key.
 */
export const actions = ['create', 'update', 'delete', 'unset', 'unreadable', 'unresolved', 'ambiguous'] as const;
export type Action = (typeof actions)[number];

/** `loosens` if any part does. */
export type Effect = 'tightens' | 'loosens' | 'neutral';

export interface PlannedChange {
  readonly action: Action;
  readonly kind: PlannedKind;
  /** An organization, as acme, or a repository, as acme/site. */
  readonly target: string;
  /** The name of the ruleset or hook; empty for settings and properties. */
  readonly name: string;
  /** The file and line of the policy that declares it. */
  readonly source: string;
  readonly changes: readonly FieldChange[];
  /** Absent if unknown. */
  readonly effect?: Effect;
  /** Why no change is made. */
  readonly reason?: string;
  /** True for an object that no policy declares; only `--prune` deletes it. */
  readonly undeclared?: true;
  /** For a deletion: the number of objects of this kind that the target has. */
  readonly of?: number;
  readonly id?: number;
  /** The live value that the change starts from. */
  readonly before?: Given;
  /** The body to send. */
  readonly body?: Given;
}

/** True for a change that can be made. */
export const isStep = ({ action }: PlannedChange): boolean =>
  action === 'create' || action === 'update' || action === 'delete' || action === 'unset';

/** True for a change that is made after all creations and tightenings of its target. */
export const isLoosening = ({ action, effect }: PlannedChange): boolean =>
  action === 'delete' || action === 'unset' || (action === 'update' && effect !== 'tightens');

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of a plan: by target, kind and name, regardless of the order of files and responses. */
export const byTarget = (a: PlannedChange, b: PlannedChange): number =>
  compareText(a.target.toLowerCase(), b.target.toLowerCase()) ||
  plannedKinds.indexOf(a.kind) - plannedKinds.indexOf(b.kind) ||
  compareText(a.name, b.name) ||
  actions.indexOf(a.action) - actions.indexOf(b.action);

/** Returns the combined effect of changes on protection: any loosening counts. Undefined if one effect is unknown. */
export function effectOf(kind: PlannedKind, changes: readonly FieldChange[]): Effect | undefined {
  const effects = changes.map((change) => (kind === 'ruleset' ? rulesetEffect(change) : settingEffect(change)));
  if (effects.includes('loosens')) return 'loosens';
  if (effects.includes(undefined)) return undefined;
  return effects.includes('tightens') ? 'tightens' : 'neutral';
}

const rising = (from: number, to: number): Effect => (to > from ? 'tightens' : to < from ? 'loosens' : 'neutral');

function ranked(order: readonly unknown[], { from, to }: FieldChange): Effect | undefined {
  const [before, after] = [order.indexOf(from), order.indexOf(to)];
  return before === -1 || after === -1 ? undefined : rising(before, after);
}

/** Parameters for which a larger value, or true, protects more. */
const stricter =
  /\.(?:required_approving_review_count|minimum_approvals|dismiss_stale_reviews_on_push|require_code_owner_review|require_last_push_approval|required_review_thread_resolution|strict_required_status_checks_policy)$/;

function rulesetEffect(change: FieldChange): Effect | undefined {
  const { path, from, to } = change;
  if (path === 'name') return 'neutral';
  if (path === 'enforcement') return ranked(['disabled', 'evaluate', 'active'], change);
  const isAdded = from === undefined;
  const isRemoved = to === undefined;
  const more: Effect | undefined = isAdded ? 'tightens' : isRemoved ? 'loosens' : undefined;
  const fewer: Effect | undefined = isAdded ? 'loosens' : isRemoved ? 'tightens' : undefined;
  if (/^rules\[[^\]]*\]$/.test(path)) return more;
  if (
    /^rules\[[^\]]*\]\.parameters\.(?:required_status_checks|workflows|code_scanning_tools|required_deployment_environments|required_reviewers|restricted_file_paths|restricted_file_extensions)\[/.test(
      path,
    )
  )
    return more;
  if (path.startsWith('bypass_actors[') && more) return fewer;
  if (/^conditions\.\w+\.include\[/.test(path)) return more;
  if (/^conditions\.\w+\.exclude\[/.test(path)) return fewer;
  if (!stricter.test(path)) return undefined;
  return typeof from === 'number' || typeof to === 'number'
    ? rising(Number(from ?? 0), Number(to ?? 0))
    : ranked([false, true], { path, from: from ?? false, to });
}

/** Settings that grant something when true. */
const grants = /^(?:members_can_|deploy_keys_enabled_for_repositories$|allow_forking$|allow_downstream_configuration$)/;

/** Settings that protect when true. */
const protects =
  /^(?:web_commit_signoff_required$|.*_enabled_for_new_repositories$|secret_scanning_validity_checks_enabled$)/;

function settingEffect(change: FieldChange): Effect | undefined {
  const { path } = change;
  if (path === 'enforcement') return ranked(['disabled', 'testing', 'enabled'], change);
  if (path === 'default_repository_permission') return ranked(['admin', 'write', 'read', 'none'], change);
  if (path === 'visibility') return ranked(['public', 'internal', 'private'], change);
  if (grants.test(path)) return ranked([true, false], change);
  if (protects.test(path)) return ranked([false, true], change);
  if (/^security_and_analysis\.\w+\.status$/.test(path)) return ranked(['disabled', 'enabled'], change);
  return undefined;
}

/** Returns a value as one line of text. */
export const shownValue = (value: unknown): string =>
  isObject(value) || Array.isArray(value) || typeof value === 'string' ? JSON.stringify(value) : String(value);

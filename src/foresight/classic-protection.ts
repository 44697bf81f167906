/** Classic branch protection as a ruleset, and what a ruleset cannot say. About protected branches; About rulesets. */
import { asText, isObject } from '../json/exact-json.ts';
import type { RulesetRule } from '../platform/records.ts';
import type { Given } from '../platform/validate.ts';

/** The body of a ruleset for branches. */
export interface BranchRuleset {
  name: string;
  target: 'branch';
  enforcement: 'active';
  bypass_actors: { actor_id: number; actor_type: 'RepositoryRole'; bypass_mode: 'always' }[];
  conditions: { ref_name: { include: string[]; exclude: string[] } };
  rules: RulesetRule[];
}

/** A part of classic protection that the ruleset does not say. */
export interface ProtectionLoss {
  /** The dotted path in the protection. */
  field: string;
  /** People, teams and apps are reduced to their names. */
  value: unknown;
  reason: string;
}

export interface ProtectionAsRuleset {
  ruleset: BranchRuleset;
  losses: ProtectionLoss[];
}

/** The bypass of administrators, whose role has this ID in every repository. */
const bypassOfAdministrators = { actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' } as const;

/** Fields that only describe the protection, or that have no effect without another one. */
const descriptive = ['url', 'name', 'enabled', 'protection_url', 'allow_fork_syncing'];

/**
 * Returns the ruleset that says the same as classic protection, in the form of a response or of the request that sets it.
 * Where they differ, the ruleset is the stricter of the two.
 *
 * @param pattern name of a branch, or a pattern of names in fnmatch syntax
 */
export function asRuleset(pattern: string, protection: Given): ProtectionAsRuleset {
  const translation = new Translation(protection);
  return {
    ruleset: {
      name: `Protect ${pattern}`,
      target: 'branch',
      enforcement: 'active',
      bypass_actors: translation.bypassActors(),
      conditions: { ref_name: { include: [`refs/heads/${pattern}`], exclude: [] } },
      rules: translation.rules(),
    },
    losses: translation.losses(),
  };
}

class Translation {
  readonly #protection: Given;
  readonly #losses: ProtectionLoss[] = [];
  readonly #known = new Set<string>(descriptive);

  constructor(protection: Given) {
    this.#protection = protection;
  }

  /** Returns the losses, unknown fields included. */
  losses(): ProtectionLoss[] {
    for (const [field, value] of Object.entries(this.#protection))
      if (!this.#known.has(field) && isSet(value)) this.#lose(field, value, 'is not known to this version');
    return this.#losses;
  }

  rules(): RulesetRule[] {
    this.#loseActors('restrictions', 'Only bypass actors could push, and they would bypass every rule of the ruleset');
    if (this.#isOn('block_creations'))
      this.#lose('block_creations', true, 'Applies to those whom restrictions do not name, which no rule can say');
    return [
      ...this.#unless('allow_force_pushes', 'non_fast_forward'),
      ...this.#unless('allow_deletions', 'deletion'),
      ...this.#where('required_linear_history', 'required_linear_history'),
      ...this.#where('required_signatures', 'required_signatures'),
      ...this.#lock(),
      ...this.#pullRequest(),
      ...this.#statusChecks(),
    ];
  }

  /** Administrators may bypass all but two rules of classic protection; bypass actors bypass all rules of a ruleset. */
  bypassActors(): BranchRuleset['bypass_actors'] {
    if (this.#isOn('enforce_admins')) return [];
    if (this.#isOn('allow_force_pushes') && this.#isOn('allow_deletions')) return [bypassOfAdministrators];
    this.#lose(
      'enforce_admins',
      false,
      'Administrators may bypass all but the blocks of force pushes and deletions; as bypass actors they would bypass these, too',
    );
    return [];
  }

  #unless(field: string, type: string): RulesetRule[] {
    const isAllowed = this.#isOn(field);
    // Other descriptions of classic protection name those who may.
    this.#loseActors(`bypass_${field.slice('allow_'.length, -2)}_allowances`, 'A bypass actor bypasses every rule');
    return isAllowed ? [] : [{ type }];
  }

  #where(field: string, type: string): RulesetRule[] {
    return this.#isOn(field) ? [{ type }] : [];
  }

  #lock(): RulesetRule[] {
    if (!this.#isOn('lock_branch')) return [];
    return [{ type: 'update', parameters: { update_allows_fetch_and_merge: this.#isOn('allow_fork_syncing') } }];
  }

  #pullRequest(): RulesetRule[] {
    const reviews = this.#take('required_pull_request_reviews');
    const resolution = this.#isOn('required_conversation_resolution');
    if (!isObject(reviews)) {
      if (resolution)
        this.#lose(
          'required_conversation_resolution',
          true,
          'Has no effect in a ruleset without required pull requests',
        );
      return [];
    }
    const within = 'required_pull_request_reviews';
    const { dismissal_restrictions: dismissal, bypass_pull_request_allowances: bypass } = reviews;
    if (namesIn(bypass))
      this.#lose(`${within}.bypass_pull_request_allowances`, namesIn(bypass), 'A bypass actor bypasses every rule');
    const restriction = this.#dismissalRestriction(dismissal, `${within}.dismissal_restrictions`);
    const count = reviews.required_approving_review_count;
    return [
      {
        type: 'pull_request',
        parameters: {
          dismiss_stale_reviews_on_push: reviews.dismiss_stale_reviews === true,
          ...(restriction && { dismissal_restriction: restriction }),
          require_code_owner_review: reviews.require_code_owner_reviews === true,
          require_last_push_approval: reviews.require_last_push_approval === true,
          required_approving_review_count: typeof count === 'number' ? count : 1,
          required_review_thread_resolution: resolution,
        },
      },
    ];
  }

  /** Teams and people have their IDs in responses; in requests they have names, which rulesets do not accept. */
  #dismissalRestriction(dismissal: unknown, field: string): object | undefined {
    if (!isObject(dismissal) || !actorKinds.some((kind) => Array.isArray(dismissal[kind]))) return undefined;
    const actors = (['users', 'teams'] as const).flatMap((kind) =>
      listOf(dismissal[kind]).map((each) => ({ kind, each })),
    );
    const named = actors.every(({ each }) => isObject(each) && typeof each.id === 'number');
    if (!named || listOf(dismissal.apps).length > 0) {
      this.#lose(field, namesIn(dismissal) ?? {}, 'Rulesets name people and teams by ID, and no apps');
      return { enabled: true, allowed_actors: [] };
    }
    const allowed = actors.map(({ kind, each }) => ({
      id: (each as Given).id,
      type: kind === 'users' ? 'User' : 'Team',
    }));
    return { enabled: true, allowed_actors: allowed };
  }

  #statusChecks(): RulesetRule[] {
    const required = this.#take('required_status_checks');
    if (!isObject(required)) return [];
    const contexts = listOf(required.contexts).map((context) => ({ context }));
    const given = listOf(required.checks).length > 0 ? listOf(required.checks) : contexts;
    const checks = given.filter(isObject).map(({ context, app_id: app }) => ({
      context,
      ...(typeof app === 'number' && app > 0 && { integration_id: app }),
    }));
    if (checks.length === 0) {
      if (required.strict === true)
        this.#lose('required_status_checks.strict', true, 'Requires at least one status check in a ruleset');
      return [];
    }
    return [
      {
        type: 'required_status_checks',
        parameters: {
          required_status_checks: checks,
          strict_required_status_checks_policy: required.strict === true,
        },
      },
    ];
  }

  #take(field: string): unknown {
    this.#known.add(field);
    return this.#protection[field];
  }

  #isOn(field: string): boolean {
    return isEnabled(this.#take(field));
  }

  #loseActors(field: string, reason: string): void {
    const value = this.#take(field);
    if (isObject(value)) this.#lose(field, namesIn(value) ?? {}, reason);
  }

  #lose(field: string, value: unknown, reason: string): void {
    this.#losses.push({ field, value, reason });
  }
}

/** Responses have an object for a switch, requests true or false. */
const isEnabled = (value: unknown): boolean => value === true || (isObject(value) && value.enabled === true);

const actorKinds = ['users', 'teams', 'apps'] as const;

/** Returns the names of people, teams and apps; undefined if there are none. */
function namesIn(actors: unknown): Partial<Record<(typeof actorKinds)[number], string[]>> | undefined {
  if (!isObject(actors)) return undefined;
  const named = actorKinds.flatMap((kind) => {
    const names = listOf(actors[kind]).map(nameOf);
    return names.length > 0 ? [[kind, names] as const] : [];
  });
  return named.length > 0 ? Object.fromEntries(named) : undefined;
}

const nameOf = (actor: unknown): string =>
  asText(isObject(actor) ? (actor.login ?? actor.slug ?? actor.name ?? actor.id) : actor);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns whether a field of an unknown name says anything. */
const isSet = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && !(isObject(value) && value.enabled === false);

/** Classic protection of Terraform’s provider in the form of the request that sets it. */
import { elements, type Placed, withParts } from '../../../../fleet/policy/wanted/placed.ts';
import { ownMember } from '../../../../json/exact-json.ts';
import { blockIn, byName, type Item, type Lose, listAt, mappingAt, placedAt } from '../source.ts';
import { protectionItems } from './protection.ts';

const reviews = 'required_pull_request_reviews';

/** Flags of Terraform’s `github_branch_protection`, with the keys of the request. */
const terraformFlags = byName<string>({
  enforce_admins: 'enforce_admins',
  required_linear_history: 'required_linear_history',
  require_signed_commits: 'required_signatures',
  require_conversation_resolution: 'required_conversation_resolution',
  allows_force_pushes: 'allow_force_pushes',
  allows_deletions: 'allow_deletions',
  blocks_creations: 'block_creations',
  lock_branch: 'lock_branch',
});

/** Lists of actors in Terraform’s protection and its blocks, with the keys of the request. */
const terraformActors = byName<string>({
  push_restrictions: 'restrictions',
  push_allowances: 'restrictions',
  force_push_bypassers: 'bypass_force_push_allowances',
  dismissal_restrictions: 'dismissal_restrictions',
  pull_request_bypassers: 'bypass_pull_request_allowances',
});

/** Blocks of protection. */
const blockKeys = ['restrict_pushes', reviews, 'required_status_checks', 'restrictions'];

/** Lists of people, teams and apps in `github_branch_protection_v3`. */
const dismissalLists: Readonly<Record<string, string>> = {
  dismissal_users: 'users',
  dismissal_teams: 'teams',
  dismissal_apps: 'apps',
};

/**
 * Returns the rulesets of protection in the form of Terraform’s `github_branch_protection` and `…_v3`, whose blocks are
 * mappings, or lists of one.
 */
export function terraformProtectionItems(
  pattern: string,
  block: Placed,
  others: readonly string[],
  lose: Lose,
): readonly Item[] {
  const request = new RequestForm(lose);
  const protection = request.of(block);
  const losePart: Lose = (part, reason) => lose(request.sources.get(part) ?? part, reason);
  return protectionItems({ pattern, protection }, others, losePart);
}

type Members = [string, Placed][];

/** Protection of Terraform in the form of the request that sets it. */
class RequestForm {
  /** The parts of the source that parts of the request stand for. */
  readonly sources = new Map<Placed, Placed>();
  readonly #lose: Lose;

  constructor(lose: Lose) {
    this.#lose = lose;
  }

  of(block: Placed): Placed {
    return this.#mapping(block, this.#members(block));
  }

  #mapping(source: Placed, members: Members): Placed {
    const mapping = mappingAt(source.place, members);
    this.sources.set(mapping, source);
    return mapping;
  }

  #members(block: Placed): Members {
    return this.#joined(this.#translated(block));
  }

  /** States of earlier versions have both `push_restrictions` and `restrict_pushes`. */
  #joined(members: Members): Members {
    const restrictions = members.filter(([key]) => key === 'restrictions').map(([, part]) => part);
    const [first, ...others] = restrictions;
    if (!first || others.length === 0) return members;
    const kinds = new Set(restrictions.flatMap(({ parts }) => [...parts.keys()]));
    const joined = [...kinds].map((kind): [string, Placed] => {
      const all = restrictions.flatMap(({ parts }) => elements(parts.get(kind)));
      return [String(kind), listAt(first.place, all)];
    });
    return [...members.filter(([key]) => key !== 'restrictions'), ['restrictions', this.#mapping(first, joined)]];
  }

  #translated(block: Placed): Members {
    return [...block.parts].flatMap(([name, part]): Members => {
      const key = String(name);
      if (part.value === null) return [];
      const flagKey = ownMember(terraformFlags, key);
      if (flagKey !== undefined) return [[flagKey, part]];
      if (Object.hasOwn(terraformActors, key)) return this.#actors(key, part);
      if (!blockKeys.includes(key)) return [[key, part]];
      const inner = blockIn(part, this.#lose);
      if (key === 'restrict_pushes') return inner ? this.#restriction(inner) : [];
      if (key === reviews) return inner ? [[key, this.#reviews(inner)]] : [];
      if (key === 'required_status_checks') return inner ? [[key, this.#checks(inner)]] : [];
      return inner ? [[key, inner]] : [];
    });
  }

  /** A block without allowances restricts pushes to administrators and maintainers. */
  #restriction(block: Placed): Members {
    const members = this.#members(block);
    const isNamed = members.some(([key]) => key === 'restrictions');
    return isNamed ? members : [...members, ['restrictions', this.#mapping(block, [])]];
  }

  #reviews(block: Placed): Placed {
    const members = [...block.parts].flatMap(([name, part]): Members => {
      const key = String(name);
      if (part.value === null || key in dismissalLists || key === 'restrict_dismissals') return [];
      if (Object.hasOwn(terraformActors, key)) return this.#actors(key, part);
      const inner = key === 'bypass_pull_request_allowances' ? blockIn(part, this.#lose) : part;
      return inner ? [[key, inner]] : [];
    });
    const listed = Object.entries(dismissalLists).flatMap(([key, kind]): Members => {
      const list = block.parts.get(key);
      return list && list.parts.size > 0 ? [[kind, list]] : [];
    });
    const restricts = block.parts.get('restrict_dismissals');
    if (restricts && restricts.value !== null && typeof restricts.value !== 'boolean')
      this.#lose(restricts, 'must be true or false');
    const isNamed = members.some(([key]) => key === 'dismissal_restrictions');
    if (isNamed || (listed.length === 0 && restricts?.value !== true)) return this.#mapping(block, members);
    const dismissals = this.#mapping(
      restricts ?? block,
      listed.length > 0 ? listed : [['teams', placedAt([], block.place)]],
    );
    return this.#mapping(block, [...members, ['dismissal_restrictions', dismissals]]);
  }

  /** A check of `…_v3` is `CONTEXT` or `CONTEXT:APP`. */
  #checks(block: Placed): Placed {
    const set = [...block.parts].filter(([, part]) => part.value !== null);
    const checks = block.parts.get('checks');
    const isList = Array.isArray(checks?.value);
    if (checks && checks.value !== null && !isList) this.#lose(checks, 'must be a list');
    if (!checks || !isList || checks.parts.size === 0)
      return withParts(
        block,
        set.filter(([key]) => key !== 'checks'),
      );
    const each = [...checks.parts].map(([index, part]): [string | number, Placed] => {
      const [, context, app] = (typeof part.value === 'string' && /^(.+):(-?\d+)$/.exec(part.value)) || [];
      const check = placedAt(
        context === undefined ? { context: part.value } : { context, app_id: Number(app) },
        part.place,
      );
      this.sources.set(check, part);
      return [index, check];
    });
    return this.#mapping(block, [...set, ['checks', withParts(checks, each)]] as Members);
  }

  /** Actors are `/LOGIN`, `ORG/TEAM`, or IDs of the GraphQL API. */
  #actors(key: string, list: Placed): Members {
    if (!Array.isArray(list.value)) this.#lose(list, 'must be a list');
    const kinds: Record<'users' | 'teams' | 'apps', Placed[]> = { users: [], teams: [], apps: [] };
    for (const part of elements(list)) {
      const [, owner, name] = (typeof part.value === 'string' && /^([^/]*)\/([^/]+)$/.exec(part.value)) || [];
      if (name === undefined) {
        this.#lose(part, 'Policies name people, teams and apps, not IDs of the GraphQL API');
        continue;
      }
      const actor = { ...part, value: name };
      this.sources.set(actor, part);
      kinds[owner === '' ? 'users' : 'teams'].push(actor);
    }
    const members = Object.entries(kinds)
      .filter(([, actors]) => actors.length > 0)
      .map(([kind, actors]): [string, Placed] => [kind, listAt(list.place, actors)]);
    return members.length > 0 ? [[terraformActors[key] ?? key, this.#mapping(list, members)]] : [];
  }
}

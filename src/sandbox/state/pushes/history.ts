/**
 * Six weeks of pushes to the repositories of the fifth organization, dated relative to the start, and what the rulesets that
 * it was seeded with said about each: refused pushes have a rule suite and no activity.
 */
import { createHash } from 'node:crypto';
import type { SandboxPlatform } from '../../platform.ts';
import { between, pick } from '../../seed/chance.ts';
import { bots } from '../../seed/words.ts';
import type { User } from '../accounts.ts';
import { commitCount, commitSha, noCommit } from '../git.ts';
import type { RepositoryState } from '../repositories.ts';
import { coversRepository, type RulesetState, seededRulesets } from '../rulesets.ts';
import { type JudgedUpdate, judgeUpdate, type TriedUpdate } from './push-rules.ts';

/** A change of a ref, as the activity of a repository shows it. */
export interface RefChange {
  readonly id: number;
  readonly before: string;
  readonly after: string;
  readonly ref: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly type: string;
  readonly actor: Pusher;
}

type Pusher = User | Bot;

/** The account of an app. */
export interface Bot {
  readonly type: 'Bot';
  readonly id: number;
  readonly login: string;
}

/** A push as it was tried. */
export interface Attempt extends RefChange {
  readonly branch: string;
  readonly message: string;
  readonly isSigned: boolean;
  /** Whether a new commit has two parents. */
  readonly isMerge: boolean;
}

export type JudgedAttempt = Attempt & JudgedUpdate;

const day = 24 * 60 * 60 * 1000;
const days = 45;

/** Pushes to the first `site`; rule suites are numbered with two digits. */
const most = 95;

/** A history is the same until the platform ends. */
const known = new WeakMap<SandboxPlatform, Map<number, readonly JudgedAttempt[] | undefined>>();

/** Returns the pushes to a repository, newest first; undefined if it belongs to another account. */
export function pushesTo(platform: SandboxPlatform, repository: RepositoryState): readonly JudgedAttempt[] | undefined {
  const ofPlatform = known.get(platform) ?? new Map<number, readonly JudgedAttempt[] | undefined>();
  known.set(platform, ofPlatform);
  if (!ofPlatform.has(repository.id)) ofPlatform.set(repository.id, judgedPushes(platform, repository));
  return ofPlatform.get(repository.id);
}

function judgedPushes(platform: SandboxPlatform, repository: RepositoryState): JudgedAttempt[] | undefined {
  const organization = platform.accounts.organizationById(repository.owner_id);
  if (organization?.index !== 4) return undefined;
  if (repository.size <= 1 || repository.archived) return [];
  const rulesets = [...seededRulesets({ repository }), ...seededRulesets({ organization })].filter(
    ({ target, conditions }) => target === 'branch' && coversRepository(conditions, repository),
  );
  return new History(platform, repository, (attempt) => judged(attempt, repository, rulesets)).pushes();
}

/** Returns whether somebody could bypass a seeded ruleset. At first, the site administrator is the only owner. */
const mayBypass = ({ bypass_actors: actors }: RulesetState, actor: Pusher): boolean =>
  actor.type === 'User' &&
  actors.some(({ actor_type: type, actor_id: id }) =>
    type === 'OrganizationAdmin' ? actor.site_admin : type === 'User' && id === actor.id,
  );

const changes: Readonly<Record<string, TriedUpdate['change']>> = {
  branch_creation: 'creation',
  branch_deletion: 'deletion',
};

const merges: Readonly<Record<string, TriedUpdate['merge']>> = {
  pr_merge: 'pull request',
  merge_queue_merge: 'merge queue',
};

function judged(attempt: Attempt, repository: RepositoryState, rulesets: readonly RulesetState[]): JudgedAttempt {
  const { type, ref, actor } = attempt;
  const update = { ref, change: changes[type] ?? 'update', isForced: type === 'force_push', merge: merges[type] };
  const outcome = judgeUpdate(update, {
    repository,
    rulesets,
    mayBypass: (ruleset) => mayBypass(ruleset, actor),
    breaksByContent: (rule) => breaksByContent(rule, attempt),
  });
  return { ...attempt, ...outcome };
}

/** Available rules for rulesets, as far as the seeded rulesets use them. Pull requests have the reviews that they need. */
function breaksByContent(
  { type, parameters }: RulesetState['rules'][number],
  { message, isSigned, isMerge }: Attempt,
): boolean {
  const fits = (text: string) => new RegExp(String(parameters?.pattern)).test(text);
  switch (type) {
    case 'required_linear_history':
      return isMerge;
    case 'required_signatures':
      return !isSigned;
    default:
      return type === 'commit_message_pattern' && !fits(message);
  }
}

/** What somebody does next. */
type Step = Pick<Attempt, 'type' | 'branch' | 'actor' | 'message'>;

/** Branches that are created, pushed to, merged and deleted, beside those that stay. */
class History {
  readonly #platform: SandboxPlatform;
  readonly #repository: RepositoryState;
  readonly #judge: (attempt: Attempt) => JudgedAttempt;
  readonly #count: number;
  readonly #heads = new Map<string, string>();
  /** Open branches; true for those that are merged. */
  readonly #topics = new Map<string, boolean>();

  constructor(platform: SandboxPlatform, repository: RepositoryState, judge: (attempt: Attempt) => JudgedAttempt) {
    this.#platform = platform;
    this.#repository = repository;
    this.#judge = judge;
    const wanted = repository.name === 'site' ? most : between(4, 24, this.#chance('count', 0));
    this.#count = Math.min(wanted, commitCount(platform, repository) - 1);
    for (const branch of [repository.default_branch, 'develop', 'release/1.2'])
      this.#heads.set(branch, commitSha(platform, repository, this.#count));
  }

  pushes(): JudgedAttempt[] {
    return Array.from({ length: this.#count }, (_, at) => this.#push(this.#count - 1 - at)).reverse();
  }

  /** `place` counts from the newest. */
  #push(place: number): JudgedAttempt {
    const { started } = this.#platform;
    const step = this.#step(place);
    const isBot = step.actor.type === 'Bot';
    const attempt = this.#judge({
      ...step,
      id: this.#repository.id * 1000 + (this.#count - place),
      ref: `refs/heads/${step.branch}`,
      before: this.#heads.get(step.branch) ?? noCommit,
      after: step.type === 'branch_deletion' ? noCommit : commitSha(this.#platform, this.#repository, place),
      time: started - Math.floor(((place + 0.1 + 0.8 * this.#chance('time', place)) / this.#count) * days * day),
      isSigned: isBot || step.type.includes('merge') || this.#chance('signed', place) < 0.6,
      isMerge: step.type === 'pr_merge' && this.#chance('merge', place) < 0.4,
    });
    if (attempt.result === 'fail') return { ...attempt, after: this.#refusedSha(attempt) };
    this.#happened(attempt);
    return attempt;
  }

  /** Returns the ID of a commit that the platform does not have. */
  #refusedSha({ after }: Attempt): string {
    return after === noCommit ? after : createHash('sha1').update(`refused ${after}`).digest('hex');
  }

  #happened({ type, branch, after }: Attempt): void {
    if (type === 'branch_deletion') {
      this.#heads.delete(branch);
      this.#topics.delete(branch);
    } else this.#heads.set(branch, after);
    if (type === 'branch_creation') this.#topics.set(branch, false);
  }

  #step(place: number): Step {
    const chance = this.#chance('step', place);
    const person = pick(this.#platform.accounts.users as [User, ...User[]], this.#chance('person', place));
    const main = this.#repository.default_branch;
    const number = this.#count - place;
    const message = this.#chance('ticket', place) < 0.5 ? `HOOLI-${number}: Change ${number}` : `Change ${number}`;
    const merged = this.#topic(place, true);
    const open = this.#topic(place, false);
    const by = (type: string, branch: string, actor: Pusher = person): Step => ({ type, branch, actor, message });
    if (merged !== undefined && chance < 0.5) return by('branch_deletion', merged);
    if (chance < 0.05) return by('push', main);
    if (chance < 0.08) return by('force_push', main);
    if (chance < 0.11) return by('push', main, releaseBot);
    if (chance < 0.2) return by('push', 'release/1.2', this.#chance('bot', place) < 0.6 ? releaseBot : person);
    if (chance < 0.23) return by('force_push', 'release/1.2');
    if (chance < 0.25) return by('branch_deletion', 'release/1.2');
    if (chance < 0.3) return by('push', 'develop');
    if (open === undefined || chance < 0.5) {
      const isBot = this.#chance('bot', place) < 0.3;
      const isWild = this.#chance('wild', place) < 0.25;
      const name = isBot ? `deps/update-${number}` : isWild ? `${person.login}-wip-${number}` : `feature/${number}`;
      return by('branch_creation', name, isBot ? dependencyBot : person);
    }
    if (chance < 0.68) return by(this.#chance('force', place) < 0.3 ? 'force_push' : 'push', open);
    this.#topics.set(open, true);
    return this.#chance('queue', place) < 0.25 ? by('merge_queue_merge', main, queueBot) : by('pr_merge', main);
  }

  /** Returns one of the open branches. */
  #topic(place: number, isMerged: boolean): string | undefined {
    const names = [...this.#topics].flatMap(([name, merged]) => (merged === isMerged ? [name] : []));
    return names.length === 0 ? undefined : pick(names as [string, ...string[]], this.#chance('topic', place));
  }

  #chance(label: string, place: number): number {
    return this.#platform.chance('pushes', this.#repository.id, label, place);
  }
}

const [dependencyBot, releaseBot, queueBot] = bots.map(
  (name, place): Bot => ({
    type: 'Bot',
    id: 41_000 + place,
    login: `${name}[bot]`,
  }),
) as [Bot, Bot, Bot];

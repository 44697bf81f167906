/** Judges what happened in repositories: their activity, and the rule suites of pushes. */
import { isDeepStrictEqual } from 'node:util';
import type { RepoName, Target } from '../../../cli/input/args.ts';
import type { Failure } from '../../../cli/report/report.ts';
import type { Client } from '../../../client/client.ts';
import { FleetRun } from '../../../fleet/runner.ts';
import { appliesTo } from '../../../foresight/evaluate.ts';
import type { Commit, JudgedRuleset, Verdict } from '../../../foresight/facts.ts';
import {
  evaluationsOf,
  isNoCommit,
  judgePast,
  type PastPush,
  type PastRule,
  type PastVerdict,
  pastFacts,
  worstOf,
} from '../../../foresight/impact.ts';
import { asText } from '../../../json/exact-json.ts';
import type { RuleSuite, RuleSuiteEvaluations, Ruleset } from '../../../platform/records.ts';
import { BypassList } from './bypass.ts';
import { evaluatedSuite, pastPushes, pushOfSuite, ruleSuites } from './reads.ts';
import { type SelectedRepository, selectedBy } from './repositories.ts';
import type { Subject } from './subject.ts';

/** A push with its verdict. */
export interface JudgedPush extends PastVerdict {
  readonly push: PastPush;
  readonly repository: SelectedRepository;
  readonly suite: RuleSuite | undefined;
  /** The verdict of the live version that it is compared with. */
  readonly live?: Verdict;
}

export interface ImpactOptions {
  readonly client: Client;
  readonly target: Target;
  readonly subject: Subject;
  /** The live version to compare with. */
  readonly compared: Subject | undefined;
  readonly repositories: readonly SelectedRepository[];
  readonly period: string;
  readonly mostDetails: number;
  readonly concurrency: number | undefined;
  /** Returns the commits of a push from a clone, if there is one; absent where no rule needs them. */
  readonly commitsOf: ((repository: RepoName, push: PastPush) => Promise<readonly Commit[] | undefined>) | undefined;
  readonly describe: (error: unknown) => Promise<Failure>;
  readonly progress: (done: number) => void;
}

export interface Judged {
  /** The number of pushes that were compared. */
  readonly compared: number;
  readonly suites: SuitesRead;
  /** Repositories whose activity cannot be read, with the reason. */
  readonly unreadable: readonly { readonly repository: string; readonly reason: string }[];
}

export interface SuitesRead {
  readonly period: string;
  /** The number of rule suites of the repositories; undefined if they cannot be read. */
  readonly count: number | undefined;
  readonly unreadable?: string;
  /** The number of rule suites whose rules were not read. */
  readonly unread: number;
}

/** Longer periods than the platform has rule suites for. */
const beyondSuites: readonly string[] = ['quarter', 'year'];

export const suitePeriod = (period: string): string => (beyondSuites.includes(period) ? 'month' : period);

/**
 * Judges the pushes of all repositories, and calls `judged` for those of each, in no order. Throws errors that concern all
 * of them.
 */
export async function judgeRepositories(
  options: ImpactOptions,
  seen: (repository: SelectedRepository, pushes: readonly JudgedPush[]) => void,
): Promise<Judged> {
  const { client, target, repositories, period, subject } = options;
  const needsSuites = repositories.length > 0;
  const listed = needsSuites ? await ruleSuites(client, target, suitePeriod(period)) : [];
  const suites = new Suites(options, typeof listed === 'string' ? [] : listed);
  const judge = new RepositoryJudge(options, suites);
  const compared = options.compared && new RepositoryJudge({ ...options, subject: options.compared }, suites);
  const unreadable: { repository: string; reason: string }[] = [];
  let failure: unknown;
  let [done, total] = [0, 0];
  const run = new FleetRun<SelectedRepository, undefined, Failure>({
    targets: repositories,
    name: ({ full_name: name }) => name,
    concurrency: options.concurrency,
    work: async (repository) => {
      try {
        const mine = client.forTask();
        const found = subject.isEvaluated ? [] : await pastPushes(mine, pathOf(repository), period);
        const judged = await judge.pushes(repository, found, mine);
        total += judged.length;
        seen(repository, compared ? differing(judged, await compared.pushes(repository, found, mine)) : judged);
      } catch (error) {
        const { stops } = await options.describe(error);
        if (stops) failure ??= error;
        throw error;
      }
    },
    describe: options.describe,
  });
  for await (const outcome of run) {
    options.progress(++done);
    if (outcome.status === 'failed')
      unreadable.push({ repository: outcome.target.full_name, reason: outcome.error.message.replace(/\.$/, '') });
  }
  if (failure !== undefined) throw failure;
  unreadable.sort((a, b) => (a.repository < b.repository ? -1 : 1));
  return {
    compared: total,
    suites: {
      period: suitePeriod(period),
      count: typeof listed === 'string' ? undefined : suites.count,
      ...(typeof listed === 'string' && { unreadable: listed }),
      unread: suites.unread,
    },
    unreadable,
  };
}

const pathOf = ({ full_name: name }: SelectedRepository): RepoName => {
  const [owner = '', repo = ''] = name.split('/');
  return { owner, repo };
};

/** Returns the pushes of which two versions say something different. Both lists have the same pushes. */
const differing = (judged: readonly JudgedPush[], live: readonly JudgedPush[]): JudgedPush[] =>
  judged.flatMap((each, at) => {
    const other = live[at] as JudgedPush;
    return isDeepStrictEqual(verdictsOf(each), verdictsOf(other)) ? [] : [{ ...each, live: other.verdict }];
  });

const verdictsOf = ({ rules }: JudgedPush) =>
  rules
    .filter(({ verdict }) => verdict !== 'allowed')
    .map(({ type, verdict }) => `${type} ${verdict}`)
    .sort();

/** The rule suites of the repositories, and the details of some of them. */
class Suites {
  readonly #options: ImpactOptions;
  readonly #byRepository: ReadonlyMap<number, readonly RuleSuite[]>;
  /** The suites whose details may be read: the newest of those that may decide something. */
  readonly #readable: ReadonlySet<number>;
  readonly #read = new Map<number, Promise<RuleSuiteEvaluations>>();
  readonly #unread = new Set<number>();
  readonly count: number;

  constructor(options: ImpactOptions, suites: readonly RuleSuite[]) {
    this.#options = options;
    const { subject, repositories, mostDetails } = options;
    const byId = new Map(repositories.map((each) => [each.id, each]));
    // A repository may have been renamed since.
    const own = suites.filter(({ repository_id: id }) => byId.has(id ?? -1));
    this.#byRepository = Map.groupBy(own, ({ repository_id: id }) => id ?? -1);
    this.count = own.length;
    const deciding = own.filter((suite) => {
      const repository = byId.get(suite.repository_id ?? -1) as SelectedRepository;
      return overallOf(suite, subject) !== 'pass' && mayApply(subject, repository, pushOfSuite(suite));
    });
    this.#readable = new Set(deciding.slice(0, mostDetails).map(({ id }) => id));
  }

  of({ id }: SelectedRepository): readonly RuleSuite[] {
    return this.#byRepository.get(id) ?? [];
  }

  /** The number of suites whose details were needed, but not read. */
  get unread(): number {
    return this.#unread.size;
  }

  /** Returns the details of a suite; undefined if those of too many were needed. */
  details({ id }: RuleSuite, client: Client): Promise<RuleSuiteEvaluations> | undefined {
    if (!this.#readable.has(id)) {
      this.#unread.add(id);
      return undefined;
    }
    const { target } = this.#options;
    const read = this.#read.get(id) ?? evaluatedSuite(client, target, id);
    this.#read.set(id, read);
    return read;
  }
}

/** Returns the result of a suite for the rulesets of the same enforcement as the live one. */
const overallOf = (
  { result, evaluation_result: evaluation }: RuleSuite,
  { live }: Subject,
): string | null | undefined => (live?.enforcement === 'evaluate' ? evaluation : result);

const placeOf = ({ name, default_branch: defaultBranch }: SelectedRepository) => ({ repository: name, defaultBranch });

/** Returns the ruleset for one repository, with the conditions on repositories only if it is not known whether they hold. */
function rulesetFor({ ruleset }: Subject, repository: SelectedRepository): JudgedRuleset | undefined {
  const isSelected = selectedBy(ruleset, repository);
  if (isSelected === false) return undefined;
  return isSelected ? { ...ruleset, conditions: { ref_name: ruleset.conditions.ref_name } } : ruleset;
}

function mayApply(subject: Subject, repository: SelectedRepository, push: PastPush): boolean {
  const ruleset = rulesetFor(subject, repository);
  return ruleset !== undefined && appliesTo(ruleset, pastFacts(push, placeOf(repository))) !== false;
}

/** Judges the pushes to repositories by one ruleset. */
class RepositoryJudge {
  readonly #options: ImpactOptions;
  readonly #suites: Suites;
  readonly #bypass: BypassList;
  readonly #platformRules: ReadonlySet<string>;
  readonly #verdicts = new Map<string, PastVerdict>();

  constructor(options: ImpactOptions, suites: Suites) {
    const { client, target, subject } = options;
    this.#options = options;
    this.#suites = suites;
    const owner = 'org' in target ? target.org : target.owner;
    this.#bypass = new BypassList(client, owner, subject.bypassActors);
    this.#platformRules = sameRules(subject.ruleset, subject.live);
  }

  async pushes(
    repository: SelectedRepository,
    activity: readonly PastPush[],
    client: Client,
  ): Promise<readonly JudgedPush[]> {
    const suites = this.#suites.of(repository);
    if (this.#options.subject.isEvaluated) return this.#evaluated(repository, suites, client);
    const byPush = new Map(suites.map((suite) => [keyOf(pushOfSuite(suite)), suite]));
    const refused = suites.filter(({ result }) => result === 'fail');
    const all = [...activity, ...refused.map(pushOfSuite)];
    const judged: JudgedPush[] = [];
    const alike = new Map<string, PastVerdict>();
    for (const push of all) {
      const suite = byPush.get(keyOf(push));
      const kind = suite || this.#options.commitsOf ? undefined : kindOf(push);
      const verdict = alike.get(kind ?? '') ?? (await this.#verdict(repository, push, suite, client));
      if (kind !== undefined) alike.set(kind, verdict);
      judged.push({ verdict: verdict.verdict, rules: verdict.rules, push, repository, suite });
    }
    return judged;
  }

  async #verdict(
    repository: SelectedRepository,
    push: PastPush,
    suite: RuleSuite | undefined,
    client: Client,
  ): Promise<PastVerdict> {
    const facts = pastFacts(push, placeOf(repository));
    const ruleset = rulesetFor(this.#options.subject, repository);
    if (!ruleset || appliesTo(ruleset, facts) === false) return { verdict: 'allowed', rules: noRules };
    const commits = facts.update === 'update' ? await this.#options.commitsOf?.(pathOf(repository), push) : undefined;
    const verdict = await judgePast({ ...facts, commits }, ruleset, {
      bypass: () => this.#bypass.of(push.pusher),
      said: async (type) => (suite ? this.#saidOf(suite, type, client) : undefined),
    });
    return this.#shared(verdict);
  }

  /** Returns the same object for equal verdicts: there are few, of very many pushes. */
  #shared(verdict: PastVerdict): PastVerdict {
    const key = JSON.stringify(verdict);
    const known = this.#verdicts.get(key) ?? verdict;
    if (this.#verdicts.size < mostVerdicts) this.#verdicts.set(key, known);
    return known;
  }

  /** Returns what the platform said about a rule of the live version, as far as that is the same. */
  async #saidOf(suite: RuleSuite, type: string, client: Client): Promise<PastRule | undefined> {
    const { subject, mostDetails } = this.#options;
    const { live } = subject;
    if (!live || !this.#platformRules.has(type) || !isSince(suite, live)) return undefined;
    const overall = overallOf(suite, subject);
    if (overall === 'pass') return { type, verdict: 'allowed' };
    if (!overall) return undefined;
    const details = await this.#suites.details(suite, client);
    if (!details) return { type, verdict: 'unknown', missing: beyond(suite, mostDetails) };
    const bypass = () => this.#bypass.of(pushOfSuite(suite).pusher);
    return (await evaluationsOf(details, live.id, overall, bypass)).find((rule) => rule.type === type);
  }

  /** Returns what the platform said about the pushes that a ruleset in evaluate applied to. */
  async #evaluated(
    repository: SelectedRepository,
    suites: readonly RuleSuite[],
    client: Client,
  ): Promise<readonly JudgedPush[]> {
    const { subject, mostDetails } = this.#options;
    const { live, ruleset } = subject;
    const judged: JudgedPush[] = [];
    for (const suite of suites) {
      const { evaluation_result: result } = suite;
      if (!live || !result || !isSince(suite, live) || !mayApply(subject, repository, pushOfSuite(suite))) continue;
      const details = result === 'pass' ? undefined : await this.#suites.details(suite, client);
      const rules: readonly PastRule[] = details
        ? await evaluationsOf(details, live.id, result, () => this.#bypass.of(pushOfSuite(suite).pusher))
        : result === 'pass'
          ? ruleset.rules.map(({ type }) => ({ type, verdict: 'allowed' }))
          : [{ type: 'rule unknown', verdict: 'unknown', missing: beyond(suite, mostDetails) }];
      judged.push({ verdict: worstOf(rules), rules, push: pushOfSuite(suite), repository, suite });
    }
    return judged;
  }
}

const noRules: readonly PastRule[] = [];

/** Verdicts that name a commit or a rule suite do not occur again. */
const mostVerdicts = 1000;

/** Pushes of a kind have the same verdict, unless a rule suite or commits are known. */
const kindOf = ({ ref, before, after, activity, pusher }: PastPush): string =>
  [ref, activity, isNoCommit(before), isNoCommit(after), pusher?.login].join(' ');

const keyOf = ({ ref, before, after }: PastPush): string => `${ref} ${before} ${after}`;

/** Earlier suites belong to another version of the ruleset. */
const isSince = ({ pushed_at: at }: RuleSuite, { updated_at: updated }: Ruleset): boolean =>
  updated === undefined || Date.parse(asText(at)) > Date.parse(asText(updated));

const beyond = ({ id }: RuleSuite, most: number): string =>
  `the details of rule suite ${id}, beyond --suite-details ${most}`;

/** Returns the types of the rules that the live version has, too; those that occur twice cannot be told apart. */
function sameRules({ rules }: JudgedRuleset, live: Ruleset | undefined): ReadonlySet<string> {
  if (!live || !['active', 'evaluate'].includes(live.enforcement)) return new Set();
  const liveRules = live.rules ?? [];
  const isSingle = (type: string) =>
    [rules, liveRules].every((all) => all.filter((each) => each.type === type).length === 1);
  const same = rules.filter(({ type, parameters }) =>
    liveRules.some((each) => each.type === type && isDeepStrictEqual(each.parameters ?? {}, parameters)),
  );
  return new Set(same.map(({ type }) => type).filter(isSingle));
}

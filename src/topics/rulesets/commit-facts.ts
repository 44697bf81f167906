/** Facts about pushed commits that only the platform knows. Each is read only if a rule asks for it. */
import type { Session } from '../../cli/command/session.ts';
import type { RepoName } from '../../cli/input/args.ts';
import { ApiError, unlessHidden } from '../../client/errors.ts';
import { appliesTo } from '../../foresight/evaluate.ts';
import { type Commit, type JudgedRuleset, type Push, type ReportedCheck, shortOf } from '../../foresight/facts.ts';
import {
  getCommit,
  listCheckRuns,
  listDeploymentStatuses,
  listDeployments,
  listLatestStatuses,
} from '../../platform/endpoints/commits.ts';
import type { CommitDetails } from '../../platform/records.ts';

/** The requests that tell facts about commits. */
export const commitReads = [
  getCommit.route,
  listCheckRuns.route,
  listLatestStatuses.route,
  listDeployments.route,
  listDeploymentStatuses.route,
];

/** Maximum number of commits whose signatures are read. */
const maxSignatures = 100;

/** Maximum number of deployments to one environment whose statuses are read. */
const maxDeployments = 5;

/** Conclusions of check runs that pass: “successful, skipped, or neutral”. About protected branches. */
const passing = ['success', 'skipped', 'neutral'];

/** The repository whose commits are read. */
export interface CommitSource {
  readonly session: Session;
  readonly path: RepoName;
  /** Receives which facts cannot be read. */
  readonly notice: (text: string) => void;
}

/** Returns a push with the facts that its rules ask for, as far as the token may read them. */
export async function withCommitFacts(
  source: CommitSource,
  push: Push,
  rulesets: readonly JudgedRuleset[],
): Promise<Push> {
  if (push.update === 'delete') return push;
  const rules = rulesets
    .filter((ruleset) => ruleset.enforcement !== 'disabled' && appliesTo(ruleset, push) !== false)
    .flatMap((ruleset) => ruleset.rules);
  const isAsked = (type: string) => rules.some((rule) => rule.type === type);
  const environments = rules
    .filter(({ type }) => type === 'required_deployments' && push.update === 'update')
    .flatMap(({ parameters }) => parameters.required_deployment_environments);
  const wanted = {
    checks: isAsked('required_status_checks'),
    environments: [...new Set(environments)].filter((each) => typeof each === 'string'),
    signatures: isAsked('required_signatures') && !push.isMerge ? openSignatures(push) : [],
  };
  if (!wanted.checks && wanted.environments.length === 0 && wanted.signatures.length === 0) return push;
  const head = await commitOf(source, push.head);
  if (head === undefined) return push;
  // Nothing was reported about a commit that the platform does not have.
  if (head === 'absent') return { ...push, passedChecks: [], deployedTo: [] };
  const [checks, deployedTo, commits] = await Promise.all([
    wanted.checks ? reportedChecks(source, push.head) : {},
    wanted.environments.length > 0 ? deployments(source, push.head, wanted.environments) : undefined,
    verified(source, push, head, wanted.signatures),
  ]);
  return { ...push, ...checks, deployedTo, commits };
}

/** Returns the signed commits, unless the rule is broken without asking the platform. */
function openSignatures({ commits = [] }: Push): readonly Commit[] {
  return commits.some(({ isVerified }) => isVerified === false)
    ? []
    : commits.filter(({ isVerified }) => isVerified === undefined);
}

/** Returns a commit; `absent` if the platform does not have it, and undefined if the token cannot read it. */
async function commitOf(
  { session, path, notice }: CommitSource,
  ref: string,
): Promise<CommitDetails | 'absent' | undefined> {
  try {
    const commit = await unlessHidden(session.call(getCommit, { path: { ...path, ref } }, {}));
    if (commit === undefined) notice(unreadable(`Commit ${shortOf(ref)}`, 'contents'));
    return commit;
  } catch (error) {
    // “No commit found for SHA”.
    if (error instanceof ApiError && error.refusal.status === 422) return 'absent';
    throw error;
  }
}

const unreadable = (what: string, permission: string) =>
  `${what} cannot be read: the token may need the permission ${permission} (read).`;

/** Returns what was reported about a commit; nothing if the token cannot read all of it. */
async function reportedChecks(
  { session, path, notice }: CommitSource,
  ref: string,
): Promise<Pick<Push, 'failedChecks'> & Partial<Pick<Push, 'passedChecks'>>> {
  const input = { path: { ...path, ref } };
  const [runs, statuses] = await Promise.all([
    unlessHidden(session.list(listCheckRuns, input, { all: true }, {}).then((listing) => listing.records())),
    unlessHidden(session.list(listLatestStatuses, input, { all: true }, {}).then((listing) => listing.records())),
  ]);
  if (runs === undefined) notice(unreadable(`Check runs of ${shortOf(ref)}`, 'checks'));
  if (statuses === undefined) notice(unreadable(`Statuses of ${shortOf(ref)}`, 'statuses'));
  if (runs === undefined || statuses === undefined) return {};
  const all = [
    ...runs.map(({ name, app, conclusion }) => ({
      check: { context: name, app: app?.id },
      passes: passing.includes(conclusion ?? ''),
    })),
    ...statuses.map(({ context, state }) => ({ check: { context }, passes: state === 'success' })),
  ];
  const those = (passes: boolean): ReportedCheck[] =>
    all.filter((each) => each.passes === passes).map(({ check }) => check);
  return { passedChecks: those(true), failedChecks: those(false) };
}

/** Returns the environments to which a commit was deployed; undefined if the token cannot read that. */
async function deployments(
  { session, path, notice }: CommitSource,
  sha: string,
  environments: readonly string[],
): Promise<readonly string[] | undefined> {
  const listing = await session.list(listDeployments, { path: { ...path }, query: { sha } }, { all: true }, {});
  const all = await unlessHidden(listing.records());
  if (all === undefined) notice(unreadable(`Deployments of ${shortOf(sha)}`, 'deployments'));
  const hasSucceeded = async (deployment_id: number) => {
    const statuses = await session.list(
      listDeploymentStatuses,
      { path: { ...path, deployment_id } },
      { limit: 100 },
      {},
    );
    // A deployment is inactive once another one has taken its place.
    return (await statuses.records()).find(({ state }) => state !== 'inactive')?.state === 'success';
  };
  const found = await Promise.all(
    environments.map(async (environment) => {
      const those = all?.filter((each) => each.environment === environment) ?? [];
      const successes = await Promise.all(those.slice(0, maxDeployments).map(({ id }) => hasSucceeded(id)));
      if (successes.includes(true)) return [environment];
      // One of those that are not read may have succeeded.
      return those.length > maxDeployments ? undefined : [];
    }),
  );
  return all && !found.includes(undefined) ? found.flatMap((each) => each ?? []) : undefined;
}

/** Returns the commits with what the platform says about their signatures. */
async function verified(
  source: CommitSource,
  { commits, head: newest }: Push,
  head: CommitDetails,
  signed: readonly Commit[],
): Promise<Push['commits']> {
  const asked = await Promise.all(
    signed.slice(0, maxSignatures).map(async ({ id }) => {
      const commit = id === newest ? head : await commitOf(source, id);
      return [id, typeof commit === 'object' ? commit.commit.verification?.verified : undefined] as const;
    }),
  );
  const answers = new Map(asked);
  return commits?.map((commit) => ({ ...commit, isVerified: commit.isVerified ?? answers.get(commit.id) }));
}

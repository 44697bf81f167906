/** Rulesets to judge by: those of the platform, and proposed ones in files. */

import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../../cli/command/session.ts';
import { UsageError, ValidationError } from '../../cli/errors.ts';
import { type RepoName, targetName } from '../../cli/input/args.ts';
import { readBodyInput } from '../../cli/input/body-input.ts';
import type { JudgedRuleset } from '../../foresight/facts.ts';
import { lintRuleset } from '../../foresight/lint-ruleset.ts';
import type { Remote } from '../../git/checkout.ts';
import type { PushingRepository } from '../../git/pushed.ts';
import { isObject } from '../../json/exact-json.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import {
  createOrganizationRuleset,
  getRepositoryRuleset,
  listRepositoryRulesets,
} from '../../platform/endpoints/rulesets.ts';
import type { Ruleset, RulesetSummary } from '../../platform/records.ts';
import { bodyOfRecord } from '../../platform/resource.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { checkBody, type Given, refuseUnknown } from '../../platform/validate.ts';
import { remotesOn } from '../api/folder-repository.ts';
import type { Pushing } from './pushed-refs.ts';

/** Reads a proposed ruleset. Throws UsageError, and ValidationError for one that `rulesets lint` rejects. */
export async function readProposed(file: string, stdin: Readable): Promise<Given> {
  const document = await readBodyInput(file, stdin, '--ruleset');
  const { body } = bodyOfRecord(rulesets, createOrganizationRuleset, document);
  const { problems } = refuseUnknown(checkBody(createOrganizationRuleset, body), false);
  const findings = (await lintRuleset(document)).filter(({ severity }) => severity === 'error');
  const all = [...problems, ...findings.map(({ field, message }) => ({ field, message, code: 'invalid' as const }))];
  if (all.length > 0)
    throw new ValidationError(
      all.map((problem) => ({ ...problem, field: `${file}: ${problem.field}` })),
      'See all findings with: forgectl rulesets lint FILE',
    );
  return document;
}

/** Returns a ruleset of the platform, which says of each whether it applies to the repository. */
const judgedLive = (ruleset: Ruleset, as: string | undefined): JudgedRuleset => ({
  id: ruleset.id,
  name: ruleset.name,
  source: ruleset.source,
  target: ruleset.target ?? 'branch',
  enforcement: ruleset.enforcement,
  conditions: { ref_name: ruleset.conditions?.ref_name },
  rules: rulesOf(ruleset.rules),
  bypass: as === undefined ? ruleset.current_user_can_bypass : bypassOfOthers(ruleset.bypass_actors),
});

/** Branch protection, which counts beside rulesets and is not read. */
const classicProtection = (repository: string): JudgedRuleset => ({
  id: undefined,
  name: 'branch protection',
  source: repository,
  target: 'branch',
  enforcement: 'active',
  conditions: { ref_name: { include: ['~ALL'] } },
  rules: [{ type: 'branch_protection', parameters: {} }],
  bypass: undefined,
});

/** Returns a proposed ruleset as if active. `live` is the ruleset that it replaces. */
const judgedProposed = (
  proposed: Given,
  {
    live,
    isOffline,
    as,
  }: { readonly live?: Ruleset | undefined; readonly isOffline: boolean; readonly as?: string | undefined },
): JudgedRuleset => {
  const { bypass_actors: actors = [] } = proposed;
  const isSame = live !== undefined && as === undefined && isDeepStrictEqual(actors, live.bypass_actors);
  return {
    id: typeof proposed.id === 'number' ? proposed.id : undefined,
    name: String(proposed.name),
    source: typeof proposed.source === 'string' ? proposed.source : 'proposed',
    target: String(proposed.target ?? 'branch'),
    enforcement: 'active',
    conditions: isObject(proposed.conditions) ? proposed.conditions : {},
    rules: rulesOf(proposed.rules),
    bypass: isOffline ? 'never' : isSame ? live.current_user_can_bypass : bypassOfOthers(actors),
  };
};

/** Nobody bypasses a ruleset without a bypass list, and no person one for deploy keys; who else does is not known. */
const bypassOfOthers = (actors: unknown): string | undefined =>
  Array.isArray(actors) && actors.every((actor) => isObject(actor) && actor.actor_type === 'DeployKey')
    ? 'never'
    : undefined;

const rulesOf = (rules: unknown): JudgedRuleset['rules'] =>
  (Array.isArray(rules) ? rules.filter(isObject) : []).map(({ type, parameters }) => ({
    type: String(type),
    parameters: isObject(parameters) ? parameters : {},
  }));

/** What judges the pushes of a run. */
export interface Judges {
  readonly repository: RepoName | undefined;
  readonly rulesets: readonly JudgedRuleset[];
  /** The whole ref of the default branch. */
  readonly defaultBranch: string | undefined;
}

export interface JudgeFlags {
  readonly as?: string | undefined;
  readonly without?: number | undefined;
  readonly 'default-branch'?: string | undefined;
}

interface JudgeInput {
  readonly repo: RepoName | undefined;
  readonly proposed: readonly Given[];
  readonly flags: JudgeFlags;
}

const wholeBranch = (name: string | undefined) => (name === undefined ? undefined : `refs/heads/${name}`);

const usualRemote = (remotes: readonly Remote[]) => (remotes.find(({ name }) => name === 'origin') ?? remotes[0])?.name;

/** Returns the judges of a run without requests: only proposed rulesets, which nobody bypasses. Throws GitError. */
export async function offlineJudges(
  repository: PushingRepository,
  { repo, proposed, flags }: JudgeInput,
): Promise<Judges & { readonly pushing: Pushing }> {
  const remote = usualRemote(await repository.remotes());
  const tracking = `refs/remotes/${remote}/`;
  const named = flags['default-branch'];
  const head =
    named === undefined && remote !== undefined ? await repository.symbolicRef(`${tracking}HEAD`) : undefined;
  return {
    pushing: { repository, remote },
    repository: repo,
    rulesets: proposed.map((ruleset) => judgedProposed(ruleset, { isOffline: true })),
    defaultBranch: wholeBranch(named ?? head?.slice(tracking.length)),
  };
}

/** Returns the judges of a run on the platform. Throws GitError, UsageError and the errors of requests. */
export async function platformJudges(
  session: Session,
  repository: PushingRepository,
  { repo: given, proposed, flags: { as, without, 'default-branch': named } }: JudgeInput,
): Promise<Judges & { readonly pushing: Pushing }> {
  const { baseUrl } = (await session.connection()).platform;
  const remotes = await repository.remotes();
  const onPlatform = remotesOn(baseUrl, remotes);
  const nameOf = (each: RepoName) => targetName(each).toLowerCase();
  const remote = given ? onPlatform.find((each) => nameOf(each) === nameOf(given)) : onPlatform[0];
  const repo = given ?? remote;
  if (repo === undefined)
    throw new UsageError(
      `No git remote is on ${new URL(baseUrl).host}. Nothing was sent.`,
      'Write the repository as OWNER/NAME, or choose the platform with --profile or --base-url.',
    );
  const path = { owner: repo.owner, repo: repo.repo };
  const live = await liveRulesets(session, path, { proposed, without });
  const isReplaced = ({ id }: Ruleset) => proposed.some((each) => each.id === id);
  return {
    pushing: { repository, remote: remote?.name ?? usualRemote(remotes) },
    repository: path,
    rulesets: [
      ...live.filter((each) => !isReplaced(each)).map((each) => judgedLive(each, as)),
      ...proposed.map((each) =>
        judgedProposed(each, { live: live.find(({ id }) => id === each.id), isOffline: false, as }),
      ),
      classicProtection(targetName(path)),
    ],
    defaultBranch: wholeBranch(named ?? (await session.call(getRepository, { path }, {})).default_branch),
  };
}

/** Reads the rulesets of all levels that apply to the repository; disabled ones only if they are replaced. */
async function liveRulesets(
  session: Session,
  path: RepoName,
  { proposed, without }: { readonly proposed: readonly Given[]; readonly without: number | undefined },
): Promise<Ruleset[]> {
  const input = { path: { ...path }, query: {} };
  const client = await session.clientFor(listRepositoryRulesets, input);
  const all: RulesetSummary[] = [];
  for await (const { items } of client.pages(listRepositoryRulesets, input, { perPage: 100 })) all.push(...items);
  if (without !== undefined && !all.some(({ id }) => id === without))
    throw new UsageError(`--without ${without} is no ruleset that applies to ${targetName(path)}.`);
  const wanted = all.filter(
    ({ id, enforcement }) => id !== without && (enforcement !== 'disabled' || proposed.some((each) => each.id === id)),
  );
  return Promise.all(
    wanted.map(({ id }) => session.call(getRepositoryRuleset, { path: { ...path, ruleset_id: id }, query: {} }, {})),
  );
}

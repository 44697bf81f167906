/** Rulesets to judge by: those of the platform, and proposed ones in files. */

import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../../cli/command/session.ts';
import { UsageError, ValidationError } from '../../cli/errors.ts';
import { type RepoName, targetName } from '../../cli/input/args.ts';
import { readBodyInput } from '../../cli/input/body-input.ts';
import { checked } from '../../fleet/policy/live/record-shapes.ts';
import { evaluatePush, type PushVerdict } from '../../foresight/evaluate.ts';
import type { JudgedRuleset, Push } from '../../foresight/facts.ts';
import { lintRuleset } from '../../foresight/lint-ruleset.ts';
import type { Remote } from '../../git/checkout.ts';
import type { PushingRepository } from '../../git/pushed.ts';
import { asText, isObject } from '../../json/exact-json.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import {
  createOrganizationRuleset,
  getRepositoryRuleset,
  listRepositoryRulesets,
} from '../../platform/endpoints/rulesets.ts';
import type { Ruleset } from '../../platform/records.ts';
import { bodyOfRecord } from '../../platform/resource.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { checkBody, type Given, refuseUnknown } from '../../platform/validate.ts';
import { remotesOn } from '../api/folder-repository.ts';
import { commitReads, withCommitFacts } from './commit-facts.ts';
import { PushingPerson, personReads } from './people.ts';
import { branchAt, classicProtection, protectionReads } from './protected-branch.ts';
import type { Pushing } from './pushed-refs.ts';
import { readRuleset, requireRulesets, rulesetSummary } from './record-shape.ts';

/** The requests of a simulation. */
export const simulationReads = [
  listRepositoryRulesets.route,
  getRepositoryRuleset.route,
  getRepository.route,
  ...protectionReads,
  ...commitReads,
  ...personReads,
];

/** Reads a proposed ruleset. Throws UsageError, and ValidationError for one that `rulesets lint` rejects. */
export async function readProposed(file: string, stdin: Readable, flag?: string): Promise<Given> {
  const document = await readBodyInput(file, stdin, flag);
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
const judgedLive = async (ruleset: Ruleset, as: string | undefined, person: PushingPerson): Promise<JudgedRuleset> => ({
  id: ruleset.id,
  name: ruleset.name,
  source: ruleset.source,
  target: ruleset.target ?? 'branch',
  enforcement: ruleset.enforcement,
  conditions: { ref_name: ruleset.conditions?.ref_name },
  rules: rulesOf(ruleset.rules),
  bypass: as === undefined ? ruleset.current_user_can_bypass : await person.bypassOf(ruleset.bypass_actors),
});

/** Returns a proposed ruleset as if active. */
const judgedProposed = (proposed: Given, bypass: string | undefined): JudgedRuleset => ({
  id: typeof proposed.id === 'number' ? proposed.id : undefined,
  name: asText(proposed.name),
  source: typeof proposed.source === 'string' ? proposed.source : 'proposed',
  target: asText(proposed.target ?? 'branch'),
  enforcement: 'active',
  conditions: isObject(proposed.conditions) ? proposed.conditions : {},
  rules: rulesOf(proposed.rules),
  bypass,
});

export const rulesOf = (rules: unknown): JudgedRuleset['rules'] =>
  (Array.isArray(rules) ? rules.filter(isObject) : []).map(({ type, parameters }) => ({
    type: asText(type),
    parameters: isObject(parameters) ? parameters : {},
  }));

/** What judges the pushes of a run. */
export interface Judges {
  readonly repository: RepoName | undefined;
  /** The whole ref of the default branch. */
  readonly defaultBranch: string | undefined;
  /** Returns the commit that a ref has on the platform; undefined if it is no branch there, or cannot be read. */
  readonly tipOf: (ref: string) => Promise<string | undefined>;
  /** Judges a push, with the facts that its rules ask the platform for. */
  readonly judge: (push: Push) => Promise<PushVerdict>;
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
  readonly notice: (text: string) => void;
}

/** A record of another shape has no text there. */
const wholeBranch = (name: unknown) => (typeof name === 'string' ? `refs/heads/${name}` : undefined);

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
    defaultBranch: wholeBranch(named ?? head?.slice(tracking.length)),
    tipOf: async () => undefined,
    judge: (push) =>
      evaluatePush(
        push,
        proposed.map((ruleset) => judgedProposed(ruleset, 'never')),
      ),
  };
}

/** Returns the judges of a run on the platform. Throws GitError, UsageError and the errors of requests. */
export async function platformJudges(
  session: Session,
  repository: PushingRepository,
  { repo: given, proposed, flags: { as, without, 'default-branch': named }, notice }: JudgeInput,
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
  const person = new PushingPerson(session, path, as);
  const branches = new Map<string, ReturnType<typeof branchAt>>();
  const branchOf = (ref: string) => {
    const branch = branches.get(ref) ?? branchAt(session, path, ref);
    branches.set(ref, branch);
    return branch;
  };
  const rulesets = await Promise.all([
    ...live
      .filter(({ id }) => !proposed.some((each) => each.id === id))
      .map((ruleset) => judgedLive(ruleset, as, person)),
    ...proposed.map(async (ruleset) => {
      const { bypass_actors: actors = [] } = ruleset;
      const replaced = live.find(({ id }) => id === ruleset.id);
      const isSame = replaced !== undefined && as === undefined && isDeepStrictEqual(actors, replaced.bypass_actors);
      return judgedProposed(ruleset, isSame ? replaced.current_user_can_bypass : await person.bypassOf(actors));
    }),
  ]);
  return {
    pushing: { repository, remote: remote?.name ?? usualRemote(remotes) },
    repository: path,
    defaultBranch: wholeBranch(named ?? (await session.call(getRepository, { path }, {})).default_branch),
    tipOf: async (ref) => (await branchOf(ref))?.commit?.sha,
    judge: async (push) => {
      const { ref } = push;
      const protection = await classicProtection(session, path, { ref, branch: await branchOf(ref) }, person);
      const all = [...rulesets, ...protection];
      return evaluatePush(await withCommitFacts({ session, path, notice }, push, all), all);
    },
  };
}

const listed = checked(listRepositoryRulesets, rulesetSummary);

/** Reads the rulesets of all levels that apply to the repository; disabled ones only if they are replaced. */
async function liveRulesets(
  session: Session,
  path: RepoName,
  { proposed, without }: { readonly proposed: readonly Given[]; readonly without: number | undefined },
): Promise<Ruleset[]> {
  const input = { path: { ...path }, query: {} };
  const listing = await session.list(listed, input, { all: true }, {});
  const all = await listing.records();
  await requireRulesets(session, listed, input, all);
  if (without !== undefined && !all.some(({ id }) => id === without))
    throw new UsageError(`--without ${without} is no ruleset that applies to ${targetName(path)}.`);
  const wanted = all.filter(
    ({ id, enforcement }) => id !== without && (enforcement !== 'disabled' || proposed.some((each) => each.id === id)),
  );
  return Promise.all(
    wanted.map(({ id }) =>
      readRuleset(session, getRepositoryRuleset, { path: { ...path, ruleset_id: id }, query: {} }),
    ),
  );
}

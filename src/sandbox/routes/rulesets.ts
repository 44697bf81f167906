import * as endpoints from '../../platform/endpoints/rulesets.ts';
import type { AppliedRule } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import type { Caller } from '../callers.ts';
import { requireValid } from '../input.ts';
import type { SandboxPlatform } from '../platform.ts';
import { notFound, unprocessable, validationFailed } from '../refusals.ts';
import { coveredRepositories, repositoryAccess } from '../roles.ts';
import { type App, type Exceptions, route } from '../route.ts';
import { isoSeconds } from '../state/accounts.ts';
import { appId } from '../state/app.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { type RuleSuiteState, ruleSuitesOf } from '../state/rule-suites.ts';
import {
  coversBranch,
  inheritedBy,
  keep,
  nextRulesetId,
  type RulesetFields,
  type RulesetOwner,
  type RulesetState,
  rulesetsOf,
  type VersionState,
  versionsOf,
} from '../state/rulesets.ts';
import { hasTeam } from '../state/teams.ts';
import { windowStart } from '../state/windows.ts';
import { repositoryOwner } from '../views/repository.ts';
import { rulesetSummary, rulesetView, sourceOf } from '../views/ruleset.ts';

/** Rules of unknown types and unknown parameters are stored: newer platforms may know them. */
const newerRules: Exceptions = { takesUnknownWords: /^rules\[\d+\]\.type$/ };

export function mountRulesets(app: App): void {
  mountRuleSuites(app);
  mountRepositoryRulesets(app);
  mountOrganizationRulesets(app);
}

function mountRepositoryRulesets(app: App): void {
  const { platform } = app;

  route(app, endpoints.listRepositoryRulesets, ({ repository, query }) =>
    ofRepository(platform, repository, query.includes_parents ?? true)
      .filter(([, ruleset]) => isTargeted(ruleset, query.targets))
      .map(([owner, ruleset]) => rulesetSummary(platform, owner, ruleset)),
  );
  route(app, endpoints.getRepositoryRuleset, ({ repository, path, query, caller }) => {
    const all = ofRepository(platform, repository, query.includes_parents ?? true);
    const [owner, ruleset] = all.find(([, { id }]) => id === path.ruleset_id) ?? [];
    if (!owner || !ruleset) throw notFound();
    return rulesetView(platform, owner, ruleset, caller, repositoryAccess(platform, caller, repository).admin);
  });
  route(
    app,
    endpoints.createRepositoryRuleset,
    ({ repository, body, caller }) => create(platform, { repository }, body, caller),
    newerRules,
  );
  route(
    app,
    endpoints.updateRepositoryRuleset,
    ({ repository, path, body, caller }) => update(platform, { repository }, path.ruleset_id, body, caller),
    newerRules,
  );
  route(app, endpoints.deleteRepositoryRuleset, ({ repository, path }) => {
    remove(platform, { repository }, path.ruleset_id);
  });
  route(app, endpoints.listRepositoryRulesetVersions, ({ repository, path }) =>
    versions(platform, { repository }, path.ruleset_id).map(versionView),
  );
  route(app, endpoints.getRepositoryRulesetVersion, ({ repository, path, caller }) =>
    version(platform, { repository }, path.ruleset_id, path.version_id, caller),
  );
  route(app, endpoints.listBranchRules, ({ repository, path }) => appliedRules(platform, repository, path.branch));
}

function mountOrganizationRulesets(app: App): void {
  const { platform } = app;

  route(app, endpoints.listOrganizationRulesets, ({ organization, query }) =>
    rulesetsOf(platform, { organization })
      .values()
      .filter((ruleset) => isTargeted(ruleset, query.targets))
      .map((ruleset) => rulesetSummary(platform, { organization }, ruleset)),
  );
  route(app, endpoints.getOrganizationRuleset, ({ organization, path, caller }) => {
    const ruleset = find(platform, { organization }, path.ruleset_id);
    return rulesetView(platform, { organization }, ruleset, caller, true);
  });
  route(
    app,
    endpoints.createOrganizationRuleset,
    ({ organization, body, caller }) => create(platform, { organization }, body, caller),
    newerRules,
  );
  route(
    app,
    endpoints.updateOrganizationRuleset,
    ({ organization, path, body, caller }) => update(platform, { organization }, path.ruleset_id, body, caller),
    newerRules,
  );
  route(app, endpoints.deleteOrganizationRuleset, ({ organization, path }) => {
    remove(platform, { organization }, path.ruleset_id);
  });
  route(app, endpoints.listOrganizationRulesetVersions, ({ organization, path }) =>
    versions(platform, { organization }, path.ruleset_id).map(versionView),
  );
  route(app, endpoints.getOrganizationRulesetVersion, ({ organization, path, caller }) =>
    version(platform, { organization }, path.ruleset_id, path.version_id, caller),
  );
}

function mountRuleSuites(app: App): void {
  const { platform } = app;

  route(app, endpoints.listRepositoryRuleSuites, ({ repository, query }) =>
    suites(platform, [repository], query).map(withoutEvaluations),
  );
  route(app, endpoints.listOrganizationRuleSuites, ({ organization, caller, query }) => {
    const repositories = coveredRepositories(platform, caller, organization, query.repository_name);
    return suites(platform, repositories, query).map(withoutEvaluations);
  });
  route(app, endpoints.getRepositoryRuleSuite, ({ repository, path }) =>
    suite(ruleSuitesOf(platform, repository), path.rule_suite_id),
  );
  route(app, endpoints.getOrganizationRuleSuite, ({ organization, path }) => {
    const repository = platform.repositories.byId(Math.floor(path.rule_suite_id / 100));
    if (repository?.owner_id !== organization.id) throw notFound();
    return suite(ruleSuitesOf(platform, repository), path.rule_suite_id);
  });
}

/** Returns the rulesets of a repository: its own, then those of its organization. */
function ofRepository(
  platform: SandboxPlatform,
  repository: RepositoryState,
  includesParents: boolean,
): (readonly [RulesetOwner, RulesetState])[] {
  const own = rulesetsOf(platform, { repository }).values();
  const organization = platform.accounts.organizationById(repository.owner_id);
  const parents = organization && includesParents ? inheritedBy(platform, repository) : [];
  return [
    ...own.map((ruleset) => [{ repository }, ruleset] as const),
    ...parents.map((ruleset) => [{ organization } as RulesetOwner, ruleset] as const),
  ];
}

const isTargeted = ({ target }: RulesetState, targets: string | undefined): boolean =>
  targets === undefined || targets.split(',').some((wanted) => wanted.trim() === target);

function find(platform: SandboxPlatform, owner: RulesetOwner, id: number): RulesetState {
  const ruleset = rulesetsOf(platform, owner).get(id);
  if (!ruleset) throw notFound();
  return ruleset;
}

function create(platform: SandboxPlatform, owner: RulesetOwner, fields: RulesetFields, caller: Caller) {
  const now = isoSeconds(platform.clock());
  const ruleset: RulesetState = {
    id: nextRulesetId(platform),
    name: fields.name ?? '',
    target: fields.target ?? 'branch',
    enforcement: fields.enforcement ?? 'disabled',
    bypass_actors: bypassActors(fields) ?? [],
    conditions: fields.conditions ?? {},
    rules: (fields.rules ?? []) as RulesetState['rules'],
    created_at: now,
    updated_at: now,
  };
  return kept(platform, owner, ruleset, caller);
}

/** Omitted members keep their values, including bypass actors. */
function update(platform: SandboxPlatform, owner: RulesetOwner, id: number, fields: RulesetFields, caller: Caller) {
  const before = find(platform, owner, id);
  const { bypass_actors: _, ...given } = fields;
  const ruleset = {
    ...before,
    ...given,
    bypass_actors: bypassActors(fields) ?? before.bypass_actors,
    updated_at: isoSeconds(platform.clock()),
  } as RulesetState;
  requireValid(
    owner.organization ? endpoints.createOrganizationRuleset : endpoints.createRepositoryRuleset,
    { ...ruleset },
    newerRules,
  );
  return kept(platform, owner, ruleset, caller);
}

const bypassActors = ({ bypass_actors: actors }: RulesetFields): RulesetState['bypass_actors'] | undefined =>
  actors?.map((actor) => ({ ...actor, actor_id: actor.actor_id ?? null, bypass_mode: actor.bypass_mode ?? 'always' }));

function kept(platform: SandboxPlatform, owner: RulesetOwner, ruleset: RulesetState, caller: Caller) {
  const others = rulesetsOf(platform, owner).values();
  if (others.some(({ id, name }) => id !== ruleset.id && name === ruleset.name))
    throw unprocessable('Validation Failed', ['Name must be unique']);
  refuseForeignTeams(platform, owner, ruleset);
  const user = platform.accounts.user(caller.login ?? '');
  keep(platform, owner, ruleset, user ? { id: user.id, type: 'User' } : { id: appId, type: 'Integration' });
  return rulesetView(platform, owner, ruleset, caller, true);
}

function refuseForeignTeams(platform: SandboxPlatform, owner: RulesetOwner, { bypass_actors }: RulesetState): void {
  const account = owner.organization ?? repositoryOwner(platform, owner.repository);
  const problems = bypass_actors.flatMap(({ actor_type: type, actor_id: id }, index) =>
    type === 'Team' && !hasTeam(account, id ?? 0)
      ? [invalid(`bypass_actors[${index}].actor_id`, `is not the id of a team of ${account.login}`)]
      : [],
  );
  if (problems.length) throw validationFailed('Ruleset', problems);
}

function remove(platform: SandboxPlatform, owner: RulesetOwner, id: number): void {
  if (!rulesetsOf(platform, owner).delete(id)) throw notFound();
}

function versions(platform: SandboxPlatform, owner: RulesetOwner, id: number): VersionState[] {
  return versionsOf(platform, find(platform, owner, id))
    .values()
    .reverse();
}

const versionView = ({ version_id, actor, updated_at }: VersionState) => ({ version_id, actor, updated_at });

function version(platform: SandboxPlatform, owner: RulesetOwner, id: number, versionId: number, caller: Caller) {
  const found = versions(platform, owner, id).find((each) => each.version_id === versionId);
  if (!found) throw notFound();
  const state = rulesetView(platform, owner, found.state, caller, true);
  return { ...versionView(found), state: { ...state } };
}

/** Specification, Rules, 4: only active rulesets apply. The branch need not exist. */
function appliedRules(platform: SandboxPlatform, repository: RepositoryState, branch: string): AppliedRule[] {
  if (/[*?[\]]/.test(branch)) throw validationFailed('Branch', [invalid('branch', 'cannot contain wildcards')]);
  return ofRepository(platform, repository, true)
    .filter(([, ruleset]) => ruleset.target === 'branch' && ruleset.enforcement === 'active')
    .filter(([, ruleset]) => coversBranch(ruleset, repository, branch))
    .flatMap(([owner, { id, rules }]) => {
      const [ruleset_source_type, ruleset_source] = sourceOf(platform, owner);
      return rules.map((rule) => ({ ...rule, ruleset_source_type, ruleset_source, ruleset_id: id }));
    });
}

interface Wanted {
  readonly ref?: string | undefined;
  readonly time_period?: string | undefined;
  readonly actor_name?: string | undefined;
  readonly rule_suite_result?: string | undefined;
}

/** Newest first; the last day by default. */
function suites(platform: SandboxPlatform, repositories: readonly RepositoryState[], query: Wanted): RuleSuiteState[] {
  const { ref, time_period: period = 'day', actor_name: actor, rule_suite_result: result = 'all' } = query;
  const since = windowStart(platform, period);
  const fullRef = ref?.startsWith('refs/') ? ref : `refs/heads/${ref}`;
  return repositories
    .flatMap((repository) => ruleSuitesOf(platform, repository))
    .filter((each) => each.time > since && (ref === undefined || each.ref === fullRef))
    .filter((each) => actor === undefined || each.actor_name === actor.toLowerCase())
    .filter((each) => result === 'all' || each.result === result)
    .sort((a, b) => b.time - a.time || b.id - a.id);
}

function withoutEvaluations({ rule_evaluations: _, time: __, ...suite }: RuleSuiteState) {
  return suite;
}

function suite(all: readonly RuleSuiteState[], id: number) {
  const found = all.find((each) => each.id === id);
  if (!found) throw notFound();
  const { time: _, ...told } = found;
  return told;
}

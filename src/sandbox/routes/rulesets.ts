import * as endpoints from '../../platform/endpoints/rulesets.ts';
import type { AppliedRule } from '../../platform/records.ts';
import { rulesets, rulesetVersions } from '../../platform/resources/rulesets.ts';
import { invalid } from '../../platform/validate.ts';
import type { Caller } from '../callers.ts';
import { requireValid } from '../input.ts';
import type { SandboxPlatform } from '../platform.ts';
import { found, notFound, unprocessable, validationFailed } from '../refusals.ts';
import { coveredRepositories, repositoryAccess } from '../roles.ts';
import { type App, type Call, type Exceptions, route } from '../route.ts';
import { isoSeconds } from '../state/accounts.ts';
import { appId } from '../state/app.ts';
import { type RuleSuiteState, ruleSuitesOf } from '../state/pushes/rule-suites.ts';
import type { RepositoryState, SettingsOwner } from '../state/repositories.ts';
import {
  coversBranch,
  inheritedBy,
  keep,
  nextRulesetId,
  type RulesetFields,
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
  mountReads(app);
  for (const kind of ['repository', 'organization'] as const) mountOwned(app, kind);
}

/** What rulesets of repositories and organizations have in common. */
function mountOwned(app: App, kind: 'repository' | 'organization'): void {
  const { platform } = app;
  const operations = rulesets.owners[kind];
  const history = rulesetVersions.owners[kind];

  route(app, operations.create, (call) => create(platform, call, call.body, call.caller), newerRules);
  route(
    app,
    operations.update,
    (call) => update(platform, call, call.path.ruleset_id, call.body, call.caller),
    newerRules,
  );
  route(app, operations.delete, (call) => {
    if (!rulesetsOf(platform, call).delete(call.path.ruleset_id)) throw notFound();
  });
  route(app, history.list, (call) => versions(platform, call, call.path.ruleset_id).map(versionView));
  route(app, history.get, (call) => {
    const { ruleset_id, version_id } = call.path;
    const version = found(versions(platform, call, ruleset_id).find((each) => each.version_id === version_id));
    return { ...versionView(version), state: { ...rulesetView(platform, call, version.state, call.caller, true) } };
  });
}

function mountReads(app: App): void {
  const { platform } = app;

  route(app, endpoints.listRepositoryRulesets, ({ repository, query }) =>
    ofRepository(platform, repository, query.includes_parents ?? true)
      .filter(([, ruleset]) => isTargeted(ruleset, query.targets))
      .map(([owner, ruleset]) => rulesetSummary(platform, owner, ruleset)),
  );
  route(app, endpoints.getRepositoryRuleset, ({ repository, path, query, caller }) => {
    const all = ofRepository(platform, repository, query.includes_parents ?? true);
    const [owner, ruleset] = found(all.find(([, { id }]) => id === path.ruleset_id));
    return rulesetView(platform, owner, ruleset, caller, repositoryAccess(platform, caller, repository).admin);
  });
  route(app, endpoints.listBranchRules, ({ repository, path }) => appliedRules(platform, repository, path.branch));
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
): (readonly [SettingsOwner, RulesetState])[] {
  const own = rulesetsOf(platform, { repository }).values();
  const organization = platform.accounts.organizationById(repository.owner_id);
  const parents = organization && includesParents ? inheritedBy(platform, repository) : [];
  return [
    ...own.map((ruleset) => [{ repository }, ruleset] as const),
    ...parents.map((ruleset) => [{ organization } as SettingsOwner, ruleset] as const),
  ];
}

const isTargeted = ({ target }: RulesetState, targets: string | undefined): boolean =>
  targets === undefined || targets.split(',').some((wanted) => wanted.trim() === target);

const find = (platform: SandboxPlatform, owner: SettingsOwner, id: number): RulesetState =>
  found(rulesetsOf(platform, owner).get(id));

function create(platform: SandboxPlatform, owner: SettingsOwner, fields: RulesetFields, caller: Caller) {
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
function update(platform: SandboxPlatform, owner: SettingsOwner, id: number, fields: RulesetFields, caller: Caller) {
  const before = find(platform, owner, id);
  const { bypass_actors: _, ...given } = fields;
  const ruleset = {
    ...before,
    ...given,
    bypass_actors: bypassActors(fields) ?? before.bypass_actors,
    updated_at: isoSeconds(platform.clock()),
  } as RulesetState;
  requireValid(rulesets.owners[owner.organization ? 'organization' : 'repository'].create, { ...ruleset }, newerRules);
  return kept(platform, owner, ruleset, caller);
}

const bypassActors = ({ bypass_actors: actors }: RulesetFields): RulesetState['bypass_actors'] | undefined =>
  actors?.map((actor) => ({ ...actor, actor_id: actor.actor_id ?? null, bypass_mode: actor.bypass_mode ?? 'always' }));

function kept(platform: SandboxPlatform, owner: SettingsOwner, ruleset: RulesetState, caller: Caller) {
  const others = rulesetsOf(platform, owner).values();
  if (others.some(({ id, name }) => id !== ruleset.id && name === ruleset.name))
    throw unprocessable('Validation Failed', ['Name must be unique']);
  refuseForeignTeams(platform, owner, ruleset);
  const user = platform.accounts.user(caller.login ?? '');
  keep(platform, owner, ruleset, user ? { id: user.id, type: 'User' } : { id: appId, type: 'Integration' });
  return rulesetView(platform, owner, ruleset, caller, true);
}

function refuseForeignTeams(platform: SandboxPlatform, owner: SettingsOwner, { bypass_actors }: RulesetState): void {
  const account = owner.organization ?? repositoryOwner(platform, owner.repository);
  const problems = bypass_actors.flatMap(({ actor_type: type, actor_id: id }, index) =>
    type === 'Team' && !hasTeam(platform, account, id ?? 0)
      ? [invalid(`bypass_actors[${index}].actor_id`, `is not the id of a team of ${account.login}`)]
      : [],
  );
  if (problems.length) throw validationFailed('Ruleset', problems);
}

function versions(platform: SandboxPlatform, owner: SettingsOwner, id: number): VersionState[] {
  return versionsOf(platform, find(platform, owner, id))
    .values()
    .reverse();
}

const versionView = ({ version_id, actor, updated_at }: VersionState) => ({ version_id, actor, updated_at });

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

type Wanted = Call<typeof endpoints.listRepositoryRuleSuites>['query'];

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
  const { time: _, ...shown } = found(all.find((each) => each.id === id));
  return shown;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../../src/fleet/policy/kinds/index.ts';
import { kindNamed } from '../../../../src/fleet/policy/kinds/lookup.ts';
import type { PlannedKind } from '../../../../src/fleet/policy/kinds/names.ts';
import { effectsOf, jointEffect } from '../../../../src/fleet/policy/live/effects.ts';
import { root } from '../../../contracts/commands.ts';

type Row = readonly [kind: PlannedKind, path: string, looser: unknown, stricter: unknown];

const absent = undefined;
const checks = 'rules[required_status_checks].parameters';
const review = 'rules[pull_request].parameters';
const tools = 'rules[code_scanning].parameters.code_scanning_tools';
const analysis = 'security_and_analysis';

/** Fields with two values each. Elements of lists have labels here; a table has `[]`. */
const rows: readonly Row[] = [
  ['member', 'role', 'admin', 'member'],
  ['alerts', 'vulnerability', false, true],
  ['alerts', 'fixes', false, true],
  ['grant', 'role', 'admin', 'maintain'],
  ['grant', 'role', 'maintain', 'write'],
  ['grant', 'role', 'write', 'triage'],
  ['grant', 'role', 'triage', 'read'],
  ['property', 'allowed', ['gold', 'iron'], ['iron']],
  ['property', 'allowed', ['gold', 'iron'], []],
  ['property', 'editable_by', 'org_and_repo_actors', 'org_actors'],
  ['property', 'required', false, true],
  ['team', 'privacy', 'closed', 'secret'],
  ['team_member', 'role', 'maintainer', 'member'],
  ['settings', 'default_repository_permission', 'admin', 'write'],
  ['settings', 'default_repository_permission', 'write', 'read'],
  ['settings', 'default_repository_permission', 'read', 'none'],
  ['settings', 'members_allowed_repository_creation_type', 'all', 'private'],
  ['settings', 'members_allowed_repository_creation_type', 'private', 'none'],
  ['settings', 'visibility', 'public', 'internal'],
  ['settings', 'visibility', 'internal', 'private'],
  ['settings', 'pull_request_creation_policy', 'all', 'collaborators_only'],
  ['settings', `${analysis}.advanced_security.status`, 'disabled', 'enabled'],
  ['settings', `${analysis}.code_security.status`, 'disabled', 'enabled'],
  ['settings', `${analysis}.secret_scanning.status`, 'disabled', 'enabled'],
  ['settings', `${analysis}.secret_scanning_push_protection.status`, 'disabled', 'enabled'],
  ['settings', `${analysis}.secret_scanning_non_provider_patterns.status`, 'disabled', 'enabled'],
  ['settings', `${analysis}.secret_scanning_ai_detection.status`, 'disabled', 'enabled'],
  ['settings', `${analysis}.secret_scanning_delegated_alert_dismissal.status`, 'disabled', 'enabled'],
  ['settings', `${analysis}.secret_scanning_delegated_bypass.status`, 'disabled', 'enabled'],
  ['settings', 'allow_forking', true, false],
  ['settings', 'deploy_keys_enabled_for_repositories', true, false],
  ['settings', 'members_can_create_repositories', true, false],
  ['settings', 'members_can_create_internal_repositories', true, false],
  ['settings', 'members_can_create_private_repositories', true, false],
  ['settings', 'members_can_create_public_repositories', true, false],
  ['settings', 'members_can_create_pages', true, false],
  ['settings', 'members_can_create_public_pages', true, false],
  ['settings', 'members_can_create_private_pages', true, false],
  ['settings', 'members_can_fork_private_repositories', true, false],
  ['settings', 'members_can_create_teams', true, false],
  ['settings', 'members_can_change_repo_visibility', true, false],
  ['settings', 'members_can_delete_issues', true, false],
  ['settings', 'members_can_delete_repositories', true, false],
  ['settings', 'members_can_invite_outside_collaborators', true, false],
  ['settings', 'members_can_view_dependency_insights', true, false],
  ['settings', 'private', false, true],
  ['settings', 'advanced_security_enabled_for_new_repositories', false, true],
  ['settings', 'dependabot_alerts_enabled_for_new_repositories', false, true],
  ['settings', 'dependabot_security_updates_enabled_for_new_repositories', false, true],
  ['settings', 'dependency_graph_enabled_for_new_repositories', false, true],
  ['settings', 'secret_scanning_enabled_for_new_repositories', false, true],
  ['settings', 'secret_scanning_push_protection_enabled_for_new_repositories', false, true],
  ['settings', 'secret_scanning_validity_checks_enabled', false, true],
  ['settings', 'two_factor_requirement_enabled', false, true],
  ['settings', 'web_commit_signoff_required', false, true],
  ['ruleset', 'enforcement', 'disabled', 'evaluate'],
  ['ruleset', 'enforcement', 'evaluate', 'active'],
  ['ruleset', 'bypass_actors[Team:7]', {}, absent],
  ['ruleset', 'bypass_actors[{"actor_type":"DeployKey"}].bypass_mode', 'exempt', 'always'],
  ['ruleset', 'bypass_actors[team:release].bypass_mode', 'always', 'pull_request'],
  ['ruleset', 'conditions.ref_name.include[refs/heads/[a-z]*]', absent, 'refs/heads/[a-z]*'],
  ['ruleset', 'conditions.ref_name.exclude[refs/heads/a.b]', 'refs/heads/a.b', absent],
  ['ruleset', 'conditions.repository_name.include[svc-*]', absent, 'svc-*'],
  ['ruleset', 'conditions.repository_name.exclude[svc-*]', 'svc-*', absent],
  ['ruleset', 'conditions.repository_name.protected', false, true],
  ['ruleset', 'conditions.repository_id.repository_ids[7]', absent, 7],
  ['ruleset', 'conditions.repository_property.include[tier:custom]', {}, absent],
  ['ruleset', 'conditions.repository_property.exclude[tier:custom]', {}, absent],
  ['ruleset', 'rules[creation]', absent, {}],
  ['ruleset', 'rules[update]', absent, {}],
  ['ruleset', 'rules[update].parameters.update_allows_fetch_and_merge', true, false],
  ['ruleset', 'rules[deletion]', absent, {}],
  ['ruleset', 'rules[required_linear_history]', absent, {}],
  ['ruleset', 'rules[required_signatures]', absent, {}],
  ['ruleset', 'rules[non_fast_forward]', absent, {}],
  ['ruleset', 'rules[merge_queue]', absent, {}],
  ['ruleset', 'rules[merge_queue].parameters.grouping_strategy', 'HEADGREEN', 'ALLGREEN'],
  ['ruleset', 'rules[required_deployments]', absent, {}],
  ['ruleset', 'rules[required_deployments].parameters.required_deployment_environments[live]', absent, 'live'],
  ['ruleset', 'rules[pull_request]', absent, {}],
  ['ruleset', `${review}.allowed_merge_methods[squash]`, 'squash', absent],
  ['ruleset', `${review}.dismiss_stale_reviews_on_push`, false, true],
  ['ruleset', `${review}.dismissal_restriction.enabled`, absent, true],
  ['ruleset', `${review}.dismissal_restriction.allowed_actors[Team:7]`, {}, absent],
  ['ruleset', `${review}.require_code_owner_review`, false, true],
  ['ruleset', `${review}.require_last_push_approval`, false, true],
  ['ruleset', `${review}.required_approving_review_count`, 1, 2],
  ['ruleset', `${review}.required_review_thread_resolution`, false, true],
  ['ruleset', `${review}.required_reviewers[{"file_patterns":["*.ts"],"minimum_approvals":1}]`, absent, {}],
  ['ruleset', 'rules[required_status_checks]', absent, {}],
  ['ruleset', `${checks}.required_status_checks[test [linux].a]`, absent, {}],
  ['ruleset', `${checks}.strict_required_status_checks_policy`, false, true],
  ['ruleset', `${checks}.do_not_enforce_on_create`, true, absent],
  ['ruleset', 'rules[commit_message_pattern]', absent, {}],
  ['ruleset', 'rules[commit_author_email_pattern]', absent, {}],
  ['ruleset', 'rules[committer_email_pattern]', absent, {}],
  ['ruleset', 'rules[branch_name_pattern]', absent, {}],
  ['ruleset', 'rules[tag_name_pattern]', absent, {}],
  ['ruleset', 'rules[workflows]', absent, {}],
  ['ruleset', 'rules[workflows].parameters.workflows[7:.github/workflows/a.yaml:main]', absent, {}],
  ['ruleset', 'rules[workflows].parameters.do_not_enforce_on_create', true, false],
  ['ruleset', 'rules[code_scanning]', absent, {}],
  ['ruleset', `${tools}[CodeQL]`, absent, {}],
  ['ruleset', `${tools}[CodeQL].alerts_threshold`, 'none', 'errors'],
  ['ruleset', `${tools}[CodeQL].alerts_threshold`, 'errors', 'errors_and_warnings'],
  ['ruleset', `${tools}[CodeQL].alerts_threshold`, 'errors_and_warnings', 'all'],
  ['ruleset', `${tools}[CodeQL].security_alerts_threshold`, 'none', 'critical'],
  ['ruleset', `${tools}[CodeQL].security_alerts_threshold`, 'critical', 'high_or_higher'],
  ['ruleset', `${tools}[CodeQL].security_alerts_threshold`, 'high_or_higher', 'medium_or_higher'],
  ['ruleset', `${tools}[CodeQL].security_alerts_threshold`, 'medium_or_higher', 'all'],
  ['ruleset', 'rules[file_path_restriction]', absent, {}],
  ['ruleset', 'rules[file_path_restriction].parameters.restricted_file_paths[secrets/*]', absent, 'secrets/*'],
  ['ruleset', 'rules[max_file_path_length]', absent, {}],
  ['ruleset', 'rules[max_file_path_length].parameters.max_file_path_length', 300, 200],
  ['ruleset', 'rules[file_extension_restriction]', absent, {}],
  ['ruleset', 'rules[file_extension_restriction].parameters.restricted_file_extensions[exe]', absent, 'exe'],
  ['ruleset', 'rules[max_file_size]', absent, {}],
  ['ruleset', 'rules[max_file_size].parameters.max_file_size', 100, 10],
  ['ruleset', 'rules[rule-of-tomorrow]', absent, {}],
  ['registry', 'visibility', 'all', 'private'],
  ['registry', 'visibility', 'private', 'selected'],
  ['registry', 'replaces_base', false, true],
  ['budget', 'budget_amount', 100, 50],
  ['budget', 'prevent_further_usage', false, true],
  ['budget', 'budget_alerting.will_alert', false, true],
  ['hook', 'enforcement', 'disabled', 'testing'],
  ['hook', 'enforcement', 'testing', 'enabled'],
  ['hook', 'allow_downstream_configuration', true, false],
];

/** Rows that neither tighten nor loosen. */
const neutral: readonly (readonly [PlannedKind, path: string, from: unknown, to: unknown])[] = [
  ['ruleset', 'name', 'a', 'b'],
  ['team', 'name', 'a', 'b'],
  ['team', 'description', 'a', 'b'],
  ['team', 'notifications', true, false],
  ['budget', 'budget_alerting.alert_recipients[riverotter]', absent, 'riverotter'],
  ['topics', 'topics[web]', absent, 'web'],
  ['label', 'name', 'a', 'b'],
  ['label', 'color', '000000', 'ffffff'],
  ['label', 'description', '', 'b'],
  ['property', 'description', '', 'b'],
];

/** Rows that loosen in both directions. */
const changed: typeof neutral = [['ruleset', 'target', 'branch', 'tag']];

describe('the effect of a change', () => {
  it.each(rows)(
    'of %s %s tightens from %j to %j, and loosens in the other direction',
    (name, path, looser, stricter) => {
      const kind = kindNamed(name);
      expect(effectsOf(kind, [{ path, from: looser, to: stricter }])).toEqual(['tightens']);
      expect(effectsOf(kind, [{ path, from: stricter, to: looser }])).toEqual(['loosens']);
    },
  );

  it.each(changed)('of %s %s loosens in both directions', (name, path, one, other) => {
    const changes = [
      { path, from: one, to: other },
      { path, from: other, to: one },
    ];
    expect(changes.flatMap((change) => effectsOf(kindNamed(name), [change]))).toEqual(['loosens', 'loosens']);
  });

  it('of an added list without elements is neutral', () => {
    const changes = [{ path: 'bypass_actors', to: [] }];
    expect(effectsOf(kindNamed('ruleset'), changes)).toEqual(['neutral']);
    const whole = [{ path: 'conditions.ref_name', to: { include: ['~ALL'], exclude: [] } }];
    expect(effectsOf(kindNamed('ruleset'), whole)).toEqual(['tightens']);
  });

  it.each(neutral)('of %s %s is neutral', (name, path, from, to) => {
    expect(effectsOf(kindNamed(name), [{ path, from, to }])).toEqual(['neutral']);
  });

  it.each<[PlannedKind, path: string, from: unknown, to: unknown]>([
    ['ruleset', 'rules[tag_name_pattern].parameters.pattern', 'a', 'b'],
    ['ruleset', 'rules[tomorrow].parameters.required_status_checks[a]', absent, {}],
    ['ruleset', 'conditions.repository_id', absent, {}],
    ['ruleset', 'enforcement', 'tomorrow', 'disabled'],
    ['settings', 'visibility', 'public', 'tomorrow'],
    ['settings', 'members_can_create_pages', null, true],
    ['settings', 'has_wiki', true, false],
    ['registry', 'username', 'a', 'b'],
    ['budget', 'budget_amount', 'a', 5],
    ['properties', 'tier', 'gold', 'silver'],
    ['property', 'default', 'gold', 'silver'],
    ['property', 'allowed', 'gold', ['gold']],
  ])('of %s %s from %j to %j is unknown', (name, path, from, to) => {
    expect(effectsOf(kindNamed(name), [{ path, from, to }])).toEqual([undefined]);
  });

  it.each<[PlannedKind, path: string, from: unknown, to: unknown]>([
    ['ruleset', 'enforcement', 'active', 'Disabled'],
    ['ruleset', 'enforcement', 'active', ['disabled']],
    ['ruleset', 'rules[pull_request].parameters.required_approving_review_count', 2, '0'],
    ['ruleset', 'rules[pull_request].parameters.require_code_owner_review', true, 'false'],
    ['ruleset', 'rules[pull_request].parameters', { require_code_owner_review: true }, ''],
    ['ruleset', 'bypass_actors', [], { 0: { actor_id: 1, actor_type: 'Team' } }],
    ['ruleset', 'conditions', { ref_name: {} }, null],
    ['ruleset', 'conditions.ref_name.include', ['~ALL'], 'refs/heads/main'],
    ['settings', 'security_and_analysis.secret_scanning', { status: 'enabled' }, 'disabled'],
    ['settings', 'web_commit_signoff_required', true, null],
    ['settings', 'visibility', 'private', 'PUBLIC'],
    ['budget', 'budget_amount', 5, '50'],
    ['property', 'allowed', ['gold'], 'gold'],
    ['ruleset', 'conditions.repository_name', { include: ['~ALL'], exclude: [] }, absent],
    ['ruleset', 'conditions.repository_property', absent, { exclude: [{ name: 'tier' }] }],
    ['ruleset', 'rules[update].parameters', absent, { update_allows_fetch_and_merge: true }],
    ['ruleset', 'rules[pull_request].parameters', { require_code_owner_review: true }, absent],
  ])('of %s %s from %j to %j loosens, as the platform may protect less with it', (name, path, from, to) => {
    expect(effectsOf(kindNamed(name), [{ path, from, to }])).toEqual(['loosens']);
  });

  it.each<[path: string, from: unknown, to: unknown]>([
    [`${checks}.required_status_checks[build linux] x]`, { context: 'build linux] x' }, absent],
    ['conditions.ref_name.include[refs/heads/rel]*]', 'refs/heads/rel]*', absent],
    ['conditions.ref_name.exclude[refs/heads/]*]', absent, 'refs/heads/]*'],
    ['conditions.ref_name.exclude[a].b[c]', absent, 'a].b[c'],
    ['bypass_actors[OrganizationAdmin:]]', absent, { actor_type: 'OrganizationAdmin', actor_id: ']' }],
  ])('of %s from %j to %j loosens, whatever brackets the element has', (path, from, to) => {
    expect(effectsOf(kindNamed('ruleset'), [{ path, from, to }])).toEqual(['loosens']);
  });

  it.each<[PlannedKind, path: string, from: unknown, to: unknown]>([
    ['ruleset', `${checks}.do_not_enforce_on_create`, absent, false],
    ['budget', 'budget_amount', 5, 5],
    ['property', 'allowed', ['gold', 'iron'], ['iron', 'gold']],
  ])('of %s %s from %j to %j is none', (name, path, from, to) => {
    expect(effectsOf(kindNamed(name), [{ path, from, to }])).toEqual(['neutral']);
  });
});

describe('the effect of several changes', () => {
  const loosens = { path: 'bypass_actors[Team:7]', to: {} };
  const tightens = { path: 'rules[deletion]', to: {} };
  const unknown = { path: 'rules[tag_name_pattern].parameters.pattern', from: 'a', to: 'b' };
  const renames = { path: 'name', from: 'a', to: 'b' };

  it.each([
    ['loosens', [tightens, loosens, unknown]],
    [undefined, [tightens, unknown]],
    ['tightens', [tightens, renames]],
    ['neutral', [renames]],
  ])('is %s', (effect, changes) => {
    expect(jointEffect(kindNamed('ruleset'), changes)).toBe(effect);
  });

  it.each(['evaluate', 'disabled', absent])(
    'tightens where a ruleset becomes active, as it enforced nothing (%s)',
    (from) => {
      const changes = [loosens, { path: 'enforcement', from, to: 'active' }, unknown];
      expect(effectsOf(kindNamed('ruleset'), changes)).toEqual(['neutral', 'tightens', 'neutral']);
      expect(jointEffect(kindNamed('ruleset'), changes)).toBe('tightens');
    },
  );

  it('loosens where a list loses elements that are allowed, and gets others', () => {
    expect(jointEffect(kindNamed('property'), [{ path: 'allowed', from: ['gold'], to: ['iron'] }])).toBe('loosens');
  });

  it('loosens where a ruleset stops being active', () => {
    const changes = [tightens, { path: 'enforcement', from: 'active', to: 'evaluate' }];
    expect(jointEffect(kindNamed('ruleset'), changes)).toBe('loosens');
  });
});

describe('the tables of effects', () => {
  const all = kinds.flatMap(({ name, effects }) => effects.map((row) => ({ name, ...row })));
  // = (text: string) => text.replaceAll(/\s+\*?\s*/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

  it('have a test above for each row, and at least 60 rows', () => {
    const fieldOf = (path: string) => {
      const [, rule = '', rest = ''] = /^(rules\[\w+\](?:\.parameters)?)?(.*)$/s.exec(path) ?? [];
      return rule + rest.replace(/\[.*\]/s, '[]');
    };
    const tested = new Set([...rows, ...neutral, ...changed].map(([kind, path]) => `${kind} ${fieldOf(path)}`));
    expect(all.map(({ name, field }) => `${name} ${field}`).sort()).toEqual([...tested].sort());
    expect(all.length).toBeGreaterThanOrEqual(60);
  });

  /** Sentences of the self-managed edition and of guides. */
  const elsewhere: readonly string[] = [
    'You can restrict the ability to change repository visibility to organization owners only, or you can allow anyone with admin access to a repository to change visibility.',
    'Organization owners can allow certain people to delete issues in repositories owned by your organization.',
    'You can allow organization members with admin permissions to a repository to delete or transfer the repository, or limit the ability to delete or transfer repositories to organization owners only.',
    "To protect your organization's data and the number of paid licenses used in your organization, you can configure who can add outside collaborators to organization repositories.",
    'You can allow all organization members to view dependency insights for your organization or limit viewing to organization owners.',
    'Whether secret scanning automatic validity checks on supported partner tokens is enabled for all repositories under this organization.',
    'Rulesets help you to control how people can interact with branches and tags in a repository.',
    '`enabled` indicates it will run and reject any pushes that result in a non-zero status.',
    'Whether repositories can override enforcement.',
  ];

  it('quote the published description of the platform’s API', () => {
    const file = join(root, 'node_modules/@octokit/openapi-types/types.d.ts');
    const plain = (text: string) => text.replaceAll(/\s+(?:\* +)?/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const described = plain(readFileSync(file, 'utf8'));
    const sentences = all.flatMap(({ source }) => source.split(' … '));
    expect(sentences.filter((sentence) => !described.includes(sentence))).toEqual(elsewhere);
  });
});

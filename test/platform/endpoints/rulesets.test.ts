import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createOrganizationRuleset,
  createRepositoryRuleset,
  updateRepositoryRuleset,
} from '../../../src/platform/endpoints/rulesets.ts';
import { bodyOfRecord } from '../../../src/platform/resource.ts';
import { rulesets } from '../../../src/platform/resources/rulesets.ts';
import { checkBody } from '../../../src/platform/validate.ts';

const repository = (body: object) => checkBody(createRepositoryRuleset, { name: 'r', enforcement: 'active', ...body });
const organization = (body: object) =>
  checkBody(createOrganizationRuleset, { name: 'r', enforcement: 'active', ...body });
const update = (body: object) => checkBody(updateRepositoryRuleset, { ...body });

const fine = { problems: [], unknown: [] };
const invalid = (field: string, message: string) => ({ field, message, code: 'invalid' });
const unknownField = (field: string) => ({
  field,
  message: 'is not a known field',
  code: 'unknown_field',
});
const unknownWord = (field: string, message: string) => ({ field, message, code: 'unknown_word' });
const missing = (field: string) => ({ field, message: 'is required', code: 'missing_field' });

/** What is wrong with one rule, its place left out. */
function rule(value: unknown) {
  const { problems, unknown } = repository({ rules: [value] });
  const told = ({ field, message }: { field: string; message: string }) =>
    `${field.replace(/^rules\[0\]\.?/, '')}: ${message}`;
  return { problems: problems.map(told), unknown: unknown.map(told) };
}
const good = { problems: [], unknown: [] };

describe('body of a ruleset', () => {
  test('name and enforcement are required on creation, and no field on update', () => {
    expect(checkBody(createRepositoryRuleset, {}).problems).toEqual([missing('name'), missing('enforcement')]);
    expect(checkBody(createOrganizationRuleset, {}).problems).toEqual([missing('name'), missing('enforcement')]);
    expect(update({ enforcement: 'disabled' })).toEqual(fine);
  });

  test('enforcement is disabled, active or evaluate', () => {
    for (const enforcement of ['disabled', 'active', 'evaluate']) expect(repository({ enforcement })).toEqual(fine);
    expect(repository({ enforcement: 'sometimes' }).unknown).toEqual([
      unknownWord('enforcement', 'must be one of disabled, active, evaluate'),
    ]);
  });

  test('target is branch, tag or push, and for organizations also repository', () => {
    for (const target of ['branch', 'tag', 'push']) expect(repository({ target })).toEqual(fine);
    expect(organization({ target: 'repository' })).toEqual(fine);
    expect(repository({ target: 'repository' }).unknown).toEqual([
      unknownWord('target', 'must be one of branch, tag, push'),
    ]);
  });

  test('evaluate is “not available for the repository target”', () => {
    expect(organization({ target: 'repository', enforcement: 'evaluate' }).problems).toEqual([
      invalid('enforcement', 'must not be evaluate when target is repository'),
    ]);
  });
});

describe('bypass actors', () => {
  const actors = (...bypass_actors: unknown[]) => repository({ bypass_actors });

  test.each(['Integration', 'RepositoryRole', 'Team'])('%s needs an actor_id', (actor_type) => {
    expect(actors({ actor_type, actor_id: 5 })).toEqual(fine);
    expect(actors({ actor_type }).problems).toEqual([missing('bypass_actors[0].actor_id')]);
    expect(actors({ actor_type, actor_id: null }).problems).toEqual([
      invalid('bypass_actors[0].actor_id', 'must be a whole number'),
    ]);
  });

  test.each(['OrganizationAdmin', 'EnterpriseOwner'])('the actor_id of %s is ignored', (actor_type) => {
    for (const actor of [{}, { actor_id: 1 }, { actor_id: null }])
      expect(actors({ actor_type, ...actor })).toEqual(fine);
  });

  test('a deploy key has no actor_id', () => {
    expect(actors({ actor_type: 'DeployKey' }, { actor_type: 'DeployKey', actor_id: null })).toEqual(fine);
    expect(actors({ actor_type: 'DeployKey', actor_id: 7 }).problems).toEqual([
      invalid('bypass_actors[0].actor_id', 'must be null for a deploy key'),
    ]);
  });

  test.each(['EnterpriseRole', 'User'])('%s is an actor', (actor_type) => {
    expect(actors({ actor_type, actor_id: 9 })).toEqual(fine);
  });

  test('an actor type from a newer platform causes a warning', () => {
    expect(actors({ actor_type: 'Robot', actor_id: 'r2', arms: 2 })).toEqual({
      problems: [],
      unknown: [unknownWord('bypass_actors[0].actor_type', 'is not a known actor type')],
    });
  });

  test('bypass_mode is always, pull_request or exempt', () => {
    for (const bypass_mode of ['always', 'pull_request', 'exempt'])
      expect(actors({ actor_type: 'Team', actor_id: 1, bypass_mode })).toEqual(fine);
    expect(actors({ actor_type: 'Team', actor_id: 1, bypass_mode: 'never' }).unknown).toEqual([
      unknownWord('bypass_actors[0].bypass_mode', 'must be one of always, pull_request, exempt'),
    ]);
  });

  test('“pull_request not for DeployKey”', () => {
    expect(actors({ actor_type: 'DeployKey', bypass_mode: 'pull_request' }).problems).toEqual([
      invalid('bypass_actors[0].bypass_mode', 'must not be pull_request for a deploy key'),
    ]);
  });

  test('“pull_request only for branch rulesets”', () => {
    const bypass_actors = [
      { actor_type: 'Team', actor_id: 1, bypass_mode: 'always' },
      { actor_type: 'Team', actor_id: 2, bypass_mode: 'pull_request' },
    ];
    for (const target of ['tag', 'push'])
      expect(repository({ target, bypass_actors }).problems).toEqual([
        invalid('bypass_actors[1].bypass_mode', 'must not be pull_request, which only branch rulesets support'),
      ]);
    expect(repository({ target: 'branch', bypass_actors })).toEqual(fine);
    expect(update({ bypass_actors })).toEqual(fine);
  });

  test('an empty list clears them, and null is rejected on creation and on update', () => {
    expect(update({ bypass_actors: [] })).toEqual(fine);
    const refused = [invalid('bypass_actors', 'must be a list; use [] to clear it, since the platform rejects null')];
    expect(update({ bypass_actors: null }).problems).toEqual(refused);
    expect(repository({ bypass_actors: null }).problems).toEqual(refused);
  });

  test('an invalid actor is reported by its position', () => {
    expect(actors({}, 'Team', null, { actor_type: 7 }).problems).toEqual([
      missing('bypass_actors[0].actor_type'),
      invalid('bypass_actors[1]', 'must be an object'),
      invalid('bypass_actors[2]', 'must be an object'),
      invalid('bypass_actors[3].actor_type', 'must be a string'),
    ]);
  });
});

describe('conditions', () => {
  test('ref_name includes and excludes patterns', () => {
    expect(
      repository({ conditions: { ref_name: { include: ['~DEFAULT_BRANCH', 'refs/heads/release/*'], exclude: [] } } }),
    ).toEqual(fine);
    expect(repository({ conditions: { ref_name: { include: '~ALL', exclude: [1] } } }).problems).toEqual([
      invalid('conditions.ref_name.include', 'must be a list'),
      invalid('conditions.ref_name.exclude[0]', 'must be a string'),
    ]);
  });

  test.each([
    { repository_name: { include: ['~ALL'], exclude: ['old-*'], protected: true } },
    { repository_id: { repository_ids: [1, 2] } },
    { repository_property: { include: [{ name: 'tier', property_values: ['gold'] }], exclude: [] } },
  ])('an organization’s ruleset selects its repositories: %j', (condition) => {
    expect(organization({ conditions: { ref_name: { include: ['~ALL'], exclude: [] }, ...condition } })).toEqual(fine);
  });

  test('a repository’s ruleset has no repository conditions', () => {
    expect(repository({ conditions: { repository_id: { repository_ids: [1] } } })).toEqual({
      problems: [],
      unknown: [unknownField('conditions.repository_id')],
    });
  });

  test('an organization’s ruleset selects its repositories in one way only', () => {
    expect(
      organization({ conditions: { repository_name: { include: [] }, repository_id: { repository_ids: [] } } })
        .problems,
    ).toEqual([invalid('conditions', 'must have only one of repository_name, repository_id')]);
  });
});

describe('rules', () => {
  test.each(['creation', 'deletion', 'required_linear_history', 'required_signatures', 'non_fast_forward'])(
    '%s has no parameters',
    (type) => {
      expect(rule({ type })).toEqual(good);
      expect(rule({ type, parameters: {} }).unknown).toEqual(['parameters: is not a known field']);
    },
  );

  test('update requires update_allows_fetch_and_merge in its parameters, or no parameters, as the platform returns it', () => {
    expect(rule({ type: 'update', parameters: { update_allows_fetch_and_merge: false } })).toEqual(good);
    expect(rule({ type: 'update', parameters: {} }).problems).toEqual([
      'parameters.update_allows_fetch_and_merge: is required',
    ]);
    expect(rule({ type: 'update' })).toEqual(good);
  });

  const queue = {
    check_response_timeout_minutes: 60,
    grouping_strategy: 'ALLGREEN',
    max_entries_to_build: 5,
    max_entries_to_merge: 5,
    merge_method: 'SQUASH',
    min_entries_to_merge: 1,
    min_entries_to_merge_wait_minutes: 5,
  };
  const mergeQueue = (parameters: object) => rule({ type: 'merge_queue', parameters: { ...queue, ...parameters } });

  test('merge_queue requires all of its parameters', () => {
    expect(rule({ type: 'merge_queue' }).problems).toEqual(['parameters: is required']);
    expect(mergeQueue({})).toEqual(good);
    expect(rule({ type: 'merge_queue', parameters: {} }).problems).toEqual([
      'parameters.check_response_timeout_minutes: is required',
      'parameters.grouping_strategy: is required',
      'parameters.max_entries_to_build: is required',
      'parameters.max_entries_to_merge: is required',
      'parameters.merge_method: is required',
      'parameters.min_entries_to_merge: is required',
      'parameters.min_entries_to_merge_wait_minutes: is required',
    ]);
  });

  test.each([
    ['check_response_timeout_minutes', 1, 360],
    ['min_entries_to_merge_wait_minutes', 0, 360],
    ['max_entries_to_build', 0, 100],
    ['max_entries_to_merge', 0, 100],
    ['min_entries_to_merge', 0, 100],
  ])('%s of a merge queue ranges from %i to %i', (name, least, most) => {
    for (const value of [least, most]) expect(mergeQueue({ [name]: value })).toEqual(good);
    for (const value of [least - 1, most + 1, 1.5, '5'])
      expect(mergeQueue({ [name]: value }).problems).toEqual([
        `parameters.${name}: must be a whole number from ${least} to ${most}`,
      ]);
  });

  test('unknown words of a merge queue cause a warning', () => {
    expect(mergeQueue({ grouping_strategy: 'HEADGREEN', merge_method: 'REBASE' })).toEqual(good);
    expect(mergeQueue({ grouping_strategy: 'green', merge_method: 'OCTOPUS' })).toEqual({
      problems: [],
      unknown: [
        'parameters.grouping_strategy: must be one of ALLGREEN, HEADGREEN',
        'parameters.merge_method: must be one of MERGE, SQUASH, REBASE',
      ],
    });
  });

  test('required_deployments requires its environments', () => {
    expect(
      rule({ type: 'required_deployments', parameters: { required_deployment_environments: ['staging'] } }),
    ).toEqual(good);
    expect(rule({ type: 'required_deployments', parameters: {} }).problems).toEqual([
      'parameters.required_deployment_environments: is required',
    ]);
  });

  const reviews = {
    dismiss_stale_reviews_on_push: true,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 1,
    required_review_thread_resolution: true,
  };
  const pullRequest = (parameters: object) => rule({ type: 'pull_request', parameters: { ...reviews, ...parameters } });

  test('pull_request requires its five settings', () => {
    expect(pullRequest({})).toEqual(good);
    expect(rule({ type: 'pull_request', parameters: {} }).problems).toEqual([
      'parameters.dismiss_stale_reviews_on_push: is required',
      'parameters.require_code_owner_review: is required',
      'parameters.require_last_push_approval: is required',
      'parameters.required_approving_review_count: is required',
      'parameters.required_review_thread_resolution: is required',
    ]);
  });

  test('required_approving_review_count ranges from 0 to 10', () => {
    for (const count of [0, 10]) expect(pullRequest({ required_approving_review_count: count })).toEqual(good);
    for (const count of [-1, 11])
      expect(pullRequest({ required_approving_review_count: count }).problems).toEqual([
        'parameters.required_approving_review_count: must be a whole number from 0 to 10',
      ]);
  });

  test('allowed_merge_methods requires at least one', () => {
    expect(pullRequest({ allowed_merge_methods: ['merge', 'squash', 'rebase'] })).toEqual(good);
    expect(pullRequest({ allowed_merge_methods: [] }).problems).toEqual([
      'parameters.allowed_merge_methods: must contain at least one of merge, squash, rebase',
    ]);
    expect(pullRequest({ allowed_merge_methods: ['octopus'] }).unknown).toEqual([
      'parameters.allowed_merge_methods[0]: must be one of merge, squash, rebase',
    ]);
  });

  test('dismissal_restriction requires enabled, and its actors an id and a type', () => {
    const restriction = (dismissal_restriction: object) => pullRequest({ dismissal_restriction });
    for (const type of ['User', 'Team', 'IntegrationInstallation', 'RepositoryRole'])
      expect(restriction({ enabled: true, allowed_actors: [{ id: 1, type }] })).toEqual(good);
    expect(restriction({ allowed_actors: [{ id: '1' }] }).problems).toEqual([
      'parameters.dismissal_restriction.enabled: is required',
      'parameters.dismissal_restriction.allowed_actors[0].id: must be a whole number',
      'parameters.dismissal_restriction.allowed_actors[0].type: is required',
    ]);
  });

  test('required_reviewers require file patterns, a number of approvals and a reviewer', () => {
    const reviewer = { file_patterns: ['*.ts'], minimum_approvals: 1, reviewer: { id: 4, type: 'Team' } };
    expect(pullRequest({ required_reviewers: [reviewer] })).toEqual(good);
    expect(pullRequest({ required_reviewers: [{}] }).problems).toEqual([
      'parameters.required_reviewers[0].file_patterns: is required',
      'parameters.required_reviewers[0].minimum_approvals: is required',
      'parameters.required_reviewers[0].reviewer: is required',
    ]);
  });

  test('required_status_checks requires its checks, each with a context, and the strict policy', () => {
    const type = 'required_status_checks';
    const checks = [{ context: 'build', integration_id: 15368 }, { context: 'lint' }];
    const parameters = { required_status_checks: checks, strict_required_status_checks_policy: true };
    expect(rule({ type, parameters: { ...parameters, do_not_enforce_on_create: true } })).toEqual(good);
    expect(rule({ type, parameters: { required_status_checks: [{ integration_id: '1' }] } }).problems).toEqual([
      'parameters.required_status_checks[0].context: is required',
      'parameters.required_status_checks[0].integration_id: must be a whole number',
      'parameters.strict_required_status_checks_policy: is required',
    ]);
  });

  test.each([
    'commit_message_pattern',
    'commit_author_email_pattern',
    'committer_email_pattern',
    'branch_name_pattern',
    'tag_name_pattern',
  ])('%s requires an operator and a pattern', (type) => {
    for (const operator of ['starts_with', 'ends_with', 'contains', 'regex'])
      expect(rule({ type, parameters: { operator, pattern: 'x', name: 'n', negate: true } })).toEqual(good);
    expect(rule({ type, parameters: { negate: 'no' } }).problems).toEqual([
      'parameters.operator: is required',
      'parameters.pattern: is required',
      'parameters.negate: must be true or false',
    ]);
    expect(rule({ type, parameters: { operator: 'like', pattern: 'x' } }).unknown).toEqual([
      'parameters.operator: must be one of starts_with, ends_with, contains, regex',
    ]);
  });

  test('workflows requires workflows, each with a path and a repository', () => {
    const type = 'workflows';
    const workflow = { path: '.ci/test.yml', repository_id: 9, ref: 'main', sha: 'abc' };
    expect(rule({ type, parameters: { workflows: [workflow], do_not_enforce_on_create: false } })).toEqual(good);
    expect(rule({ type, parameters: {} }).problems).toEqual(['parameters.workflows: is required']);
    expect(rule({ type, parameters: { workflows: [{}] } }).problems).toEqual([
      'parameters.workflows[0].path: is required',
      'parameters.workflows[0].repository_id: is required',
    ]);
  });

  test('code_scanning requires tools, each with both thresholds', () => {
    const type = 'code_scanning';
    const scanning = (tool: object) => rule({ type, parameters: { code_scanning_tools: [tool] } });
    for (const alerts_threshold of ['none', 'errors', 'errors_and_warnings', 'all'])
      expect(scanning({ tool: 't', alerts_threshold, security_alerts_threshold: 'none' })).toEqual(good);
    for (const security_alerts_threshold of ['none', 'critical', 'high_or_higher', 'medium_or_higher', 'all'])
      expect(scanning({ tool: 't', alerts_threshold: 'none', security_alerts_threshold })).toEqual(good);
    expect(rule({ type, parameters: {} }).problems).toEqual(['parameters.code_scanning_tools: is required']);
    expect(scanning({}).problems).toEqual([
      'parameters.code_scanning_tools[0].tool: is required',
      'parameters.code_scanning_tools[0].alerts_threshold: is required',
      'parameters.code_scanning_tools[0].security_alerts_threshold: is required',
    ]);
  });

  test.each([
    ['file_path_restriction', 'restricted_file_paths'],
    ['file_extension_restriction', 'restricted_file_extensions'],
  ])('%s requires %s', (type, name) => {
    expect(rule({ type, parameters: { [name]: ['*.exe'] } })).toEqual(good);
    expect(rule({ type, parameters: {} }).problems).toEqual([`parameters.${name}: is required`]);
  });

  test.each([
    ['max_file_path_length', 32767],
    ['max_file_size', 100],
  ])('%s ranges from 1 to %i', (type, most) => {
    for (const value of [1, most]) expect(rule({ type, parameters: { [type]: value } })).toEqual(good);
    for (const value of [0, most + 1])
      expect(rule({ type, parameters: { [type]: value } }).problems).toEqual([
        `parameters.${type}: must be a whole number from 1 to ${most}`,
      ]);
    expect(rule({ type, parameters: {} }).problems).toEqual([`parameters.${type}: is required`]);
  });

  test('unknown rule types and parameters cause a warning', () => {
    expect(rule({ type: 'quantum_lock', parameters: { qubits: 3 } })).toEqual({
      problems: [],
      unknown: ['type: is not a known rule type'],
    });
    expect(mergeQueue({ colour: 'red' })).toEqual({
      problems: [],
      unknown: ['parameters.colour: is not a known field'],
    });
  });

  test('a missing value makes the check itself fail', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (rules, bypass_actors, conditions) => {
        const { problems } = organization({ target: 'tag', rules, bypass_actors, conditions });
        for (const { message } of problems) expect(message).not.toContain('undefined');
      }),
    );
  });

  test('every invalid rule is reported at once, by its position', () => {
    expect(
      repository({
        rules: [
          { type: 'deletion' },
          'deletion',
          { type: 'merge_queue', parameters: { ...queue, check_response_timeout_minutes: 361 } },
          {},
          { type: 'update', parameters: null },
        ],
      }).problems,
    ).toEqual([
      invalid('rules[1]', 'must be an object'),
      invalid('rules[2].parameters.check_response_timeout_minutes', 'must be a whole number from 1 to 360'),
      missing('rules[3].type'),
      invalid('rules[4].parameters', 'must be an object'),
    ]);
  });
});

describe('a ruleset as the platform returns it', () => {
  test('loses fields that only the platform sets, and the null of a ruleset without conditions', () => {
    expect(
      bodyOfRecord(rulesets, updateRepositoryRuleset, {
        id: 42,
        name: 'r',
        target: 'push',
        source_type: 'Repository',
        source: 'acme/site',
        enforcement: 'active',
        conditions: null,
        rules: [],
        node_id: 'RRS_x',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
        bypass_actors: [],
        current_user_can_bypass: 'never',
        _links: { self: { href: 'https://git.example.com/api/v3/repos/acme/site/rulesets/42' } },
      }),
    ).toEqual({
      body: { name: 'r', target: 'push', enforcement: 'active', rules: [], bypass_actors: [] },
      ignored: [
        'id',
        'source_type',
        'source',
        'conditions',
        'node_id',
        'created_at',
        'updated_at',
        'current_user_can_bypass',
        '_links',
      ],
    });
  });

  test('a body keeps fields unknown to this version', () => {
    const body = { name: 'r', bypass_actors: null, rules: [{ type: 'quantum_lock' }], colour: 'red' };
    expect(bodyOfRecord(rulesets, updateRepositoryRuleset, body)).toEqual({ body, ignored: [] });
  });
});

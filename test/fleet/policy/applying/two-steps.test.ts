/** Updates in two steps, of which the platform must accept the first. */
import { expect, it } from 'vitest';
import { embeddedPlatform } from '../../../support/embedded-platform.ts';
import { embeddedPolicies, policyOf, undoOf } from '../embedded-policies.ts';

it('keeps the last element of a list that may not be empty until another is added', async () => {
  const embedded = embeddedPlatform({ orgs: 1 });
  const { planOf, apply } = embeddedPolicies(embedded);
  const pullRequest = (method: string) => ({
    type: 'pull_request',
    parameters: {
      allowed_merge_methods: [method],
      dismiss_stale_reviews_on_push: true,
      require_code_owner_review: true,
      require_last_push_approval: true,
      required_approving_review_count: 2,
      required_review_thread_resolution: true,
    },
  });
  const ruleset = (name: string, ...rules: object[]) => ({
    name,
    enforcement: 'active',
    conditions: { ref_name: { include: ['~ALL'], exclude: [] }, repository_name: { include: ['~ALL'], exclude: [] } },
    rules,
  });
  const policy = (...rulesets: object[]) => policyOf({ 'p.yaml': { organizations: ['acme'], rulesets } });
  const [deletion, force] = [{ type: 'deletion' }, { type: 'non_fast_forward' }];
  const earlier = await policy(ruleset('A', pullRequest('squash')), ruleset('B', deletion, force));
  expect((await apply(await planOf(earlier))).failures).toEqual([]);
  embedded.writes.splice(0);

  const later = await policy(ruleset('A', pullRequest('merge'), deletion), ruleset('B', force));
  expect((await apply(await planOf(later))).failures).toEqual([]);
  const sent = embedded.writes.map(({ body }) => {
    const { name, rules } = JSON.parse(body ?? '') as ReturnType<typeof ruleset>;
    const parts = rules.map((rule) => {
      const { type, parameters } = rule as ReturnType<typeof pullRequest>;
      return parameters ? `${type} ${parameters.allowed_merge_methods}` : type;
    });
    return [name, ...parts.toSorted()];
  });
  expect(sent).toEqual([
    ['A', 'deletion', 'pull_request squash'],
    ['A', 'deletion', 'pull_request merge'],
    ['B', 'non_fast_forward'],
  ]);
});

it('replaces a kind of condition at once', async () => {
  const embedded = embeddedPlatform({ orgs: 1 });
  const { planOf, apply } = embeddedPolicies(embedded);
  const refs = { ref_name: { include: ['~ALL'], exclude: [] } };
  const byName = { ...refs, repository_name: { include: ['~ALL'], exclude: [] } };
  const byProperty = {
    ...refs,
    repository_property: { include: [{ name: 'tier', property_values: ['gold'] }], exclude: [] },
  };
  const ruleset = (name: string, conditions: object, ...types: string[]) => ({
    ...{ name, enforcement: 'active', conditions, rules: types.map((type) => ({ type })) },
  });
  const policy = (...rulesets: object[]) => policyOf({ 'p.yaml': { organizations: ['acme'], rulesets } });
  const earlier = await policy(ruleset('A', byName, 'deletion'), ruleset('B', byName, 'deletion', 'update'));
  expect((await apply(await planOf(earlier))).failures).toEqual([]);
  const later = await policy(ruleset('A', byProperty, 'deletion', 'update'), ruleset('B', byName, 'deletion'));
  const plan = await planOf(later);
  expect((await apply(plan)).failures).toEqual([]);
  expect((await planOf(later)).changes).toEqual([]);
  expect((await apply(undoOf(plan))).failures).toEqual([]);
  expect((await planOf(earlier)).changes).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { isRefused } from '../../../../src/fleet/policy/live/change.ts';
import { embeddedPlatform } from '../../../support/embedded-platform.ts';
import { embeddedPolicies, policyOf, undoOf } from '../embedded-policies.ts';

const bronze = { type: 'single_select', allowed: ['gold', 'silver', 'bronze'], default: 'bronze', required: true };
const iron = { name: 'tier', type: 'single_select', allowed: ['gold', 'iron'], default: 'gold' };

const inAcme = (sections: object) => policyOf({ 'p.yaml': { organizations: ['acme'], ...sections } });
const onSite = (sections: object) => ({ repositories: [{ select: { names: ['site'] }, ...sections }] });

function onPlatform() {
  const embedded = embeddedPlatform();
  const policies = embeddedPolicies(embedded);
  /** Applies a policy, and returns the writes with the part of their bodies that a test is about. */
  const writesOf = async (sections: object) => {
    embedded.writes.length = 0;
    const plan = await policies.planOf(await inAcme(sections));
    const { failures } = await policies.apply(plan);
    expect(failures).toEqual([]);
    const writes = embedded.writes.map(({ method, url, body }) => {
      const { allowed_values, values_editable_by: by, properties } = JSON.parse(body ?? '{}');
      const parts = [allowed_values?.join(), by, properties?.map(({ value }: { value: unknown }) => value)];
      return [method, url.split('/orgs/acme/properties/')[1], ...parts].filter((part) => part !== undefined).join(' ');
    });
    return { plan, writes };
  };
  const reasons = async (sections: object) =>
    (await policies.planOf(await inAcme(sections))).changes.filter(isRefused).map(({ reason }) => reason);
  return { ...embedded, ...policies, writesOf, reasons };
}

describe('definitions of properties', () => {
  it('allow new values before repositories have them, and old ones until then', async () => {
    const { writesOf, planOf, apply } = onPlatform();
    const policy = {
      property_schema: [
        { ...iron, editable_by: 'org_and_repo_actors' },
        { name: 'stage', type: 'string' },
      ],
      ...onSite({ properties: { tier: 'iron', stage: 'beta' } }),
    };
    const { plan, writes } = await writesOf(policy);
    expect(writes).toEqual([
      'PUT schema/stage',
      'PUT schema/tier gold,iron,silver,bronze org_actors',
      'PATCH values beta,iron',
      'PUT schema/tier gold,iron org_and_repo_actors',
    ]);
    expect((await planOf(await inAcme(policy))).changes).toEqual([]);
    expect((await apply(undoOf(plan))).failures).toEqual([]);
    const earlier = { property_schema: [{ name: 'tier', ...bronze }], absent: { property_schema: ['stage'] } };
    expect((await planOf(await inAcme(earlier))).changes).toEqual([]);
  });

  it('change in one request if no repository changes', async () => {
    const { writesOf } = onPlatform();
    expect((await writesOf({ property_schema: [iron] })).writes).toEqual(['PUT schema/tier gold,iron org_actors']);
  });

  it('keep fields that the policy does not declare, in every request', async () => {
    const { writesOf, writes } = onPlatform();
    await writesOf({ property_schema: [{ name: 'TIER', description: 'Support' }] });
    expect(writes.map(({ url, body }) => [url.split('/').at(-1), JSON.parse(body ?? '')])).toEqual([
      [
        'tier',
        {
          value_type: 'single_select',
          allowed_values: ['gold', 'silver', 'bronze'],
          default_value: 'bronze',
          required: true,
          description: 'Support',
          values_editable_by: 'org_actors',
        },
      ],
    ]);
  });

  it('name the fields of a policy in what they cannot be', async () => {
    const { reasons } = onPlatform();
    const wrong = [
      { name: 'tier', type: 'string' },
      { name: 'region', required: true },
      { name: 'stage', description: 'Maturity' },
    ];
    expect(await reasons({ property_schema: wrong })).toEqual([
      'cannot be changed: default is required for a required property',
      'cannot be created: type is required',
      'type cannot be changed from single_select to string: delete and define the property again',
    ]);
  });

  it('decide which values repositories can have, whatever the order of the files', async () => {
    const { reasons } = onPlatform();
    expect(await reasons({ property_schema: [iron], ...onSite({ properties: { tier: 'silver' } }) })).toEqual([
      'tier must be one of gold, iron',
    ]);
    expect(
      await reasons({ absent: { property_schema: ['team'] }, ...onSite({ properties: { team: 'core' } }) }),
    ).toEqual(['no property “team” in acme']);
  });

  it('select repositories only once they exist, with a notice until then', async () => {
    const { client, planOf, writesOf } = onPlatform();
    const policy = { property_schema: [{ name: 'stage', type: 'string' }] };
    const selecting = {
      repositories: [{ select: { properties: { stage: ['beta'] } }, settings: { has_wiki: false } }],
    };
    await expect(planOf(await inAcme(selecting))).rejects.toThrow('no property “stage” in acme');
    const warnings: string[] = [];
    const { planPolicy } = await import('../../../../src/fleet/policy/planning/plan.ts');
    const describeError = (error: unknown) => ({ exit: 1, code: 'error', message: String(error) });
    const wanted = await inAcme({ ...policy, ...selecting });
    const plan = await planPolicy(wanted, { client, describe: describeError, warn: (text) => warnings.push(text) });
    expect(plan.changes.map(({ kind }) => kind)).toEqual(['property']);
    expect(warnings).toEqual([
      expect.stringMatching(/^p\.yaml:3:\d+: property “stage” selects no repository of acme until it is defined\.$/),
    ]);
    expect((await writesOf(policy)).writes).toEqual(['PUT schema/stage']);
  });
});

import { describe, expect, it } from 'vitest';
import { embeddedPlatform } from '../../support/embedded-platform.ts';
import { embeddedPolicies, policyOf, undoOf } from './embedded-policies.ts';

/** Returns a policy for a hook of acme and of its repository. The installation enables “Check commit messages”. */
const hooks = (ofOrganization: string, ofRepository: string) =>
  policyOf({
    'p.yaml': {
      organizations: ['acme'],
      hooks: [{ name: 'Check commit messages', enforcement: ofOrganization }],
      repositories: [{ select: {}, hooks: [{ name: 'Check commit messages', enforcement: ofRepository }] }],
    },
  });

/** Starts from settings of acme and its repository. */
async function startFrom(ofOrganization: string, ofRepository: string) {
  const embedded = embeddedPlatform();
  const { planOf, apply } = embeddedPolicies(embedded);
  const settings = async (...both: [string, string]) => planOf(await hooks(...both));
  // A setting that is inherited afterwards would not become the repository’s own.
  await apply(await settings('inherit', 'disabled'));
  expect((await apply(await settings(ofOrganization, ofRepository))).failures).toEqual([]);
  embedded.writes.length = 0;
  const written = () =>
    embedded.writes.map(({ method, url }) => `${method} ${new URL(url).pathname.slice('/api/v3'.length)}`);
  return { planOf: settings, apply, written };
}

const ofAcme = '/orgs/acme/pre-receive-hooks/1';
const ofSite = '/repos/acme/site/pre-receive-hooks/1';

describe('hooks of repositories that inherit a setting', () => {
  it('are compared with the setting that their organization has afterwards', async () => {
    const { planOf, apply } = await startFrom('disabled', 'inherit');
    const plan = await planOf('enabled', 'testing');
    expect(plan.changes.map(({ target, before, body, effect }) => ({ target, before, body, effect }))).toEqual([
      { target: 'acme', before: { enforcement: 'disabled' }, body: { enforcement: 'enabled' }, effect: 'tightens' },
      { target: 'acme/site', before: { enforcement: 'enabled' }, body: { enforcement: 'testing' }, effect: 'loosens' },
    ]);
    expect((await apply(plan)).failures).toEqual([]);
    expect((await planOf('enabled', 'testing')).changes).toEqual([]);
    expect((await planOf('disabled', 'testing')).changes).toHaveLength(1);
  });

  it('get their own setting before the organization loosens or loses its own', async () => {
    const { planOf, apply, written } = await startFrom('enabled', 'inherit');
    const plan = await planOf('disabled', 'enabled');
    expect((await apply(plan)).failures).toEqual([]);
    expect(written()).toEqual([`PATCH ${ofSite}`, `PATCH ${ofAcme}`]);
    expect((await planOf('disabled', 'enabled')).changes).toEqual([]);

    const other = await startFrom('testing', 'inherit');
    expect((await other.apply(await other.planOf('inherit', 'testing'))).failures).toEqual([]);
    expect(other.written()).toEqual([`PATCH ${ofSite}`, `DELETE ${ofAcme}`]);
  });

  it('lose their own setting to an organization that no longer allows one', async () => {
    const embedded = embeddedPlatform();
    const { planOf, apply } = embeddedPolicies(embedded);
    const policy = (allows: boolean, ofRepository: string) => {
      const name = 'Check commit messages';
      const ofAcme = { name, enforcement: 'testing', allow_downstream_configuration: allows };
      const repositories = [{ select: {}, hooks: [{ name, enforcement: ofRepository }] }];
      return policyOf({ 'p.yaml': { organizations: ['acme'], hooks: [ofAcme], repositories } });
    };
    expect((await apply(await planOf(await policy(true, 'enabled')))).failures).toEqual([]);
    expect((await apply(await planOf(await policy(false, 'inherit')))).failures).toEqual([]);
    expect((await planOf(await policy(false, 'inherit'))).changes).toEqual([]);
  });

  it('can be undone again and again', async () => {
    const { planOf, apply } = await startFrom('disabled', 'enabled');
    let plan: Parameters<typeof undoOf>[0] = await planOf('disabled', 'inherit');
    for (const enforcement of ['inherit', 'enabled', 'inherit', 'enabled']) {
      expect((await apply(plan)).failures).toEqual([]);
      expect((await planOf('disabled', enforcement)).changes).toEqual([]);
      plan = undoOf(plan);
    }
  });

  it('lose their own setting after all changes of the organization, and get it back first', async () => {
    const { planOf, apply, written } = await startFrom('disabled', 'enabled');
    const plan = await planOf('inherit', 'inherit');
    const undo = undoOf(plan);
    expect((await apply(plan)).failures).toEqual([]);
    expect(written()).toEqual([`DELETE ${ofAcme}`, `DELETE ${ofSite}`]);
    expect((await apply(undo)).failures).toEqual([]);
    expect(written().slice(2)).toEqual([`PATCH ${ofSite}`, `PATCH ${ofAcme}`]);
    expect((await planOf('disabled', 'enabled')).changes).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { phasesOf, stepsIn } from '../../../../src/fleet/policy/applying/phases.ts';
import { requestsFor } from '../../../../src/fleet/policy/applying/steps.ts';
import { undoPlan } from '../../../../src/fleet/policy/applying/undo.ts';
import type { Update } from '../../../../src/fleet/policy/live/change.ts';
import type { SavedPlan } from '../../../../src/fleet/policy/planning/plan-file.ts';
import { embeddedPlatform } from '../../../support/embedded-platform.ts';
import { embeddedPolicies, policyOf, stepsFor, undoOf } from '../embedded-policies.ts';
import { storedRulesets } from '../stored-state.ts';

const npm = { registry_type: 'npm_registry', url: 'https://npm.example.com', secret: { env: 'NPM_TOKEN' } };
const selected = { visibility: 'selected', repositories: ['*'] };

const withRegistry = (registry: object) => policyOf({ 'p.yaml': { organizations: ['acme'], registries: [registry] } });

describe('the undo of a change of a registry', () => {
  it('leaves a visibility of selected, whose repositories cannot be read, and restores the other fields', async () => {
    const { planOf, apply } = embeddedPolicies(embeddedPlatform());
    await apply(await planOf(await withRegistry({ ...npm, ...selected, replaces_base: false })));
    const plan = await planOf(await withRegistry({ ...npm, visibility: 'private', replaces_base: true }));
    const undo = undoOf(plan);
    expect(undo.changes.map(({ action, body, reason }) => ({ action, body, reason }))).toEqual([
      { action: 'update', body: { replaces_base: false }, reason: undefined },
      {
        action: 'unresolved',
        body: undefined,
        reason: 'visibility cannot be changed back to selected: its repositories cannot be read',
      },
    ]);
    expect(undo.summary).toMatchObject({ update: 1, unreadable: 1 });
    await apply(plan);
    expect((await apply(undo)).failures).toEqual([]);
    const left = await planOf(await withRegistry({ ...npm, visibility: 'private', replaces_base: false }));
    expect(left.changes.map(({ action }) => action)).toEqual(['unverified']);
  });

  it('restores a visibility that became selected', async () => {
    const { planOf, apply } = embeddedPolicies(embeddedPlatform());
    await apply(await planOf(await withRegistry({ ...npm, visibility: 'all' })));
    const plan = await planOf(await withRegistry({ ...npm, ...selected }));
    const undo = undoOf(plan);
    await apply(plan);
    expect((await apply(undo)).done).toEqual(['acme: update registry “npm_registry https://npm.example.com”']);
  });
});

describe('the undo of a change of settings', () => {
  it('leaves the other security switches of a repository as they are', async () => {
    const { planOf } = embeddedPolicies(embeddedPlatform());
    const scanning = { security_and_analysis: { secret_scanning: { status: 'disabled' } } };
    const repositories = [{ select: {}, settings: scanning }];
    const plan = await planOf(await policyOf({ 'p.yaml': { organizations: ['acme'], repositories } }));
    expect(undoOf(plan).changes).toEqual([
      expect.objectContaining({
        before: scanning,
        body: { security_and_analysis: { secret_scanning: { status: 'enabled' } } },
      }),
    ]);
  });
});

describe('the undo of a change from null', () => {
  const change = (kind: Pick<Update, 'before' | 'body'> & Partial<Update>): Update => ({
    action: 'update',
    kind: 'settings',
    target: 'acme',
    name: '',
    source: 'acme.yaml:2',
    changes: Object.keys(kind.body).map((path) => ({ path, from: null, to: kind.body[path] })),
    ...kind,
  });
  const saved: SavedPlan = {
    plan: 2,
    platform: 'https://ghe.example.com/api/v3',
    identity: 'admin',
    organizations: ['acme'],
    policy_digest: '',
    digest: '',
    changes: [],
    summary: { create: 0, update: 1, delete: 0, unchanged: 0, skipped: 0, unreadable: 0 },
  };
  const undone = (of: Update) =>
    undoPlan(saved, [of]).changes.map(({ action, body, changes, reason }) => ({ action, body, changes, reason }));

  it('sends empty text only where the platform accepts it but not null, and says so', () => {
    expect(undone(change({ before: { company: null }, body: { company: 'Acme' } }))).toEqual([
      {
        action: 'update',
        body: { company: '' },
        changes: [{ path: 'company', from: 'Acme', to: '' }],
        reason: undefined,
      },
    ]);
  });

  it('sends null where the platform accepts it', () => {
    const security = { security_and_analysis: { secret_scanning: { status: 'enabled' } } };
    const of = change({
      target: 'acme/site',
      repository_id: 1,
      before: { security_and_analysis: null },
      body: security,
    });
    expect(undone(of)).toEqual([expect.objectContaining({ body: { security_and_analysis: null } })]);
  });

  it('sends nothing where the platform accepts neither', () => {
    const body = { billing_email: 'a@acme.example', default_repository_permission: 'read' };
    const before = { billing_email: null, default_repository_permission: null };
    expect(undone(change({ before, body }))).toEqual(
      ['billing_email', 'default_repository_permission'].map((field) => ({
        action: 'unresolved',
        body: undefined,
        changes: [],
        reason: `${field} cannot be changed back to null: the platform does not accept it`,
      })),
    );
  });
});

describe('the undo of an apply that was stopped', () => {
  const ruleset = (name: string, enforcement: string, ...types: string[]) => ({
    name,
    enforcement,
    conditions: { ref_name: { include: ['~ALL'], exclude: [] }, repository_name: { include: ['~ALL'], exclude: [] } },
    rules: types.map((type) => ({ type })),
  });
  const policy = (...rulesets: object[]) =>
    policyOf({ 'p.yaml': { organizations: ['acme'], manage: { rulesets: 'all' }, rulesets } });

  /** Stops the apply of a policy that moves rules after some writes, and returns what its undo enforces after each of its own. */
  async function undone(writes: number) {
    const embedded = embeddedPlatform({ orgs: 2 });
    const { planOf, apply } = embeddedPolicies(embedded);
    const earlier = [ruleset('A', 'active', 'non_fast_forward'), ruleset('B', 'active', 'deletion')];
    await apply(await planOf(await policy(...earlier)));
    const plan = await planOf(
      await policy(ruleset('A', 'active', 'deletion'), ruleset('B', 'disabled', 'non_fast_forward')),
    );
    expect((await apply(plan, {}, writes)).isWhole).toBe(writes > 4);

    const enforced = () =>
      storedRulesets(embedded.platform)
        .filter(({ owner, ruleset }) => owner === 'acme' && ruleset.enforcement === 'active')
        .flatMap(({ ruleset }) => ruleset.rules.map(({ type }) => `${ruleset.name} ${type}`));
    const moments = [enforced()];
    const undo = undoOf(plan);
    const steps = phasesOf(stepsIn(stepsFor(undo)).steps).flatMap((tasks) => tasks.flatMap((task) => task.steps));
    const requests = await requestsFor(steps, embedded.client);
    embedded.writes.splice(0);
    embedded.afterWrite(() => moments.push(enforced()));
    expect((await apply(undo)).failures).toEqual([]);
    return { moments, sent: embedded.writes.map(({ body }) => body), dryRun: requests };
  }

  it('loosens a ruleset that was only tightened after the others got their rules back', async () => {
    expect((await undone(3)).moments).toEqual([
      ['A deletion', 'B deletion', 'B non_fast_forward'],
      ['A deletion', 'A non_fast_forward', 'B deletion', 'B non_fast_forward'],
      ['A non_fast_forward', 'B deletion', 'B non_fast_forward'],
      ['A non_fast_forward', 'B deletion'],
    ]);
  });

  it.each([1, 2, 3, 4, 5])('sends what a dry run prints after %d writes, and leads back', async (writes) => {
    const { moments, sent, dryRun } = await undone(writes);
    expect(moments.at(-1)).toEqual(['A non_fast_forward', 'B deletion']);
    expect(sent).toEqual(dryRun.map(({ input }) => JSON.stringify(input.body)));
  });
});

import { describe, expect, it } from 'vitest';
import { embeddedPlatform } from '../../support/embedded-platform.ts';
import { embeddedPolicies, policyOf, undoOf } from './embedded-policies.ts';

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

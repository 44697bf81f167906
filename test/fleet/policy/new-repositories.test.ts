/** Repositories that policies create, against the embedded platform. */
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { OutcomeUnknownError } from '../../../src/client/errors.ts';
import type { HttpRequest } from '../../../src/client/request.ts';
import { Journal } from '../../../src/fleet/journal/journal.ts';
import { ApplyRun } from '../../../src/fleet/policy/applying/apply.ts';
import { derivePlan } from '../../../src/fleet/policy/applying/derive.ts';
import { changesToAllow } from '../../../src/fleet/policy/applying/guards.ts';
import { isStep, type Step } from '../../../src/fleet/policy/live/change.ts';
import { parsePlan, planText } from '../../../src/fleet/policy/planning/plan-file.ts';
import { reviewedPlan } from '../../../src/fleet/policy/planning/review.ts';
import {
  createOrganizationRepository,
  deleteRepository,
  getRepository,
} from '../../../src/platform/endpoints/repos.ts';
import { embeddedPlatform } from '../../support/embedded-platform.ts';
import { temporaryDirectory } from '../../support/run.ts';
import { embeddedPolicies, policyOf, stepsFor, undoOf } from './embedded-policies.ts';

/** `POLICY_CASES=1000` and another `POLICY_SEED` are for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 12);
const seed = Number(process.env.POLICY_SEED ?? 1);
vi.setConfig({ testTimeout: 60_000 + numRuns * 3000 });

const embedded = embeddedPlatform();
const { client, writes } = embedded;
const { planOf, apply } = embeddedPolicies(embedded);

beforeAll(async () => {
  const body = { name: 'template', visibility: 'private', is_template: true } as const;
  await client.call(createOrganizationRepository, { path: { org: 'acme' }, body });
});

const guard = (more: object = {}) => ({ name: 'Guard', enforcement: 'active', rules: [{ type: 'deletion' }], ...more });

let cases = 0;
/** Returns a name that no repository has had. */
const newName = () => `new-${cases++}`;

const creating = (...entries: readonly object[]) =>
  policyOf({ 'p.yaml': { organizations: ['acme'], repositories: entries } });

const repository = async (name: string) =>
  (await client.call(getRepository, { path: { owner: 'acme', repo: name } })) as unknown as Record<string, unknown>;

/** Returns writes as text, without the parts of paths that all share. */
const sent = (all: readonly HttpRequest[]) =>
  all.map(({ method, url, body }) => `${method} ${url.split('/api/v3')[1]} ${body ?? ''}`.trim());

const created = fc.record({
  visibility: fc.constantFrom('public', 'private', 'internal'),
  how: fc.constantFrom({}, { template: 'acme/template' }, { auto_init: true }),
  more: fc.record(
    {
      settings: fc.record(
        { has_wiki: fc.boolean(), description: fc.constantFrom('', 'New'), archived: fc.boolean() },
        { requiredKeys: [] },
      ),
      properties: fc.constantFrom({ tier: 'gold' }, { team: 'core' }, { team: null }),
      rulesets: fc.constantFrom([guard()], [guard({ name: 'Other' })]),
      // A new repository has a label of the first name.
      labels: fc.subarray([{ name: 'bug', color: 'ff0000' }, { name: 'needs triage' }], { minLength: 1 }),
      topics: fc.subarray(['web', 'Managed']),
      alerts: fc.constantFrom({ vulnerability: true, fixes: true }, { vulnerability: false }, { fixes: false }),
    },
    { requiredKeys: [] },
  ),
});

const others = fc.record(
  {
    override: fc.constant(true),
    settings: fc.record({ has_wiki: fc.boolean(), delete_branch_on_merge: fc.boolean() }),
    hooks: fc.constantFrom([{ name: 'Block secrets', enforcement: 'enabled' }]),
    rulesets: fc.constant([guard({ name: 'Guard', enforcement: 'disabled' })]),
  },
  { requiredKeys: ['override'] },
);

const faults = fc.array(fc.constantFrom('none', 'lost before', 'lost after', 'stopped'), { maxLength: 8 });

/** Makes steps in as many runs as it takes, losing writes and responses, and returns the messages of failures. */
async function applyWithFaults(steps: readonly Step[], path: string, planned: readonly string[]): Promise<string[]> {
  const left = [...planned];
  let stopping = new AbortController();
  let fault: string | undefined;
  const lost = ({ method }: HttpRequest) => new OutcomeUnknownError({ method, path: '' }, 'lost');
  embedded.beforeWrite((request) => {
    fault = left.shift();
    if (fault === 'lost before') throw lost(request);
  });
  const ignore = embedded.afterWrite((request) => {
    if (fault === 'lost after') throw lost(request);
    if (fault === 'stopped') stopping.abort();
  });
  const clock = { now: () => 0, sleep: async () => {} };
  const describeError = (error: unknown) => ({ exit: 1, code: 'error', message: String(error) });
  let failures: string[] = [];
  for (let run = 0, faultsLeft = -1; faultsLeft !== left.length; run++) {
    stopping = new AbortController();
    faultsLeft = left.length;
    failures = [];
    const journal = new Journal(path, { platform: 'x' }, { resume: run > 0 });
    journal.recordTargets([...new Set(steps.map(({ target }) => target))].map((name) => ({ name })));
    const options = { client, journal, describe: describeError, signal: stopping.signal, clock };
    for await (const outcome of new ApplyRun(steps, options))
      if ('error' in outcome) failures.push(outcome.error.message);
    journal.close();
  }
  embedded.beforeWrite();
  ignore();
  return failures;
}

it('whatever repositories a policy creates, and however often its run is stopped, the next plan is empty', async () => {
  const directory = await temporaryDirectory();
  await fc.assert(
    fc.asyncProperty(fc.array(created, { minLength: 1, maxLength: 2 }), others, faults, async (all, other, planned) => {
      const prefix = newName();
      const entries = all.map(({ visibility, how, more }, at) => ({
        create: { name: `${prefix}-${at}`, visibility, ...how },
        ...more,
      }));
      const selecting = { select: { names: [`${prefix}-*`] }, ...other };
      const documents = {
        'a.yaml': { organizations: ['acme'], repositories: entries },
        'b.yaml': { organizations: ['acme'], repositories: [selecting] },
      };
      const wanted = await policyOf(documents);
      const plan = await planOf(wanted);
      expect(plan.changes.filter(({ reason }) => reason !== undefined)).toEqual([]);
      expect(planText(await planOf(await policyOf(Object.fromEntries(Object.entries(documents).reverse()))))).toBe(
        planText(plan),
      );
      const read = parsePlan('plan.ndjson', planText(plan));
      expect((await derivePlan(read, { client })).changes).toEqual(JSON.parse(JSON.stringify(plan.changes)));
      writes.length = 0;
      const failures = await applyWithFaults(stepsFor(read), join(directory, `${prefix}.ndjson`), planned);
      expect(failures).toEqual([]);
      const creations = writes.filter(({ method, url }) => method === 'POST' && /\/(?:repos|generate)$/.test(url));
      expect(creations).toHaveLength(entries.length);
      expect((await planOf(wanted)).changes).toEqual([]);
      const reasons = undoOf(plan).changes.map(({ target, reason }) => `${target} ${reason}`);
      expect(reasons).toEqual(
        entries.map(
          ({ create }) => `acme/${create.name} is not deleted by an undo; to delete it, use “forgectl repos delete”`,
        ),
      );
    }),
    { numRuns, seed, endOnFailure: true },
  );
});

describe('a repository that does not exist', () => {
  it('is created from a template, made internal, filled, and archived last', async () => {
    const name = newName();
    const wanted = await creating(
      {
        create: { name, visibility: 'internal', template: 'acme/template', include_all_branches: true },
        settings: { has_wiki: false, archived: true },
        properties: { tier: 'gold' },
        rulesets: [guard()],
        topics: ['web'],
        alerts: { vulnerability: true, fixes: true },
      },
      {
        select: { names: ['new-*'] },
        settings: { description: 'New' },
        hooks: [{ name: 'Block secrets', enforcement: 'enabled' }],
      },
      { select: { visibility: ['internal'], properties: { tier: ['gold'] } }, settings: { has_projects: false } },
      { select: { visibility: ['public'] }, settings: { has_wiki: true } },
      { select: { topics: ['x'] }, settings: { has_wiki: true } },
    );
    writes.length = 0;
    const { failures } = await apply(await planOf(wanted));
    expect(failures).toEqual([]);
    const of = `/repos/acme/${name}`;
    expect(sent(writes).filter((each) => each.includes(name))).toEqual([
      `POST /repos/acme/template/generate {"owner":"acme","name":"${name}","include_all_branches":true,"private":true}`,
      `PATCH ${of} {"visibility":"internal"}`,
      `POST ${of}/rulesets {"enforcement":"active","name":"Guard","rules":[{"type":"deletion"}]}`,
      `PATCH ${of}/pre-receive-hooks/4 {"enforcement":"enabled"}`,
      `PATCH /orgs/acme/properties/values {"repository_names":["${name}"],"properties":[{"property_name":"tier","value":"gold"}]}`,
      `PUT ${of}/topics {"names":["web"]}`,
      `PUT ${of}/automated-security-fixes`,
      `PATCH ${of} {"archived":true,"description":"New","has_projects":false,"has_wiki":false}`,
    ]);
  });

  it.each([
    [
      'acme/absent',
      'unreadable',
      'acme/absent cannot be read (GET /repos/acme/absent returned 404: needs metadata (read))',
    ],
    ['acme/site', 'unresolved', 'acme/site is not a template'],
  ])('is not planned if its template is %s, with all that it would have', async (template, action, reason) => {
    const plan = await planOf(
      await creating({ create: { name: newName(), visibility: 'private', template }, settings: { has_wiki: false } }),
    );
    expect(plan.changes).toEqual([expect.objectContaining({ kind: 'repository', action, reason })]);
  });

  it('has its default branch compared by the next plan, which a notice says', async () => {
    const name = newName();
    const wanted = await creating({
      create: { name, visibility: 'private', auto_init: true },
      settings: { default_branch: 'trunk' },
    });
    const notices: string[] = [];
    const plan = await planOf(wanted, (text) => notices.push(text));
    expect(plan.changes.map(({ kind }) => kind)).toEqual(['repository']);
    expect(notices).toContain(
      'acme: the default branch of new repositories is compared once they exist, by the next plan.',
    );
    await apply(plan);
    expect((await planOf(wanted)).changes.map(({ changes }) => changes)).toEqual([
      [{ path: 'default_branch', from: 'main', to: 'trunk' }],
    ]);
  });

  it('is refused if another one was created after the plan, and nothing in that changes', async () => {
    const name = newName();
    const plan = await planOf(
      await creating({ create: { name, visibility: 'private' }, settings: { has_wiki: false } }),
    );
    await client.call(createOrganizationRepository, { path: { org: 'acme' }, body: { name, visibility: 'private' } });
    const { failures, done } = await apply(plan);
    expect(failures).toEqual([
      `Error: repository of acme/${name} changed after the plan, so nothing was sent. Plan again.`,
    ]);
    expect(done).toEqual([]);
    expect(await repository(name)).toMatchObject({ has_wiki: true });
  });

  it('is not created by a plan whose reviewer dropped its creation, nor is anything else of it', async () => {
    const plan = await planOf(
      await creating({ create: { name: newName(), visibility: 'private' }, rulesets: [guard()] }),
    );
    const [creation] = plan.changes;
    const { plan: rest, dependent } = reviewedPlan(plan, new Set(plan.changes.slice(0, 1)));
    expect(creation?.kind).toBe('repository');
    expect(rest.changes).toEqual([]);
    expect(dependent.map(({ kind }) => kind)).toEqual(['ruleset']);
  });

  it('needs a flag if it is public, and counts as a loosening', async () => {
    const allowed = async (visibility: string) => {
      const { changes } = await planOf(
        await creating({ create: { name: newName(), visibility }, settings: { archived: true } }),
      );
      return [changes[0]?.effect, [...changesToAllow(changes.filter(isStep), [])]];
    };
    expect(await allowed('public')).toEqual(['loosens', [['visibility', 1]]]);
    expect(await allowed('internal')).toEqual(['neutral', []]);
  });

  it('cannot be changed by a saved plan that does not create it', async () => {
    const plan = await planOf(
      await creating({ create: { name: 'site-2', visibility: 'private' }, rulesets: [guard()] }),
    );
    const { plan: changed } = reviewedPlan(
      { ...plan, changes: plan.changes.filter(({ kind }) => kind !== 'repository') },
      new Set(),
    );
    expect(() => parsePlan('plan.ndjson', planText(changed))).toThrow('is truncated or damaged at line 2');
  });
});

describe('a repository that exists', () => {
  it('is changed as always, with a guard for its visibility, and never created', async () => {
    const name = newName();
    await apply(await planOf(await creating({ create: { name, visibility: 'private' } })));
    const { changes } = await planOf(
      await creating({ create: { name: name.toUpperCase(), visibility: 'internal', template: 'acme/none' } }),
    );
    expect(changes).toEqual([
      expect.objectContaining({ action: 'update', kind: 'settings', target: `acme/${name}`, effect: 'loosens' }),
    ]);
    expect(changesToAllow(changes, []).get('visibility')).toBe(1);
  });

  it('is left alone if it is archived', async () => {
    const name = newName();
    const wanted = await creating({ create: { name, visibility: 'private' }, settings: { archived: true } });
    await apply(await planOf(wanted));
    const plan = await planOf(
      await creating({ create: { name, visibility: 'public' }, settings: { has_wiki: false } }),
    );
    expect(plan).toMatchObject({ changes: [], selections: [{ archived: 1 }] });
  });

  it('is a different one if it was deleted and created again after the plan', async () => {
    const name = newName();
    const again = await creating({ create: { name, visibility: 'private' } });
    await apply(await planOf(again));
    const plan = await planOf(
      await creating({ create: { name, visibility: 'private' }, settings: { has_wiki: false } }),
    );
    await client.call(deleteRepository, { path: { owner: 'acme', repo: name } });
    await apply(await planOf(again));
    expect((await apply(plan)).failures).toEqual([expect.stringContaining('is now a different repository')]);
    expect(await repository(name)).toMatchObject({ has_wiki: true });
  });
});

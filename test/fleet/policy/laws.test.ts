/** What holds of plans whatever the policies and the live state are, against the embedded platform. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Client } from '../../../src/client/client.ts';
import { ApplyRun, stepsOf } from '../../../src/fleet/policy/apply.ts';
import { exportOwner } from '../../../src/fleet/policy/export.ts';
import { loadPolicy } from '../../../src/fleet/policy/load.ts';
import { planPolicy } from '../../../src/fleet/policy/plan.ts';
import { planText } from '../../../src/fleet/policy/plan-file.ts';
import { Reader } from '../../../src/fleet/policy/requests.ts';
import type { TargetError } from '../../../src/fleet/runner.ts';
import { yamlText } from '../../../src/output/yaml.ts';
import { sandboxForTests } from '../../sandbox/support.ts';
import { platformAt, testTransport } from '../../support/client.ts';

const sandbox = sandboxForTests({ orgs: 2, repos: 3 });

const clientOf = () =>
  new Client({
    platform: platformAt(sandbox.baseUrl),
    credential: { token: sandbox.tokens.classic, origin: new URL(sandbox.baseUrl).origin },
    transport: testTransport({}),
  });

interface File {
  readonly file: string;
  readonly text: string;
}

const describeError = (error: unknown): TargetError => ({ exit: 1, code: 'error', message: String(error) });

const fileOf = async (file: string, document: object): Promise<File> => ({ file, text: await yamlText(document) });

async function planOf(files: readonly File[], client = clientOf()) {
  return planPolicy(await loadPolicy(files), { client, describe: describeError, warn: () => {} });
}

async function apply(files: readonly File[], client = clientOf()) {
  const run = new ApplyRun(stepsOf(await planOf(files, client), true), { client, describe: describeError });
  const failures: string[] = [];
  for await (const outcome of run) if ('error' in outcome) failures.push(outcome.error.message);
  return failures;
}

async function exported(org: string): Promise<File[]> {
  const reader = new Reader(clientOf());
  const files = await exportOwner({
    reader,
    owner: { kind: 'organization', name: org },
    repositories: true,
    warn: () => {},
  });
  return Promise.all(files.map(({ path, document }) => fileOf(path, document)));
}

const actors = fc.uniqueArray(
  fc.oneof(
    fc.constant('role:admin'),
    fc.constant({ actor: 'role:maintain', mode: 'pull_request' }),
    fc.constant({ actor_type: 'DeployKey', bypass_mode: 'always' }),
    fc.constant({ actor_type: 'OrganizationAdmin', bypass_mode: 'always' }),
  ),
  { selector: (actor) => JSON.stringify(actor) },
);

const checks = fc.uniqueArray(fc.constantFrom('test', 'lint', 'build'), { minLength: 1 });

const rules = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom({ type: 'deletion' }, { type: 'non_fast_forward' }, { type: 'required_signatures' }),
    fc.constant({ type: 'a_rule_of_tomorrow', parameters: { strength: 7 } }),
    checks.map((contexts) => ({
      type: 'required_status_checks',
      parameters: {
        strict_required_status_checks_policy: true,
        required_status_checks: contexts.map((context) => ({ context })),
      },
    })),
  ),
  { selector: ({ type }) => type },
);

const patterns = fc.uniqueArray(fc.constantFrom('~DEFAULT_BRANCH', 'refs/heads/release/*', 'refs/heads/x'), {
  minLength: 1,
});

const ruleset = fc
  .record(
    {
      enforcement: fc.constantFrom('active', 'evaluate', 'disabled'),
      bypass_actors: actors,
      conditions: patterns.map((include) => ({ ref_name: { include, exclude: [] } })),
      rules,
    },
    { requiredKeys: ['enforcement', 'conditions'] },
  )
  .map((fields) => ({ target: 'branch', ...fields }));

const rulesets = fc
  .uniqueArray(fc.constantFrom('One', 'Two', 'Three'))
  .chain((names) => fc.tuple(...names.map((name) => ruleset.map((fields) => ({ name, ...fields })))));

const settings = fc.record(
  {
    default_repository_permission: fc.constantFrom('none', 'read', 'write'),
    web_commit_signoff_required: fc.boolean(),
    members_can_create_public_repositories: fc.boolean(),
  },
  { requiredKeys: [] },
);

const policy = fc.record({
  settings,
  rulesets: rulesets.map((all) =>
    all.map((each) => ({
      ...each,
      conditions: { ...each.conditions, repository_name: { include: ['~ALL'], exclude: [] } },
    })),
  ),
  repositories: fc.record({
    settings: fc.record({ delete_branch_on_merge: fc.boolean(), has_wiki: fc.boolean() }, { requiredKeys: [] }),
    rulesets,
  }),
});

type RandomPolicy = typeof policy extends fc.Arbitrary<infer P> ? P : never;

/** The policy in several files, so that their order can differ. */
const filesOf = ({ settings, rulesets, repositories }: RandomPolicy): Promise<File[]> => {
  const organizations = ['acme'];
  const select = { names: ['s*', 'f*'] };
  return Promise.all([
    fileOf('settings.yaml', { organizations, settings }),
    fileOf('rulesets.yaml', { organizations, rulesets }),
    fileOf('repositories.yaml', { organizations, repositories: [{ select, ...repositories }] }),
    fileOf('more.yaml', {
      organizations,
      repositories: [{ select: { names: ['*'] }, hooks: [{ name: 'Block secrets', enforcement: 'inherit' }] }],
    }),
  ]);
};

describe('a plan', () => {
  it('is empty for policies that were just exported', async () => {
    const plan = await planOf(await exported('acme'));
    expect(plan.changes).toEqual([]);
    expect(plan.summary).toEqual({ create: 0, update: 0, delete: 0, unchanged: 4, skipped: 0, unreadable: 0 });
  });

  it('is empty once it was applied, and so is that of an export after it', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(policy, async (wanted) => {
        const files = await filesOf(wanted);
        expect(await apply(files)).toEqual([]);
        expect((await planOf(files)).changes).toEqual([]);
        expect((await planOf(await exported('acme'))).changes).toEqual([]);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  it('has the same bytes whatever the order of files and of the elements of sets', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(policy, async (wanted) => {
        const files = await filesOf(wanted);
        const reversed = await filesOf({
          ...wanted,
          rulesets: wanted.rulesets.map((each) => ({ ...each, ...(each.rules && { rules: each.rules.toReversed() }) })),
        });
        const [one, other] = [await planOf(files), await planOf(reversed.toReversed())];
        // The line of a ruleset in its file is the same here, as rules come last.
        expect(planText(other)).toBe(planText(one));
      }),
      { numRuns: 5 },
    );
  });
});

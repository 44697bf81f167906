import { describe, expect, it } from 'vitest';
import { type Check, check, type Fact, fail, pass } from '../../../src/foresight/audit/check.ts';
import { checks } from '../../../src/foresight/audit/checks/index.ts';
import { isDeep, judged, readingsOf } from '../../../src/foresight/audit/evaluate.ts';
import { readingOf } from '../../../src/foresight/audit/readings.ts';
import type { Organization } from '../../../src/platform/records.ts';

const context = { target: 'acme', owner: 'acme', now: Date.parse('2026-03-01T12:00:00Z') };

const described = { title: 'Few owners', description: 'Owners can do everything.', documents: [], maps: {} } as const;

const fewOwners = check({
  ...described,
  id: 'few-owners',
  severity: 'low',
  scope: 'organization',
  thresholds: { most: { default: 1, least: 1, description: 'Maximum number of owners' } },
  reads: ['owners'],
  mayRead: ['organization'],
  judge: ({ owners, organization }, { owner }, { most }) =>
    owners.length <= most
      ? pass
      : fail(
          `${owner} has ${owners.length} owners.`,
          [{ name: 'known', value: 'value' in organization }],
          {},
          { severity: 'high' },
        ),
});

const owners = (count: number): Fact<unknown> => ({ value: Array.from({ length: count }, () => ({ login: 'ada' })) });
const hidden: Fact<unknown> = { unreadable: 'GET /orgs/acme/members returned 403: needs members (read)' };

describe('a check', () => {
  it('fails with evidence, in its own words and severity', () => {
    const facts = { owners: owners(3), organization: hidden };
    expect(judged(fewOwners, facts, context)).toEqual([
      {
        check: 'few-owners',
        severity: 'high',
        target: 'acme',
        status: 'fail',
        message: 'acme has 3 owners.',
        evidence: [{ name: 'known', value: false }],
        fix: {},
      },
    ]);
  });

  it('passes within its limit, or that of audit.yaml', () => {
    const facts = { owners: owners(3), organization: hidden };
    const status = (count: number, thresholds = {}) =>
      judged(fewOwners, { ...facts, owners: owners(count) }, context, thresholds)?.map((finding) => finding.status);
    expect(status(1)).toEqual(['pass']);
    expect(status(3, { 'few-owners': { most: 3 } })).toEqual(['pass']);
    expect(status(4, { 'few-owners': { most: 3 } })).toEqual(['fail']);
  });

  it('is unreadable if a value has a type that it cannot judge', () => {
    expect(judged(fewOwners, { owners: { value: null }, organization: hidden }, context)).toEqual([
      {
        ...{ check: 'few-owners', severity: 'low', target: 'acme', status: 'unreadable', evidence: [] },
        message: 'Cannot be read: a response has a value of another type.',
      },
    ]);
  });

  it('has text in place of values of other types', () => {
    const inconvertible = { toString: 7 } as unknown as string;
    const judge = () => fail('Odd.', [{ name: 'odd', value: inconvertible }], { command: ['orgs', inconvertible] });
    const odd: Check = { ...fewOwners, judge };
    expect(judged(odd, { owners: owners(1), organization: hidden }, context)).toMatchObject([
      { evidence: [{ name: 'odd', value: '{"toString":7}' }], fix: { command: ['orgs', '{"toString":7}'] } },
    ]);
  });

  it('is unreadable, never a pass, if a fact that it needs cannot be read', () => {
    expect(judged(fewOwners, { owners: hidden, organization: hidden }, context)).toEqual([
      {
        check: 'few-owners',
        severity: 'low',
        target: 'acme',
        status: 'unreadable',
        message: 'Cannot be read: GET /orgs/acme/members returned 403: needs members (read).',
        evidence: [],
      },
    ]);
  });

  it('does not apply on a platform that does not have what it reads', () => {
    const elsewhere = { unreadable: 'GET /x returned 404', isElsewhere: true } as const;
    expect(judged(fewOwners, { owners: elsewhere, organization: hidden }, context)).toBeUndefined();
  });
});

describe('checks of settings of organizations', () => {
  const settings = {
    login: 'acme',
    two_factor_requirement_enabled: true,
    default_repository_permission: 'read',
    members_can_create_public_repositories: false,
    members_can_create_public_pages: false,
    members_can_fork_private_repositories: false,
    members_can_delete_repositories: false,
    members_can_change_repo_visibility: false,
    members_can_invite_outside_collaborators: false,
    members_can_delete_issues: false,
    members_can_create_teams: false,
    deploy_keys_enabled_for_repositories: false,
    web_commit_signoff_required: true,
    dependency_graph_enabled_for_new_repositories: true,
    dependabot_alerts_enabled_for_new_repositories: true,
    dependabot_security_updates_enabled_for_new_repositories: true,
    secret_scanning_enabled_for_new_repositories: true,
    secret_scanning_push_protection_enabled_for_new_repositories: true,
  } as const;
  const ofSettings = checks.filter(({ id, reads }) => reads.length === 1 && reads[0] === 'organization' && id !== '');

  const judge = (each: Check, organization: Partial<Organization>) =>
    judged(each, { organization: { value: organization } }, context)?.[0];

  it.each(ofSettings)('$id: passes, fails with the setting as evidence, and is unreadable without it', (each) => {
    expect(judge(each, settings)).toMatchObject({ status: 'pass', message: `${each.title}.` });
    const opposite = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, typeof value === 'boolean' ? !value : 'write']),
    );
    const failed = judge(each, opposite);
    expect(failed).toMatchObject({ status: 'fail', target: 'acme', evidence: [{ value: expect.anything() }] });
    const name = failed?.evidence[0]?.name ?? '';
    const { [name as keyof typeof settings]: _setting, ...others } = settings;
    expect(judge(each, others)).toMatchObject({
      status: 'unreadable',
      message: expect.stringContaining(`GET /orgs/{org} does not return ${name}`),
    });
    // What cannot be set over the API has a hint alone.
    const { command, policy, hint } = failed?.fix ?? {};
    if (hint === undefined)
      expect(policy).toEqual({
        organizations: ['acme'],
        settings: { [name]: settings[name as keyof typeof settings] },
      });
    else expect({ command, policy }).toEqual({});
  });

  it('gives admin as the base permission a higher severity', () => {
    const base = ofSettings.find(({ id }) => id === 'base-permission') as Check;
    expect(judge(base, { default_repository_permission: 'admin' })).toMatchObject({ severity: 'high' });
    expect(judge(base, { default_repository_permission: 'none' })).toMatchObject({ status: 'pass' });
  });
});

describe('all checks', () => {
  it('have unique IDs, a statement as title, and documents', () => {
    const ids = checks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, title, description, documents } of checks) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(title, id).toMatch(/^[A-Z].*[^.]$/);
      expect(description, id).toMatch(/^[A-Z].*\.$/);
      expect(documents.length, id).toBeGreaterThan(0);
      for (const url of documents) expect(url).toMatch(/^https:\/\/docs\.github\.com\/en\//);
    }
  });

  it('need at most 5 requests for a repository, and with --deep 10', () => {
    const ofRepositories = checks.filter(({ scope }) => scope === 'repository');
    const requests = (some: readonly Check[]) =>
      readingsOf(some).reduce((sum, name) => sum + (readingOf('repository', name).requests ?? 0), 0);
    expect(requests(ofRepositories.filter((each) => !isDeep(each)))).toBeLessThanOrEqual(5);
    expect(requests(ofRepositories)).toBeLessThanOrEqual(10);
  });
});

import { describe, expect, it } from 'vitest';
import { repositoryChecks } from '../../../../src/foresight/audit/checks/repository/index.ts';
import { repositoryForking } from '../../../../src/foresight/audit/checks/repository/repository-forking.ts';
import { visibilityProperty } from '../../../../src/foresight/audit/checks/repository/visibility-property.ts';
import { judged } from '../../../../src/foresight/audit/evaluate.ts';
import { branchFacts, pullRequests } from '../branch-facts.ts';
import { type CheckTest, describeChecks, now } from '../judged-check.ts';

const repository = {
  id: 7,
  name: 'site',
  full_name: 'acme/site',
  html_url: 'https://ghe.example.com/acme/site',
  private: true,
  visibility: 'private',
  forks_count: 0,
  allow_forking: false,
  default_branch: 'main',
  created_at: '2024-01-01T00:00:00Z',
  pushed_at: '2026-02-01T00:00:00Z',
};

const without = (name: keyof typeof repository) => ({ repository: { ...repository, [name]: undefined } });

const settings = (wanted: object) => ({
  organizations: ['acme'],
  repositories: [{ select: { names: ['site'] }, settings: wanted }],
});

function ofFeature(feature: string, says: string, fix?: CheckTest['fix']): CheckTest {
  const withStatus = (status: string) => ({
    repository: { ...repository, security_and_analysis: { [feature]: { status } } },
  });
  const enabled = { [feature]: { status: 'enabled' } };
  return {
    passes: withStatus('enabled'),
    fails: withStatus('disabled'),
    says,
    fix: fix ?? {
      command: `repos update acme/site --security-and-analysis ${JSON.stringify(enabled)}`,
      policy: settings({ security_and_analysis: enabled }),
    },
    lacks: [{ repository: { ...repository, security_and_analysis: {} } }, `does not return ${feature}`],
  };
}

const suite = { repository_id: 7, actor_name: 'ada', ref: 'refs/heads/main', pushed_at: '2026-02-20T10:00:00Z' };

describeChecks(repositoryChecks, {
  'visibility-property': {
    passes: { repository, propertyValues: new Map([['acme/site', { visibility: 'private', pci: 'true' }]]) },
    fails: { repository: { ...repository, private: false, visibility: 'public' } },
    says: 'acme/site is public, but its property visibility is “private”.',
    fix: { command: 'repos update acme/site --visibility private', policy: settings({ visibility: 'private' }) },
    lacks: [without('visibility'), 'does not return visibility'],
    ignores: { propertyValues: new Map() },
  },
  'secret-scanning': ofFeature('secret_scanning', 'Secret scanning is off in acme/site.'),
  'push-protection': ofFeature('secret_scanning_push_protection', 'Push protection is off in acme/site.'),
  'security-updates': ofFeature('dependabot_security_updates', 'Dependency security updates are off in acme/site.', {
    command: 'repos security-fixes acme/site --enable',
    policy: { repositories: [{ select: { names: ['site'] }, alerts: { vulnerability: true, fixes: true } }] },
  }),
  'dependency-alerts': {
    passes: { repository, alerts: true },
    fails: { alerts: false },
    says: 'Dependency alerts are off in acme/site.',
    fix: {
      command: 'repos alerts acme/site --enable',
      policy: { repositories: [{ select: { names: ['site'] }, alerts: { vulnerability: true } }] },
    },
  },
  'private-forks': {
    passes: { repository },
    fails: { repository: { ...repository, forks_count: 2 } },
    says: 'acme/site is private, and has 2 forks.',
    fix: { hint: 'forgectl forks list acme/site' },
    lacks: [without('forks_count'), 'does not return forks_count'],
    ignores: { repository: { ...repository, private: false } },
  },
  'repository-forking': {
    passes: { repository },
    fails: { repository: { ...repository, allow_forking: true }, organization: {} },
    says: 'acme/site is private, and can be forked.',
    fix: { command: 'repos update acme/site --no-allow-forking' },
    lacks: [without('allow_forking'), 'does not return allow_forking'],
    ignores: { repository: { ...repository, private: false } },
  },
  'recent-bypasses': {
    passes: {
      repository,
      bypasses: [
        { ...suite, repository_id: 8 },
        { ...suite, pushed_at: '2026-01-20T10:00:00Z' },
      ],
    },
    fails: { bypasses: [suite, { ...suite, repository_id: undefined, repository_name: 'site', actor_name: 'ben' }] },
    says: 'ada, ben bypassed rules of acme/site 2 times in 30 days.',
    fix: { hint: 'forgectl rulesets suites acme/site --time-period month --rule-suite-result bypass' },
  },
  'code-owners-file': {
    passes: { repository, codeownersErrors: [], protection: branchFacts([]) },
    fails: {
      codeownersErrors: null,
      protection: branchFacts([{ rules: [pullRequests({ require_code_owner_review: true })], name: 'Reviews' }]),
    },
    says: 'acme/site requires the approval of code owners, but has no file that names them.',
    fix: { hint: 'CODEOWNERS' },
    lacks: [
      {
        codeownersErrors: null,
        protection: branchFacts([{ rules: [pullRequests({ require_code_owner_review: true })], bypass: 'hidden' }]),
      },
      'who may bypass ruleset “Rules 1” of acme/site cannot be read',
    ],
    ignores: { codeownersErrors: null },
  },
  'stale-repository': {
    passes: { repository },
    fails: { repository: { ...repository, pushed_at: '2025-02-01T12:00:00Z' } },
    says: 'Nobody has pushed to acme/site for 393 days.',
    fix: { command: 'repos archive acme/site' },
    lacks: [without('pushed_at'), 'does not return pushed_at'],
  },
});

describe('visibility-property', () => {
  const verdict = (visibility: string, value: unknown) => {
    const facts = {
      repository: { value: { ...repository, visibility } },
      propertyValues: { value: new Map([['acme/site', { 'Data-Class': value, pci: 'true' }]]) },
    };
    const visibilityLimits = { 'data-class': { Secret: 'private', partners: 'internal' } } as const;
    const context = { target: 'acme/site', owner: 'acme', now, visibilityLimits };
    const [finding] = judged(visibilityProperty, facts, context) ?? [];
    return finding?.fix?.command?.at(-1) ?? finding?.status;
  };

  it('applies the properties of audit.yaml, the most closed first', () => {
    expect(verdict('internal', 'secret')).toBe('private');
    expect(verdict('private', 'secret')).toBe('pass');
    expect(verdict('internal', 'partners')).toBe('pass');
    expect(verdict('internal', ['partners', 'secret'])).toBe('private');
    expect(verdict('public', 'partners')).toBe('private');
    expect(verdict('internal', 'open')).toBe('pass');
  });
});

it('repository-forking passes if the organization forbids it', () => {
  const facts = {
    repository: { value: { ...repository, allow_forking: true } },
    organization: { value: { members_can_fork_private_repositories: false } },
  };
  expect(judged(repositoryForking, facts, { target: 'acme/site', owner: 'acme', now })?.[0]?.status).toBe('pass');
});

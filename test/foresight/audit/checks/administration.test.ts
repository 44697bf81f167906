import { administrationChecks } from '../../../../src/foresight/audit/checks/administration/index.ts';
import { type CheckTest, describeChecks } from '../judged-check.ts';

const app = {
  app_slug: 'deployer',
  html_url: 'https://ghe.example.com/settings/installations/1',
  permissions: { contents: 'write', metadata: 'read' },
  repository_selection: 'selected',
  suspended_at: null,
};

const registry = {
  name: 'NPM_SECRET',
  registry_type: 'npm_registry',
  url: 'https://npm.example.com',
  visibility: 'private',
};

const hook = { id: 3, name: 'Sizes', enforcement: 'enabled', allow_downstream_configuration: false };

const request = { number: 4, repository: 'acme/site', requester: 'ada', created_at: '2026-02-20T12:00:00Z' };

const budget = {
  id: 'b1',
  budget_type: 'ProductPricing',
  budget_product_skus: ['actions'],
  budget_scope: 'organization',
  budget_entity_name: 'acme',
  budget_amount: 100,
  prevent_further_usage: true,
  budget_alerting: { will_alert: true, alert_recipients: ['ada'] },
};

const key = {
  budget_scope: 'organization',
  budget_type: 'ProductPricing',
  budget_entity_name: 'acme',
  budget_product_sku: 'actions',
};

function ofBudgets(owner: object, target: string): readonly [stops: CheckTest, alerts: CheckTest] {
  return [
    {
      passes: { budgets: [budget] },
      fails: { budgets: [{ ...budget, prevent_further_usage: false }] },
      says: ['b1', 'The budget of acme for actions does not block usage that exceeds it.'],
      fix: {
        command: `budgets update ${target} b1 --prevent-further-usage`,
        policy: { ...owner, budgets: [{ ...key, prevent_further_usage: true }] },
      },
    },
    {
      passes: { budgets: [budget, { ...budget, budget_scope: 'user', budget_alerting: undefined }] },
      fails: { budgets: [{ ...budget, budget_alerting: { will_alert: false, alert_recipients: ['ada'] } }] },
      says: ['b1', 'The budget of acme for actions alerts nobody.'],
      fix: {
        command: `budgets update ${target} b1 --will-alert`,
        policy: { ...owner, budgets: [{ ...key, budget_alerting: { will_alert: true, alert_recipients: ['ada'] } }] },
      },
      lacks: [{ budgets: [{ ...budget, budget_alerting: undefined }] }, 'does not return budget_alerting'],
    },
  ];
}

const [stops, alerts] = ofBudgets({ organizations: ['acme'] }, 'acme');
const [enterpriseStops, enterpriseAlerts] = ofBudgets({ enterprise: 'sandbox' }, '--enterprise sandbox');

describeChecks(administrationChecks, {
  'installation-permissions': {
    passes: { installations: [app, { ...app, repository_selection: 'all', permissions: { contents: 'read' } }] },
    fails: { installations: [{ ...app, repository_selection: 'all' }] },
    says: ['deployer', 'The app deployer is installed on all repositories, and may change: contents.'],
    fix: { hint: 'https://ghe.example.com/settings/installations/1' },
  },
  'custom-roles': {
    passes: { roles: [{ name: 'Triage plus', permissions: ['add_label'] }] },
    fails: { roles: [{ name: 'Release', permissions: ['add_label', 'bypass_branch_protection'] }] },
    says: ['Release', 'The custom role “Release” includes bypass_branch_protection.'],
    fix: { hint: 'settings of acme' },
  },
  'hooks-enforced': {
    passes: { hooks: [hook] },
    fails: { hooks: [{ ...hook, enforcement: 'testing' }] },
    says: ['Sizes', 'The hook “Sizes” is in testing, and rejects nothing.'],
    fix: {
      command: 'hooks set acme 3 --enforcement enabled --no-allow-downstream-configuration',
      policy: { hooks: [{ name: 'Sizes', enforcement: 'enabled', allow_downstream_configuration: false }] },
    },
  },
  'hooks-overridable': {
    passes: { hooks: [hook, { ...hook, enforcement: 'disabled', allow_downstream_configuration: true }] },
    fails: { hooks: [{ ...hook, allow_downstream_configuration: true }] },
    says: ['Sizes', 'Repositories may turn off the hook “Sizes”.'],
    fix: {
      command: 'hooks set acme 3 --no-allow-downstream-configuration',
      policy: { hooks: [{ name: 'Sizes', allow_downstream_configuration: false }] },
    },
    lacks: [{ hooks: [{ ...hook, allow_downstream_configuration: undefined }] }, 'is not returned'],
  },
  'registry-transport': {
    passes: { registries: [registry] },
    fails: { registries: [{ ...registry, url: 'http://npm.example.com' }] },
    says: ['NPM_SECRET', 'The registry NPM_SECRET is used over http.'],
    fix: { command: 'registries update acme NPM_SECRET --url https://npm.example.com' },
    lacks: [{ registries: [{ ...registry, url: undefined }] }, 'is not returned'],
  },
  'registry-visibility': {
    passes: { registries: [registry] },
    fails: { registries: [{ ...registry, visibility: 'all' }] },
    says: ['NPM_SECRET', 'All repositories of acme may use the registry NPM_SECRET.'],
    fix: {
      command: 'registries update acme NPM_SECRET --visibility private',
      policy: {
        registries: [
          { name: 'NPM_SECRET', registry_type: 'npm_registry', url: 'https://npm.example.com', visibility: 'private' },
        ],
      },
    },
  },
  'undecided-requests': {
    passes: {
      secretRequests: [],
      pushRuleRequests: [{ ...request, status: 'pending', created_at: '2026-02-27T12:00:00Z' }],
      dismissalRequests: [],
    },
    fails: {
      dismissalRequests: [
        { ...request, status: 'pending' },
        { ...request, status: 'expired' },
      ],
    },
    says: ['dependency alerts', '2 requests about dependency alerts had no decision within 7 days.'],
    fix: { hint: 'forgectl dismissals list acme' },
  },
  'locked-migrations': {
    passes: {
      migrations: [
        {
          id: 79,
          state: 'exported',
          lock_repositories: true,
          created_at: '2026-02-01T12:00:00Z',
          repositories: [{ id: 1, name: 'site', full_name: 'acme/site' }],
        },
      ],
      repositories: [{ id: 1, pushed_at: '2026-02-10T12:00:00Z' }],
    },
    fails: { repositories: [{ id: 1, pushed_at: '2026-01-10T12:00:00Z' }] },
    says: ['79', 'Migration 79 of acme (exported) locked repositories that nobody has pushed to since: acme/site.'],
    fix: {
      command: 'api /orgs/acme/migrations/79/repos/site/lock --method DELETE',
      hint: 'The platform does not show locks: the finding remains until',
    },
  },
  'immutable-releases': {
    passes: { immutableReleases: { enforced_repositories: 'all' } },
    fails: { immutableReleases: { enforced_repositories: 'selected' } },
    says: 'acme enforces immutable releases in some repositories only.',
    fix: { command: 'api /orgs/acme/settings/immutable-releases --method PUT --field enforced_repositories=all' },
  },
  'budget-stops-usage': stops,
  'budget-alerts': alerts,
  'enterprise-budget-stops-usage': enterpriseStops,
  'enterprise-budget-alerts': enterpriseAlerts,
});

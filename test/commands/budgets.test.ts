import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const id = '2066deda-923f-43f9-88d2-62395a28c0cd';
const listed = {
  id,
  budget_type: 'ProductPricing',
  budget_product_skus: ['actions'],
  budget_scope: 'organization',
  budget_entity_name: 'acme',
  budget_amount: 200,
  prevent_further_usage: false,
  budget_alerting: { will_alert: true, alert_recipients: ['octocat', 'hubot'] },
  consumed_amount: 25,
};
const { budget_product_skus: _listedOnly, consumed_amount: _consumed, ...rest } = listed;
const single = { ...rest, budget_product_sku: 'actions' };
const ofUser = {
  id: '0ba5eda1-0000-4000-8000-000000000001',
  budget_type: 'SkuPricing',
  budget_product_sku: 'premium_requests',
  budget_scope: 'user',
  budget_entity_name: '',
  user: 'octocat',
  budget_amount: 50,
  prevent_further_usage: true,
  budget_alerting: { will_alert: false, alert_recipients: [] },
};

const enterpriseBudgets = '/enterprises/acme-inc/settings/billing/budgets';
const organizationBudgets = '/organizations/acme/settings/billing/budgets';
const ofEnterprise = ['--enterprise', 'acme-inc'];

const complete = [
  '--budget-amount=200',
  '--no-prevent-further-usage',
  '--budget-scope=organization',
  '--budget-entity-name=acme',
  '--budget-type=ProductPricing',
  '--budget-product-sku=actions',
];
const completeBody = {
  budget_amount: 200,
  prevent_further_usage: false,
  budget_scope: 'organization',
  budget_entity_name: 'acme',
  budget_type: 'ProductPricing',
  budget_product_sku: 'actions',
};

describe('budgets list', () => {
  it('shows the limit, the amount consumed, and the action at the limit', async () => {
    const platform = await scriptedPlatform({
      [`GET ${enterpriseBudgets}`]: { body: { budgets: [listed, ofUser], has_next_page: false, total_count: 2 } },
    });
    const piped = await run(['budgets', 'list', ...ofEnterprise], { env: platform.env });
    expect(piped.stdout).toBe(
      `${id}\torganization\tacme\tactions\t200\t25\tfalse\toctocat, hubot\tProductPricing\n` +
        '0ba5eda1-0000-4000-8000-000000000001\tuser\toctocat\tpremium_requests\t50\t\ttrue\tfalse\tSkuPricing\n',
    );
    const seen = await run(['budgets', 'list', ...ofEnterprise], { env: platform.env, tty: true, columns: 200 });
    const [header, first] = seen.stdout.split('\n');
    expect(header).toMatch(/^ID +SCOPE +ENTITY +PRODUCT +AMOUNT +CONSUMED +USED +STOPS USAGE +ALERTS +TYPE$/);
    expect(first).toMatch(
      / organization +acme +actions +\$200 +\$25 +12\.5% +█▌░{10} +no +octocat, hubot +ProductPricing$/,
    );
  });

  it('prints the budgets out of their envelope as JSON', async () => {
    const platform = await scriptedPlatform({
      [`GET ${enterpriseBudgets}`]: { body: { budgets: [listed], has_next_page: false, total_count: 1 } },
    });
    const { stdout, code } = await run(['budgets', 'list', ...ofEnterprise, '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual([listed]);
    expect(code).toBe(0);
  });

  it('requests pages until has_next_page is false, whatever Link says', async () => {
    const page = (number: string | null) => ({ ...listed, id: `page-${number}` });
    const platform = await scriptedPlatform({
      [`GET ${enterpriseBudgets}`]: ({ url }) => {
        const number = new URL(url, 'http://x').searchParams.get('page') ?? '1';
        return { body: { budgets: [page(number)], has_next_page: number !== '3', total_count: 3 } };
      },
    });
    const { stdout } = await run(['budgets', 'list', ...ofEnterprise, '--all', '--fields', 'id'], {
      env: platform.env,
    });
    expect(stdout).toBe('page-1\npage-2\npage-3\n');
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/enterprises/acme-inc/settings/billing/budgets?per_page=100',
      '/api/v3/enterprises/acme-inc/settings/billing/budgets?per_page=100&page=2',
      '/api/v3/enterprises/acme-inc/settings/billing/budgets?per_page=100&page=3',
    ]);
  });

  it('sends scope and user, and omits per_page if the platform’s default of 10 suffices', async () => {
    const platform = await scriptedPlatform({
      [`GET ${organizationBudgets}`]: { body: { budgets: [], has_next_page: false, total_count: 0 } },
    });
    const flags = ['acme', '--scope', 'user', '--user', 'octocat', '--limit', '10'];
    await run(['budgets', 'list', ...flags], { env: platform.env });
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/organizations/acme/settings/billing/budgets?scope=user&user=octocat',
    ]);
  });

  it('prints the budget that applies to the --user on stderr', async () => {
    const effective_budget = { id, budget_amount: 200, consumed_amount: 25 };
    const platform = await scriptedPlatform({
      [`GET ${enterpriseBudgets}`]: {
        body: { budgets: [listed], has_next_page: false, total_count: 1, user: 'octocat', effective_budget },
      },
      [`GET ${organizationBudgets}`]: { body: { budgets: [], has_next_page: false, total_count: 0, user: 'octocat' } },
    });
    const found = await run(['budgets', 'list', ...ofEnterprise, '--user', 'octocat'], { env: platform.env });
    expect(found.stderr).toBe(`Budget ${id} applies to octocat: 25 of 200 consumed.\n`);
    const none = await run(['budgets', 'list', 'acme', '--user', 'octocat'], { env: platform.env });
    expect(none.stderr).toBe('No budget applies to octocat.\n');
  });

  it('accepts enterprise scopes there, and only organization scopes in an organization', async () => {
    const platform = await scriptedPlatform({
      [`GET ${enterpriseBudgets}`]: { body: { budgets: [], has_next_page: false, total_count: 0 } },
    });
    const { code } = await run(['budgets', 'list', ...ofEnterprise, '--scope', 'cost_center'], { env: platform.env });
    expect(code).toBe(0);
    const refused = await run(['budgets', 'list', 'acme', '--scope', 'cost_center'], { env: platform.env });
    expect(refused.stderr).toContain('scope must be one of organization, repository, multi_user_customer, user');
    expect(refused.code).toBe(2);
    expect(platform.requests).toHaveLength(1);
  });

  it('explains a 404, exit code 3', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['budgets', 'list', 'acme'], { env: platform.env });
    expect(stderr).toContain('GET /organizations/acme/settings/billing/budgets returned 404 Not Found');
    expect(stderr).toContain('when budgets are not enabled');
    expect(code).toBe(3);
  });
});

describe('a budget ID prefix', () => {
  const budgets = [
    { ...single, id: '5698c621-6f69-4299-81be-cc06404bf63c' },
    { ...single, id: '5698d000-0000-4000-8000-000000000000' },
  ];
  const platformWith = () =>
    scriptedPlatform({
      'GET /organizations/acme/settings/billing/budgets': { body: { budgets, has_next_page: false, total_count: 2 } },
      'GET /organizations/acme/settings/billing/budgets/5698c621-6f69-4299-81be-cc06404bf63c': { body: budgets[0] },
      'PATCH /organizations/acme/settings/billing/budgets/5698c621-6f69-4299-81be-cc06404bf63c': {
        body: { message: 'Changed', budget: budgets[0] },
      },
      'DELETE /organizations/acme/settings/billing/budgets/5698c621-6f69-4299-81be-cc06404bf63c': {
        body: { message: 'Deleted', id: '5698c621-6f69-4299-81be-cc06404bf63c' },
      },
    });

  it.each([
    ['get', []],
    ['update', ['--budget-amount', '5']],
    ['delete', ['--yes']],
  ])('selects the budget for budgets %s', async (verb, rest) => {
    const platform = await platformWith();
    const words = ['budgets', verb, 'acme', '5698C', ...rest];
    expect(await run(words, { env: platform.env })).toMatchObject({ code: 0 });
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/organizations/acme/settings/billing/budgets?per_page=100',
      '/api/v3/organizations/acme/settings/billing/budgets/5698c621-6f69-4299-81be-cc06404bf63c',
    ]);
  });

  it('must be unambiguous', async () => {
    const platform = await platformWith();
    const { stderr, code } = await run(['budgets', 'delete', 'acme', '5698', '--yes'], { env: platform.env });
    expect({ stderr, code }).toEqual({
      stderr:
        'forgectl: “5698” matches several budgets: 5698c621-6f69-4299-81be-cc06404bf63c, 5698d000-0000-4000-8000-000000000000. Nothing was sent.\n',
      code: 2,
    });
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET']);
    expect(await run(['budgets', 'get', 'acme', '77'], { env: platform.env })).toMatchObject({ code: 3 });
  });
});

describe('budgets get', () => {
  it('requests by ID and prints the record', async () => {
    const platform = await scriptedPlatform({
      [`GET ${enterpriseBudgets}/${id}`]: { body: single },
      [`GET ${organizationBudgets}/${id}`]: { body: single },
    });
    const { stdout } = await run(['budgets', 'get', ...ofEnterprise, id, '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual(single);
    const details = await run(['budgets', 'get', 'acme', id], { env: platform.env, tty: true });
    expect(details.stdout).toMatch(/^Product +actions$/m);
    expect(details.stdout).toMatch(/^Alerts +octocat, hubot$/m);
    expect(platform.requests.map(({ url }) => url)).toEqual([
      `/api/v3/enterprises/acme-inc/settings/billing/budgets/${id}`,
      `/api/v3/organizations/acme/settings/billing/budgets/${id}`,
    ]);
  });
});

describe('budgets create', () => {
  const created = { message: 'Budget successfully created.', budget: single };

  it('sends the given fields, with alerting assembled from its flags', async () => {
    const platform = await scriptedPlatform({ [`POST ${enterpriseBudgets}`]: { body: created } });
    const flags = [...complete, '--will-alert', '--alert-recipients', 'octocat,hubot'];
    const { stdout, stderr, code } = await run(['budgets', 'create', ...ofEnterprise, ...flags, '--json'], {
      env: platform.env,
    });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      ...completeBody,
      budget_alerting: { will_alert: true, alert_recipients: ['octocat', 'hubot'] },
    });
    expect(platform.requests[0]?.url).toBe('/api/v3/enterprises/acme-inc/settings/billing/budgets');
    expect(JSON.parse(stdout)).toEqual(created);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('accepts alerting as JSON, too', async () => {
    const platform = await scriptedPlatform({ [`POST ${organizationBudgets}`]: { body: created } });
    const alerting = '{"will_alert":false,"alert_recipients":[]}';
    await run(['budgets', 'create', 'acme', ...complete, '--budget-alerting', alerting], {
      env: platform.env,
    });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      ...completeBody,
      budget_alerting: { will_alert: false, alert_recipients: [] },
    });
  });

  it('shows the new budget and the platform’s message', async () => {
    const platform = await scriptedPlatform({ [`POST ${enterpriseBudgets}`]: { body: created } });
    const argv = ['budgets', 'create', ...ofEnterprise, ...complete, '--no-will-alert', '--alert-recipients', '[]'];
    const { stdout, stderr } = await run(argv, { env: platform.env, tty: true });
    expect(stdout).toBe(`Created budget ${id} (organization, amount 200)\n`);
    expect(stderr).toBe('Budget successfully created.\n');
  });

  it('lets flags override single fields of alerting in --input', async () => {
    const platform = await scriptedPlatform({ [`POST ${enterpriseBudgets}`]: { body: created } });
    const body = { ...completeBody, budget_alerting: { will_alert: false, alert_recipients: ['octocat'] } };
    await run(['budgets', 'create', ...ofEnterprise, '--input', '-', '--will-alert', '--budget-amount', '300'], {
      env: platform.env,
      stdin: JSON.stringify(body),
    });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      ...completeBody,
      budget_amount: 300,
      budget_alerting: { will_alert: true, alert_recipients: ['octocat'] },
    });
  });

  it('creates a budget of one user without any alerting', async () => {
    const platform = await scriptedPlatform({
      [`POST ${enterpriseBudgets}`]: { body: { message: '', budget: ofUser } },
    });
    const flags = [
      '--budget-scope=user',
      '--user=octocat',
      '--budget-type=SkuPricing',
      '--budget-product-sku=premium_requests',
      '--budget-amount=50',
      '--prevent-further-usage',
    ];
    const { code } = await run(['budgets', 'create', ...ofEnterprise, ...flags], { env: platform.env });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      budget_scope: 'user',
      user: 'octocat',
      budget_type: 'SkuPricing',
      budget_product_sku: 'premium_requests',
      budget_amount: 50,
      prevent_further_usage: true,
    });
    expect(code).toBe(0);
  });

  it('reports every error at once, and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const flags = ['--budget-scope=user', '--no-prevent-further-usage', '--will-alert', '--budget-amount=-5'];
    const { stderr, code } = await run(['budgets', 'create', ...flags, '--json'], { env: platform.env });
    expect(JSON.parse(stderr).error.fields).toEqual([
      { field: 'ORG', message: 'or --enterprise is required' },
      { field: '--budget-amount', message: 'must be at least 0' },
      { field: 'budget_type', message: 'is required' },
      { field: '--no-prevent-further-usage', message: 'must be true when --budget-scope is user' },
      {
        field: 'budget_product_sku',
        message: 'must be ai_credits or premium_requests when --budget-scope is user',
      },
      { field: 'user', message: 'is required when --budget-scope is user' },
      { field: 'budget_alerting', message: 'is not supported with --budget-scope user: these budgets never alert' },
    ]);
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('rejects alerting given twice', async () => {
    const argv = ['budgets', 'create', ...ofEnterprise, ...complete, '--will-alert', '--budget-alerting', '{}'];
    const { stderr, code } = await run(argv);
    expect(stderr).toContain('--budget-alerting cannot be used with --will-alert and --alert-recipients');
    expect(code).toBe(2);
  });

  it('explains the platform’s 400 about budget_entity_name if the user is missing', async () => {
    const platform = await scriptedPlatform({
      [`POST ${enterpriseBudgets}`]: { status: 400, body: { message: 'required field budget_entity_name is missing' } },
    });
    const flags = [...complete, '--will-alert', '--alert-recipients', 'octocat'];
    const { stderr, code } = await run(['budgets', 'create', ...ofEnterprise, ...flags], { env: platform.env });
    expect(stderr).toContain('returned 400 required field budget_entity_name is missing');
    expect(stderr).toContain('the user is missing: add --user LOGIN');
    expect(code).toBe(6);
  });

  it('shows the request with --dry-run and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const argv = ['budgets', 'create', 'acme', ...complete, '--will-alert', '--alert-recipients', 'octocat'];
    const { stdout, code } = await run([...argv, '--dry-run', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      url: `${platform.baseUrl}/organizations/acme/settings/billing/budgets`,
      body: { ...completeBody, budget_alerting: { will_alert: true, alert_recipients: ['octocat'] } },
    });
    expect(code).toBe(0);
    expect(platform.requests).toEqual([]);
  });
});

describe('budgets update', () => {
  it('sends only the given fields', async () => {
    const platform = await scriptedPlatform({
      [`PATCH ${enterpriseBudgets}/${id}`]: { body: { message: 'Budget successfully updated.', budget: single } },
      [`PATCH ${organizationBudgets}/${id}`]: { body: { message: 'Budget successfully updated.', budget: single } },
    });
    const { stdout, stderr } = await run(['budgets', 'update', ...ofEnterprise, id, '--budget-amount', '300'], {
      env: platform.env,
    });
    expect(stdout.split('\n')).toEqual([
      `budget.id\t${id}`,
      'budget.budget_scope\torganization',
      'entity\tacme',
      'product\tactions',
      'budget.budget_amount\t200',
      'budget.consumed_amount\t',
      'budget.prevent_further_usage\tfalse',
      'alerts\toctocat, hubot',
      'budget.budget_type\tProductPricing',
      '',
    ]);
    expect(stderr).toBe('Budget successfully updated.\n');
    await run(['budgets', 'update', 'acme', id, '--no-will-alert'], { env: platform.env });
    expect(platform.requests.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
      ['PATCH', `/api/v3/enterprises/acme-inc/settings/billing/budgets/${id}`, { budget_amount: 300 }],
      [
        'PATCH',
        `/api/v3/organizations/acme/settings/billing/budgets/${id}`,
        { budget_alerting: { will_alert: false } },
      ],
    ]);
  });

  it('prints that alert settings of a user budget are ignored', async () => {
    const platform = await scriptedPlatform({
      [`PATCH ${enterpriseBudgets}/${ofUser.id}`]: {
        body: { message: 'Budget successfully updated.', budget: ofUser },
      },
    });
    const { stderr, code } = await run(['budgets', 'update', ...ofEnterprise, ofUser.id, '--will-alert', '--json'], {
      env: platform.env,
    });
    expect(stderr).toBe('Alert settings were ignored: budgets with scope user never alert.\n');
    expect(code).toBe(0);
  });

  it('reports an update without changes', async () => {
    const { stderr, code } = await run(['budgets', 'update', ...ofEnterprise, id]);
    expect(stderr).toContain('No changes given');
    expect(code).toBe(2);
  });

  it('gives advice if a per-user budget may not allow further usage', async () => {
    const platform = await scriptedPlatform({
      [`PATCH ${enterpriseBudgets}/${id}`]: { status: 422, body: { message: 'Validation Failed' } },
    });
    const { stderr, code } = await run(['budgets', 'update', ...ofEnterprise, id, '--no-prevent-further-usage'], {
      env: platform.env,
    });
    expect(stderr).toContain('add --prevent-further-usage');
    expect(code).toBe(6);
  });
});

describe('budgets delete', () => {
  it('deletes with --yes and prints the platform’s response', async () => {
    const platform = await scriptedPlatform({
      [`DELETE ${enterpriseBudgets}/${id}`]: { body: { message: 'Budget successfully deleted.', id } },
      [`DELETE ${organizationBudgets}/${id}`]: { body: { message: 'Budget successfully deleted.', id } },
    });
    const { stdout, code } = await run(['budgets', 'delete', ...ofEnterprise, id, '--yes', '--json'], {
      env: platform.env,
    });
    expect(JSON.parse(stdout)).toEqual({ message: 'Budget successfully deleted.', id });
    expect(code).toBe(0);
    await run(['budgets', 'delete', 'acme', id, '--yes'], { env: platform.env });
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `DELETE /api/v3/enterprises/acme-inc/settings/billing/budgets/${id}`,
      `DELETE /api/v3/organizations/acme/settings/billing/budgets/${id}`,
    ]);
  });

  it('sends nothing without --yes when prompts are disabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['budgets', 'delete', ...ofEnterprise, id], { env: platform.env });
    expect(stderr).toContain(`Nothing was sent. This deletes budget ${id} of enterprise acme-inc; confirm with --yes.`);
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });
});

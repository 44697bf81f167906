import { expect, test } from 'vitest';
import { links, sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests();
const { ask } = sandbox;

const path = '/enterprises/sandbox/settings/billing/budgets';
const budget = {
  budget_amount: 500,
  prevent_further_usage: true,
  budget_alerting: { will_alert: true, alert_recipients: ['admin', 'riverotter'] },
  budget_scope: 'organization',
  budget_entity_name: 'acme',
  budget_type: 'ProductPricing',
  budget_product_sku: 'actions',
};
const { budget_alerting: _, ...silentBudget } = budget;
const userBudget = {
  ...silentBudget,
  budget_scope: 'user',
  budget_type: 'BundlePricing',
  budget_product_sku: 'ai_credits',
};
const create = (body: object) => ask(`POST ${path}`, { body });

test('budgets are paged by ten, with a count, a flag and no links', async () => {
  const first = await ask(`GET ${path}`);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ has_next_page: true, total_count: 14 });
  expect(first.body.budgets).toHaveLength(10);
  expect(links(first, sandbox.baseUrl)).toEqual({});
  const second = await ask(`GET ${path}?page=2`);
  expect(second.body).toMatchObject({ has_next_page: false, total_count: 14 });
  expect(second.body.budgets).toHaveLength(4);
});

test('a listed budget contains its products in both forms and the amount consumed', async () => {
  const [listed] = (await ask(`GET ${path}?per_page=1`)).body.budgets;
  expect(listed).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    budget_type: 'ProductPricing',
    budget_product_sku: 'actions',
    budget_product_skus: ['actions'],
    budget_scope: 'enterprise',
    budget_entity_name: '',
    budget_alerting: { will_alert: true, alert_recipients: ['admin'] },
    consumed_amount: expect.any(Number),
  });
  const { consumed_amount: __, budget_product_skus: ___, ...single } = listed;
  expect((await ask(`GET ${path}/${listed.id}`)).body).toEqual(single);
});

test('budgets are filtered by scope', async () => {
  const { body } = await ask(`GET ${path}?scope=user`);
  expect(body).toMatchObject({ total_count: 1, has_next_page: false });
  expect(body.budgets[0]).toMatchObject({ budget_scope: 'user', user: 'riverotter' });
  expect((await ask(`GET ${path}?scope=team`)).status).toBe(422);
});

test('with a user the list returns the budget that applies to the user', async () => {
  const all = (await ask(`GET ${path}?per_page=100`)).body.budgets as { id: string; budget_scope: string }[];
  const id = (scope: string) => all.find(({ budget_scope }) => budget_scope === scope)?.id;
  const own = await ask(`GET ${path}?user=riverotter`);
  expect(own.body).toMatchObject({ user: 'riverotter', effective_budget: { id: id('user') } });
  const other = await ask(`GET ${path}?user=paperfox`);
  expect(other.body).toMatchObject({ user: 'paperfox', effective_budget: { id: id('multi_user_customer') } });
});

test('the consumption of users does not exceed the total', async () => {
  const list = async (query = '') =>
    (await ask(`GET ${path}?per_page=100${query}`)).body.budgets as { consumed_amount: number }[];
  const all = await list();
  const logins =
    'admin riverotter paperfox tealheron marblecat quietowl amberlynx copperbee stonewren velvetmole lunarcrab mosshare';
  const byUser = await Promise.all(logins.split(' ').map((login) => list(`&user=${login}`)));
  expect(all).toHaveLength(14);
  for (const [place, { consumed_amount: total }] of all.entries()) {
    const shares = byUser.map((budgets) => budgets[place]?.consumed_amount ?? Number.NaN);
    const sum = shares.reduce((a, b) => a + b);
    expect(total).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(total);
    expect(sum).toBeGreaterThan(total - shares.length);
  }
  const [others] = await list('&scope=user&user=paperfox');
  const [own] = await list('&scope=user&user=RiverOtter');
  expect([others?.consumed_amount, own?.consumed_amount]).toEqual([0, all.at(-1)?.consumed_amount]);
});

test('an unknown user has no budgets', async () => {
  const own = '/organizations/acme/settings/billing/budgets';
  for (const budgets of [path, own])
    expect((await ask(`GET ${budgets}?user=nobody`)).body).toEqual({
      user: 'nobody',
      budgets: [],
      total_count: 0,
      has_next_page: false,
    });
});

test('a budget for an unknown entity is 404', async () => {
  const own = '/organizations/acme/settings/billing/budgets';
  const ofRepository = { ...budget, budget_scope: 'repository' };
  const nowhere = [
    [{ ...userBudget, user: 'nobody' }, 'The user nobody does not exist.'],
    [
      { ...budget, budget_alerting: { will_alert: true, alert_recipients: ['admin', 'nobody'] } },
      'The user nobody does not exist.',
    ],
    [{ ...budget, budget_entity_name: 'nowhere' }, 'The organization nowhere does not exist.'],
    [{ ...budget, budget_entity_name: 'admin' }, 'The organization admin does not exist.'],
    [{ ...ofRepository, budget_entity_name: 'acme/nothing' }, 'The repository acme/nothing does not exist.'],
    [{ ...ofRepository, budget_entity_name: 'acme' }, 'The repository acme does not exist.'],
  ] as const;
  for (const [body, message] of nowhere) expect(await create(body)).toMatchObject({ status: 404, body: { message } });
  for (const body of [
    { ...budget, budget_entity_name: 'globex' },
    { ...ofRepository, budget_entity_name: 'globex/site' },
  ])
    expect((await ask(`POST ${own}`, { body })).status).toBe(404);
  const { body: created } = await create({ ...ofRepository, budget_entity_name: 'Acme/Site' });
  const one = `${path}/${created.budget.id}`;
  expect((await ask(`PATCH ${one}`, { body: { budget_entity_name: 'acme/nothing' } })).status).toBe(404);
  expect((await ask(`GET ${one}`)).body.budget_entity_name).toBe('Acme/Site');
  await ask(`DELETE ${one}`);
});

test('an organization has seeded budgets for itself and its repositories', async () => {
  const { body } = await ask('GET /organizations/globex/settings/billing/budgets');
  const names = body.budgets.map(({ budget_entity_name: name }: { budget_entity_name: string }) => name);
  expect(names).toEqual(['globex/site', 'globex']);
});

test('a budget is created with 200, a message and the record', async () => {
  const { status, body } = await create(budget);
  expect(status).toBe(200);
  expect(body).toMatchObject({ message: 'Budget successfully created.', budget });
  expect((await ask(`GET ${path}/${body.budget.id}`)).body).toEqual(body.budget);
  await ask(`DELETE ${path}/${body.budget.id}`);
});

test('a user budget without a user is a 400 that reports another field', async () => {
  for (const body of [userBudget, { budget_scope: 'user' }]) {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('The required field budget_entity_name is missing.');
  }
});

test('a user budget never alerts, and may have an empty entity', async () => {
  const body = { ...userBudget, user: 'tealheron', budget_entity_name: '' };
  const created = await create(body);
  expect(created.status).toBe(200);
  expect(created.body.budget).toMatchObject({
    user: 'tealheron',
    budget_alerting: { will_alert: false, alert_recipients: [] },
  });
  expect((await create({ ...body, budget_alerting: budget.budget_alerting })).status).toBe(422);
  const ignored = await ask(`PATCH ${path}/${created.body.budget.id}`, {
    body: { budget_alerting: budget.budget_alerting },
  });
  expect(ignored.body.budget.budget_alerting).toEqual({ will_alert: false, alert_recipients: [] });
  await ask(`DELETE ${path}/${created.body.budget.id}`);
});

test('invalid budgets are rejected', async () => {
  const refused = async (body: object) => {
    const answer = await create({ ...budget, ...body });
    expect(answer.status).toBe(422);
    return answer.body.errors.map(({ field }: { field: string }) => field);
  };
  expect(await refused({ budget_amount: undefined })).toEqual(['budget_amount']);
  expect(await refused({ budget_amount: 1.5 })).toEqual(['budget_amount']);
  expect(await refused({ budget_alerting: undefined })).toEqual(['budget_alerting']);
  expect(await refused({ budget_alerting: { will_alert: true } })).toEqual(['budget_alerting.alert_recipients']);
  expect(await refused({ budget_scope: 'team' })).toEqual(['budget_scope']);
  expect(await refused({ budget_type: 'BundlePricing' })).toEqual(['budget_product_sku']);
  expect(await refused({ budget_scope: 'multi_user_cost_center' })).toEqual(['budget_product_sku']);
  const everyUser = { budget_scope: 'multi_user_customer', budget_product_sku: 'premium_requests' };
  expect(await refused({ ...everyUser, prevent_further_usage: false })).toEqual(['prevent_further_usage']);
});

test('an update changes only the given fields, and user budgets must keep stopping usage', async () => {
  const { body: created } = await create(budget);
  const one = `${path}/${created.budget.id}`;
  const updated = await ask(`PATCH ${one}`, { body: { budget_amount: 7, budget_alerting: { will_alert: false } } });
  expect(updated).toMatchObject({
    status: 200,
    body: {
      message: 'Budget successfully updated.',
      budget: {
        ...budget,
        budget_amount: 7,
        budget_alerting: { will_alert: false, alert_recipients: ['admin', 'riverotter'] },
      },
    },
  });
  const [ofUser] = (await ask(`GET ${path}?scope=user`)).body.budgets;
  const refused = await ask(`PATCH ${path}/${ofUser.id}`, { body: { prevent_further_usage: false } });
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toEqual([expect.objectContaining({ field: 'prevent_further_usage' })]);
  const nobodys = await ask(`PATCH ${one}`, { body: { budget_scope: 'user', budget_product_sku: 'ai_credits' } });
  expect([nobodys.status, nobodys.body.message]).toEqual([400, 'The required field budget_entity_name is missing.']);
  expect((await ask(`DELETE ${one}`)).body).toEqual({ message: 'Budget successfully deleted.', id: created.budget.id });
});

test('an update is rejected if the resulting budget could not be created', async () => {
  const { body: created } = await create(budget);
  const { body: bundle } = await create({ ...userBudget, user: 'tealheron' });
  const refused = async (id: string, body: object) => {
    const answer = await ask(`PATCH ${path}/${id}`, { body });
    expect(answer.status).toBe(422);
    return answer.body.errors.map(({ field }: { field: string }) => field);
  };
  expect(await refused(created.budget.id, { budget_scope: 'multi_user_cost_center' })).toEqual(['budget_product_sku']);
  expect(await refused(created.budget.id, { budget_scope: 'user', user: 'tealheron' })).toEqual(['budget_product_sku']);
  expect(await refused(created.budget.id, { budget_type: 'BundlePricing' })).toEqual(['budget_product_sku']);
  expect(await refused(bundle.budget.id, { budget_product_sku: 'premium_requests' })).toEqual(['budget_product_sku']);
  expect(await refused(bundle.budget.id, { budget_type: 'ProductPricing', budget_product_sku: 'actions' })).toEqual([
    'budget_product_sku',
  ]);
  const { id } = created.budget;
  expect(await ask(`GET ${path}/${id}`)).toMatchObject({ status: 200, body: budget });
  const together = { budget_type: 'BundlePricing', budget_product_sku: 'ai_credits' };
  expect((await ask(`PATCH ${path}/${id}`, { body: together })).body.budget).toMatchObject({ ...budget, ...together });
  for (const each of [id, bundle.budget.id]) await ask(`DELETE ${path}/${each}`);
});

test('an unknown budget is 404, and so is another enterprise', async () => {
  for (const method of ['GET', 'PATCH', 'DELETE']) expect((await ask(`${method} ${path}/none`)).status).toBe(404);
  expect((await ask('GET /enterprises/other/settings/billing/budgets')).status).toBe(404);
});

test('an installation on one organization has no access to the enterprise', async () => {
  expect((await ask(`GET ${path}`, { as: 'installation' })).status).toBe(403);
});

test('organizations have the same endpoints, with four scopes', async () => {
  const own = '/organizations/acme/settings/billing/budgets';
  const listed = await ask(`GET ${own}`);
  expect(listed.body).toMatchObject({ total_count: 2, has_next_page: false });
  const created = await ask(`POST ${own}`, { body: budget });
  expect(created.body).toMatchObject({ message: 'Budget successfully created.', budget });
  const one = `${own}/${created.body.budget.id}`;
  expect((await ask(`PATCH ${one}`, { body: { budget_amount: 1 } })).body.budget.budget_amount).toBe(1);
  expect((await ask(`GET ${one}`)).body.budget_amount).toBe(1);
  expect((await ask(`GET ${path}/${created.body.budget.id}`)).status).toBe(404);
  expect((await ask(`DELETE ${one}`)).body.id).toBe(created.body.budget.id);
  expect((await ask(`POST ${own}`, { body: { ...budget, budget_scope: 'cost_center' } })).status).toBe(422);
});

test('every request is 404 if budgets are not enabled', async () => {
  expect((await ask('GET /organizations/initech/settings/billing/budgets')).status).toBe(404);
  expect((await ask('POST /organizations/initech/settings/billing/budgets', { body: budget })).status).toBe(404);
});

/** The owner of budgets on the command line: ORG, --enterprise or --org. */
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';

const id = '5698c621-6f69-4299-81be-cc06404bf63c';
const budget = {
  id,
  budget_type: 'ProductPricing',
  budget_product_sku: 'actions',
  budget_scope: 'organization',
  budget_entity_name: 'acme',
  budget_amount: 200,
  consumed_amount: 25,
  prevent_further_usage: false,
  budget_alerting: { will_alert: true, alert_recipients: ['hubot'] },
};
const created = { message: 'Budget created.', budget };
const updated = { message: 'Budget updated.', budget: { ...budget, budget_amount: 300 } };
const deleted = { message: 'Budget deleted.', id };

const ofNewOne =
  '--budget-scope organization --budget-entity-name acme --budget-type ProductPricing --budget-product-sku actions --budget-amount 200 --no-prevent-further-usage --will-alert --alert-recipients hubot';

const spellings = [
  {
    owner: 'ORG',
    place: '/organizations/acme/settings/billing/budgets',
    lines: {
      list: 'budgets list acme',
      get: `budgets get acme ${id}`,
      create: `budgets create acme ${ofNewOne}`,
      update: `budgets update acme ${id} --budget-amount 300`,
      delete: `budgets delete acme ${id} --yes`,
    },
  },
  {
    owner: '--enterprise',
    place: '/enterprises/acme-corp/settings/billing/budgets',
    lines: {
      list: 'budgets list --enterprise acme-corp',
      get: `budgets get --enterprise acme-corp ${id}`,
      create: `budgets create --enterprise acme-corp ${ofNewOne}`,
      update: `budgets update ${id} --enterprise acme-corp --budget-amount 300`,
      delete: `budgets delete ${id} --yes --enterprise=acme-corp`,
    },
  },
  {
    owner: '--org',
    place: '/organizations/acme/settings/billing/budgets',
    lines: {
      list: 'budgets list --org acme',
      get: `budgets get ${id} --org acme`,
      create: `budgets create --org acme ${ofNewOne}`,
      update: `budgets update --org=acme ${id} --budget-amount 300`,
      delete: `budgets delete --org acme ${id} --yes`,
    },
  },
] as const;

describe.each(spellings)('with $owner', ({ place, lines }) => {
  const platformWith = () =>
    scriptedPlatform({
      [`GET ${place}`]: { body: { budgets: [budget], has_next_page: false } },
      [`POST ${place}`]: { body: created },
      [`GET ${place}/${id}`]: { body: budget },
      [`PATCH ${place}/${id}`]: { body: updated },
      [`DELETE ${place}/${id}`]: { body: deleted },
    });

  /** Runs a line in a pipe, with --json and on a terminal; every request is the same in a pipe and with --json. */
  async function outcomes(line: string) {
    const platform = await platformWith();
    const words = line.split(' ');
    const piped = await run(words, { env: platform.env });
    const asked = platform.requests.map(({ method, url, body }) => `${method} ${url} ${body}`.trim());
    const json = await run([...words, '--json'], { env: platform.env });
    expect(platform.requests.slice(asked.length).map(({ method }) => method)).toEqual(
      asked.map((each) => each.split(' ', 1)[0]),
    );
    const terminal = await run(words, { env: platform.env, tty: true, columns: 200 });
    expect([piped.code, json.code, terminal.code]).toEqual([0, 0, 0]);
    expect(json.stderr).toBe('');
    return { asked, piped, json: JSON.parse(json.stdout), terminal };
  }

  it('budgets list', async () => {
    const { asked, piped, json, terminal } = await outcomes(lines.list);
    expect(asked).toEqual([`GET /api/v3${place}?per_page=30`]);
    expect(piped).toMatchObject({
      stdout: `${id}\torganization\tacme\tactions\t200\t25\tfalse\thubot\tProductPricing\n`,
      stderr: '',
    });
    expect(json).toEqual([budget]);
    expect(terminal.stdout).toBe(
      [
        'ID                                    SCOPE         ENTITY  PRODUCT  AMOUNT  CONSUMED   USED                STOPS USAGE  ALERTS  TYPE',
        `${id}  organization  acme    actions    $200       $25  12.5%  █▌░░░░░░░░░░  no           hubot   ProductPricing`,
        '',
      ].join('\n'),
    );
  });

  it('budgets get', async () => {
    const { asked, piped, json, terminal } = await outcomes(lines.get);
    expect(asked).toEqual([`GET /api/v3${place}/${id}`]);
    expect(piped).toMatchObject({
      stdout: [
        `id\t${id}`,
        'budget_scope\torganization',
        'entity\tacme',
        'product\tactions',
        'budget_amount\t200',
        'consumed_amount\t25',
        'prevent_further_usage\tfalse',
        'alerts\thubot',
        'budget_type\tProductPricing',
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(json).toEqual(budget);
    expect(terminal.stdout).toBe(
      [
        `ID           ${id}`,
        'Scope        organization',
        'Entity       acme',
        'Product      actions',
        'Amount       $200',
        'Consumed     $25',
        'Used         12.5%',
        'Stops usage  no',
        'Alerts       hubot',
        'Type         ProductPricing',
        '',
      ].join('\n'),
    );
  });

  it('budgets create', async () => {
    const { asked, piped, json, terminal } = await outcomes(lines.create);
    expect(asked).toEqual([
      `POST /api/v3${place} {"budget_scope":"organization","budget_amount":200,"prevent_further_usage":false,"budget_entity_name":"acme","budget_type":"ProductPricing","budget_product_sku":"actions","budget_alerting":{"will_alert":true,"alert_recipients":["hubot"]}}`,
    ]);
    expect(piped).toMatchObject({
      stdout: [
        `budget.id\t${id}`,
        'budget.budget_scope\torganization',
        'entity\tacme',
        'product\tactions',
        'budget.budget_amount\t200',
        'budget.consumed_amount\t25',
        'budget.prevent_further_usage\tfalse',
        'alerts\thubot',
        'budget.budget_type\tProductPricing',
        '',
      ].join('\n'),
      stderr: 'Budget created.\n',
    });
    expect(json).toEqual(created);
    expect(terminal.stdout).toBe(`Created budget ${id} (organization, amount 200)\n`);
  });

  it('budgets update', async () => {
    const { asked, piped, json, terminal } = await outcomes(lines.update);
    expect(asked).toEqual([`PATCH /api/v3${place}/${id} {"budget_amount":300}`]);
    expect(piped).toMatchObject({
      stdout: [
        `budget.id\t${id}`,
        'budget.budget_scope\torganization',
        'entity\tacme',
        'product\tactions',
        'budget.budget_amount\t300',
        'budget.consumed_amount\t25',
        'budget.prevent_further_usage\tfalse',
        'alerts\thubot',
        'budget.budget_type\tProductPricing',
        '',
      ].join('\n'),
      stderr: 'Budget updated.\n',
    });
    expect(json).toEqual(updated);
    expect(terminal.stdout).toBe('budget_amount  200 → 300\n');
  });

  it('budgets delete', async () => {
    const { asked, piped, json, terminal } = await outcomes(lines.delete);
    expect(asked).toEqual([`DELETE /api/v3${place}/${id}`]);
    expect(piped).toMatchObject({ stdout: `message\tBudget deleted.\nid\t${id}\n`, stderr: '' });
    expect(json).toEqual(deleted);
    expect(terminal.stdout).toBe(`Message  Budget deleted.\nID       ${id}\n`);
  });

  it.each([
    ['list', 'GET', ''],
    ['get', 'GET', `/${id}`],
    ['create', 'POST', ''],
    ['update', 'PATCH', `/${id}`],
    ['delete', 'DELETE', `/${id}`],
  ] as const)('budgets %s ends with 3 if nothing is there', async (verb, method, path) => {
    const platform = await scriptedPlatform({});
    const { stdout, stderr, code } = await run(lines[verb].split(' '), { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 3 });
    expect(stderr).toContain(`forgectl: ${method} ${place}${path} returned 404 Not Found\n`);
    expect(platform.requests.map(({ url }) => url.split('?', 1)[0])).toEqual([`/api/v3${place}${path}`]);
  });
});

describe('the owner', () => {
  it.each([
    ['budgets list acme --enterprise e', 'ORG and --enterprise cannot be used together'],
    ['budgets get acme b1 --enterprise e', 'ORG and --enterprise cannot be used together'],
    [`budgets create acme --enterprise e ${ofNewOne}`, 'ORG and --enterprise cannot be used together'],
    ['budgets update --enterprise e acme b1 --budget-amount 3', 'ORG and --enterprise cannot be used together'],
    ['budgets delete acme b1 --enterprise e --yes', 'ORG and --enterprise cannot be used together'],
    ['budgets delete acme b1 --org globex --yes', 'ORG and --org cannot be used together'],
    ['budgets list --org acme --enterprise e', '--enterprise and --org cannot be used together'],
    ['budgets get b1 --org acme --enterprise e', '--enterprise and --org cannot be used together'],
    ['budgets get acme/site b1', 'ORG must be a single name, without a slash'],
    ['budgets list --org acme/site', '--org must be a single name, without a slash'],
    ['budgets get --org acme/site b1', '--org must be a single name, without a slash'],
    ['budgets get --enterprise e b/1', 'ID must be a single name, without a slash'],
    ['budgets get acme b/1', 'ID must be a single name, without a slash'],
  ])('of “%s”: %s', async (line, message) => {
    const platform = await scriptedPlatform({});
    const result = await run(line.split(' '), { env: platform.env });
    expect(result).toEqual({ stdout: '', stderr: `forgectl: ${message}. Nothing was sent.\n`, code: 2 });
    expect(platform.requests).toEqual([]);
  });

  it.each([
    ['list', 'ORG or --enterprise is required', '[ORG]'],
    ['get', 'ORG or --enterprise is required; ID is required: budget ID or its unique first characters', '[ORG] ID'],
    ['get acme', 'ID is required: budget ID or its unique first characters', '[ORG] ID'],
    ['delete --enterprise e --yes', 'ID is required: budget ID or its unique first characters', '[ORG] ID'],
    ['update --org acme --budget-amount 3', 'ID is required: budget ID or its unique first characters', '[ORG] ID'],
  ])('or the budget is missing in “budgets %s”', async (rest, message, usage) => {
    const platform = await scriptedPlatform({});
    const words = ['budgets', ...rest.split(' ')];
    expect(await run(words, { env: platform.env })).toEqual({
      stdout: '',
      stderr: `forgectl: ${message}. Nothing was sent.\nUsage: forgectl budgets ${words[1]} ${usage} [FLAGS]\n`,
      code: 2,
    });
    expect(platform.requests).toEqual([]);
  });

  it.each([
    ['budgets create acme', '/organizations/acme', 'forgectl budgets list acme --all'],
    ['budgets create --enterprise e', '/enterprises/e', 'forgectl budgets list --enterprise e --all'],
  ])('is in the command that verifies a write: %s', async (line, owner, verify) => {
    const place = `${owner}/settings/billing/budgets`;
    const platform = await scriptedPlatform({
      [`POST ${place}`]: { status: 502, body: {} },
      [`GET ${place}`]: { body: { budgets: [budget], has_next_page: false } },
    });
    const lost = await run([...line.split(' '), ...ofNewOne.split(' ')], { env: platform.env });
    expect(lost).toMatchObject({ code: 8, stderr: expect.stringContaining(verify) });
    expect(await run(verify.split(' ').slice(1), { env: platform.env })).toMatchObject({ code: 0 });
  });

  it.each([
    [`budgets update acme ${id}`, '/organizations/acme', `forgectl budgets get acme ${id}`],
    [`budgets update --enterprise e ${id}`, '/enterprises/e', `forgectl budgets get --enterprise e ${id}`],
  ])('is in the command that verifies a change: %s', async (line, owner, verify) => {
    const place = `${owner}/settings/billing/budgets/${id}`;
    const platform = await scriptedPlatform({
      [`PATCH ${place}`]: { status: 502, body: {} },
      [`GET ${place}`]: { body: budget },
    });
    const lost = await run([...line.split(' '), '--budget-amount', '300'], { env: platform.env });
    expect(lost).toMatchObject({ code: 8, stderr: expect.stringContaining(verify) });
    expect(await run(verify.split(' ').slice(1), { env: platform.env })).toMatchObject({ code: 0 });
  });

  it('is the target of each, from a list of names or of ORG', async () => {
    const platform = await scriptedPlatform({
      'GET /organizations/acme/settings/billing/budgets': { body: { budgets: [budget], has_next_page: false } },
      'GET /organizations/globex/settings/billing/budgets': { body: { budgets: [], has_next_page: false } },
    });
    const listed = 'each orgs acme globex -o ndjson -- budgets list {} --all'.split(' ');
    const named = 'each --from - -o ndjson -- budgets list {} --all'.split(' ');
    for (const words of [listed, named]) {
      const { stdout, code } = await run(words, { env: platform.env, stdin: 'acme\nglobex\n' });
      const outcomes = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(code).toBe(0);
      expect(outcomes).toEqual([
        { target: 'acme', status: 'ok', exit: 0, result: [budget] },
        { target: 'globex', status: 'ok', exit: 0, result: [] },
      ]);
    }
  });

  it('is in the dry run of each, which sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const line = `each --from - --dry-run -o ndjson -- budgets delete {} ${id}`;
    const { stdout, code } = await run(line.split(' '), { env: platform.env, stdin: 'acme\n' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      target: 'acme',
      result: { method: 'DELETE', url: `${platform.baseUrl}/organizations/acme/settings/billing/budgets/${id}` },
    });
    expect(platform.requests).toEqual([]);
  });

  it('is in help as ORG and --enterprise, not as --org', async () => {
    const { stdout } = await run(['budgets', 'get', '--help']);
    expect(stdout).toContain('forgectl budgets get [ORG] ID [FLAGS]');
    expect(stdout).toContain('--enterprise=SLUG');
    expect(stdout).not.toContain('--org');
  });
});

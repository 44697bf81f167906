import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ScriptedAnswer, scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';
import { onSandbox } from './support.ts';

const product = 'budget_type: ProductPricing, budget_product_sku';
const silent = 'budget_alerting: { will_alert: false, alert_recipients: [] }';
const codespaces = `budget_scope: organization, budget_entity_name: acme, ${product}: codespaces`;

const wanted = `organizations: [acme, globex]
budgets:
  - { ${codespaces}, budget_amount: 1400, prevent_further_usage: true, ${silent} }
  - { budget_scope: organization, budget_entity_name: ACME, ${product}: packages, budget_amount: 14 }
`;

describe('policies with budgets', () => {
  it('create and update budgets of the organization that they name, after which the plan is empty', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', wanted);
    const plan = await forgectl('policy plan FOLDER/p.yaml');
    expect(plan.stdout).toBe(
      `~\tbudget\torganization ACME ProductPricing packages\tacme\ttightens\tbudget_amount: 5000 → 14
+\tbudget\torganization acme ProductPricing codespaces\tacme\ttightens\t
`,
    );
    expect(plan.stderr).toBe('2 changes (1 to create, 1 to update). 3 requests.\n');
    const apply = await forgectl('policy apply FOLDER/p.yaml --yes');
    expect(apply).toMatchObject({
      code: 0,
      stdout:
        'acme\tok\tupdate budget “organization ACME ProductPricing packages”, create budget “organization acme ProductPricing codespaces”\t\n',
    });
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
  });

  it('compare what they declare, as JSON', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      `organizations: [acme]\nbudgets: [{ budget_scope: organization, budget_entity_name: acme, ${product}: packages, budget_alerting: { will_alert: true, alert_recipients: [riverotter, admin] } }]\n`,
    );
    const { stdout } = await forgectl('policy plan FOLDER/p.yaml --json --jq .changes');
    expect(JSON.parse(stdout)).toEqual([
      {
        action: 'update',
        kind: 'budget',
        target: 'acme',
        organization_id: 101,
        name: 'organization acme ProductPricing packages',
        source: expect.stringMatching(/p\.yaml:2$/),
        changes: [{ path: 'budget_alerting.alert_recipients[riverotter]', to: 'riverotter' }],
        effect: 'neutral',
        id: '2cadcb6e-cc26-408d-88f1-5c212b77c70e',
        before: { budget_alerting: { alert_recipients: ['admin'], will_alert: true } },
        body: { budget_alerting: { alert_recipients: ['admin', 'riverotter'], will_alert: true } },
      },
    ]);
  });

  it('manage the budgets of an enterprise', async () => {
    const { forgectl, write } = await onSandbox();
    const user = 'budget_scope: user, user: riverotter, budget_type: BundlePricing, budget_product_sku: ai_credits';
    write('e.yaml', `enterprise: sandbox\nbudgets:\n  - { ${user}, budget_amount: 7, ${silent} }\n`);
    const { stdout, code } = await forgectl('policy apply FOLDER/e.yaml --yes');
    expect({ stdout, code }).toEqual({
      stdout: 'enterprise:sandbox\tok\tupdate budget “user BundlePricing ai_credits riverotter”\t\n',
      code: 0,
    });
    expect((await forgectl('policy plan FOLDER/e.yaml --markdown')).stdout).toBe(
      '### Policy plan for enterprise:sandbox\n\nNo changes. 2 requests.\n',
    );
    expect((await forgectl('policy explain enterprise:sandbox FOLDER/e.yaml --jq .[0].field')).stdout).toBe(
      'budget_amount\n',
    );
  });

  it('delete what is listed as absent, and what is undeclared with --prune', async () => {
    const { forgectl, write } = await onSandbox();
    const site = `budget_scope: repository, budget_entity_name: acme/site, ${product}: actions`;
    write('p.yaml', `organizations: [acme]\nmanage: { budgets: all }\nabsent: { budgets: [{ ${site} }] }\n`);
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      `-\tbudget\torganization acme ProductPricing packages\tacme\tloosens\tnot declared; deleted only with --prune
-\tbudget\trepository acme/site ProductPricing actions\tacme\tloosens\t
`,
    );
    const left = 'budgets list --org acme --jq .[].budget_product_sku';
    await forgectl('policy apply FOLDER/p.yaml --yes');
    expect((await forgectl(left)).stdout).toBe('packages\n');
    await forgectl('policy apply FOLDER/p.yaml --yes --prune');
    expect((await forgectl(left)).stdout).toBe('');
  });

  it('are not planned if a creation lacks fields, or if several budgets have one key', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', `organizations: [acme]\nbudgets: [{ ${codespaces}, budget_amount: 7 }]\n`);
    expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({
      code: 9,
      stdout:
        '?\tbudget\torganization acme ProductPricing codespaces\tacme\t\tunresolved: cannot be created: prevent_further_usage is required; budget_alerting is required, with will_alert and alert_recipients\n',
    });
    write(
      'e.yaml',
      `enterprise: sandbox\nbudgets: [{ budget_scope: enterprise, ${product}: actions, budget_amount: 7 }]\n`,
    );
    expect(await forgectl('policy plan FOLDER/e.yaml')).toMatchObject({
      code: 9,
      stdout:
        '?\tbudget\tenterprise ProductPricing actions\tenterprise:sandbox\t\tambiguous: 2 budgets have this scope, entity, type, SKU and user\n',
    });
  });

  it('are exported for organizations and enterprises, with a plan that is empty', async () => {
    const { forgectl, folder } = await onSandbox();
    const { stderr, code } = await forgectl('policy export acme --enterprise sandbox --dir FOLDER/policy');
    expect(code).toBe(0);
    expect(stderr).toContain(
      'Budgets enterprise ProductPricing actions of enterprise:sandbox were not exported: 2 have this scope, entity, type, SKU and user.\n',
    );
    expect(
      readFileSync(join(folder, 'policy/acme/budgets.yaml'), 'utf8'),
    ).toBe(`# yaml-language-server: $schema=../policy.schema.json
organizations:
  - acme
budgets:
  - budget_scope: organization
    budget_entity_name: acme
    budget_type: ProductPricing
    budget_product_sku: packages
    budget_alerting:
      alert_recipients:
        - admin
      will_alert: true
    budget_amount: 5000
    prevent_further_usage: false
  - budget_scope: repository
    budget_entity_name: acme/site
    budget_type: ProductPricing
    budget_product_sku: actions
    budget_alerting:
      alert_recipients:
        - admin
      will_alert: true
    budget_amount: 1900
    prevent_further_usage: false
`);
    expect(readFileSync(join(folder, 'policy/enterprise-sandbox/budgets.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/policy\.schema\.json\nenterprise: sandbox\nbudgets:\n/,
    );
    expect(await forgectl('policy plan FOLDER/policy --exit-code')).toMatchObject({ code: 0 });
  });

  const budget = {
    id: 'b-1',
    budget_scope: 'organization',
    budget_entity_name: 'acme',
    budget_type: 'ProductPricing',
    budget_product_skus: ['actions'],
    budget_amount: 5,
    prevent_further_usage: false,
    budget_alerting: { will_alert: false, alert_recipients: [] },
  };
  const budgets = 'GET /organizations/acme/settings/billing/budgets';
  const listed = { body: { budgets: [budget], has_next_page: false, total_count: 1 } };

  async function applyTo(
    script: Readonly<Record<string, ScriptedAnswer | ((request: { url: string }) => ScriptedAnswer)>>,
    text: string,
  ) {
    const { folder, write } = await onSandbox();
    write('p.yaml', text);
    const organization = { 'GET /orgs/acme': { body: { id: 101 } } };
    const platform = await scriptedPlatform({ ...organization, ...script } as never);
    const result = await run(['policy', 'apply', join(folder, 'p.yaml'), '--yes', '--prune'], {
      env: { ...platform.env, XDG_STATE_HOME: join(folder, 'state') },
    });
    return { ...result, sent: platform.requests.filter(({ method }) => method !== 'GET') };
  }

  const raised = `organizations: [acme]\nbudgets: [{ budget_scope: organization, budget_entity_name: acme, ${product}: actions, budget_amount: 7 }]\n`;

  it('report an amount that the platform accepts but does not keep', async () => {
    const { stdout, code, sent } = await applyTo(
      {
        [budgets]: listed,
        'PATCH /organizations/acme/settings/billing/budgets/b-1': { body: { message: 'Updated.', budget } },
      },
      raised,
    );
    expect(stdout).toBe(
      'acme (after its repositories)\tfailed\t\tThe platform accepted the change of budget “organization acme ProductPricing actions” of acme, but did not keep budget_amount.\n',
    );
    expect(code).toBe(9);
    expect(sent.map(({ body }) => body)).toEqual(['{"budget_amount":7}']);
  });

  it('create nothing if the list cannot be read, and delete nothing if only a part of it can', async () => {
    const denied = await applyTo({}, raised);
    expect(denied).toMatchObject({ code: 5, stdout: '', sent: [] });
    const part = { body: { budgets: [budget], has_next_page: true, total_count: 101 } };
    const partly = await applyTo(
      { [budgets]: ({ url }) => (url.includes('page=2') ? { status: 403, body: { message: 'Forbidden' } } : part) },
      'organizations: [acme]\nmanage: { budgets: all }\n',
    );
    expect(partly).toMatchObject({ code: 5, stdout: '', sent: [] });
  });

  it('change nothing that changed after the plan', async () => {
    let reads = 0;
    const { stdout, code, sent } = await applyTo(
      {
        [budgets]: () =>
          reads++ === 0
            ? listed
            : { body: { budgets: [{ ...budget, budget_amount: 6 }], has_next_page: false, total_count: 1 } },
      },
      raised,
    );
    expect(stdout).toContain('changed after the plan, so nothing was sent');
    expect({ code, sent }).toEqual({ code: 9, sent: [] });
  });
});

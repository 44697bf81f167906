/** What people see of a list on terminals of several widths, and what stays away from pipes and JSON. */
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { type RunOptions, run } from '../support/run.ts';

const budgets = [
  {
    id: '5698c621-6f69-4299-81be-cc06404bf63c',
    budget_type: 'ProductPricing',
    budget_product_skus: ['actions'],
    budget_scope: 'organization',
    budget_entity_name: 'acme',
    budget_amount: 1400,
    consumed_amount: 683.5,
    prevent_further_usage: true,
    budget_alerting: { will_alert: true, alert_recipients: ['hubot'] },
  },
  {
    id: 'd3ccca7b-2665-423d-85ee-42901df2b112',
    budget_type: 'ProductPricing',
    budget_product_skus: ['site_licenses'],
    budget_scope: 'organization',
    budget_entity_name: 'acme',
    budget_amount: 50,
    consumed_amount: 60,
    prevent_further_usage: false,
    budget_alerting: { will_alert: false, alert_recipients: [] },
  },
];

async function listed(options: RunOptions, ...more: string[]) {
  const platform = await scriptedPlatform({
    'GET /enterprises/e/settings/billing/budgets': { body: { budgets, has_next_page: false, total_count: 2 } },
  });
  return run(['budgets', 'list', '--enterprise', 'e', ...more], { env: platform.env, ...options });
}

describe('a list', () => {
  it('shows all its columns on a wide terminal, with bars next to the numbers', async () => {
    const { stdout, stderr } = await listed({ tty: true, columns: 200 });
    expect(stdout).toBe(
      [
        'ID                                    SCOPE         ENTITY  PRODUCT        AMOUNT  CONSUMED    USED                STOPS USAGE  ALERTS  TYPE',
        '5698c621-6f69-4299-81be-cc06404bf63c  organization  acme    actions        $1,400   $683.50   48.8%  █████▉░░░░░░  yes          hubot   ProductPricing',
        'd3ccca7b-2665-423d-85ee-42901df2b112  organization  acme    site_licenses      50        60  120.0%  ████████████  no           no      ProductPricing',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('');
  });

  it('keeps IDs whole on 80 columns, and reports hidden columns', async () => {
    const { stdout, stderr } = await listed({ tty: true });
    expect(stdout).toBe(
      [
        'ID                                    ENTITY  PRODUCT        AMOUNT  CONSUMED',
        '5698c621-6f69-4299-81be-cc06404bf63c  acme    actions        $1,400   $683.50',
        'd3ccca7b-2665-423d-85ee-42901df2b112  acme    site_licenses      50        60',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe(
      '5 columns hidden (Scope, Used, Stops usage, Alerts, Type); widen the terminal or use --fields.\n',
    );
  });

  it('keeps IDs whole on 40 columns, one record after the other', async () => {
    const { stdout, stderr } = await listed({ tty: true, columns: 40 });
    expect(stdout.split('\n\n')[1]).toBe(
      [
        'ID',
        '  d3ccca7b-2665-423d-85ee-42901df2b112',
        'SCOPE        organization',
        'ENTITY       acme',
        'PRODUCT      site_licenses',
        'AMOUNT       50',
        'CONSUMED     60',
        'USED         120.0%',
        'STOPS USAGE  no',
        'ALERTS       no',
        'TYPE         ProductPricing',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('');
  });

  it('draws no bars with --plain', async () => {
    const { stdout } = await listed({ tty: true, columns: 200 }, '--plain');
    expect(stdout).toMatch(/^[\n\x20-\x7e]+$/);
    expect(stdout).toContain(' 48.8%  yes');
  });

  it.each(['tsv', 'csv', 'json', 'ndjson', 'yaml'])(
    'prints exact values as %s, without colours and links',
    async (format) => {
      const seen = await listed({ tty: true, color: true, links: true }, '-o', format);
      expect(seen.stdout).not.toContain('\x1b');
      expect(seen.stdout).toContain('683.5');
      expect(seen.stdout).not.toMatch(/\$|%|█/);
    },
  );

  it('has a CSV header of field names, and no column made only for people', async () => {
    const { stdout } = await listed({}, '-o', 'csv');
    expect(stdout.split('\n')[0]).toBe(
      'id,budget_scope,entity,product,budget_amount,consumed_amount,prevent_further_usage,alerts,budget_type',
    );
  });
});

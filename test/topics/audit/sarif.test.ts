import { expect, it } from 'vitest';
import type { OpenFinding } from '../../../src/topics/audit/report.ts';
import { sarifOf } from '../../../src/topics/audit/sarif.ts';
import { sarifProblems } from '../../support/published-schemas.ts';

const finding = (at: number): OpenFinding => ({
  check: at % 2 ? 'owner-count' : 'two-factor-required',
  severity: at % 2 ? 'medium' : 'high',
  target: `acme/r${at}`,
  status: 'fail',
  message: 'Two people own it.',
  evidence: [],
  evidence_total: 0,
  since: null,
  fix: { command: 'forgectl orgs get acme', policy: null, hint: null },
});

const logOf = (findings: readonly OpenFinding[], locate: Parameters<typeof sarifOf>[0]['locate'] = () => undefined) => {
  const { text, notice } = sarifOf({ version: '1.2.3', findings, notes: ['Not checked: 1 check.'], locate });
  return { log: JSON.parse([...text].join('')), notice };
};

it('is valid SARIF 2.1.0, with a rule for each check, a location and a fingerprint', () => {
  const findings: OpenFinding[] = [
    finding(2),
    { ...finding(1), target: 'enterprise:sandbox', baseline: 'new' },
    { ...finding(3), check: 'suppression-expired', object: 'owner-count' },
    { ...finding(5), status: 'unreadable' },
    { ...finding(7), status: 'suppressed' },
  ];
  const { log, notice } = logOf(findings, ({ target }) =>
    target === 'acme/r2' ? { file: 'policy/a b.yaml', line: 7 } : undefined,
  );
  expect(sarifProblems(log)).toEqual([]);
  expect(notice).toBeUndefined();
  const [run] = log.runs;
  expect(run.tool.driver).toMatchObject({ name: 'forgectl', semanticVersion: '1.2.3' });
  expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
    'two-factor-required',
    'owner-count',
    'suppression-expired',
  ]);
  expect(run.invocations[0].toolExecutionNotifications).toEqual([
    { level: 'warning', message: { text: 'Not checked: 1 check.' } },
  ]);
  expect(run.results).toMatchObject([
    {
      ruleId: 'two-factor-required',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'acme/r2: Two people own it.\nforgectl orgs get acme' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'policy/a%20b.yaml' }, region: { startLine: 7 } } }],
      partialFingerprints: { 'forgectlFinding/v1': expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
    {
      level: 'warning',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'enterprise-sandbox' } } }],
      baselineState: 'new',
    },
    { ruleIndex: 2 },
  ]);
});

it('has a fingerprint that the message does not change', () => {
  const [one, other] = [finding(2), { ...finding(2), message: 'Three people own it.', severity: 'low' as const }].map(
    (each) => logOf([each]).log.runs[0].results[0].partialFingerprints,
  );
  expect(one).toEqual(other);
});

it('keeps the limits of the platform: the 25,000 most severe results, and 10 tags for each rule', () => {
  const { log, notice } = logOf(Array.from({ length: 25_002 }, (_, at) => finding(at)));
  expect(log.runs).toHaveLength(1);
  expect(log.runs[0].results).toHaveLength(25_000);
  for (const { properties } of log.runs[0].tool.driver.rules) expect(properties.tags.length).toBeLessThanOrEqual(10);
  expect(notice).toBe(
    'The SARIF file has the 25,000 most severe findings; 2 others would exceed the limit of the platform.',
  );
  expect(log.runs[0].invocations[0].toolExecutionNotifications[1].message.text).toBe(notice);
});

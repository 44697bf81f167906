import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests({ orgs: 5 });
const none = '0'.repeat(40);

interface Change {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly timestamp: string;
  readonly activity_type: string;
  readonly actor: { readonly login: string; readonly type: string };
}
interface Suite {
  readonly id: number;
  readonly ref: string;
  readonly before_sha: string;
  readonly after_sha: string;
  readonly result: string;
  readonly evaluation_result: string | null;
  readonly repository_name: string;
}

const activityOf = async (repository: string, period: string): Promise<Change[]> =>
  (await ask(`GET /repos/hooli/${repository}/activity?per_page=100&time_period=${period}`)).body;
const suites = async (): Promise<Suite[]> =>
  (await ask('GET /orgs/hooli/rulesets/rule-suites?per_page=100&time_period=month')).body;

test('a ref continues where its last change left it', async () => {
  const changes = await activityOf('site', 'quarter');
  for (const [ref, all = []] of Object.entries(Object.groupBy(changes, (change) => change.ref))) {
    const ordered = all.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
    expect(
      ordered.slice(1).map(({ before }) => before),
      ref,
    ).toEqual(ordered.slice(0, -1).map(({ after }) => after));
    for (const { activity_type: type, before, after } of ordered)
      expect([before === none, after === none]).toEqual([type === 'branch_creation', type === 'branch_deletion']);
  }
});

test('pushes are of every kind, by people and apps', async () => {
  const changes = await activityOf('site', 'month');
  expect(new Set(changes.map(({ activity_type: type }) => type))).toEqual(
    new Set(['push', 'force_push', 'branch_creation', 'branch_deletion', 'pr_merge', 'merge_queue_merge']),
  );
  expect(new Set(changes.map(({ actor: { type } }) => type))).toEqual(new Set(['User', 'Bot']));
});

test('refused pushes have a rule suite and no activity, and all others have both', async () => {
  const all = await suites();
  const key = ({ ref, before, after }: Pick<Change, 'ref' | 'before' | 'after'>) => `${ref} ${before} ${after}`;
  const happened = new Set((await activityOf('site', 'month')).map(key));
  const ofSite = all.filter(({ repository_name: name }) => name === 'site');
  expect(new Set(all.map(({ result }) => result))).toEqual(new Set(['pass', 'fail', 'bypass']));
  expect(new Set(all.map(({ evaluation_result: result }) => result))).toEqual(
    new Set(['pass', 'fail', 'bypass', null]),
  );
  for (const { ref, before_sha: before, after_sha: after, result } of ofSite)
    expect(happened.has(key({ ref, before, after })), result).toBe(result !== 'fail');
});

test('a rule suite names the rules that were broken', async () => {
  const refused = (await suites()).find(({ result }) => result === 'fail');
  const { body } = await ask(`GET /orgs/hooli/rulesets/rule-suites/${refused?.id}`);
  const broken = body.rule_evaluations.filter(({ result }: Suite) => result === 'fail');
  expect(broken.map(({ enforcement }: { enforcement: string }) => enforcement)).toContain('active');
  expect(broken[0].rule_source).toEqual({ type: 'ruleset', id: expect.any(Number), name: expect.any(String) });
});

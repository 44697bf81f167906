/** A variable that is not set leaves an empty value behind: it never means all, or none. */
import { expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

it.each<[line: string, problem: string]>([
  ['bypass list acme --repository-name=', '--repository-name is empty'],
  ['dismissals list acme --reviewer=', '--reviewer is empty'],
  ['dismissals list acme/site --requester=', '--requester is empty'],
  ['budgets list acme --user=', '--user is empty'],
  ['each orgs acme --journal= -- orgs get {}', '--journal is empty'],
  ['policy apply policy --resume-or-start=', '--resume-or-start is empty'],
  ['repos activity acme/site --actor=', '--actor is empty'],
  ['rulesets create acme --enforcement active --name=', '--name is empty'],
  ['rulesets suites acme --ref=', '--ref is empty'],
  ['dismissals review acme/site 7 --status approve --message=', '--message is empty'],
  ['comments create acme/site ce58745 --body=', '--body is empty'],
  ['comments update acme/site 7 --body=', '--body is empty'],
  ['forks create acme/site --organization=', '--organization is empty'],
  ['orgs update acme --billing-email=', '--billing-email is empty'],
  ['registries update acme NPM --url=', '--url is empty'],
  ['registries update acme NPM --username=', '--username is empty'],
  ['budgets update acme b1 --alert-recipients=', '--alert-recipients is empty; use [] for an empty list'],
  ['budgets update acme b1 --alert-recipients=ada,', '--alert-recipients[1] is empty'],
  ['orgs get acme --profile=', '--profile is empty'],
  ['orgs get acme --base-url=', '--base-url is empty'],
  ['orgs get acme --api-version=', '--api-version is empty'],
])('%s is refused', async (line, problem) => {
  const platform = await scriptedPlatform(() => ({ body: {} }));
  const { code, stderr } = await run(line.split(' '), { env: platform.env });
  expect(code).toBe(2);
  expect(stderr).toContain(`forgectl: ${problem}. Nothing was sent.`);
  expect(platform.requests).toEqual([]);
});

it('an event name must not be empty', async () => {
  const platform = await scriptedPlatform({});
  const { code, stderr } = await run(['repos', 'dispatch', 'acme/site', ''], { env: platform.env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'forgectl: event_type is empty. Nothing was sent.\n' });
});

it('a snapshot must contain its commit and its job', async () => {
  const snapshot = {
    version: 1,
    job: { id: '', correlator: '' },
    sha: '',
    ref: 'refs/heads/main',
    detector: { name: 'd', version: '1', url: 'https://d.example.com' },
    scanned: '2026-03-01T12:00:00Z',
  };
  const { stdout } = await run(['snapshots', 'lint', '-'], { stdin: JSON.stringify(snapshot) });
  expect(stdout).toBe(
    ['job.id', 'job.correlator', 'sha'].map((path) => `standard input\terror\tinvalid\t${path}\tis empty\n`).join(''),
  );
});

it.each(['company', 'blog', 'description', 'location'])('--%s "" clears it', async (field) => {
  const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: {} } });
  expect((await run(['orgs', 'update', 'acme', `--${field}`, ''], { env: platform.env })).code).toBe(0);
  expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ [field]: '' });
});

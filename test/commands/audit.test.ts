import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checks } from '../../src/foresight/audit/checks/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.ts';
import { nockedEnv, platform, useNock } from '../support/nocked.ts';
import { sarifProblems } from '../support/published-schemas.ts';
import { type RunOptions, run, temporaryDirectory } from '../support/run.ts';
import { type AuditJson, savedAudits, writeAudits } from '../support/saved-audits.ts';

const acme = {
  login: 'acme',
  id: 101,
  two_factor_requirement_enabled: false,
  default_repository_permission: 'write',
  members_can_create_teams: null,
};

const three = ['--no-repositories', '--check', 'two-factor-required,base-permission,team-creation'];

describe('audit, of an organization', () => {
  useNock();

  const audit = async (words: readonly string[], options: RunOptions = {}, organization: object = acme) => {
    platform().get('/api/v3/orgs/acme').reply(200, organization);
    return run(['audit', 'acme', ...three, ...words], { env: nockedEnv, ...options });
  };

  it('shows findings by check on a terminal, with the way to mend them and what was not checked', async () => {
    const { stdout, stderr, code } = await audit([], { tty: true });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`acme, 3 checks: 2 findings (1 high, 1 medium).
Not checked: 1 judgement whose facts cannot be read, ${stdout.match(/\d+ other checks/)?.[0]}.

high  two-factor-required: Two-factor authentication is required
  acme: Members can sign in without two-factor authentication.
      Turn on “Require two-factor authentication” in the organization’s
      settings, under Authentication security. Members without it lose access to
      the organization, or are removed from it.

medium  base-permission: Members have no write access by default
  acme: Every member has the write permission on every repository.
      forgectl orgs update acme --default-repository-permission read

unreadable  team-creation: Only owners can create teams
  acme: Cannot be read: GET /orgs/{org} does not return
  members_can_create_teams: only owners see it, and older platforms do not have
  it.

`);
  });

  it('prints a row for each finding in a pipe, and what was not checked on stderr', async () => {
    const { stdout, stderr } = await audit(['-o', 'csv', '--severity', 'medium']);
    expect(stdout.split('\n')[1]).toBe(
      'high,two-factor-required,acme,,fail,,Members can sign in without two-factor authentication.,"Turn on “Require two-factor authentication” in the organization’s settings, under Authentication security. Members without it lose access to the organization, or are removed from it."',
    );
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stderr).toMatch(/^acme, 3 checks: 2 findings \(1 high, 1 medium\)\.\nNot checked: \d+ other checks\.\n$/);
  });

  it('prints the contract as JSON', async () => {
    const { stdout } = await audit(['--json'], { now: new Date('2026-03-01T12:00:00Z') });
    const { findings, summary, ...head } = JSON.parse(stdout) as AuditJson;
    expect(head).toEqual({
      audit: 1,
      platform: 'https://ghe.example.com/api/v3',
      time: '2026-03-01T12:00:00.000Z',
      organizations: [{ name: 'acme' }],
      checks: ['two-factor-required', 'base-permission', 'team-creation'],
    });
    expect(summary).toMatchObject({
      open: { high: 1, medium: 1, low: 0, info: 0 },
      suppressed: 0,
      unreadable: 1,
      passed: 0,
      not_checked: { organizations: 0, archived_repositories: 0, other_repositories: 0, deep: [], disabled: [] },
      requests: { sent: 1, not_modified: 0 },
    });
    expect(findings[1]).toEqual({
      check: 'base-permission',
      severity: 'medium',
      target: 'acme',
      status: 'fail',
      message: 'Every member has the write permission on every repository.',
      evidence: [{ name: 'default_repository_permission', value: 'write' }],
      evidence_total: 1,
      since: null,
      fix: {
        command: 'forgectl orgs update acme --default-repository-permission read',
        policy: 'organizations:\n  - acme\nsettings:\n  default_repository_permission: read\n',
        hint: null,
      },
    });
    expect(findings[2]).toMatchObject({ status: 'unreadable', fix: null });
  });

  it('prints Markdown, in which names mean nothing', async () => {
    const hostile = { ...acme, default_repository_permission: '@admins | `x`\n::error::x' };
    const { stdout } = await audit(['--markdown'], {}, hostile);
    expect(stdout).toContain(
      '| medium | base-permission | acme | ``Every member has the @admins \\| `x` ::error::x permission on every repository.`` | `forgectl orgs update acme --default-repository-permission read` |',
    );
  });

  it.each([
    [['--fail-on', 'high'], 13, '1 finding of severity high or higher.'],
    [['--fail-on', 'low', '--severity', 'low'], 13, '2 findings of severity low or higher.'],
    [['--strict'], 5, '1 judgement not possible (--strict).'],
  ])('with %s ends with exit code %i', async (words, code, message) => {
    const result = await audit(words);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });

  it('compares with a baseline', async () => {
    const folder = await temporaryDirectory();
    const baseline = join(folder, 'audit.ndjson');
    writeFileSync(baseline, (await audit(['-o', 'ndjson'])).stdout);
    const mended = { ...acme, default_repository_permission: 'read', members_can_create_teams: true };
    const later = await audit(['--baseline', baseline, '--json', '--fail-on', 'new'], {}, mended);
    expect(later).toMatchObject({ code: 13, stderr: expect.stringContaining('"1 new finding since the baseline."') });
    const { findings, summary } = JSON.parse(later.stdout) as AuditJson;
    expect(summary.baseline).toEqual({ new: 1, same: 1, gone: 1 });
    expect(findings.map(({ check, status, baseline: change }) => [check, status, change])).toEqual([
      ['two-factor-required', 'fail', 'same'],
      ['team-creation', 'fail', 'new'],
      ['base-permission', 'pass', 'gone'],
    ]);
    expect(findings[2]).toMatchObject({
      message: 'No longer found: Every member has the write permission on every repository.',
      since: null,
      fix: null,
    });
  });

  it('applies audit.yaml: disabled checks, suppressions and those that have ended', async () => {
    const folder = await temporaryDirectory();
    const config = join(folder, 'audit.yaml');
    const suppression = (check: string, until: string) =>
      `  - { check: ${check}, target: acm*, reason: Accepted by the board., until: ${until} }\n`;
    writeFileSync(
      config,
      `audit: 1\ndisabled: [team-creation]\nsuppressions:\n${suppression('base-permission', '2026-03-01')}${suppression('two-factor-required', '2026-02-28')}`,
    );
    platform().get('/api/v3/orgs/acme').reply(200, acme);
    const others = checks.filter(({ reads }) => reads.join() !== 'organization').map(({ id }) => id);
    const skipped = ['--no-repositories', '--skip', others.join(), '--config', config, '--json'];
    const { stdout } = await run(['audit', 'acme', ...skipped], {
      env: nockedEnv,
      now: new Date('2026-03-01T12:00:00Z'),
    });
    const { findings, summary } = JSON.parse(stdout) as AuditJson;
    const of = (check: string) => findings.find((each) => each.check === check);
    expect(of('base-permission')).toMatchObject({
      status: 'suppressed',
      suppression: { reason: 'Accepted by the board.', until: '2026-03-01' },
    });
    expect(of('two-factor-required')).toMatchObject({ status: 'fail' });
    expect(of('suppression-expired')).toMatchObject({ target: 'acm*', object: 'two-factor-required', status: 'fail' });
    expect(summary.not_checked.disabled).toEqual(['team-creation']);
  });

  it('names every problem of audit.yaml with its place, and sends nothing', async () => {
    const config = `audit: 2
disabled: [two-factor]
`;
    const wrong = await run(['audit', 'acme', '--config', '-'], { env: nockedEnv, stdin: config });
    expect(wrong).toMatchObject({
      code: 2,
      stderr: `forgectl: Standard input is not a valid configuration; nothing was sent.
standard input:1:1: audit must be 1, the version of the format
standard input:2:12: disabled[0] is not the ID of a check (did you mean two-factor-required?)
`,
    });
    const values = `audit: 1
disabled: [two-factor-require]
thresholds: { owner-count: { least: 0, lest: 1 }, x: {} }
properties: { pci: { true: closed } }
suppressions: [{ check: base-permission, target: acme, reason: Why not, until: 2026-02-30 }]
`;
    expect((await run(['audit', 'acme', '--config', '-'], { env: nockedEnv, stdin: values })).stderr).toBe(
      `forgectl: Standard input is not a valid configuration; nothing was sent.
standard input:2:12: disabled[0] is not the ID of a check (did you mean two-factor-required?)
standard input:3:30: thresholds.owner-count.least must be at least 1
standard input:3:40: thresholds.owner-count.lest is not a limit of owner-count (did you mean least?)
standard input:3:51: thresholds.x is not the ID of a check
standard input:4:22: properties.pci.true must be one of private, internal, public
standard input:5:73: suppressions[0].until must be a date, such as 2027-01-31
`,
    );
  });

  it('reports an organization that cannot be read at all, and audits the others', async () => {
    platform().get('/api/v3/orgs/acme').reply(200, acme);
    platform().get('/api/v3/orgs/nobody').reply(404, { message: 'Not Found' });
    const { stdout, stderr, code } = await run(['audit', 'nobody', 'acme', ...three, '--fail-on', 'high'], {
      env: nockedEnv,
    });
    expect(code).toBe(5);
    expect(stdout).toContain('two-factor-required');
    expect(stderr).toContain('nobody cannot be read: GET /orgs/nobody returned 404.\n');
    expect(stderr).toContain('forgectl: 1 organization cannot be read.');
    expect(stderr).toMatch(/^acme, 3 checks: /);
    platform().get('/api/v3/orgs/nobody').reply(404, { message: 'Not Found' });
    const none = await run(['audit', 'nobody', ...three], { env: nockedEnv });
    expect(none.stderr).toMatch(/^Nothing was audited\.\nNot checked: 1 organization/);
  });

  it.each([
    [['acme', '--check', 'owner-counts'], '--check has no check “owner-counts” (did you mean owner-count?)'],
    [['acme', '--check', 'owner-count', '--skip', 'owner-count'], 'No check is selected; nothing was sent.'],
    [['acme', '--check', 'enterprise-budget-alerts'], 'some checks need ORG or --enterprise.'],
    [['acme', '--fail-on', 'new'], '--fail-on requires --baseline for new'],
    [['acme', '--markdown', '--json'], '--markdown cannot be used with --output'],
    [['acme', '--no-repositories', '--where', '.private'], '--where cannot be used with --no-repositories'],
    [['acme', '--fix-policy', 'package.json'], 'Cannot write package.json/acme.yaml: package.json is not a directory.'],
    [['--all-installations', '--fix-policy', 'package.json'], 'Cannot write package.json: it is not a directory.'],
    [['acme', '--fix-policy', '/proc/forgectl'], 'Cannot write /proc/forgectl/acme.yaml: '],
    [['acme', '--sarif', '/proc/acme.sarif'], 'Cannot write /proc/acme.sarif: '],
    [['acme', '--baseline', '-'], 'Standard input is not a saved audit.'],
    [[], 'ORG or --enterprise is required'],
    [['--enterprise', 'big corp'], '--enterprise must be a single name, without spaces'],
    [['big corp'], 'ORG must be a single name, without spaces'],
  ])('refuses %s, and sends nothing', async (words, message) => {
    const { code, stderr } = await run(['audit', ...words], { env: nockedEnv });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('audit merge', () => {
  it('joins shards', async () => {
    const folder = await temporaryDirectory();
    writeAudits(folder);
    const files = readdirSync(folder).map((name) => join(folder, name));
    const { stdout, code } = await run(['audit', 'merge', ...files, '--json']);
    const { findings, summary, organizations, ...head } = JSON.parse(stdout) as AuditJson;
    expect(code).toBe(0);
    expect(head).toMatchObject({ audit: 1, checks: ['base-permission', 'two-factor-required'] });
    expect(head).not.toHaveProperty('shard');
    expect(organizations).toEqual([{ name: 'acme', repositories: { audited: 11, archived: 1, not_selected: 0 } }]);
    expect(findings.map(({ target }) => target)).toEqual(['acme', 'acme/docs']);
    expect(findings[0]).toEqual(savedAudits[1][1]);
    expect(summary).toMatchObject({ open: { high: 1, medium: 1 }, unreadable: 2, passed: 4, requests: { sent: 6 } });
    expect(await run(['audit', 'merge', ...files, '--fail-on', 'high'])).toMatchObject({ code: 13 });
    expect(await run(['audit', 'merge', ...files, '--fail-on', 'new'])).toMatchObject({
      code: 2,
      stderr: 'forgectl: --fail-on new requires audits that were made with --baseline.\n',
    });
  });

  it('writes a report with the findings of all shards', async () => {
    const folder = await temporaryDirectory();
    writeAudits(folder);
    const files = [1, 2].map((shard) => join(folder, `audit-${shard}.ndjson`));
    const html = join(folder, 'audit.html');
    const { stderr, code } = await run(['audit', 'merge', ...files, '--html', html]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Wrote the report to ${html}.\n`)]);
    expect(statSync(html).mode & 0o777).toBe(0o600);
    const text = readFileSync(html, 'utf8');
    expect(text).toContain('<title>Audit: acme</title>');
    expect(text).toContain('<dt>High</dt><dd><b>1</b></dd>');
    expect(text).toContain('<th scope="row"><bdi>two-factor-required</bdi></th><td>1</td><td>0</td>');
    expect(text).toContain('"forgectl orgs update acme --default-repository-permission read"');
    expect(text).toContain('"organizations:\\n  - acme\\nsettings:\\n  default_repository_permission: read"');
    const again = await run(['audit', 'merge', ...files, '--html', html]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('Replace it with --force') });
  });

  it('refuses overlaps, missing shards, other audits, and files that are cut off', async () => {
    const folder = await temporaryDirectory();
    writeAudits(folder);
    const [one, two] = ['audit-1.ndjson', 'audit-2.ndjson'].map((name) => join(folder, name)) as [string, string];
    const changed = (file: string, change: (text: string) => string): string => {
      const path = join(folder, 'changed.ndjson');
      writeFileSync(path, change(readFileSync(file, 'utf8')));
      return path;
    };
    const merged = async (...files: string[]) =>
      (await run(['audit', 'merge', ...files])).stderr.replaceAll(folder, '');
    expect(await merged(one)).toBe('forgectl: Shard 2/2 is missing.\n');
    expect(await merged(one, two, two)).toBe('forgectl: /audit-2.ndjson and /audit-2.ndjson are both shard 2/2.\n');
    expect(
      await merged(
        one,
        changed(two, (text) => text.replace('"base-permission",', '')),
      ),
    ).toContain('are shards of different audits');
    expect(
      await merged(
        one,
        changed(two, (text) => text.replace('"target":"acme"', '"target":"umbrella"')),
      ),
    ).toBe('forgectl: /changed.ndjson has umbrella, which is not in shard 2/2.\n');
    const twice = (text: string) => text.replace(/\n(.*)\n/, '\n$1\n$1\n');
    expect(await merged(one, changed(two, twice))).toBe(
      'forgectl: /changed.ndjson has two-factor-required of acme twice.\n',
    );
    expect(
      await merged(
        one,
        changed(two, (text) => text.slice(0, -20)),
      ),
    ).toContain('is truncated or damaged at line 3');
    expect(
      await merged(
        one,
        changed(two, (text) => text.replace('"audit":1', '"audit":2')),
      ),
    ).toContain('is an audit of version 2');
    expect(
      await merged(
        one,
        changed(two, (text) => text.replace('"severity":"high"', '"severity":"worst"')),
      ),
    ).toContain('damaged at line 2');
  });
});

describe('audit checks and audit explain', () => {
  it('list what each check reads, and suggest a misspelled one', async () => {
    const { stdout } = await run(['audit', 'checks', '--json']);
    const owners = (JSON.parse(stdout) as { id: string }[]).find(({ id }) => id === 'owner-count');
    expect(owners).toMatchObject({
      reads: ['GET /orgs/{org}/members'],
      permission: 'members (read)',
      deep: false,
      requests: 0,
    });
    expect(JSON.parse((await run(['audit', 'explain', 'owner-count', '--json'])).stdout)).toEqual(owners);
    expect(await run(['audit', 'explain', 'owner-counts'])).toMatchObject({
      code: 2,
      stderr:
        'forgectl: No check “owner-counts” (did you mean owner-count?).\nList the checks with: forgectl audit checks\n',
    });
    expect((await run(['audit', 'explain', 'two-factor'])).stderr).toContain('(did you mean two-factor-required?)');
  });
});

describe('findings of the sandbox', () => {
  let sandbox: Sandbox;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    sandbox = await startSandbox({ orgs: 5 });
    env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
  });
  afterAll(() => sandbox.close());

  const audited = async (...words: readonly string[]) => {
    const { stdout, code, stderr } = await run(['audit', 'hooli', ...words, '--json'], { env });
    expect({ code, stderr: stderr.includes('forgectl:') }).toEqual({ code: 0, stderr: false });
    return JSON.parse(stdout) as AuditJson;
  };
  it('are saved as valid SARIF, at the place of the policy', async () => {
    const folder = await temporaryDirectory();
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(folder);
    mkdirSync('policy');
    writeFileSync('policy/hooli.yaml', 'organizations: [hooli]\nsettings: { default_repository_permission: none }\n');
    await audited('--sarif', 'audit.sarif');
    const log = JSON.parse(readFileSync('audit.sarif', 'utf8'));
    expect(sarifProblems(log)).toEqual([]);
    const ofSettings = log.runs[0].results.find(({ ruleId }: { ruleId: string }) => ruleId === 'deploy-keys');
    expect(ofSettings.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'policy/hooli.yaml' },
      region: { startLine: 2 },
    });
    expect(await run(['audit', 'hooli', '--sarif', 'audit.sarif'], { env })).toMatchObject({ code: 2 });
    expect(await run(['audit', 'hooli', '--sarif', 'audit.sarif', '--force'], { env })).toMatchObject({ code: 0 });
    expect(await run(['audit', 'hooli', '--html', '-'], { env })).toMatchObject({
      code: 2,
      stderr:
        'forgectl: --html does not write to standard output. Nothing was sent.\nName a file, or use /dev/stdout.\n',
    });
  });

  it('of two shards are those of the whole', async () => {
    const folder = await temporaryDirectory();
    const files = [1, 2].map((index) => join(folder, `${index}.ndjson`));
    for (const [index, file] of files.entries()) {
      const words = ['audit', 'hooli', '--all', '--shard', `${index + 1}/2`, '-o', 'ndjson'];
      writeFileSync(file, (await run(words, { env })).stdout);
    }
    const whole = await audited('--all');
    const merged = JSON.parse((await run(['audit', 'merge', ...files, '--json'])).stdout) as AuditJson;
    const listed = ({ findings }: AuditJson) => findings.map((finding) => JSON.stringify(finding)).sort();
    expect(listed(merged)).toEqual(listed(whole));
    expect({ ...merged.summary, requests: whole.summary.requests }).toEqual(whole.summary);
  });
});

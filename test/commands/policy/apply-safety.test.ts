/** What policy apply leaves alone: objects that it cannot see, that are ambiguous, or that only change their name. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appPermissions } from '../../../src/sandbox/seed/tokens.ts';
import { classicToken, type ScriptedAnswer, scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { json } from '../../support/server.ts';
import { onSandbox } from './support.ts';

const conditions =
  'conditions: { ref_name: { include: [~ALL], exclude: [] }, repository_name: { include: [~ALL], exclude: [] } }';

/** Applies a policy on a platform that answers as a script says, with --prune. */
async function applyOn(
  script: Readonly<Record<string, ScriptedAnswer | (() => ScriptedAnswer)>>,
  policy: string,
  ...more: readonly string[]
) {
  const platform = await scriptedPlatform(script);
  const folder = await temporaryDirectory();
  writeFileSync(join(folder, 'p.yaml'), policy);
  const env = { ...platform.env, XDG_STATE_HOME: folder };
  const apply = await run(['policy', 'apply', join(folder, 'p.yaml'), '--yes', '--prune', ...more], { env });
  const plan = await run(['policy', 'plan', join(folder, 'p.yaml')], { env });
  const writes = platform.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url }) => `${method} ${url}`);
  return { code: apply.code, plan: plan.stdout, stderr: apply.stderr, writes };
}

/** A policy that loosens acme after its repositories, and the organization on a scripted platform. */
const looseningPolicy = `organizations: [acme]
settings: { default_repository_permission: write }
repositories: [{ select: {}, settings: { has_wiki: false } }]
`;

function loosenedOrganization() {
  const acme = { id: 101, login: 'acme', default_repository_permission: 'read' };
  return {
    'GET /orgs/acme': () => ({ body: acme }),
    'PATCH /orgs/acme': () => {
      acme.default_repository_permission = 'write';
      return { body: acme };
    },
  };
}

/** A plan that loosens acme after its repositories api, whose write has an unknown outcome, and site, which refuses it. */
async function withUnknownRepository() {
  const live = { refuses: true, api: true, site: true };
  const record = (id: number, name: 'api' | 'site') => ({
    id,
    name,
    full_name: `acme/${name}`,
    owner: { login: 'acme' },
    archived: false,
    has_wiki: live[name],
  });
  const platform = await scriptedPlatform({
    ...loosenedOrganization(),
    'GET /orgs/acme/repos': () => ({ body: [record(1, 'api'), record(2, 'site')] }),
    'GET /repos/acme/api': () => ({ body: record(1, 'api') }),
    'GET /repos/acme/site': () => ({ body: record(2, 'site') }),
    'PATCH /repos/acme/api': { status: 303, headers: { location: '/api/v3/repos/acme/api' } },
    'PATCH /repos/acme/site': () => {
      if (live.refuses) return { status: 422, body: { message: 'Validation Failed' } };
      live.site = false;
      return { body: record(2, 'site') };
    },
  });
  const folder = await temporaryDirectory();
  const [policy, journal] = [join(folder, 'p.yaml'), join(folder, 'run.ndjson')];
  writeFileSync(policy, looseningPolicy);
  const env = { ...platform.env, XDG_STATE_HOME: folder };
  const forgectl = (...words: readonly string[]) => run(['policy', 'apply', '--yes', ...words], { env });
  expect(await forgectl(policy, '--journal', journal)).toMatchObject({
    code: 9,
    stdout: expect.stringMatching(/^acme\/api\tunknown\t.*\nacme\/site\tfailed\t/m),
    stderr: expect.stringContaining('\nforgectl: 2 of 3 targets failed, 1 unknown.\n'),
  });
  const writes = () =>
    platform.requests.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`);
  return { forgectl, writes, live, journal };
}

const summary = (id: number, name: string) => ({
  id,
  name,
  source_type: 'Organization',
  updated_at: '2026-01-01T00:00:00Z',
});

describe('policy apply', () => {
  it('renames a ruleset that had another name, and makes no new one', async () => {
    const { forgectl, write } = await onSandbox();
    const before = await forgectl('rulesets list acme --jq .[].id');
    write('p.yaml', 'organizations: [acme]\nrulesets: [{ name: Tags of versions, was: Version tags }]\n');
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      '~\truleset\tTags of versions\tacme\tneutral\tname: "Version tags" → "Tags of versions"\n',
    );
    expect((await forgectl('policy apply FOLDER/p.yaml --yes')).code).toBe(0);
    expect((await forgectl('rulesets list acme --jq .[].id')).stdout).toBe(before.stdout);
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0 });
  });

  it('changes nothing in a repository that took the name of another between two changes', async () => {
    const site = { id: 1, name: 'site', full_name: 'acme/site', owner: { login: 'acme' }, has_wiki: true };
    const gold = { property_name: 'tier', value: 'gold' };
    const guard = { id: 7, name: 'Guard', enforcement: 'active' };
    const live = { id: 1, properties: [{ property_name: 'tier', value: null as string | null }] };
    const script = {
      'GET /orgs/acme': { body: { id: 101, login: 'acme' } },
      'GET /orgs/acme/repos': { body: [site] },
      'GET /orgs/acme/properties/schema': { body: [{ property_name: 'tier', value_type: 'string' }] },
      'GET /repos/acme/site': () => ({ body: { ...site, id: live.id } }),
      'GET /repos/acme/site/rulesets': { body: [] },
      'POST /repos/acme/site/rulesets': () => {
        live.id = 99;
        return { status: 201, body: guard };
      },
      'GET /repos/acme/site/properties/values': () => ({ body: live.properties }),
      'PATCH /orgs/acme/properties/values': () => {
        live.properties = [gold];
        return { status: 204 };
      },
      'PATCH /repos/acme/site': { body: { ...site, id: 99, has_wiki: false } },
    };
    const policy = `organizations: [acme]
repositories:
  - select: {}
    settings: { has_wiki: false }
    properties: { tier: gold }
    rulesets: [{ name: Guard, enforcement: active }]
`;
    const { code, stderr, writes } = await applyOn(script, policy);
    expect(writes).toEqual(['POST /api/v3/repos/acme/site/rulesets']);
    expect(stderr).toContain('acme/site is now a different repository: its ID is 99, not 1. Nothing was sent to it');
    expect(code).toBe(9);
  });

  it('changes none of two rulesets with one name', async () => {
    const { code, plan, writes } = await applyOn(
      { 'GET /orgs/acme/rulesets': { body: [summary(7, 'Guard'), summary(8, 'Guard')] } },
      'organizations: [acme]\nmanage: { rulesets: all }\nrulesets: [{ name: Guard, enforcement: active }]\n',
    );
    expect(plan).toBe('?\truleset\tGuard\tacme\t\tambiguous: 2 rulesets have this name\n');
    expect({ code, writes }).toEqual({ code: 9, writes: [] });
  });

  it('deletes neither of two rulesets with one name that is absent', async () => {
    const { code, plan, writes } = await applyOn(
      { 'GET /orgs/acme/rulesets': { body: [summary(7, 'Guard'), summary(8, 'Guard')] } },
      'organizations: [acme]\nmanage: { rulesets: all }\nabsent: { rulesets: [Guard] }\n',
    );
    expect(plan).toBe('?\truleset\tGuard\tacme\t\tambiguous: 2 rulesets have this name\n');
    expect({ code, writes }).toEqual({ code: 9, writes: [] });
  });

  it('deletes both of two undeclared rulesets with one name, one by one', async () => {
    const whole = (id: number) => ({
      body: { ...summary(id, 'Guard'), target: 'branch', enforcement: 'active', rules: [], bypass_actors: [] },
    });
    const script = {
      'GET /orgs/acme': { body: { id: 101 } },
      'GET /orgs/acme/rulesets': { body: [summary(7, 'Guard'), summary(8, 'Guard')] },
      'GET /orgs/acme/rulesets/7': whole(7),
      'GET /orgs/acme/rulesets/8': whole(8),
      'DELETE /orgs/acme/rulesets/7': { status: 204 },
      'DELETE /orgs/acme/rulesets/8': { status: 204 },
    };
    const policy = 'organizations: [acme]\nmanage: { rulesets: all }\n';
    expect(await applyOn(script, policy)).toMatchObject({
      code: 12,
      stderr: expect.stringContaining(
        'acme would keep none of its 2 rulesets. To allow that, add --allow-deletes 2. Nothing was written.',
      ),
      writes: [],
    });
    expect(await applyOn(script, policy, '--allow-deletes', '2')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('- ruleset "Guard (7)" · acme (loosens)\n    not declared; will be deleted\n'),
      writes: ['DELETE /api/v3/orgs/acme/rulesets/7', 'DELETE /api/v3/orgs/acme/rulesets/8'],
    });
  });

  it('deletes nothing of a list with a page that cannot be read', async () => {
    const policy = 'organizations: [acme]\nmanage: { rulesets: all }\n';
    const first = {
      body: [summary(7, 'Old')],
      headers: { link: '</api/v3/orgs/acme/rulesets/more?page=2>; rel="next"' },
    };
    const refused = { status: 403, body: { message: 'Resource not accessible by integration' } };
    const hidden = await applyOn({ 'GET /orgs/acme/rulesets': first, 'GET /orgs/acme/rulesets/more': refused }, policy);
    expect(hidden.plan).toMatch(/^\?\truleset\t\tacme\t\tGET \/orgs\/acme\/rulesets.* returned 403: needs /);
    expect({ code: hidden.code, writes: hidden.writes }).toEqual({ code: 5, writes: [] });
    const broken = await applyOn(
      { 'GET /orgs/acme/rulesets': first, 'GET /orgs/acme/rulesets/more': { body: 'no list' } },
      policy,
    );
    expect({ code: broken.code, plan: broken.plan, writes: broken.writes }).toMatchObject({ plan: '', writes: [] });
    expect(broken.code).not.toBe(0);
  });

  it('changes no organization that cannot be identified', async () => {
    const script = { 'GET /orgs/acme/rulesets': { body: [] }, 'POST /orgs/acme/rulesets': { body: { id: 1 } } };
    const policy = `organizations: [acme]\nrulesets: [{ name: Guard, target: branch, enforcement: active, ${conditions}, rules: [] }]\n`;
    expect(await applyOn(script, policy)).toMatchObject({
      code: 5,
      plan: '?\truleset\tGuard\tacme\t\tacme cannot be identified (GET /orgs/acme returned 404)\n',
      writes: [],
    });
  });

  it('loosens no repository of an organization that a policy spells otherwise, if that could not be tightened', async () => {
    const site = { id: 2, name: 'site', full_name: 'acme/site', owner: { login: 'acme' }, archived: false };
    const old = { ...summary(5, 'Old'), source_type: 'Repository', target: 'branch', enforcement: 'active', rules: [] };
    const { code, plan, writes } = await applyOn(
      {
        'GET /orgs/ACME': { body: { id: 101, login: 'acme' } },
        'GET /orgs/ACME/rulesets': { body: [] },
        'POST /orgs/ACME/rulesets': { status: 422, body: { message: 'Validation Failed' } },
        'GET /orgs/ACME/repos': { body: [site] },
        'GET /repos/ACME/site': { body: site },
        'GET /repos/ACME/site/rulesets': { body: [old] },
        'GET /repos/ACME/site/rulesets/5': { body: { ...old, bypass_actors: [] } },
        'DELETE /repos/ACME/site/rulesets/5': { status: 204 },
      },
      `organizations: [ACME]
rulesets: [{ name: Guard, target: branch, enforcement: active, ${conditions}, rules: [{ type: deletion }] }]
repositories: [{ select: {}, absent: { rulesets: [Old] } }]
`,
    );
    expect(plan).toContain('\tACME/site\t');
    expect({ code, writes }).toEqual({ code: 9, writes: ['POST /api/v3/orgs/ACME/rulesets'] });
  });

  it('counts a write whose connection was refused as failed, and --only failed sends it', async () => {
    const writes: string[] = [];
    let isLeaving = false;
    let reads = 0;
    const server = createServer((request, response) => {
      request.resume();
      if (request.method === 'PATCH') writes.push(request.url ?? '');
      else if (isLeaving && request.url === '/api/v3/orgs/acme' && ++reads === 2) server.close();
      json(response, { id: 101, login: 'acme', company: writes.length ? 'new' : 'old' });
    });
    const listen = async (port = 0) => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    };
    onTestFinished(() => void server.close());
    const port = await listen();
    const folder = await temporaryDirectory();
    const [plan, journal] = [join(folder, 'plan.ndjson'), join(folder, 'run.ndjson')];
    writeFileSync(join(folder, 'p.yaml'), 'organizations: [acme]\nsettings: { company: new }\n');
    const forgectl = (...words: readonly string[]) =>
      run(words, { env: { FORGECTL_BASE_URL: `http://127.0.0.1:${port}/api/v3`, FORGECTL_TOKEN: classicToken } });
    const apply = (...words: readonly string[]) => forgectl('policy', 'apply', '--yes', '-o', 'ndjson', ...words);
    expect(await forgectl('policy', 'plan', join(folder, 'p.yaml'), '--out', plan)).toMatchObject({ code: 0 });
    isLeaving = true;
    const refused = await apply(plan, '--journal', journal);
    expect({ ...JSON.parse(refused.stdout), code: refused.code, writes }).toMatchObject({
      status: 'failed',
      error: { code: 'network', message: `PATCH /orgs/acme failed: 127.0.0.1:${port} refused the connection.` },
      code: 9,
      writes: [],
    });
    isLeaving = false;
    await listen(port);
    expect(await apply('--resume', journal, '--only', 'failed')).toMatchObject({ code: 0 });
    expect(writes).toEqual(['/api/v3/orgs/acme']);
  });

  it('reports that the token was rejected if it is revoked during the run', async () => {
    const site = { id: 2, name: 'site', full_name: 'acme/site', archived: false, has_wiki: true };
    const { stderr, code, writes } = await applyOn(
      {
        'GET /orgs/acme': { body: { id: 101, login: 'acme', company: 'old' } },
        'GET /orgs/acme/repos': { body: [{ ...site, owner: { login: 'acme' } }] },
        'GET /repos/acme/site': { body: site },
        'PATCH /orgs/acme': { status: 401, body: { message: 'Bad credentials' } },
        'PATCH /repos/acme/site': { status: 401, body: { message: 'Bad credentials' } },
      },
      'organizations: [acme]\nsettings: { company: new }\nrepositories: [{ select: {}, settings: { has_wiki: false } }]\n',
    );
    expect(stderr).toContain(`
forgectl: Stopped: PATCH /repos/acme/site returned 401 Bad credentials; 1 target not started.
The platform rejected the token in FORGECTL_TOKEN; it may have expired or been revoked.
`);
    expect(stderr).not.toMatch(/undefined|No token was sent/);
    expect({ code, writes }).toEqual({ code: 9, writes: ['PATCH /api/v3/repos/acme/site'] });
  });

  it('loosens no organization with --only failed while the outcome of one of its repositories is unknown', async () => {
    const { forgectl, writes, live, journal } = await withUnknownRepository();
    live.refuses = false;
    const resumed = await forgectl('--resume', journal, '--only', 'failed');
    expect(resumed.stdout).toBe(
      `acme (after its repositories)\tfailed\t\tNot done: changes of acme that come before it have not been confirmed.
acme/site\tok\tupdate settings\t
`,
    );
    expect(resumed.code).toBe(9);
    expect(writes()).not.toContain('PATCH /api/v3/orgs/acme');
    live.api = false;
    expect(await forgectl('--resume', journal)).toMatchObject({ code: 0 });
    expect(writes().at(-1)).toBe('PATCH /api/v3/orgs/acme');
  });

  it('loosens no organization after a resume while the platform does not keep a change of its repository', async () => {
    let keeps = false;
    let hasWiki = true;
    const site = () => ({ id: 2, name: 'site', full_name: 'acme/site', archived: false, has_wiki: hasWiki });
    const platform = await scriptedPlatform({
      ...loosenedOrganization(),
      'GET /orgs/acme/repos': () => ({ body: [{ ...site(), owner: { login: 'acme' } }] }),
      'GET /repos/acme/site': () => ({ body: site() }),
      'PATCH /repos/acme/site': () => {
        hasWiki = !keeps;
        return { body: site() };
      },
    });
    const folder = await temporaryDirectory();
    const [policy, journal] = [join(folder, 'p.yaml'), join(folder, 'run.ndjson')];
    writeFileSync(policy, looseningPolicy);
    const apply = (...words: readonly string[]) =>
      run(['policy', 'apply', '--yes', ...words], { env: { ...platform.env, XDG_STATE_HOME: folder } });
    const failed = {
      code: 9,
      stdout: `acme (after its repositories)\tfailed\t\tNot done: changes of acme that come before it failed.
acme/site\tfailed\t\tThe platform accepted the change of settings of acme/site, but did not keep has_wiki.
`,
    };
    expect(await apply(policy, '--journal', journal)).toMatchObject(failed);
    expect(await apply('--resume', journal)).toMatchObject(failed);
    const writes = () => platform.requests.filter(({ method }) => method !== 'GET').map(({ url }) => url);
    expect(writes()).toEqual(['/api/v3/repos/acme/site', '/api/v3/repos/acme/site']);
    keeps = true;
    expect(await apply('--resume', journal)).toMatchObject({
      code: 0,
      stdout: 'acme (after its repositories)\tok\tupdate settings\t\nacme/site\tok\tupdate settings\t\n',
    });
    expect(writes().slice(2)).toEqual(['/api/v3/repos/acme/site', '/api/v3/orgs/acme']);
  });

  it('deletes nothing in repositories that the installation cannot access', async () => {
    const token = ['ghs', 'Q'.repeat(36)].join('_');
    const site = {
      kind: 'installation',
      account: 'acme',
      permissions: appPermissions,
      repositories: [100_001],
    } as const;
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 4, grants: { [token]: site } });
    const rulesets = `rulesets: [{ name: Old, target: branch, enforcement: active, conditions: { ref_name: { include: [~ALL], exclude: [] } }, rules: [{ type: deletion }] }]`;
    write('p.yaml', `organizations: [acme]\nrepositories: [{ select: {}, ${rulesets} }]\n`);
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write('q.yaml', 'organizations: [acme]\nrepositories: [{ select: {}, manage: { rulesets: all } }]\n');
    // Public repositories are visible to everybody, and their deletions refused.
    expect((await forgectl('policy apply FOLDER/q.yaml --yes --prune --allow-deletes 9', token)).stdout).toMatch(
      /^acme\/site\tok\t.*delete ruleset “Old”/m,
    );
    const { stdout: left } = await forgectl('policy plan FOLDER/p.yaml --expand');
    expect(left).toBe('+\truleset\tOld\tacme/site\ttightens\t\n');
  });

  it('lists everything that flags do not allow in one error, and writes nothing', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      `organizations: [acme]
manage: { rulesets: all, registries: all }
settings: { default_repository_permission: write }
repositories: [{ select: { names: [site] }, settings: { archived: true, visibility: internal } }]
`,
    );
    const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes --prune --deny loosens');
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      'forgectl: 4 changes would loosen protection (--deny loosens). acme would keep none of its 3 rulesets. 2 registries would be deleted; deleted secrets cannot be recovered. To allow that, add --allow-deletes 5. archived of 1 repository and visibility of 1 repository would change. To allow that, use --allow archived,visibility. Nothing was written.',
    );
    expect(code).toBe(12);
    expect((await forgectl('registries list acme --all --quiet')).stdout.trim().split('\n')).toHaveLength(2);
  });

  it.each(['visibility: public', 'private: false'])(
    'creates a repository with the settings { %s } only with --allow visibility',
    async (setting) => {
      const { forgectl, write } = await onSandbox();
      write('p.yaml', `organizations: [acme]\nrepositories: [{ create: { name: fresh }, settings: { ${setting} } }]\n`);
      const refused = await forgectl('policy apply FOLDER/p.yaml --yes --deny loosens');
      expect(refused).toMatchObject({
        code: 12,
        stdout: '',
        stderr: expect.stringContaining(
          '1 change would loosen protection (--deny loosens). visibility of 1 repository would change.',
        ),
      });
      expect(await forgectl('policy apply FOLDER/p.yaml --yes --allow visibility')).toMatchObject({
        code: 0,
        stdout: 'acme/fresh\tok\tcreate repository\t\n',
      });
      expect((await forgectl('repos get acme/fresh --jq .visibility')).stdout).toBe('public\n');
    },
  );

  it('changes the visibility of repositories only with --allow visibility', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories: [{ select: { names: [site] }, settings: { visibility: private } }]\n',
    );
    const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes --allow archived');
    expect(stderr).toContain(
      'visibility of 1 repository would change. To allow that, use --allow archived,visibility.',
    );
    expect(code).toBe(12);
    expect((await forgectl('policy apply FOLDER/p.yaml --yes --allow archived,visibility')).code).toBe(0);
    expect((await forgectl('repos get acme/site --jq .visibility')).stdout).toBe('private\n');
  });

  it('reads only the properties of the repository that it changes', async () => {
    const repository = { id: 1, name: 'site', full_name: 'acme/site', owner: { login: 'acme' }, archived: false };
    const { code, writes, stderr } = await applyOn(
      {
        'GET /orgs/acme/repos': { body: [repository] },
        'GET /repos/acme/site': { body: repository },
        'GET /orgs/acme/properties/schema': {
          body: [{ property_name: 'tier', value_type: 'single_select', allowed_values: ['gold'] }],
        },
        'GET /orgs/acme/properties/values': {
          body: [{ repository_id: 1, repository_name: 'site', repository_full_name: 'acme/site', properties: [] }],
        },
        'GET /repos/acme/site/properties/values': { body: [{ property_name: 'team', value: 'core' }] },
        'PATCH /orgs/acme/properties/values': { status: 204 },
      },
      'organizations: [acme]\nrepositories: [{ select: {}, properties: { tier: gold } }]\n',
    );
    expect(code, stderr).toBe(0);
    expect(writes).toEqual(['PATCH /api/v3/orgs/acme/properties/values']);
  });

  it('keeps protection while a rule moves from one ruleset to another', async () => {
    const { forgectl, write } = await onSandbox();
    const ruleset = (name: string, type: string) =>
      `{ name: ${name}, target: branch, enforcement: active, ${conditions}, rules: [{ type: ${type} }] }`;
    write('p.yaml', `organizations: [acme]\nrulesets: [${ruleset('A', 'deletion')}, ${ruleset('B', 'creation')}]\n`);
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write('p.yaml', `organizations: [acme]\nrulesets: [${ruleset('A', 'creation')}, ${ruleset('B', 'deletion')}]\n`);
    const dry = await forgectl('policy apply FOLDER/p.yaml --dry-run --json');
    const rules = (JSON.parse(dry.stdout) as { body: { name: string; rules: { type: string }[] } }[]).map(({ body }) =>
      [body.name, ...body.rules.map(({ type }) => type)].join(' '),
    );
    expect(rules).toEqual(['A creation deletion', 'B creation deletion', 'A creation', 'B deletion']);
    expect((await forgectl('policy apply FOLDER/p.yaml --yes')).stdout).toBe(
      'acme\tok\tupdate ruleset “A” (tightenings), update ruleset “B” (tightenings)\t\nacme (after its repositories)\tok\tupdate ruleset “A”, update ruleset “B”\t\n',
    );
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0 });
  });

  it('describes by name what an undo restores in two steps', async () => {
    const { forgectl, write } = await onSandbox();
    const ruleset = (name: string, actor: string, type: string) =>
      `{ name: ${name}, target: branch, enforcement: active, ${conditions}, bypass_actors: ["role:${actor}"], rules: [{ type: ${type} }] }`;
    const policy = (...rulesets: string[]) =>
      write('p.yaml', `organizations: [acme]\nrulesets: [${rulesets.join(', ')}]\n`);
    policy(ruleset('A', 'write', 'deletion'), ruleset('B', 'write', 'creation'));
    await forgectl('policy apply FOLDER/p.yaml --yes');
    policy(ruleset('A', 'admin', 'creation'), ruleset('B', 'write', 'deletion'));
    await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson');
    const { stderr } = await forgectl('policy apply FOLDER/undo.ndjson');
    expect(stderr).toContain(`~ ruleset A · acme (loosens)
    bypass_actors:
      - actor_id: role:admin, actor_type: RepositoryRole (tightens)
      + actor_id: role:write, actor_type: RepositoryRole, bypass_mode: always (loosens)
    rules:
      - type: creation (loosens)
      + type: deletion (tightens)

~ ruleset B · acme (loosens)
    rules:
      + type: creation (tightens)
      - type: deletion (loosens)
`);
  });
});

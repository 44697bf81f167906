/** Values that require confirmation wherever they are set; others never do. */
import { describe, expect, it } from 'vitest';
import { pathOf, scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';
import { onSandbox } from './policy/support.ts';

const site = { id: 1, full_name: 'acme/site', visibility: 'private', archived: false };
const acme = { login: 'acme', default_repository_permission: 'read' };

const platform = () =>
  scriptedPlatform({
    'GET /repos/acme/site': { body: site },
    'PATCH /repos/acme/site': { body: site },
    'GET /orgs/acme': { body: acme },
    'PATCH /orgs/acme': { body: acme },
  });

const cases = [
  ['repos update acme/site --visibility public', 'visibility (private → public) of acme/site'],
  ['repos update acme/site --archived', 'archived (false → true) of acme/site'],
  [
    'repos update acme/site --archived --visibility public',
    'visibility (private → public) and archived (false → true) of acme/site',
  ],
  ['orgs update acme --default-repository-permission admin', 'default_repository_permission (read → admin) of acme'],
] as const;

describe('a value that requires confirmation', () => {
  it.each(cases)('%s writes nothing without --yes and without a terminal', async (line, what) => {
    const { env, requests } = await platform();
    const { code, stdout, stderr } = await run(line.split(' '), { env });
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `forgectl: Nothing was changed. This changes ${what}; confirm with --yes.\n`,
    });
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each(cases)('%s is sent with --yes', async (line) => {
    const { env, requests } = await platform();
    expect((await run([...line.split(' '), '--yes'], { env })).code).toBe(0);
    expect(requests.at(-1)?.method).toBe('PATCH');
  });

  it.each(cases)('%s prompts for the name on a terminal, and shows the change', async (line, what) => {
    const { env, requests } = await platform();
    const name = line.split(' ')[2] ?? '';
    const asked = `This changes ${what}`.slice(0, 40);
    const refused = await run(line.split(' '), { env, person: [[asked, 'no\r']] });
    expect(refused.code).toBe(2);
    expect(requests.map(({ method }) => method)).not.toContain('PATCH');
    expect((await run(line.split(' '), { env, person: [[asked, `${name}\r`]] })).code).toBe(0);
    expect(requests.map(({ method }) => method)).toContain('PATCH');
  });

  it.each([
    ...cases.map(([line]) => line),
    'api -X PATCH repos/acme/site -f visibility=public',
    'api -X PATCH /repos/acme/s%69te -f visibility=public',
    'api -X PATCH /repos/acme%2Fsite?x=% -f visibility=public',
    'api -X PATCH //repos//acme//site/ -f visibility=public',
    'repos delete acme/site',
    'repos archive acme/site',
    'repos transfer acme/site globex',
    'repos alerts acme/site --disable',
  ])('%s sends nothing if the name was taken by another while it was typed', async (line) => {
    let reads = 0;
    const { env, requests } = await scriptedPlatform(({ url }) => ({
      body: { ...(url.includes('/orgs/') ? acme : site), id: ++reads === 1 ? 1 : 9 },
    }));
    const name = line.startsWith('orgs') ? 'acme' : 'acme/site';
    const { code, stderr } = await run(line.split(' '), { env, person: [['This ', `${name}\r`]] });
    const path = name === 'acme' ? '/orgs/acme' : '/repos/acme/site';
    expect(stderr).toContain(`${path} was replaced or renamed during the prompt. Nothing was changed.`);
    expect(code).toBe(12);
    expect(requests.map(({ method }) => method)).toEqual(Array(line.startsWith('api') ? 3 : 2).fill('GET'));
  });

  it.each([
    ['bypass dismiss-response acme/site 42', '42'],
    ['repos revoke acme/site --user paperfox', 'paperfox'],
    ['repos revoke acme/site --team core', 'core'],
    ['repos revoke acme/site --user invited', 'invited'],
    ['bypass dismiss-response acme/site 100001030', '100001030'],
    ['labels delete acme/site bug', 'bug'],
    ['rulesets delete acme/site 5', '5'],
    ['orgs immutable-releases remove acme acme/site', 'acme/site'],
    ['orgs immutable-releases remove acme 7', '7'],
    ['properties undefine acme pci', 'pci'],
    ['properties define acme pci --value-type string', 'pci'],
    ['registries delete acme INDEX', 'INDEX'],
    ['budgets delete acme INDEX', 'INDEX'],
    ['members remove acme paperfox --outside', 'paperfox'],
    ['members remove acme paperfox', 'paperfox'],
    ['members convert acme paperfox', 'paperfox'],
    ['teams delete acme core', 'core'],
    ['teams remove acme core paperfox', 'paperfox'],
    ['orgs security disable acme secret_scanning', 'acme'],
    ['api DELETE repos/acme/site/hooks/5', 'repos/acme/site/hooks/5'],
    ['api DELETE /orgs/acme/properties/schema/pci?x=1', '/orgs/acme/properties/schema/pci?x=1'],
  ])('%s sends nothing if what it showed was replaced while the name was typed', async (line, name) => {
    const read = new Set<string>();
    const { env, requests } = await scriptedPlatform(({ url }) => {
      const id = read.has(url) ? 9 : 1;
      read.add(url);
      const isList = /\?|\/(?:teams|members|invitations|collaborators)$/.test(url);
      // A property, a registry and this budget have no IDs, and a membership has that of its organization.
      if (/\/(?:pci|INDEX)$/.test(url)) return { body: { property_name: 'pci', name: 'INDEX' } };
      const user = { login: 'paperfox', id: 3 };
      if (url.includes('/invitations')) return { body: [{ id: 5, invitee: { login: 'invited' } }] };
      const organization = { login: 'acme' };
      if (url.includes('/memberships/'))
        return { body: { role: 'member', state: 'active', user, organization: { id } } };
      return {
        body: isList
          ? []
          : { ...site, login: url.endsWith('/user') ? 'me' : 'acme', slug: 'core', name: 'bug', id, organization },
      };
    });
    const { code, stderr } = await run(line.split(' '), { env, person: [['This ', `${name}\r`]] });
    expect([code, stderr]).toEqual([
      12,
      expect.stringMatching(
        /was replaced or renamed during the prompt\. Nothing was changed|acme is now a different organization\. Nothing was sent/,
      ),
    ]);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each([
    ['rulesets delete acme/site 5', 'bug', '/repos/acme/site/rulesets/5', { name: 'other' }],
    ['registries delete acme NPM', 'NPM', '/orgs/acme/private-registries/NPM', { created_at: '2026-02-28' }],
    ['repos revoke acme/site --team core', 'core', '/orgs/acme/teams/core', { id: 9 }],
    ['repos revoke acme/site --user paperfox', 'paperfox', '/users/paperfox', { id: 9 }],
    ['teams remove acme core paperfox', 'paperfox', '/users/paperfox', { id: 9 }],
    ['repos delete acme/site', 'acme/site', '/repos/acme/site', { full_name: 'globex/site' }],
    ['repos transfer acme/site initech', 'acme/site', '/repos/acme/site', { full_name: 'globex/site' }],
    ['orgs security disable acme secret_scanning', 'acme', '/orgs/acme', { login: 'globex' }],
    [
      'api DELETE /orgs/acme/teams/core/memberships/paperfox',
      '/orgs/acme/teams/core/memberships/paperfox',
      '/orgs/acme/teams/core',
      { id: 9 },
    ],
    [
      'api DELETE /orgs/acme/teams/core/repos/acme/site?x=1',
      '/orgs/acme/teams/core/repos/acme/site?x=1',
      '/repos/acme/site',
      { id: 9 },
    ],
    [
      'api DELETE /repos/acme/site/collaborators/paperfox',
      '/repos/acme/site/collaborators/paperfox',
      '/users/paperfox',
      { id: 9 },
    ],
    [
      'api DELETE /repos/acme/site/collaborators/bot%5Bbot%5D',
      '/repos/acme/site/collaborators/bot%5Bbot%5D',
      '/users/bot[bot]',
      { id: 9 },
    ],
    [
      'api DELETE /orgs/acme/teams/c%6Fre/repos/acme/site',
      '/orgs/acme/teams/c%6Fre/repos/acme/site',
      '/orgs/acme/teams/core',
      { id: 9 },
    ],
    [
      'api DELETE /orgs/acme/teams/core/repos/acme/s%69te',
      '/orgs/acme/teams/core/repos/acme/s%69te',
      '/repos/acme/site',
      { id: 9 },
    ],
    [
      'api DELETE /%72epos/acme/site/vulnerability-alerts',
      '/%72epos/acme/site/vulnerability-alerts',
      '/repos/acme/site',
      { id: 9 },
    ],
    [
      'api DELETE /repos%2Facme/site/branches/main/protection',
      '/repos%2Facme/site/branches/main/protection',
      '/repos/acme/site',
      { id: 9 },
    ],
    [
      'api DELETE /repos/acme%2Fsite/vulnerability-alerts',
      '/repos/acme%2Fsite/vulnerability-alerts',
      '/repos/acme/site',
      { id: 9 },
    ],
    ['api DELETE /orgs%2Facme/blocks/paperfox', '/orgs%2Facme/blocks/paperfox', '/orgs/acme', { id: 9 }],
    [
      'api DELETE /repos/acme//site/branches/main/protection',
      '/repos/acme//site/branches/main/protection',
      '/repos/acme/site',
      { id: 9 },
    ],
  ])('%s sends nothing if “%s” is now another object: %s', async (line, name, replaced, changes) => {
    const read = new Set<string>();
    const { env, requests } = await scriptedPlatform((request) => {
      const path = pathOf(request);
      const isAgain = read.has(path);
      read.add(path);
      if (/\?|\/(?:teams|members|invitations|collaborators)$/.test(request.url)) return { body: [] };
      if (path.endsWith('/protection')) return { body: { enforce_admins: true } };
      if (/\/(?:vulnerability-alerts|blocks\/paperfox)$/.test(path)) return {};
      const organization = { login: 'acme' };
      const record = {
        ...site,
        slug: 'core',
        login: 'acme',
        name: 'bug',
        created_at: '2025-01-01',
        organization,
        role: 'member',
      };
      return { body: { ...record, ...(isAgain && path === replaced && changes) } };
    });
    const { code, stderr } = await run(line.split(' '), { env, person: [['This ', `${name}\r`]] });
    expect([code, stderr]).toEqual([
      12,
      expect.stringContaining(`${replaced} was replaced or renamed during the prompt.`),
    ]);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each([
    ['rulesets delete acme/site 5', '5', '/repos/acme/site/rulesets/5'],
    ['labels delete acme/site bug', 'bug', '/repos/acme/site/labels/bug'],
    ['api DELETE /repos/acme/site/hooks/5', '/repos/acme/site/hooks/5', '/repos/acme/site/hooks/5'],
  ])('%s sends nothing if what it showed had neither an ID nor a name, and has them now', async (line, name, shown) => {
    let reads = 0;
    const { env, requests } = await scriptedPlatform((request) => ({
      body: pathOf(request) === shown && ++reads === 1 ? { enforcement: 'active' } : { ...site, name: 'bug' },
    }));
    const { code, stderr } = await run(line.split(' '), { env, person: [['This ', `${name}\r`]] });
    expect([code, stderr]).toEqual([
      12,
      expect.stringContaining(`${shown} was replaced or renamed during the prompt.`),
    ]);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each([
    ['orgs security disable acme secret_scanning', {}, '/orgs/acme'],
    ['properties undefine acme pci', [], '/orgs/acme'],
    ['bypass dismiss-response acme/site 7', {}, '/repos/acme/site'],
  ])('%s does not prompt if the organization or the repository cannot be identified', async (line, body, place) => {
    const { env, requests } = await scriptedPlatform(({ url }) => ({
      body: url.includes('/schema/') ? { property_name: 'pci' } : body,
    }));
    expect(await run(line.split(' '), { env, person: [] })).toMatchObject({
      ...{ code: 8, stderr: `forgectl: GET ${place} returned a record without a valid id.\n` },
    });
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each(['repos update acme/site --visibility private', 'repos update acme/site --no-archived --has-wiki'])(
    '%s does not prompt, because the record already has it',
    async (line) => {
      const { env, requests } = await platform();
      expect((await run(line.split(' '), { env })).code).toBe(0);
      expect(requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
    },
  );

  const byApi = [
    ['api -X PATCH repos/acme/site -f visibility=public', 'visibility (private → public) of acme/site'],
    ['api PATCH /repos/acme/site?x=1 -F archived=true', 'archived (false → true) of acme/site'],
    [
      'api -X PATCH orgs/acme -f members_can_create_public_repositories=true',
      'members_can_create_public_repositories (to true) of acme',
    ],
  ] as const;

  it.each(byApi)('%s prompts as the command of the endpoint does', async (line, what) => {
    const { env, requests } = await platform();
    const { code, stderr } = await run(line.split(' '), { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`Nothing was changed. This changes ${what}; confirm with --yes.`);
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
    expect((await run([...line.split(' '), '--yes'], { env })).code).toBe(0);
    // The name of a repository is compared.
    const before = line.includes('orgs') ? ['GET'] : ['GET', 'GET'];
    expect(requests.map(({ method }) => method)).toEqual([...before, 'PATCH']);
  });

  it.each([
    'api -X PATCH repos/acme/site -f visibility=private',
    'api -X PATCH repos/acme/site -F has_wiki=false',
    'api -X PATCH repos/acme/site/other -f visibility=public',
    'api -X PATCH repos/acme/site -f visibility=public --dry-run',
  ])('%s does not prompt', async (line) => {
    const { env } = await scriptedPlatform(() => ({ body: site }));
    const { stderr, code } = await run(line.split(' '), { env });
    expect({ code, asks: stderr.includes('confirm') }).toEqual({ code: 0, asks: false });
  });

  it.each([
    ['api -X PATCH repositories/7 -f visibility=public', 'visibility (private → public) of repository 7'],
    ['api -X PATCH repos/acme/x/../site -F private=0', 'private (to 0) of acme/site'],
    ['api -X PATCH repos/acme/%73ite?archived=true', 'archived (false → true) of acme/site'],
    ['api -X PATCH repos/acme/site?x=%0A -f visibility=public', 'visibility (private → public) of acme/site'],
    ['api -X PATCH organizations/7/ -f visibility=public', 'visibility (private → public) of organization 7'],
    ['api repos/acme/site -f visibility=public', 'visibility (private → public) of acme/site'],
    ['api -X PUT repos/acme%2Fsite -f visibility=public', 'visibility (private → public) of acme/site'],
    ['api -X PATCH repos/acme%252Fsite -f visibility=public', 'visibility (private → public) of acme/site'],
    ['api -X PATCH repos/acme/site -f Visibility=public', 'visibility (private → public) of acme/site'],
    ['api -X PATCH repos/acme/site?VISIBILITY=public', 'visibility (private → public) of acme/site'],
    [
      'api -X PATCH repos/acme/site -f security_and_analysis[secret_scanning][Status]=disabled',
      'security_and_analysis.secret_scanning (to disabled) of acme/site',
    ],
    ['api -X PATCH repos/acme/site -F private=null', 'private (to null) of acme/site'],
    ['api -X PATCH repos/acme/site -f private=FALSE', 'private (to FALSE) of acme/site'],
    [
      'api -X PATCH orgs/acme -f default_repository_permission[]=admin',
      'default_repository_permission (to ["admin"]) of acme',
    ],
    [
      'api -X PATCH repos/acme/site -f security_and_analysis[secret_scanning]=disabled',
      'security_and_analysis.secret_scanning (to disabled) of acme/site',
    ],
  ])('%s prompts for whatever the platform would update', async (line, what) => {
    const { env, requests } = await scriptedPlatform(() => ({ body: site }));
    expect(await run(line.split(' '), { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Nothing was changed. This changes ${what}; confirm with --yes.`),
    });
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each(['/ü/api/v3', '/my%20forge/api/v3'])('prompts below a base URL that ends with %s', async (prefix) => {
    const { env, requests } = await scriptedPlatform(() => ({ body: site }));
    const { origin } = new URL(env.FORGECTL_BASE_URL ?? '');
    const words = ['api', '-X', 'PATCH', 'repos/acme/site', '-f', 'visibility=public'];
    const { stderr } = await run(words, { env: { ...env, FORGECTL_BASE_URL: `${origin}${prefix}` } });
    expect(stderr).toBe(
      'forgectl: Nothing was changed. This changes visibility (private → public) of acme/site; confirm with --yes.\n',
    );
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each([
    ['application/x-www-form-urlencoded', 'visibility=public\n', 'visibility (private → public)'],
    [
      'application/x-www-form-urlencoded',
      'security_and_analysis%5Bsecret_scanning%5D[status]=disabled',
      'security_and',
    ],
    ['text/plain', '{"archived": true}', 'archived (false → true)'],
  ])('in a body of type %s prompts', async (type, stdin, what) => {
    const { env, requests } = await platform();
    const words = ['api', '-X', 'PATCH', 'repos/acme/site', '-H', `Content-Type: ${type}`, '--input', '-'];
    const { code, stderr } = await run(words, { env, stdin });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Nothing was changed. This changes ${what}`)]);
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('of api is not sent under a former name, even if the record has it already', async () => {
    const { env, requests } = await scriptedPlatform({
      'GET /repos/acme/site': { status: 301, headers: { location: '/api/v3/repositories/5' } },
      'GET /repositories/5': { body: { ...site, full_name: 'globex/x' } },
      'PATCH /repos/acme/site': { body: site },
    });
    const { code, stderr } = await run('api -X PATCH repos/acme/site -f visibility=private'.split(' '), { env });
    expect([code, stderr]).toEqual([12, expect.stringContaining('acme/site is now globex/x.')]);
    expect(requests.map(({ method }) => method)).not.toContain('PATCH');
  });

  it('of api requires the name of the repository, regardless of case', async () => {
    const { env, requests } = await scriptedPlatform({
      'GET /repos/acme/site': { body: { ...site, full_name: 'globex/site' } },
    });
    const words = 'api -X PATCH repos/acme/site -f Visibility=private --yes'.split(' ');
    expect(await run(words, { env })).toMatchObject({
      code: 12,
      stderr: expect.stringContaining('acme/site is now globex/site. Nothing was changed there.'),
    });
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('cannot be given twice in different case', async () => {
    const { env, requests } = await platform();
    const words = 'api -X PATCH repos/acme/site -f visibility=private -f Visibility=public --yes'.split(' ');
    expect(await run(words, { env })).toMatchObject({
      code: 2,
      stderr: 'forgectl: visibility appears with different capitalization; specify it once. Nothing was sent.\n',
    });
    expect(requests).toEqual([]);
  });

  it('cannot be both in the query and in the body of api', async () => {
    const { env, requests } = await platform();
    const words = 'api -X PATCH repos/acme/site?Visibility=public -f visibility=private'.split(' ');
    expect(await run(words, { env })).toMatchObject({
      code: 2,
      stderr: 'forgectl: visibility is in the query and in the body; give it once. Nothing was sent.\n',
    });
    expect(requests).toEqual([]);
  });

  it.each(['PATCH', 'POST', 'PUT'])('in a body that forgectl cannot read prompts with %s', async (method) => {
    const { env, requests } = await platform();
    const type = 'Content-Type: multipart/form-data; boundary=x';
    const stdin = '--x\r\nContent-Disposition: form-data; name="private"\r\n\r\nfalse\r\n--x--\r\n';
    const words = ['api', '-X', method, 'repos/acme/site', '-H', type, '--input', '-'];
    expect(await run(words, { env, stdin })).toMatchObject({
      code: 2,
      stderr:
        'forgectl: Nothing was sent. This may make acme/site public or widen access to it (forgectl cannot interpret the body); confirm with --yes.\n',
    });
    expect(requests).toEqual([]);
    await run([...words, '--yes'], { env, stdin });
    expect(requests.map((sent) => sent.method)).toEqual(['GET', method]);
  });

  it('by api DELETE shows the object, if it can be read', async () => {
    const path = '/repos/acme/site/hooks/5';
    const headers = { location: 'https://storage.example.com/5' };
    for (const status of [200, 302, 403, 404, 405]) {
      const { env, requests } = await scriptedPlatform({
        'GET /repos/acme/site': { body: site },
        [`GET ${path}`]: { status, headers, body: { id: 5, name: 'web\u001b[2J', active: true } },
        [`DELETE ${path}`]: { status: 204 },
      });
      const { stderr, code } = await run(['api', 'DELETE', path], { env, person: [['Type “', `${path}\r`]] });
      expect([status, code, /Name\s+web\\u001b\[2J\nID\s+5\n/i.test(stderr)]).toEqual([status, 0, status === 200]);
      // The ID of a hook also tells repositories apart.
      const compared = status === 200 ? [`GET ${path}`] : ['GET /repos/acme/site', 'GET /repos/acme/site'];
      const asked = [`GET ${path}`, ...compared, `DELETE ${path}`];
      const sent = () => requests.map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`);
      expect(sent()).toEqual(asked);
      expect((await run(['api', 'DELETE', path, '--yes'], { env })).code).toBe(0);
      expect(sent()).toEqual([...asked, `DELETE ${path}`]);
    }
  });

  it('by api in each requires --yes and --expect', async () => {
    const { env, requests } = await platform();
    const words = 'each --from - -- api -X PATCH repos/{} -f visibility=public'.split(' ');
    const { code, stderr } = await run(words, { env, stdin: 'acme/site\n' });
    expect(code).toBe(2);
    expect(stderr).toContain('This changes visibility (to public) of every target; confirm with --yes and --expect');
    expect(requests).toEqual([]);
  });

  it('prompts if the record cannot be read', async () => {
    const { env, requests } = await scriptedPlatform({ 'GET /orgs/acme': { status: 403, body: { message: 'No' } } });
    const words = ['orgs', 'update', 'acme', '--members-can-create-public-repositories'];
    const { code, stderr } = await run(words, { env });
    expect(code).toBe(2);
    expect(stderr).toContain('This changes members_can_create_public_repositories (to true) of acme');
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('is rejected for a repository of another name, even with --yes', async () => {
    const { env, requests } = await scriptedPlatform({
      'GET /repos/acme/site': { body: { ...site, full_name: 'globex/x' } },
    });
    const { code, stderr } = await run('repos update acme/site --private --yes'.split(' '), { env });
    expect(code).toBe(12);
    expect(stderr).toContain('acme/site is now globex/x. Nothing was changed there.');
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('requires --yes and --expect in each', async () => {
    const { env, requests } = await platform();
    const inner = ['--', 'repos', 'update', '{}', '--visibility', 'public'];
    const { code, stderr } = await run(['each', '--from', '-', ...inner], { env, stdin: 'acme/site\n' });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'forgectl: Nothing was sent. This changes visibility (to public) of every target; confirm with --yes and --expect N..M.\n',
    });
    expect(requests).toEqual([]);
    const confirmed = ['each', '--from', '-', '--yes', '--expect', '1', ...inner];
    expect((await run(confirmed, { env, stdin: 'acme/site\n' })).code).toBe(0);
  });

  it('is marked in plans', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nsettings: { default_repository_permission: admin }\n');
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      '~\tsettings\t\tacme\tloosens, asks\tdefault_repository_permission: "read" → "admin"\n',
    );
  });
});

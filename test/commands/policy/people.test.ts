import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';
import { onSandbox } from './support.ts';

const wanted = `organizations: [acme]
members:
  owners: [admin, Paperfox]
  members: [velvetmole, nobody, globex]
`;

describe('members remove', () => {
  it('names the policy files that still declare the person, before anything is sent, also within each', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('policy/acme.yaml', 'organizations: [acme]\nmembers: { members: [Stonewren, paperfox] }\n');
    write('policy/teams.yaml', 'organizations: [acme]\nteams:\n  - name: Platform\n    members: [stonewren]\n');
    write(
      'policy/site.yaml',
      'organizations: [acme]\nrepositories: [{ select: { names: [site] }, access: { users: { StoneWren: read } } }]\n',
    );
    const sources = ['acme.yaml:2', 'teams.yaml:4', 'site.yaml:2'].map((each) => `${folder}/policy/${each}`).join(', ');
    const still = `although the policy still declares this person (${sources})`;
    const line = 'members remove {} stonewren --policy FOLDER/policy';
    expect(await forgectl(`each orgs -- ${line}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`This removes stonewren from every target, ${still}; confirm with --yes`),
    });
    const removed = await forgectl(`${line.replace('{}', 'acme')} --yes`);
    expect(removed).toMatchObject({
      code: 0,
      stderr: `The policy still declares stonewren (${sources}); applying it may invite them again.\n`,
    });
    const other = await forgectl('members remove acme amberlynx --policy FOLDER/policy --yes');
    expect(other).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('policies with members', () => {
  it('invite and promote people, and report all unknown ones', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', wanted);
    const plan = await forgectl('policy plan FOLDER/p.yaml');
    expect(plan).toMatchObject({
      code: 9,
      stdout: `?\tmember\tglobex\tacme\t\tunresolved: “globex” is an account of type Organization
?\tmember\tnobody\tacme\t\tunresolved: no user “nobody”; the login may have changed
~\tmember\tpaperfox\tacme\tloosens\trole: "member" → "admin"
+\tmember\tvelvetmole\tacme\tloosens\trole: "member"
`,
    });
    // The token, two lists, two for each of three people who are not listed, and the organization.
    expect(plan.stderr).toContain('2 changes (1 to create, 1 to update), 2 not planned. 10 requests.\n');
    const applied = await forgectl('policy apply FOLDER/p.yaml --yes');
    expect(applied).toMatchObject({
      code: 9,
      stdout: 'acme\tok\tupdate member “paperfox”, create member “velvetmole”\t\n',
    });
    expect((await forgectl('members get acme velvetmole')).stdout).toContain('pending');
    write('p.yaml', wanted.replace(', nobody, globex', ''));
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
  });

  it('remove undeclared people only with --prune, and nobody while a login is unknown', async () => {
    const { forgectl, write } = await onSandbox();
    const members = 'stonewren, amberlynx, lunarcrab, marblecat, quietowl, tealheron';
    const policy = (others: string) => `organizations: [acme]
manage: { members: all }
members: { owners: [admin, riverotter], members: [${members}${others}] }
`;
    write('p.yaml', policy(', mosshare'));
    const kept = await forgectl('policy plan FOLDER/p.yaml');
    expect(kept).toMatchObject({
      code: 0,
      stdout: '-\tmember\tpaperfox\tacme\ttightens\tnot declared; deleted only with --prune\n',
    });
    write('p.yaml', policy(', mosshare, newfox'));
    const spared = await forgectl('policy apply FOLDER/p.yaml --prune --yes');
    expect(spared).toMatchObject({ code: 9, stdout: '' });
    expect(spared.stderr).toContain('unresolved: not declared, but perhaps the new login of “newfox”');
    write('p.yaml', policy(''));
    const pruned = await forgectl('policy apply FOLDER/p.yaml --prune --yes');
    expect(pruned).toMatchObject({
      code: 0,
      stdout: 'acme (after its repositories)\tok\tdelete member “paperfox”, delete member “mosshare”\t\n',
    });
  });

  it.each([
    [
      'an owner',
      '{ owners: [admin], members: [riverotter] }',
      '',
      'acme would keep 1 owner and needs 2 (members.min_owners).',
    ],
    [
      'an owner, with as many as declared',
      '{ owners: [admin, paperfox], members: [riverotter], min_owners: 3 }',
      '',
      'acme would keep 2 owners and needs 3 (members.min_owners).',
    ],
    [
      'the owner of the token',
      '{ owners: [paperfox, stonewren], members: [admin] }',
      '',
      'admin, the owner of the token, would no longer own acme. To allow that, add --allow-self.',
    ],
    [
      'three of ten members',
      '{ }',
      'absent: { members: [paperfox, STONEWREN, quietowl] }',
      '3 of 10 members of acme would be removed. To allow that, add --allow-deletes 3.',
    ],
  ])('do not remove %s', async (_, members, absent, message) => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', `organizations: [acme]\nmembers: ${members}\n${absent}\n`);
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    for (const source of ['p.yaml', 'plan.ndjson'])
      expect(await forgectl(`policy apply FOLDER/${source} --yes`)).toMatchObject({
        code: 12,
        stderr: expect.stringContaining(`forgectl: ${message} Nothing was written.\n`),
      });
  });

  it('demote no owner who may own the token', async () => {
    const owners = ['riverotter', 'paperfox', 'admin'].map((login, id) => ({ id, login, type: 'User' }));
    const platform = await scriptedPlatform({
      'GET /user': { status: 403, body: { message: 'Resource not accessible' } },
      'GET /orgs/acme': { body: { id: 101, login: 'acme' } },
      'GET /orgs/acme/members': ({ url }) => ({ body: url.includes('role=admin') ? owners : [] }),
      'PUT /orgs/acme/memberships/riverotter': { body: { role: 'member', user: owners[0] } },
    });
    const words = ['policy', 'apply', '-', '--yes'];
    const options = { env: platform.env, stdin: 'organizations: [acme]\nmembers: { members: [riverotter] }' };
    expect(await run(words, options)).toMatchObject({
      code: 12,
      stderr: expect.stringContaining(
        'The owner of the token may no longer own acme (GET /user returned 403). To allow that, add --allow-self.',
      ),
    });
    const installation = { ...options, env: { ...platform.env, FORGECTL_TOKEN: 'ghs_installation' } };
    expect((await run(words, installation)).stderr).toContain('changed after the plan');
    expect(platform.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('do what flags and min_owners allow', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nmembers: { owners: [riverotter], members: [admin], min_owners: 1 }\n');
    const applied = await forgectl('policy apply FOLDER/p.yaml --yes --allow-self');
    expect(applied).toMatchObject({ code: 0, stdout: 'acme (after its repositories)\tok\tupdate member “admin”\t\n' });
    expect(applied.stderr).toContain('    role: admin → member (tightens)\n    min_owners: 1\n');
  });

  it('cannot be planned without access to the members, and not managed by who sees only the public ones', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nmanage: { members: all }\nmembers: { owners: [mosshare] }\n');
    expect(await forgectl('policy plan FOLDER/p.yaml', 'outside_collaborator')).toMatchObject({
      code: 5,
      stdout: `?\tmember\t\tacme\t\tonly public members are listed (GET /orgs/acme/memberships/amberlynx returned 403: needs members (read))
?\tmember\tmosshare\tacme\t\tGET /orgs/acme/memberships/mosshare returned 403: needs members (read)
`,
    });
    const exported = await forgectl('policy export acme --dir FOLDER/exported', 'outside_collaborator');
    expect(exported.stderr).toContain('The members of acme were not exported: only public members are listed');
    const byMember = await forgectl('policy export acme --dir FOLDER/by-member', 'member');
    expect(byMember.code).toBe(9);
    expect(byMember.stderr).toMatch(
      /^Teams of acme may be missing: secret teams are not listed for \w+, who is not an owner\.$/m,
    );
  });

  it('leave a person alone who changed after the plan', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nmembers: { owners: [paperfox] }\n');
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    await forgectl('members remove acme paperfox --yes');
    expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('member “paperfox” of acme changed after the plan, so nothing was sent.'),
    });
  });

  it('are checked and explained with positions', async () => {
    const { forgectl, write } = await onSandbox();
    write('a.yaml', 'organizations: [acme]\nmembers:\n  owners: [riverotter]\n  min_owners: 2\n');
    write('b.yaml', 'organizations: [acme]\nmembers:\n  members: [Riverotter, "not a login"]\n  min_owners: 0\n');
    const { code, stdout } = await forgectl('policy validate FOLDER/a.yaml FOLDER/b.yaml');
    expect(code).toBe(2);
    const lines = stdout.split('\n').map((line) => line.replaceAll(/\S*(?=[ab]\.yaml)/g, ''));
    expect(lines.filter((line) => line.startsWith('b.yaml'))).toEqual([
      'b.yaml:3:13: member “Riverotter” is declared twice (first at a.yaml:3:12)',
      'b.yaml:3:25: members.members[1] must be a login',
      'b.yaml:4:3: members.min_owners must be at least 1',
      'b.yaml:4:3: members.min_owners is declared twice (first at a.yaml:4:3)',
    ]);
    const explained = await forgectl('policy explain acme FOLDER/a.yaml --json');
    expect(JSON.parse(explained.stdout)).toEqual([
      {
        kind: 'members',
        name: 'riverotter',
        field: 'role',
        value: 'owner',
        source: expect.stringMatching(/a\.yaml:3$/),
      },
      { kind: 'members', field: 'min_owners', value: 2, source: expect.stringMatching(/a\.yaml:4$/) },
    ]);
  });

  it('stop at a role that the platform does not keep', async () => {
    const account = { id: 7, login: 'paperfox', type: 'User' };
    const platform = await scriptedPlatform({
      'GET /user': { body: { login: 'admin' } },
      'GET /orgs/acme': { body: { id: 101, login: 'acme' } },
      'GET /orgs/acme/members': { body: [] },
      'GET /users/paperfox': { body: account },
      'PUT /orgs/acme/memberships/paperfox': { body: { role: 'member', state: 'pending', user: account } },
    });
    const stdin = 'organizations: [acme]\nmembers: { owners: [paperfox] }';
    const { code, stdout } = await run(['policy', 'apply', '-', '--yes'], { env: platform.env, stdin });
    expect(code).toBe(9);
    expect(stdout).toContain('did not keep role');
  });
});

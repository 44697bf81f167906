/** Guards of saved plans count what is there, also if somebody added changes that are not needed, or replaced names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { one, replacing, saved, withDigest } from './forging.ts';

const ofOrganization = 'organizations: [acme]\nsettings: { blog: "https://a.example" }\n';

describe('the guard of deletions', () => {
  const others = '{ name: Platform }, { name: Interns, parent: PARENT }';
  const policy = (head: string, parent: string) =>
    `organizations: [acme]\nmanage: { teams: all }\nteams: [{ ${head}, members: [lunarcrab] }, ${others.replace('PARENT', parent)}]\n`;

  it.each([
    ['as it is called', policy('name: Engineering', 'engineering')],
    ['before it is renamed', policy('name: Engineers, was: engineering', 'engineers')],
  ])('counts the members of a team %s', async (_what, text) => {
    const { forgectl } = await saved(text, one);
    const count = async () => (await forgectl('teams members acme engineering --jq .[].login')).stdout;
    const before = await count();
    expect(await forgectl('policy apply FOLDER/plan.ndjson --yes --prune')).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringMatching(
        / team members of engineer\w+ in acme would be removed\. To allow that, add --allow-deletes \d+\./,
      ),
    });
    expect(await count()).toBe(before);
  });

  it('counts no members of teams that lose nobody', async () => {
    const { forgectl, folder, apply, write } = await saved(ofOrganization, one);
    await forgectl('api POST /orgs/acme/teams -f name=Small');
    for (const login of ['riverotter', 'lunarcrab'])
      await forgectl(`api PUT /orgs/acme/teams/small/memberships/${login} -f role=member`);
    write('p.yaml', policy('name: Engineering }, { name: Small', 'engineering').replace('lunarcrab', ''));
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const [header = '', ...lines] = readFileSync(join(folder, 'plan.ndjson'), 'utf8').split('\n');
    expect(lines.filter((line) => line.includes('"name":"small/'))).toHaveLength(3);
    const nobody = ['platform', 'engineering', 'interns'].map((team, at) => ({
      ...JSON.parse(lines[0] ?? '{}'),
      ...{ name: `${team}/nobody`, team_id: at + 1, user_id: 999, sent: true },
    }));
    const forged = [header, ...nobody.map((line) => JSON.stringify(line)), ...lines].join('\n');
    for (const plan of [[header, ...lines].join('\n'), withDigest(forged)])
      expect(await apply(plan, ' --prune')).toMatchObject({
        code: 12,
        stdout: '',
        stderr: expect.stringContaining('3 of 3 team members of small in acme would be removed.'),
      });
  });
});

describe('the guard of deletions, of changes without IDs', () => {
  const undoing = { action: 'delete', sent: true };

  it('counts invitations', async () => {
    const { forgectl, applied } = await replacing(
      'organizations: [acme]\nrepositories: [{ select: { names: [site] }, settings: { homepage: H } }]\n',
    );
    const people = ['paperfox', 'lunarcrab', 'velvetmole'];
    for (const login of people) await forgectl(`api PUT /repos/acme/site/collaborators/${login} -f permission=push`);
    const pending = () => forgectl('api /repos/acme/site/invitations --jq .[].invitee.login');
    expect((await pending()).stdout).toBe('velvetmole\n');
    const lines = await Promise.all(
      people.map(async (login) => ({
        ...{ ...undoing, kind: 'grant', name: `user:${login}`, before: { role: 'write' } },
        user_id: Number((await forgectl(`api /users/${login} --jq .id`)).stdout),
      })),
    );
    expect(await applied(lines)).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringMatching(/^forgectl: 3 of \d+ grants of acme\/site would be removed\./m),
    });
    expect((await pending()).stdout).toBe('velvetmole\n');
  });

  it('counts teams under the names that the plan gives them', async () => {
    const { forgectl, applied, idOf } = await replacing(ofOrganization);
    const names = ['Interns', 'Platform', 'Engineering'];
    const renames = await Promise.all(
      names.map(async (name) => ({
        ...{ action: 'update', kind: 'team', name: `${name} X`, id: await idOf(name.toLowerCase()) },
        ...{ before: { name }, body: { name: `${name} X` } },
      })),
    );
    const deletions = (end: string) =>
      names.map((name) => ({ ...undoing, kind: 'team', name: `${name} X${end}`, before: { name: `${name} X` } }));
    expect(await applied([...renames, ...deletions('')])).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining('3 of 3 teams of acme would be removed.'),
    });
    expect(await applied([...renames, ...deletions(' (undefined)')])).toMatchObject({ code: 2, stdout: '' });
    expect((await forgectl('teams list acme --jq .[].slug')).stdout).toBe('platform\nengineering\ninterns\n');
  });

  it('counts nobody in a team that the plan renames to the name that it has', async () => {
    const { forgectl, applied, idOf } = await replacing(ofOrganization);
    await forgectl('api POST /orgs/acme/teams -f name=Small');
    const people = ['riverotter', 'lunarcrab', 'mosshare'];
    for (const login of people) await forgectl(`api PUT /orgs/acme/teams/small/memberships/${login} -f role=member`);
    const member = async (team: string, login: string) => ({
      ...{ ...undoing, kind: 'team_member', name: `${team}/${login}`, before: { role: 'member' } },
      team_id: await idOf(team),
      user_id: Number((await forgectl(`api /users/${login} --jq .id`)).stdout),
    });
    const teams = ['platform', 'engineering', 'interns'];
    const renames = await Promise.all(
      ['Platform', 'Engineering', 'Interns'].map(async (name) => ({
        ...{
          action: 'update',
          kind: 'team',
          name,
          id: await idOf(name.toLowerCase()),
          before: { name: 'Former' },
          body: { name },
          sent: true,
        },
      })),
    );
    const nobody = await Promise.all(teams.map((team) => member(team, 'velvetmole')));
    const removed = await Promise.all(people.map((login) => member('small', login)));
    const refused = {
      code: 12,
      stdout: '',
      stderr: expect.stringMatching(/3 of 4 team members of small in acme would be removed\./),
    };
    expect(await applied(removed)).toMatchObject(refused);
    expect(await applied([...renames, ...nobody, ...removed])).toMatchObject(refused);
  });
});

describe('the guard of deletions, beside others that are never made', () => {
  it('counts what there is, whatever the file lists as undeclared', async () => {
    const { forgectl, applied, idOf } = await replacing(ofOrganization);
    await forgectl('api POST /orgs/acme/teams -f name=Small');
    const people = ['riverotter', 'lunarcrab', 'mosshare'];
    for (const login of people) await forgectl(`api PUT /orgs/acme/teams/small/memberships/${login} -f role=member`);
    const small = await idOf('small');
    const idOfUser = async (login: string) => Number((await forgectl(`api /users/${login} --jq .id`)).stdout);
    const removal = async (login: string) => ({
      ...{ action: 'delete', kind: 'team_member', name: `small/${login}`, before: { role: 'member' } },
      ...{ team_id: small, user_id: await idOfUser(login) },
    });
    const removed = await Promise.all(people.map(removal));
    const ghosts = Array.from({ length: 20 }, (_, at) => ({
      ...{ action: 'delete', kind: 'team_member', name: `small/ghost${at}`, before: { role: 'member' } },
      ...{ team_id: small, user_id: 9000 + at, undeclared: true },
    }));
    const rename = { action: 'update', kind: 'team', name: 'Small', id: small, sent: true };
    const named = { ...rename, before: { name: 'Former' }, body: { name: 'Small' } };
    const refused = { code: 12, stdout: '', stderr: expect.stringContaining('team members of small in acme would be') };
    expect(await applied([named, ...removed, ...ghosts])).toMatchObject(refused);
    expect(await applied([...removed, ...ghosts.map((ghost) => ({ ...ghost, team_id: 1 }))])).toMatchObject(refused);

    const id = await idOfUser('paperfox');
    const members = await Promise.all(
      ['lunarcrab', 'mosshare', 'stonewren'].map(async (name) => {
        const own = await idOfUser(name);
        return { action: 'delete', kind: 'member', name, id: own, user_id: own, before: { role: 'member' } };
      }),
    );
    const others = Array.from({ length: 40 }, (_, at) => ({
      ...{ action: 'delete', kind: 'member', name: `ghost${at}`, id, user_id: 9000 + at },
      ...{ undeclared: true, before: { role: 'member' } },
    }));
    expect(await applied([...members, ...others])).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringMatching(/3 of 1\d members of acme would be removed\./),
    });
  });
});

describe('a deletion of a team', () => {
  it.each([
    ['that it had', (forgectl: (words: string) => Promise<unknown>) => forgectl('teams list acme')],
    [
      'that moved below it after the plan',
      (forgectl: (words: string) => Promise<unknown>) =>
        forgectl('api PATCH /orgs/acme/teams/platform -F parent_team_id=2 --yes'),
    ],
  ])('deletes no unplanned child team %s', async (_what, meanwhile) => {
    const { forgectl, applied, idOf } = await replacing(ofOrganization);
    const team = { action: 'delete', kind: 'team', name: 'Engineering', id: await idOf('engineering') };
    const before = {
      ...{ name: 'Engineering', description: 'Everybody who writes code', privacy: 'closed' },
      ...{ parent: null, notifications: true },
    };
    await meanwhile(forgectl);
    expect(await applied({ ...team, before })).toMatchObject({
      code: 9,
      stdout: expect.stringMatching(
        /Deleting team “Engineering” of acme would also delete its child teams? .*“Interns”, so it was not deleted\./,
      ),
    });
    expect((await forgectl('teams list acme --jq .[].slug')).stdout).toBe('platform\nengineering\ninterns\n');
  });
});

it('the deletion of a team that has got a child team since leaves both, and says what was done before', async () => {
  const { forgectl } = await saved('organizations: [acme]\nabsent: { teams: [Engineering] }\n', one);
  await forgectl('api POST /orgs/acme/teams -f name=Late -F parent_team_id=2');
  expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({
    code: 9,
    stdout:
      'acme (after its repositories)\tfailed\tdelete team “Interns”\tDeleting team “Engineering” of acme would also delete its child team “Late”, so it was not deleted. Plan again.\n',
    stderr: expect.stringContaining('0 done, 1 failed (1 change) in '),
  });
  expect((await forgectl('teams list acme --jq .[].slug')).stdout).toBe('platform\nengineering\nlate\n');
});

describe('the guard of removals from a team', () => {
  it('counts those of the team with its ID, whatever the plan calls it', async () => {
    const { forgectl, applied, idOf } = await replacing(ofOrganization);
    await forgectl('api POST /orgs/acme/teams -f name=Small');
    const people = ['riverotter', 'lunarcrab', 'mosshare'];
    for (const login of people) await forgectl(`api PUT /orgs/acme/teams/small/memberships/${login} -f role=member`);
    const [small, platform] = [await idOf('small'), await idOf('platform')];
    const renames = [
      { id: platform, name: 'Former', before: { name: 'Platform' }, body: { name: 'Former' } },
      { id: small, name: 'Platform', before: { name: 'Small' }, body: { name: 'Platform' } },
    ].map((change) => ({ ...change, action: 'update', kind: 'team' }));
    const removed = await Promise.all(
      people.map(async (login) => ({
        ...{ action: 'delete', kind: 'team_member', name: `platform/${login}`, before: { role: 'member' } },
        ...{ team_id: small, user_id: Number((await forgectl(`api /users/${login} --jq .id`)).stdout) },
      })),
    );
    expect(await applied([...renames, ...removed])).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining('3 of 4 team members of platform in acme would be removed.'),
    });
    const anonymous = removed.map(({ team_id: _, ...change }) => ({ ...change, sent: true }));
    expect(await applied([...renames, ...anonymous])).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining('3 of 3 team members of platform in acme would be removed.'),
    });
  });
});

describe('the guard of owners', () => {
  it('takes the largest number of owners that must remain', async () => {
    const { forgectl, applied } = await replacing(ofOrganization);
    const person = async (name: string, least: number) => {
      const id = Number((await forgectl(`api /users/${name} --jq .id`)).stdout);
      const common = { action: 'update', kind: 'member', name, id, user_id: id, least };
      return { ...common, before: { role: 'admin' }, body: { role: 'member' } };
    };
    expect(await applied([await person('admin', 1), await person('riverotter', 5)], ' --allow-self')).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining('acme would keep 0 owners and needs 5 (members.min_owners).'),
    });
  });

  it('counts nobody who is only invited', async () => {
    const { forgectl, applied } = await replacing(ofOrganization);
    const person = async (name: string, from: string, to: string) => {
      const id = Number((await forgectl(`api /users/${name} --jq .id`)).stdout);
      return { action: 'update', kind: 'member', name, id, user_id: id, before: { role: from }, body: { role: to } };
    };
    await forgectl('api PUT /orgs/acme/memberships/velvetmole -f role=admin');
    const promoted = { ...(await person('velvetmole', 'member', 'admin')), sent: true };
    expect(await applied([promoted, await person('riverotter', 'admin', 'member')], '')).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining('acme would keep 1 owner and needs 2 (members.min_owners).'),
    });
  });

  it('counts nobody who is promoted and removed', async () => {
    const { forgectl, text, apply } = await saved(ofOrganization, one);
    const idOf = async (login: string) => Number((await forgectl(`api /users/${login} --jq .id`)).stdout);
    const {
      changes: _,
      body: __,
      before: ___,
      kind: ____,
      action: _____,
      ...common
    } = JSON.parse(text.split('\n')[1] ?? '{}');
    const person = async (name: string, change: object) => {
      const id = await idOf(name);
      return JSON.stringify({ ...common, kind: 'member', name, id, user_id: id, changes: [], ...change });
    };
    const roles = (from: string, to: string) => ({ action: 'update', before: { role: from }, body: { role: to } });
    const lines = [
      await person('stonewren', roles('member', 'admin')),
      await person('stonewren', { action: 'delete', before: { role: 'admin' } }),
      await person('riverotter', roles('admin', 'member')),
    ];
    const [header, , ...rest] = text.split('\n');
    expect(await apply(withDigest([header, ...lines, ...rest].join('\n')))).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining('acme would keep 1 owner and needs 2 (members.min_owners).'),
    });
  });
});

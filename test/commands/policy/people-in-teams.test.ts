import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';
import { onSandbox } from './support.ts';

describe('policies with teams', () => {
  it('create, rename and nest teams, with their members, after which the plan is empty', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      `organizations: [acme]
teams:
  - { name: Platform, parent: Core, notifications: false, members: [stonewren] }
  - { name: Core, description: All of us, maintainers: [paperfox], members: [riverotter, velvetmole] }
  - { name: Engineers, was: [Builders, Engineering], parent: Platform }
`,
    );
    const plan = await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    expect(plan.stdout).toBe(`+\tteam\tCore\tacme\tneutral\t
~\tteam\tEngineers\tacme\t\tname: "Engineering" → "Engineers"; parent: null → "platform"
~\tteam\tPlatform\tacme\t\tnotifications: true → false; parent: null → "core"
-\tteam_member\tcore/admin\tacme\ttightens\t
+\tteam_member\tcore/paperfox\tacme\tloosens\trole: "maintainer"
+\tteam_member\tcore/riverotter\tacme\tloosens\trole: "maintainer"
+\tteam_member\tcore/velvetmole\tacme\tloosens\trole: "member"
+\tteam_member\tplatform/stonewren\tacme\tloosens\trole: "member"
`);
    expect(plan.stderr).not.toContain('undo');
    // The token, the teams, the two that change, the members of Platform, the owners, the members, two for velvetmole, and the
    // organization.
    expect(plan.stderr).toContain('8 changes (5 to create, 2 to update, 1 to delete or reset). 10 requests.\n');
    const preview = await forgectl('policy apply FOLDER/plan.ndjson --dry-run --json');
    expect(
      JSON.parse(preview.stdout)
        .slice(0, 3)
        .map(({ method, url, body }: Record<string, string>) => [method, url?.replace(/^.*\/v3/, ''), body]),
    ).toEqual([
      ['POST', '/orgs/acme/teams', { name: 'Core', description: 'All of us', privacy: 'closed' }],
      [
        'PATCH',
        '/orgs/acme/teams/platform',
        { notification_setting: 'notifications_disabled', parent_team_slug: 'core' },
      ],
      ['PATCH', '/orgs/acme/teams/engineering', { name: 'Engineers', parent_team_slug: 'platform' }],
    ]);
    const applied = await forgectl('policy apply FOLDER/plan.ndjson --yes --undo-out FOLDER/undo.ndjson');
    expect(applied).toMatchObject({
      code: 0,
      stdout: `acme\tok\tcreate team “Core”, update team “Platform”, update team “Engineers”, create team_member “core/paperfox”, create team_member “core/riverotter”, create team_member “core/velvetmole”, create team_member “platform/stonewren”\t
acme (after its repositories)\tok\tdelete team_member “core/admin”\t
`,
    });
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
    expect(await forgectl('policy apply FOLDER/undo.ndjson --yes')).toMatchObject({ code: 0 });
    expect((await forgectl('teams list acme --fields slug,parent.slug')).stdout).toBe(
      'platform\t\nengineering\t\ninterns\tengineering\n',
    );
  });

  it('delete child teams before their parent, and not a team whose child is declared', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nteams: [{ name: Interns }]\nabsent: { teams: [Engineering] }\n');
    expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({
      code: 9,
      stdout:
        '?\tteam\tEngineering\tacme\t\tunresolved: cannot be deleted: its child team “Interns” would be deleted, too\n',
    });
    write('p.yaml', 'organizations: [acme]\nabsent: { teams: [Engineering, Platform] }\n');
    const guarded = await forgectl('policy apply FOLDER/p.yaml --yes');
    expect(guarded).toMatchObject({ code: 12 });
    expect(guarded.stderr).toContain('\nAn undo does not restore the members and access of deleted teams.\n');
    expect(guarded.stderr).toContain('3 of 3 teams of acme would be removed. To allow that, add --allow-deletes 3.');
    expect(await forgectl('policy apply FOLDER/p.yaml --yes --allow-deletes 3')).toMatchObject({
      code: 0,
      stdout:
        'acme (after its repositories)\tok\tdelete team “Interns”, delete team “Platform”, delete team “Engineering”\t\n',
    });
  });

  it('change the fields that a team has, and do not plan others', async () => {
    const team = { id: 3, name: 'Interns', slug: 'interns', description: null, parent: null };
    const { env } = await scriptedPlatform({
      'GET /user': { body: { login: 'admin' } },
      'GET /orgs/acme': { body: { id: 101, login: 'acme' } },
      'GET /orgs/acme/teams': { body: [team] },
      'GET /orgs/acme/teams/interns': { body: team },
      'PATCH /orgs/acme/teams/interns': { body: { ...team, description: 'New here' } },
    });
    const { write, folder } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nteams: [{ name: Interns, description: New here, privacy: closed, notifications: true }]\n',
    );
    const onOlder = async (words: string) =>
      run([...words.split(' '), join(folder, 'p.yaml')], { env: { ...env, XDG_STATE_HOME: join(folder, 'state') } });
    expect(await onOlder('policy apply --yes')).toMatchObject({
      code: 9,
      stdout: 'acme\tok\tupdate team “Interns”\t\n',
    });
    expect(await onOlder('policy plan')).toMatchObject({
      code: 9,
      stdout: expect.stringContaining(
        '?\tteam\tInterns\tacme\t\tunresolved: the team has no “privacy” and “notifications”\n',
      ),
    });
  });

  it('make a team secret once its child teams are gone', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nteams: [{ name: Engineering, privacy: secret }]\nabsent: { teams: [Interns] }\n',
    );
    expect(await forgectl('policy apply FOLDER/p.yaml --yes')).toMatchObject({
      code: 0,
      stdout: 'acme (after its repositories)\tok\tdelete team “Interns”, update team “Engineering”\t\n',
    });
    write('p.yaml', 'organizations: [acme]\nteams: [{ name: Platform, parent: Engineering }]\n');
    expect((await forgectl('policy plan FOLDER/p.yaml')).stderr).toContain(
      'p.yaml:2:27: team “Engineering” is secret; only closed teams can be parents or have one: set privacy: closed',
    );
  });

  it('remove undeclared members only with --prune, and nobody while a login is unknown', async () => {
    const { forgectl, write } = await onSandbox();
    const policy = (members: string) =>
      `organizations: [acme]\nmanage: { teams: all }\nteams: [{ name: Platform, members: [${members}] }, { name: Engineering }, { name: Interns }]\n`;
    write('p.yaml', policy('mosshare, paperfux'));
    const unknown = await forgectl('policy plan FOLDER/p.yaml');
    expect(unknown.code).toBe(9);
    expect(unknown.stdout).toContain('?\tteam_member\tplatform/paperfux\tacme\t\tunresolved: no user “paperfux”');
    expect(unknown.stdout).toContain(
      '?\tteam_member\tplatform/riverotter\tacme\t\tunresolved: not declared, but perhaps',
    );
    write('p.yaml', policy('mosshare'));
    expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({ code: 0 });
    const guarded = await forgectl('policy apply FOLDER/p.yaml --prune --yes');
    expect(guarded.code).toBe(12);
    expect(guarded.stderr).toMatch(
      /(\d) of \d team members of \w+ in acme would be removed\. To allow that, add --allow-deletes \1\./,
    );
    expect(await forgectl('policy apply FOLDER/p.yaml --prune --yes --allow-deletes 9')).toMatchObject({ code: 0 });
    expect((await forgectl('teams members acme platform --fields login')).stdout).toBe('mosshare\n');
    await forgectl('api PATCH /orgs/acme/teams/platform -f name=Foundation');
    expect((await forgectl('policy plan FOLDER/p.yaml')).stderr).toContain(
      'acme lacks declared teams (Platform) and has undeclared ones (Foundation). For a renamed team, declare its new name, or rename it back with “was”.\n',
    );
  });

  it('leave teams of an identity provider alone, and say so', async () => {
    const { forgectl, write } = await onSandbox();
    await forgectl('api POST /orgs/acme/teams -f name=Staff -f ldap_dn=cn=staff -f privacy=closed');
    const policy = 'organizations: [acme]\nmanage: { teams: all }\nteams:\n';
    const others = '  - { name: Platform }\n  - { name: Engineering }\n  - { name: Interns }\n';
    write('p.yaml', `${policy}${others}  - { name: Staff, description: Everybody, members: [paperfox] }\n`);
    expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining(
        'The team Staff of acme is managed by an identity provider (ldap_dn), and not planned.',
      ),
    });
    write('p.yaml', policy + others);
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
  });

  it('are checked with positions', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'a.yaml',
      `organizations: [acme]
teams:
  - { name: Alpha, parent: Gamma, members: [paperfox, tealheron, TealHeron], maintainers: [PaperFox] }
  - { name: Beta, parent: alpha, privacy: secret }
  - { name: "…" }
`,
    );
    write('b.yaml', 'organizations: [acme]\nteams:\n  - { name: ALPHA }\n  - { name: Gamma, parent: Beta }\n');
    const { code, stdout } = await forgectl('policy validate FOLDER/a.yaml FOLDER/b.yaml');
    expect(code).toBe(2);
    const lines = stdout.split('\n').map((line) => line.replaceAll(/\S*(?=[ab]\.yaml)/g, ''));
    expect(lines.filter((line) => /^[ab]\.yaml/.test(line))).toEqual([
      'a.yaml:3:20: team “Alpha” is its own ancestor through gamma, beta',
      'a.yaml:3:45: teams[0].members[0] is one of the maintainers, too',
      'a.yaml:3:66: teams[0].members[2] is listed twice',
      'a.yaml:4:19: team “Beta” is its own ancestor through alpha, gamma',
      'a.yaml:4:34: teams[1].privacy must be closed for a team with a parent',
      'a.yaml:5:7: teams[2].name must contain a letter or a digit',
      'b.yaml:3:5: team “alpha” is declared twice (first at a.yaml:3:5)',
      'b.yaml:4:20: team “Gamma” is its own ancestor through beta, alpha',
    ]);
    write('p.yaml', 'organizations: [acme]\nteams: [{ name: Web, parent: Nosuch }, { name: Ops, parent: Neither }]\n');
    const planned = await forgectl('policy plan FOLDER/p.yaml');
    expect(planned.code).toBe(2);
    expect(planned.stderr).toMatch(
      /p\.yaml:2:22: no team “Nosuch” in acme, the parent of “Web”\n.*p\.yaml:2:53: no team “Neither”/,
    );
  });

  it('do not keep a person whom the policy removes from the organization', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nteams: [{ name: Platform, members: [Mosshare] }]\nabsent: { members: [mosshare], property_schema: [tier] }\n',
    );
    const { code, stdout, stderr } = await forgectl('policy plan FOLDER/p.yaml');
    expect(stdout).toBe(`-\tmember\tmosshare\tacme\ttightens\t
?\tteam_member\tplatform/Mosshare\tacme\t\tunresolved: is removed from acme (absent.members)
-\tproperty\ttier\tacme\tloosens\t
`);
    expect(stderr).toContain(
      'An undo does not restore the teams and access of removed members, or the values of deleted properties.\n',
    );
    expect(code).toBe(9);
  });

  it('are checked with the teams that no file declares', async () => {
    const { forgectl, write } = await onSandbox();
    const problemsOf = async (teams: string) => {
      write('p.yaml', `organizations: [acme]\n${teams}\n`);
      const { code, stderr } = await forgectl('policy plan FOLDER/p.yaml');
      expect(code).toBe(2);
      return stderr.split('\n').flatMap((line) => /p\.yaml:(.*)$/.exec(line)?.[1] ?? []);
    };
    expect(
      await problemsOf('teams: [{ name: Platform, parent: Interns }, { name: Engineering, parent: Platform }]'),
    ).toEqual([
      '2:27: team “Platform” is its own ancestor through interns, engineering',
      '2:67: team “Engineering” is its own ancestor through platform, interns',
    ]);
    expect(await problemsOf('teams: [{ name: Builders, was: Engineering, privacy: secret }]')).toEqual([
      '2:45: team “Builders” cannot be secret: “Interns” is its child team',
    ]);
    expect(await problemsOf('teams: [{ name: Interns, privacy: secret }]')).toEqual([
      '2:26: team “Interns” cannot be secret: its parent is “Engineering”',
    ]);
    expect(
      await problemsOf('teams: [{ name: Interns, parent: Engineering }, { name: Builders, was: Engineering }]'),
    ).toEqual(['2:26: no team “Engineering”, which is renamed to “Builders”, the parent of “Interns”']);
    expect(await problemsOf('teams: [{ name: PLATFORM, was: Platform }]')).toEqual([
      '2:9: team “platform” cannot be renamed to its own name',
    ]);
  });

  it('cannot be planned without access, and not managed by who sees no secret teams', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nmanage: { teams: all }\nteams: [{ name: Platform, members: [mosshare] }]\n',
    );
    const stranger = await forgectl('policy plan FOLDER/p.yaml', 'outside_collaborator');
    expect(stranger).toMatchObject({ code: 5 });
    expect(stranger.stdout).toContain('?\tteam\tPlatform\tacme\t\tGET /orgs/acme/teams returned 40');
    const member = await forgectl('policy plan FOLDER/p.yaml', 'member');
    expect(member).toMatchObject({ code: 5 });
    expect(member.stdout).toContain('?\tteam\t\tacme\t\tsecret teams are not listed for');
  });
});

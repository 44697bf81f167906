import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onSandbox } from './support.ts';

it('policies give access to teams and people, name unknown ones at once, and guard removals', async () => {
  const { forgectl, folder, write } = await onSandbox({ orgs: 1, repos: 1 });
  write(
    'p.yaml',
    `organizations: [acme]
repositories:
  - select: { names: [site, gone] }
    access: { teams: { ghosts: read }, users: { nobody: write, velvetmole: push } }
`,
  );
  const plan = await forgectl('policy plan FOLDER/p.yaml');
  expect(plan.stdout).toBe(`?\tgrant\tteam:ghosts\tacme/site\t\tunresolved: no team “ghosts” in acme
?\tgrant\tuser:nobody\tacme/site\t\tunresolved: no user “nobody”; the login may have changed
~\tgrant\tuser:velvetmole\tacme/site\tloosens\trole: "triage" → "write"
`);
  expect(plan.stderr).toContain(`${folder}/p.yaml:3:29: gone matches no repository of acme.\n`);
  expect(plan.code).toBe(9);

  const give = (users: string, more = '') =>
    write(
      'p.yaml',
      `organizations: [acme]\nrepositories: [{ select: { names: [site] }, access: { users: { ${users} } }${more} }]\n`,
    );
  give('velvetmole: push, paperfox: admin, lunarcrab: admin, stonewren: admin');
  expect(await forgectl('policy apply FOLDER/p.yaml --yes')).toMatchObject({
    code: 0,
    stdout:
      'acme/site\tok\tcreate grant “user:lunarcrab”, create grant “user:paperfox”, create grant “user:stonewren”, update grant “user:velvetmole”\t\n',
  });
  expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
  expect((await forgectl('policy explain acme/site FOLDER/p.yaml --jq .[0]')).stdout).toBe(
    `{"kind":"access","name":"user:velvetmole","field":"role","value":"write","source":"${folder}/p.yaml:2"}\n`,
  );
  await forgectl('policy export acme --repositories --dir FOLDER/live');
  expect(readFileSync(join(folder, 'live/acme/repositories/site.yaml'), 'utf8')).toContain(`
      users:
        copperbee: write
        lunarcrab: admin
        paperfox: admin
        stonewren: admin
`);
  give('stonewren: admin', ', manage: { access: all }');
  const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes --prune');
  expect(code).toBe(12);
  expect(stderr).toMatch(/\d of \d grants of acme\/site would be removed\. To allow that, add --allow-deletes \d\./);
});

it('an undo takes back the access of a team that it renames', async () => {
  const { forgectl, write } = await onSandbox({ orgs: 1, repos: 2 });
  write(
    'p.yaml',
    'organizations: [acme]\nteams: [{ name: Builders, was: Platform }]\nrepositories: [{ select: { names: [fresh] }, access: { teams: { builders: maintain } } }]\n',
  );
  await forgectl('api POST /orgs/acme/repos -f name=fresh');
  const teams = async () => (await forgectl('api /repos/acme/fresh/teams --jq .[].slug')).stdout;
  const before = await teams();
  expect(await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson')).toMatchObject({ code: 0 });
  expect(await teams()).toContain('builders');
  expect(await forgectl('policy apply FOLDER/undo.ndjson --yes')).toMatchObject({ code: 0 });
  expect(await teams()).toBe(before);
});

/** Policies that create repositories, from the command line to the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onSandbox } from './support.ts';

const policy = (entries: string) => `organizations: [acme]\nrepositories:\n${entries}`;

it('entries that differ, and all repositories that cannot be planned, are counted once', async () => {
  const { forgectl, write, folder } = await onSandbox();
  const differing = '  - create: { name: a, visibility: private }\n  - create: { name: A, visibility: public }\n';
  write('p.yaml', policy(differing));
  const at = (line: number, column: number) => `${folder}/p.yaml:${line}:${column}`;
  expect((await forgectl('policy plan FOLDER/p.yaml')).stderr).toContain(
    `${at(4, 15)}: name of acme/a differs from ${at(3, 15)}, which selects it too
${at(4, 24)}: visibility of acme/a differs from ${at(3, 24)}, which selects it too
`,
  );
  const templates = '  - create: { name: a, template: acme/nosuch }\n  - create: { name: b, template: acme/site }\n';
  write('p.yaml', policy(templates));
  expect(await forgectl('policy plan FOLDER/p.yaml')).toMatchObject({
    code: 9,
    stderr: expect.stringContaining('\nforgectl: 2 objects could not be planned.\n'),
  });
});

it('a repository is planned with all that it will have, and created once', async () => {
  const { forgectl, write, folder } = await onSandbox();
  await forgectl('repos create acme/template --visibility private --is-template');
  write(
    'p.yaml',
    policy(`  - create: { name: new-service, visibility: internal, template: acme/template }
    settings: { has_wiki: false }
    rulesets: [{ name: Guard, enforcement: active, rules: [{ type: deletion }] }]
  - create: { name: landing, visibility: public }
`),
  );
  const plan = await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson --exit-code');
  expect(plan.stdout).toBe(
    `+\trepository\t\tacme/landing\tloosens\tname: "landing"; visibility: "public"
+\trepository\t\tacme/new-service\tneutral\tname: "new-service"; visibility: "private"; template: "acme/template"
~\trepository\t\tacme/new-service\tneutral\tvisibility: "private" → "internal"
~\tsettings\t\tacme/new-service\tneutral\thas_wiki: false
+\truleset\tGuard\tacme/new-service\ttightens\t
`,
  );
  expect(plan.stderr).toContain('acme: 2 of 7 repositories selected.\n5 changes (3 to create, 2 to update).');
  expect(plan.code).toBe(11);
  const shown = await forgectl('policy show FOLDER/plan.ndjson --markdown');
  expect(shown.stdout).toContain('+ repository · acme/landing (loosens)\n    name: landing\n    visibility: public\n');

  const refused = await forgectl('policy apply FOLDER/plan.ndjson --yes');
  expect(refused.stderr).toContain(
    'visibility of 1 repository would change. To allow that, use --allow visibility. Nothing was written.\n',
  );
  expect(refused.code).toBe(12);

  const words = 'policy apply FOLDER/plan.ndjson --yes --allow visibility';
  const applied = await forgectl(`${words} --undo-out FOLDER/undo.ndjson --journal FOLDER/run.ndjson --quiet`);
  expect(applied).toMatchObject({ code: 0, stdout: 'acme/landing\nacme/new-service\n' });
  expect(readFileSync(join(folder, 'run.ndjson'), 'utf8')).toContain(
    '{"target":"acme/new-service","sending":"create repository","at":',
  );
  expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
  expect((await forgectl('policy show FOLDER/undo.ndjson')).stdout).toBe(
    '?\trepository\t\t2 of acme\t\tunresolved: is not deleted by an undo; to delete it, use “forgectl repos delete”\n',
  );
  const again = await forgectl(words);
  expect(again.stderr).toContain('repository of acme/landing changed after the plan, so nothing was sent. Plan again.');
  expect(again.code).toBe(9);
});

it('a repository takes the name of a renamed one, which the plan says, and the renamed one stays as it is', async () => {
  const { forgectl, write } = await onSandbox();
  await forgectl('repos create acme/old-name --visibility private');
  await forgectl('repos update acme/old-name --name later');
  write('p.yaml', policy('  - { create: { name: old-name, visibility: private }, settings: { has_wiki: false } }\n'));
  const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes');
  expect(stderr).toContain(
    'acme/old-name is a former name of acme/later. Creating a repository with this name ends its redirect.\n',
  );
  expect(code).toBe(0);
  const wikis = await forgectl('repos list acme --json');
  const named = (JSON.parse(wikis.stdout) as { name: string; has_wiki: boolean }[]).filter(({ name }) =>
    /old|later/.test(name),
  );
  expect(named.map(({ name, has_wiki }) => [name, has_wiki]).sort()).toEqual([
    ['later', true],
    ['old-name', false],
  ]);
});

it('a selector that reads more of a repository than a policy declares is left to the next plan', async () => {
  const { forgectl, write } = await onSandbox();
  write(
    'p.yaml',
    policy(
      '  - create: { name: new-service, visibility: private }\n  - { select: { names: [new-*], where: .size < 9 }, settings: { has_wiki: false } }\n',
    ),
  );
  const { stderr } = await forgectl('policy apply FOLDER/p.yaml --yes');
  expect(stderr).toMatch(
    /p\.yaml:4:\d+: whether where selects acme\/new-service is known once it exists\. Plan again after the apply\.\n/,
  );
  expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toContain('~\tsettings\t\tacme/new-service\t');
});

it('explain lists what a policy declares for a repository that does not exist, offline if names decide', async () => {
  const { forgectl, write, folder } = await onSandbox();
  write(
    'p.yaml',
    policy(
      '  - create: { name: new-service, visibility: private }\n  - { select: { names: ["*"] }, settings: { has_wiki: false } }\n',
    ),
  );
  const { stdout } = await forgectl('policy explain acme/new-service FOLDER/p.yaml -o tsv', 'none');
  expect(stdout.replaceAll(join(folder, 'p.yaml'), 'F')).toBe(
    'settings\t\tvisibility\tprivate\tF:3\t\ncreate\t\tname\tnew-service\tF:3\t\ncreate\t\tvisibility\tprivate\tF:3\t\nsettings\t\thas_wiki\tfalse\tF:4\t\n',
  );
  write(
    'q.yaml',
    policy(`  - create: { name: new-service, visibility: private }
  - { select: { visibility: [private] }, settings: { has_wiki: false } }
  - { select: { visibility: [public] }, settings: { has_issues: false } }
  - { select: { where: .size < 9 }, settings: { has_projects: false } }
`),
  );
  const read = await forgectl('policy explain acme/new-service FOLDER/q.yaml --jq map(.field)');
  expect(JSON.parse(read.stdout)).toEqual(['visibility', 'name', 'visibility', 'has_wiki']);
  expect(read.stderr).toContain(
    'acme/new-service does not exist yet. Entries whose where may select it are not listed.\n',
  );
});

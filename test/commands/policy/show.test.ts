/** What policy show says of saved plans, undo plans and journals, without the platform. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RunOptions, run } from '../../support/run.ts';
import { onSandbox } from './support.ts';

const policy = `organizations: [acme]
settings: { default_repository_permission: write }
rulesets: [{ name: Guard, target: branch, enforcement: active, bypass_actors: ["team:platform"], conditions: { ref_name: { include: [~ALL], exclude: [] }, repository_name: { include: [~ALL], exclude: [] } }, rules: [{ type: deletion }] }]
absent: { rulesets: [No binaries] }
repositories: [{ select: { names: [site] }, settings: { has_wiki: false } }]
`;

/** A saved plan of this policy, its undo plan and its journal, and forgectl without a token. */
async function saved() {
  const { forgectl, write, folder } = await onSandbox();
  write('p.yaml', policy);
  const planned = await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson', 'owner');
  const show = (words: string, options: RunOptions = {}) =>
    run(['policy', 'show', ...words.replaceAll('FOLDER', folder).split(' ')], options);
  const text = readFileSync(join(folder, 'plan.ndjson'), 'utf8');
  return { forgectl, write, folder, show, planned, text };
}

describe('policy show', () => {
  it('writes the plan as a report, as policy plan does, with what loosens or deletes first', async () => {
    const { show, forgectl, folder } = await saved();
    expect((await show('FOLDER/plan.ndjson --html FOLDER/show.html')).stderr).toContain(
      `Wrote the report to ${folder}/show.html.\n`,
    );
    expect((await forgectl('policy plan FOLDER/p.yaml --html FOLDER/plan.html', 'owner')).code).toBe(0);
    const [shown, planned] = ['show', 'plan'].map((name) => readFileSync(join(folder, `${name}.html`), 'utf8'));
    for (const text of [shown, planned]) {
      expect(text).toContain('<title>Policy plan: acme</title>');
      expect(text).toContain('<dt>Loosen protection</dt><dd><b>2</b></dd>');
      expect(
        [...(text ?? '').matchAll(/<h[23]>(?:<span class="sign">(.)<\/span><bdi>)?([^<]+?) ?</g)].map(
          ([, ...parts]) => parts,
        ),
      ).toEqual([
        [undefined, 'Loosens protection, deletes or resets'],
        ['~', 'settings · acme'],
        ['-', 'ruleset No binaries · acme'],
        [undefined, 'Other changes'],
        ['+', 'ruleset Guard · acme'],
        ['~', 'settings · acme/site'],
      ]);
      expect(text).toContain(
        '<p class="bad d2"><span class="sign"></span><bdi>default_repository_permission: read → write</bdi> <em>loosens</em></p>',
      );
    }
    const part = await show('FOLDER/plan.ndjson --deletes --html FOLDER/show.html --force');
    expect(part.code).toBe(0);
    expect(readFileSync(join(folder, 'show.html'), 'utf8')).toContain('<title>Part of a policy plan: acme</title>');
  });

  it('has rows of their own for objects of one name that differ, and the role of all access', async () => {
    const { forgectl, write, show } = await saved();
    const part = (select: string, role: string, color: string) =>
      `  - { select: { names: ${select} }, access: { users: { mosshare: ${role} } }, labels: [{ name: b, color: "${color}" }] }`;
    write(
      'q.yaml',
      `organizations: [acme]\nrepositories:\n${part('[site]', 'admin', 'ff0000')}\n${part('["*", "!site"]', 'read', '00ff00')}\n`,
    );
    await forgectl('policy plan FOLDER/q.yaml --out FOLDER/q.ndjson');
    const { stdout } = await show('FOLDER/q.ndjson');
    const rowsOf = (kind: string, name: string) =>
      stdout.split('\n').flatMap((row) => (row.includes(`\t${kind}\t${name}\t`) ? [row.split('\t').slice(3)] : []));
    expect(rowsOf('label', 'b')).toEqual([
      ['3 of acme', 'neutral', 'color: "00ff00"; name: "b"'],
      ['acme/site', 'neutral', 'color: "ff0000"; name: "b"'],
    ]);
    expect(rowsOf('grant', 'user:mosshare')).toEqual([
      ['3 of acme', 'loosens', 'role: "read"'],
      ['acme/site', 'loosens', 'role: "admin"'],
    ]);
  });

  it('shows a saved plan with its totals last, and the line that applies it', async () => {
    const { show, folder, planned } = await saved();
    expect(planned.stderr).toContain(
      `Saved the plan to ${folder}/plan.ndjson.\nApply it with:\n  forgectl policy apply ${folder}/plan.ndjson\n`,
    );
    const { stdout, stderr, code } = await show('FOLDER/plan.ndjson -o table');
    expect(code).toBe(0);
    expect(stdout).toBe(`~ settings · acme (loosens, asks for confirmation)
    default_repository_permission: read → write (loosens)

+ ruleset Guard · acme (tightens)
    bypass_actors:
      + actor_id: team:platform, actor_type: Team
    conditions:
      ref_name:
        exclude: []
        include: [~ALL]
      repository_name:
        exclude: []
        include: [~ALL]
    enforcement: active
    rules:
      + type: deletion
    target: branch

- ruleset No binaries · acme (loosens)
    bypass_actors:
      - actor_type: OrganizationAdmin, bypass_mode: always
    conditions:
      repository_name:
        exclude: []
        include: [~ALL]
    enforcement: active
    rules:
      - type: file_extension_restriction
        parameters:
          restricted_file_extensions: [*.exe, *.jar]
    target: push

~ settings · acme/site
    has_wiki: true → false
`);
    expect(stderr).toMatch(
      /^4 changes \(1 to create, 2 to update, 1 to delete or reset\)\.\nPlanned by riverotter for http:\/\/127\.0\.0\.1:\d+\/api\/v3\.\nAttention: 1 change loosens protection, 1 change deletes or resets an object\.\nApply with:\n {2}forgectl policy apply \S+\/plan\.ndjson\n$/,
    );
  });

  it.each([
    ['--target acme/*', ['settings acme/site']],
    ['--target ACME', ['settings acme', 'ruleset acme', 'ruleset acme']],
    ['--kind ruleset', ['ruleset acme', 'ruleset acme']],
    ['--loosens', ['settings acme', 'ruleset acme']],
    ['--deletes', ['ruleset acme']],
    ['--kind ruleset --loosens --deletes', ['ruleset acme']],
    ['--target globex', []],
  ])('selects with %s', async (flags, expected) => {
    const { show } = await saved();
    const { stdout } = await show(`FOLDER/plan.ndjson ${flags} --jq .changes[]|.kind+"\\u0020"+.target`);
    expect(stdout.split('\n').filter(Boolean)).toEqual(expected);
  });

  it('says that only the whole plan can be applied', async () => {
    const { show, folder } = await saved();
    expect((await show('FOLDER/plan.ndjson --deletes -o table')).stderr).toContain(
      `Apply the whole plan with:\n  forgectl policy apply ${folder}/plan.ndjson\n`,
    );
  });

  it('prints the lines of the file as ndjson, a table in a pipe, and Markdown', async () => {
    const { show, text } = await saved();
    expect((await show('FOLDER/plan.ndjson -o ndjson')).stdout).toBe(text);
    expect((await show('FOLDER/plan.ndjson --kind settings')).stdout).toBe(
      '~\tsettings\t\tacme\tloosens, asks\tdefault_repository_permission: "read" → "write"\n~\tsettings\t\tacme/site\t\thas_wiki: true → false\n',
    );
    expect((await show('FOLDER/plan.ndjson --kind settings --markdown')).stdout).toMatch(
      /^### Policy plan for acme\n\n2 changes \(2 to update\); 2 more not selected\.\n`Planned by riverotter for http:\S+`\nAttention: 1 change loosens protection\.\n\n```diff\n~ settings · acme \(loosens, asks for confirmation\)\n/,
    );
  });

  it('shows an undo plan, and the plan of a run by its journal', async () => {
    const { show, forgectl, folder } = await saved();
    const applied = await forgectl(
      'policy apply FOLDER/plan.ndjson --yes --undo-out FOLDER/undo.ndjson --journal FOLDER/j.ndjson',
    );
    expect(applied.stderr).toContain(`\nUndo plan: ${folder}/undo.ndjson\nJournal: `);
    const undo = await show('FOLDER/undo.ndjson -o table');
    expect(undo.stdout).toContain('- ruleset Guard · acme (loosens)\n    bypass_actors:\n      - actor_id: ');
    expect(undo.stdout).toContain('    default_repository_permission: write → read (tightens)\n');
    const journal = await show('FOLDER/j.ndjson -o table');
    expect(journal.stdout).toBe((await show('FOLDER/plan.ndjson -o table')).stdout);
    expect(journal.stderr).toContain('Targets of the run: 3 done, 0 failed, 0 unknown, 0 open.\n');
    expect(await forgectl('policy apply --resume FOLDER/j.ndjson --yes')).toMatchObject({
      code: 0,
      stdout: 'acme\tskipped\t\t\nacme (after its repositories)\tskipped\t\t\nacme/site\tskipped\t\t\n',
    });
  });

  it('shows what is sent, and not the rows of the file', async () => {
    const { show, write, text } = await saved();
    const { digestOfPlan } = await import('../../../src/fleet/policy/planning/digest.ts');
    const [header, ...lines] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { summary } = lines.pop();
    const [settings, guard, ...others] = lines;
    const changes = [
      { ...settings, body: { default_repository_permission: 'admin' } },
      { ...guard, body: { ...guard.body, enforcement: 'disabled' } },
      ...others,
    ];
    const digest = digestOfPlan({ ...header, changes, summary });
    write(
      'forged.ndjson',
      [{ ...header, digest }, ...changes, { summary }].map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const { stdout } = await show('FOLDER/forged.ndjson -o table');
    expect(stdout).toContain('default_repository_permission: read → admin (loosens)\n');
    expect(stdout).toMatch(/^\+ ruleset Guard · acme\n {4}bypass_actors:\n {6}\+ actor_id: \d+, actor_type: Team\n/m);
    expect(stdout).toContain('    enforcement: disabled\n');
    write('changed.ndjson', text.replace('"write"', '"admin"'));
    expect(await show('FOLDER/changed.ndjson')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('was changed after it was saved'),
    });
  });

  it('rejects policies, journals of other commands, and files that do not exist', async () => {
    const { show, forgectl } = await saved();
    expect(await show('FOLDER/p.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('p.yaml is not a saved plan. Nothing was sent.'),
    });
    expect(await show('FOLDER/nosuch')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nosuch: no such file'),
    });
    await forgectl('each repos acme --journal FOLDER/each.ndjson -- repos get {}');
    expect(await show('FOLDER/each.ndjson')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('each.ndjson is the journal of a run of each, which has no plan.'),
    });
    expect(await show('FOLDER/plan.ndjson --markdown --summary')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--summary cannot be used with --markdown'),
    });
  });
});

it('policy plan says that a saved plan is shown with policy show', async () => {
  const { forgectl, folder } = await saved();
  expect(await forgectl('policy plan FOLDER/plan.ndjson')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `forgectl: ${folder}/plan.ndjson is not a policy, but a saved plan or a journal. Nothing was sent.\nShow it with: forgectl policy show ${folder}/plan.ndjson\n`,
  });
});

it('a plan of more than 200 lines is a table on a terminal, with the line that shows all', async () => {
  const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 0 });
  const ruleset = (at: number) => `{ name: R${at}, target: branch, enforcement: active, rules: [{ type: deletion }] }`;
  write('p.yaml', `organizations: [acme]\nrulesets: [${Array.from({ length: 40 }, (_, at) => ruleset(at))}]\n`);
  const plan = (flags: string) =>
    forgectl(`policy plan FOLDER/p.yaml${flags}`, 'classic', {}, { tty: true, columns: 200 });
  const long = await plan('');
  expect(long.stdout).toMatch(/^ {3}KIND +NAME +TARGET +EFFECT +CHANGES\n\+ {2}ruleset +R0 /);
  expect(long.stderr).toContain(
    `Show all 239 lines with:\n  forgectl policy plan ${folder}/p.yaml --expand\n40 changes (40 to create).`,
  );
  expect((await plan(' --expand')).stdout.split('\n')).toHaveLength(241);
  expect((await plan(' --summary')).stdout).toBe(long.stdout);
});

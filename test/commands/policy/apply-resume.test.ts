/** policy apply --resume: the journal and the plan beside it are all that a run needs to continue. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasAppendOnly } from '../../support/append-only.ts';
import { onSandbox } from './support.ts';

const described = 'organizations: [acme]\nrepositories: [{ select: {}, settings: { description: fleet } }]\n';
const ruleset = (name: string) =>
  `{ name: ${name}, target: branch, enforcement: active, conditions: { ref_name: { include: [~ALL], exclude: [] } }, rules: [{ type: deletion }] }`;

/** Applies a policy to one of several repositories, and removes the policy. */
async function begun(flags = '', policy = described) {
  const sandbox = await onSandbox();
  const { forgectl, folder, write } = sandbox;
  write('p.yaml', policy);
  const first = await forgectl(`policy apply FOLDER/p.yaml --yes --limit 1 --journal FOLDER/run.ndjson${flags}`);
  expect(first).toMatchObject({ code: 0 });
  rmSync(join(folder, 'p.yaml'));
  return { ...sandbox, first };
}

describe('policy apply --resume', () => {
  it('needs only the journal', async () => {
    const { forgectl } = await begun();
    const { stdout, code } = await forgectl('policy apply --resume FOLDER/run.ndjson --yes');
    expect({ skipped: stdout.match(/\tskipped\t/g)?.length, ok: stdout.match(/\tok\t/g)?.length, code }).toEqual({
      skipped: 1,
      ok: 3,
      code: 0,
    });
  });

  it('makes the deletions of the run that it continues, without --prune', async () => {
    const { forgectl, write, folder } = await onSandbox();
    const all = `organizations: [acme]\nrepositories: [{ select: {}, rulesets: [${ruleset('A')}, ${ruleset('B')}] }]\n`;
    write('p.yaml', all);
    expect(await forgectl('policy apply FOLDER/p.yaml --yes')).toMatchObject({ code: 0 });
    write(
      'p.yaml',
      `organizations: [acme]\nmanage: { rulesets: all }\nrepositories: [{ select: {}, manage: { rulesets: all }, rulesets: [${ruleset('A')}] }]\n`,
    );
    const flags = '--prune --allow-deletes 99 --yes';
    const first = await forgectl(`policy apply FOLDER/p.yaml --limit 1 --journal FOLDER/run.ndjson ${flags}`);
    expect(first.stderr).toContain('Continue with:');
    expect(JSON.parse(readFileSync(join(folder, 'run.ndjson'), 'utf8').split('\n')[0] ?? '').line).toContain('--prune');
    const resumed = await forgectl('policy apply --resume FOLDER/run.ndjson --allow-deletes 99 --yes');
    expect(resumed.stdout).toContain('delete ruleset “B”');
    expect((await forgectl('rulesets list acme/site --no-includes-parents --jq .[].name')).stdout).toBe('A\n');
  });

  it('continues the run of a saved plan, though the number of objects that it shows has changed', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 1 });
    write('p.yaml', `organizations: [acme]\nrulesets: [${ruleset('A')}, ${ruleset('B')}]\n`);
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write('p.yaml', 'organizations: [acme]\nabsent: { rulesets: [A] }\n');
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const { id } = JSON.parse((await forgectl('rulesets list acme --jq .[-1]')).stdout);
    await forgectl(`rulesets delete acme ${id} --yes`);
    await forgectl('policy apply FOLDER/plan.ndjson --yes --journal FOLDER/run.ndjson');
    expect(await forgectl('policy apply --resume FOLDER/run.ndjson --yes')).toMatchObject({ code: 0 });
  });

  it('rejects flags that would make other changes, and sends nothing', async () => {
    const { forgectl, folder } = await begun();
    expect(await forgectl('policy apply --resume FOLDER/run.ndjson --prune --yes')).toMatchObject({
      code: 2,
      stderr: `forgectl: ${folder}/run.ndjson is the journal of another command line: policy apply, not policy apply --prune. Nothing was sent.\n`,
    });
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['without targets', '{"journal":2,"platform":"https://ghe.example.com/api/v3","plan":"x"}\n'],
  ])('rejects a journal that is %s', async (_kind, text) => {
    const { forgectl, folder, write } = await onSandbox();
    write('p.yaml', described);
    if (text !== undefined) writeFileSync(join(folder, 'none.ndjson'), text, { mode: 0o600 });
    expect(await forgectl('policy apply --resume FOLDER/none.ndjson --yes')).toMatchObject({
      code: 2,
      stderr: `forgectl: ${folder}/none.ndjson is missing or contains no run. Nothing was sent.\nTo start one there, use --resume-or-start.\n`,
    });
  });

  it('rejects paths, a journal of each, another plan, and a directory in place of one', async () => {
    const { forgectl, folder, write } = await begun();
    expect(await forgectl('policy apply x.yaml --resume FOLDER/run.ndjson')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--resume takes the plan beside the journal, so no paths can be given.'),
    });
    await forgectl('each repos acme --journal FOLDER/each.ndjson -- repos update {} --description x');
    expect(await forgectl('policy apply --resume FOLDER/each.ndjson')).toMatchObject({
      code: 2,
      stderr: `forgectl: ${folder}/each.ndjson is the journal of a run of each, not of policy apply. Nothing was sent.\n`,
    });
    write('q.yaml', described.replace('fleet', 'other'));
    mkdirSync(join(folder, 'new.ndjson.plan'));
    expect(await forgectl('policy apply FOLDER/q.yaml --journal FOLDER/new.ndjson --yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Cannot write ${folder}/new.ndjson.plan: it is a directory. Nothing was sent.\n`),
    });
    await forgectl('policy plan FOLDER/q.yaml --out FOLDER/run.ndjson.plan');
    expect(await forgectl('policy apply --resume FOLDER/run.ndjson --yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('run.ndjson is the journal of another plan: '),
    });
  });

  it.skipIf(process.platform === 'win32')(
    'rejects a pipe in place of the plan instead of waiting for a reader',
    async () => {
      const { forgectl, folder, write } = await onSandbox();
      write('p.yaml', described);
      execFileSync('mkfifo', [join(folder, 'run.ndjson.plan')]);
      expect(await forgectl('policy apply FOLDER/p.yaml --journal FOLDER/run.ndjson --yes')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          `Cannot write ${folder}/run.ndjson.plan: it is not a regular file. Nothing was sent.\n`,
        ),
      });
      expect(existsSync(join(folder, 'run.ndjson'))).toBe(false);
    },
  );

  it('replaces no other plan beside a new journal, such as that of --undo-out', async () => {
    const { forgectl, folder, write } = await onSandbox();
    write('p.yaml', described);
    const applied = await forgectl('policy apply FOLDER/p.yaml --yes --journal FOLDER/run --undo-out FOLDER/run.plan');
    expect(applied).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Cannot write ${folder}/run.plan: it already exists. Nothing was sent.\n`),
    });
    expect([existsSync(join(folder, 'run')), existsSync(join(folder, 'run.plan'))]).toEqual([false, true]);
    // As mktemp leaves it.
    writeFileSync(join(folder, 'empty'), '', { mode: 0o600 });
    const beside = await forgectl(
      'policy apply FOLDER/p.yaml --yes --journal FOLDER/empty --undo-out FOLDER/empty.plan',
    );
    expect(beside).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Cannot write ${folder}/empty.plan: it already exists. Nothing was sent.\n`),
    });
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/saved.plan');
    expect(await forgectl('policy apply FOLDER/saved.plan --yes --journal FOLDER/saved')).toMatchObject({ code: 0 });
    // As a run leaves it that was killed before it had begun.
    const [header] = readFileSync(join(folder, 'saved'), 'utf8').split('\n');
    writeFileSync(join(folder, 'killed'), `${header}\n`, { mode: 0o600 });
    write('killed.plan', 'precious');
    write('p.yaml', described.replace('fleet', 'other'));
    expect((await forgectl('policy apply FOLDER/p.yaml --yes --journal FOLDER/killed')).stderr).toContain(
      `Cannot write ${folder}/killed.plan: it already exists. Nothing was sent.\n`,
    );
  });

  it.skipIf(!hasAppendOnly)('reports why a run did not begin in a directory that keeps its files', async () => {
    const { forgectl, folder, write } = await onSandbox();
    write('p.yaml', described);
    mkdirSync(join(folder, 'kept'));
    execFileSync('chattr', ['+a', join(folder, 'kept')]);
    try {
      const flags = '--journal FOLDER/kept/run --undo-out FOLDER/kept/run.lock';
      expect(await forgectl(`policy apply FOLDER/p.yaml --yes ${flags}`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`Cannot write ${folder}/kept/run.lock: it already exists.\n`),
      });
    } finally {
      execFileSync('chattr', ['-a', join(folder, 'kept')]);
    }
  });

  it('shows with --dry-run what is left, and changes neither the platform nor the journal', async () => {
    const { forgectl, folder, first } = await begun();
    const [done = ''] = first.stdout.split('\t');
    const journal = readFileSync(join(folder, 'run.ndjson'), 'utf8');
    const { stdout, code } = await forgectl('policy apply --resume FOLDER/run.ndjson --dry-run --json');
    const requests: readonly { readonly method: string; readonly url: string }[] = JSON.parse(stdout);
    expect({ count: requests.length, methods: new Set(requests.map(({ method }) => method)), code }).toEqual({
      count: 3,
      methods: new Set(['PATCH']),
      code: 0,
    });
    expect(requests.filter(({ url }) => url.endsWith(`/repos/${done}`))).toEqual([]);
    expect(readFileSync(join(folder, 'run.ndjson'), 'utf8')).toBe(journal);
    expect((await forgectl('repos list acme --all --where .description=="fleet" --jq .[].name')).stdout).toBe(
      `${done.split('/')[1]}\n`,
    );
  });
});

describe('policy apply --resume-or-start', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['without targets', '{"journal":2,"platform":"https://ghe.example.com/api/v3","plan":"x"}\n'],
  ])('starts with the paths where the journal is %s, and then continues without reading them', async (_kind, text) => {
    const { forgectl, folder, write } = await onSandbox();
    write('p.yaml', described);
    if (text !== undefined) writeFileSync(join(folder, 'job.ndjson'), text, { mode: 0o600 });
    const job = 'policy apply FOLDER/p.yaml --yes --resume-or-start FOLDER/job.ndjson';
    expect(await forgectl(`${job} --limit 1`)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\tok\t/) });
    rmSync(join(folder, 'p.yaml'));
    const again = await forgectl(job);
    expect({ skipped: again.stdout.match(/\tskipped\t/g)?.length, code: again.code }).toEqual({ skipped: 1, code: 0 });
    expect(await forgectl(job)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('\tok\t') });
  });

  it.each([
    ['--journal FOLDER/a --resume-or-start FOLDER/b', '--journal cannot be used with --resume-or-start'],
    ['--resume FOLDER/a --resume-or-start FOLDER/b', '--resume cannot be used with --resume-or-start'],
    ['--only failed --resume-or-start FOLDER/b', '--only requires --resume'],
    ['--dry-run --journal FOLDER/a', '--dry-run cannot be used with --journal'],
  ])('rejects %s', async (flags, message) => {
    const { forgectl } = await onSandbox();
    const { stderr, code } = await forgectl(`policy apply ${flags}`);
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining(message), code: 2 });
  });
});

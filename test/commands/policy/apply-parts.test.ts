/** policy apply of a part of a plan, and its undoing. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onSandbox } from './support.ts';

const described = 'organizations: [acme]\nrepositories: [{ select: {}, settings: { description: fleet } }]\n';

const names = async (forgectl: (words: string) => Promise<{ readonly stdout: string }>, filter: string) =>
  (await forgectl(`repos list acme --all --where ${filter} --jq .[].name`)).stdout.split('\n').filter(Boolean);

describe('policy apply --undo-out', () => {
  it('saves the undo plan before the first write', async () => {
    const { forgectl, write, folder } = await onSandbox();
    await forgectl('policy export acme --repositories --dir FOLDER/before');
    write(
      'p.yaml',
      `organizations: [acme]
settings: { default_repository_permission: none }
rulesets:
  - { name: Guard, target: branch, enforcement: active, conditions: { ref_name: { include: [~ALL], exclude: [] }, repository_name: { include: [~ALL], exclude: [] } }, rules: [{ type: deletion }] }
  - { name: Tags, was: Version tags, enforcement: disabled }
absent: { rulesets: [No binaries] }
repositories:
  - { select: { names: [site] }, settings: { is_template: true, description: A site }, properties: { team: core }, hooks: [{ name: Block secrets, enforcement: enabled }] }
`,
    );
    const applied = await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson');
    expect({ code: applied.code, last: applied.stderr.trimEnd().split('\n').slice(-3) }).toEqual({
      code: 0,
      last: ['3 done (7 changes) in 0 s.', 'Undo with:', `  forgectl policy apply ${folder}/undo.ndjson`],
    });
    expect(statSync(join(folder, 'undo.ndjson')).mode & 0o777).toBe(0o600);
    const undo = await forgectl('policy apply FOLDER/undo.ndjson --yes');
    expect({ stdout: undo.stdout, code: undo.code }).toEqual({
      stdout: `acme\tok\tcreate ruleset “No binaries”, update ruleset “Version tags”\t
acme (after its repositories)\tok\tupdate settings, delete ruleset “Guard”\t
acme/site\tok\tupdate settings, unset hook “Block secrets”, update properties\t
`,
      code: 0,
    });
    expect((await forgectl('policy plan FOLDER/before --json --jq .summary')).stdout).toContain(
      '"create":0,"update":0,"delete":0,',
    );
    const again = await forgectl('policy apply FOLDER/undo.ndjson --yes --dry-run --json');
    expect(JSON.parse(again.stdout)).not.toContainEqual(
      expect.objectContaining({ url: expect.stringMatching(/\/0$/) }),
    );
  });

  it('unsets property values that were only defaults, and skips those that have them again', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 30 });
    await forgectl('properties set acme tier= --repos site');
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories: [{ select: { names: [site] }, properties: { tier: gold, team: core } }]\n',
    );
    await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson');
    expect(readFileSync(join(folder, 'undo.ndjson'), 'utf8')).toMatch(/"body":{"team":"\w+","tier":null}/);
    const undo = () => forgectl('policy apply FOLDER/undo.ndjson --yes');
    expect((await undo()).stdout).toBe('acme/site\tok\tupdate properties\t\n');
    const tier = `properties values acme --repository-query site --jq .[0].properties[]|select(.property_name=="tier").value`;
    expect((await forgectl(tier)).stdout).toBe('bronze\n');
    expect((await undo()).stdout).toBe('acme/site\tskipped\t\t\n');
  });

  it('shows the number of objects that undoing creations deletes', async () => {
    const { forgectl, write } = await onSandbox();
    const ruleset = (at: number) =>
      `{ name: New ${at}, target: branch, enforcement: active, conditions: { ref_name: { include: [~ALL], exclude: [] }, repository_name: { include: [~ALL], exclude: [] } }, rules: [{ type: deletion }] }`;
    const rulesets = Array.from({ length: 12 }, (_, at) => ruleset(at));
    write('p.yaml', `organizations: [acme]\nrulesets: [${rulesets.join(', ')}]\n`);
    await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson');
    const { stderr, code } = await forgectl('policy apply FOLDER/undo.ndjson --yes');
    expect(stderr).toContain('12 of 15 rulesets would be deleted or reset. To allow that, add --allow-deletes 12.');
    expect(code).toBe(12);
  });

  it('sends nothing for changes that were never made', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', described);
    await forgectl('policy apply FOLDER/p.yaml --yes --limit 1 --undo-out FOLDER/undo.ndjson');
    await forgectl('policy apply FOLDER/undo.ndjson --yes');
    const { code } = await forgectl('policy apply FOLDER/undo.ndjson --yes');
    expect(code).toBe(0);
    expect(await names(forgectl, '.description=="fleet"')).toEqual([]);
  });

  it('reports which changes an undo does not need, in results and with --dry-run', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 2 });
    write('p.yaml', described);
    await forgectl('policy apply FOLDER/p.yaml --yes --limit 1 --undo-out FOLDER/undo.ndjson');
    const requests = async () =>
      JSON.parse((await forgectl('policy apply FOLDER/undo.ndjson --dry-run --json')).stdout);
    expect((await requests()).map(({ url }: { url: string }) => url.split('/').at(-1))).toEqual(['checkout-proxy']);
    const undo = () => forgectl('policy apply FOLDER/undo.ndjson --yes');
    expect((await undo()).stdout).toBe('acme/checkout-proxy\tok\tupdate settings\t\n');
    expect(await requests()).toEqual([]);
    expect(await undo()).toMatchObject({ stdout: 'acme/checkout-proxy\tskipped\t\t\n', code: 0 });
  });

  it('does not replace a file, which may undo an earlier run, unless it resumes that run', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', described);
    const apply = 'policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson';
    await forgectl(`${apply} --limit 1 --journal FOLDER/run.ndjson`);
    expect(await forgectl(apply)).toMatchObject({
      code: 2,
      stderr: `forgectl: ${folder}/undo.ndjson already exists, perhaps to undo an earlier run. Nothing was sent.\n`,
    });
    const resumed = await forgectl('policy apply --resume FOLDER/run.ndjson --yes --undo-out FOLDER/undo.ndjson');
    expect(resumed.code).toBe(0);
    expect((await forgectl('policy apply FOLDER/undo.ndjson --yes')).code).toBe(0);
    expect(await names(forgectl, '.description=="fleet"')).toEqual([]);
  });

  it('is rejected with --dry-run', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', described);
    const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --dry-run --undo-out FOLDER/undo.ndjson');
    expect(stderr).toContain('--dry-run cannot be used with --undo-out');
    expect(code).toBe(2);
  });
});

describe('policy apply --limit', () => {
  it('changes that many repositories, and prints the command line for the rest', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', `${described}settings: { default_repository_permission: write }\n`);
    const first = await forgectl('policy apply FOLDER/p.yaml --yes --limit 1 --journal FOLDER/run.ndjson');
    expect({ stdout: first.stdout.split('\n').length, code: first.code }).toEqual({ stdout: 2, code: 0 });
    expect(first.stderr).toContain(
      `4 changes left. Continue with:\n  forgectl policy apply --resume ${folder}/run.ndjson --yes\n`,
    );
    expect(await names(forgectl, '.description=="fleet"')).toHaveLength(1);
    const { stdout } = await forgectl('policy apply --resume FOLDER/run.ndjson --yes');
    expect(stdout).toMatch(/^acme \(after its repositories\)\tok\tupdate settings\t$/m);
    expect(stdout.match(/\tskipped\t/g)).toHaveLength(1);
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0 });
  });

  it('does not limit what guards count', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 12 });
    const rulesets =
      'rulesets: [{ name: Old, target: branch, enforcement: active, conditions: { ref_name: { include: [~ALL], exclude: [] } }, rules: [{ type: deletion }] }]';
    write('p.yaml', `organizations: [acme]\nrepositories: [{ select: {}, ${rulesets} }]\n`);
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write('p.yaml', 'organizations: [acme]\nrepositories: [{ select: {}, absent: { rulesets: [Old] } }]\n');
    const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes --limit 1');
    expect(stderr).toContain('11 of 13 rulesets would be deleted or reset. To allow that, add --allow-deletes 11.');
    expect(code).toBe(12);
    expect((await forgectl('policy apply FOLDER/p.yaml --yes --allow-deletes 11')).code).toBe(0);
  });
});

describe('policy apply --shard', () => {
  it('requires a saved plan', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', described);
    const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes --shard 1/2');
    expect(stderr).toContain(
      '--shard requires a saved plan, so that all shards apply the same plan. Nothing was sent.',
    );
    expect(code).toBe(2);
  });

  it('makes each change once, and postpones changes that loosen organizations', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', `${described}settings: { default_repository_permission: write }\n`);
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const made: string[] = [];
    for (const index of [1, 2]) {
      const part = index === 1 ? '--shard-index 0 --shards 2' : '--shard 2/2';
      const shard = `policy apply FOLDER/plan.ndjson --yes ${part} --journal FOLDER/run${index}.ndjson`;
      const { stdout, stderr, code } = await forgectl(shard);
      expect(code).toBe(0);
      expect(stderr).toContain(
        '1 change that may loosen organizations left: plan and apply again once all shards are done.',
      );
      made.push(...stdout.split('\n').filter(Boolean));
    }
    expect(made.map((line) => line.split('\t')[0]).toSorted()).toEqual(
      (await names(forgectl, '.description=="fleet"')).map((name) => `acme/${name}`).toSorted(),
    );
    expect((await forgectl('policy plan FOLDER/p.yaml')).stdout).toBe(
      '~\tsettings\t\tacme\tloosens, asks\tdefault_repository_permission: "read" → "write"\n',
    );
    const merged = await forgectl('journal merge FOLDER/run1.ndjson FOLDER/run2.ndjson');
    expect(merged.code).toBe(0);
    expect(readFileSync(join(folder, 'run1.ndjson'), 'utf8')).toContain('"shard":"1/2"');
  });

  it('loosens no repository before the tightenings of its organization were made in another shard', async () => {
    const { forgectl, write } = await onSandbox();
    const conditions = 'conditions: { ref_name: { include: [~ALL], exclude: [] }';
    const rest = 'target: branch, enforcement: active, rules: [{ type: deletion }]';
    write(
      'p.yaml',
      `organizations: [acme]\nrepositories: [{ select: {}, rulesets: [{ name: Old, ${conditions} }, ${rest} }] }]\n`,
    );
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write(
      'p.yaml',
      `organizations: [acme]
rulesets: [{ name: New, ${conditions}, repository_name: { include: [~ALL], exclude: [] } }, ${rest} }]
repositories: [{ select: {}, absent: { rulesets: [Old] } }]
`,
    );
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const shard = (index: number) => forgectl(`policy apply FOLDER/plan.ndjson --yes --shard ${index}/2`);
    const [other, own] = (
      await forgectl('policy apply FOLDER/plan.ndjson --dry-run --shard 1/2 --json')
    ).stdout.includes('/orgs/acme/rulesets')
      ? [2, 1]
      : [1, 2];
    const early = await shard(other);
    expect(early.stdout).toContain('Not done: changes of acme that come before it have not been made.');
    expect(early.code).toBe(9);
    expect((await shard(own)).code).toBe(0);
    expect((await shard(other)).code).toBe(0);
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0 });
  });
});

describe('policy apply --only failed', () => {
  it('requires --resume, and processes only targets that failed', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nrepositories: [{ select: {}, settings: { has_wiki: false } }]\n');
    expect(await forgectl('policy apply FOLDER/p.yaml --yes --only failed')).toMatchObject({ code: 2 });
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    await forgectl('repos update acme/site --no-has-wiki');
    expect((await forgectl('policy apply FOLDER/plan.ndjson --yes --journal FOLDER/run.ndjson')).code).toBe(9);
    await forgectl('repos update acme/site --has-wiki');
    expect((await forgectl('policy apply --resume FOLDER/run.ndjson --yes --only failed')).stdout).toBe(
      'acme/site\tok\tupdate settings\t\n',
    );
  });
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { onSandbox } from './support.ts';

const guard = (enforcement: string) => `organizations: [acme]
rulesets:
  - name: Guard
    target: branch
    enforcement: ${enforcement}
    conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] }, repository_name: { include: ["~ALL"], exclude: [] } }
    rules: [{ type: deletion }, { type: rule_of_tomorrow }]
`;

describe('policy export', () => {
  it('writes a folder for each organization, and a file for each ruleset', async () => {
    const { forgectl, folder } = await onSandbox();
    const { stdout, stderr, code } = await forgectl('policy export acme globex --dir FOLDER/policy');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^(Add the secret of registry .*\n){2}\d+ files, \d+ requests\.\n$/);
    expect(stdout).toContain(`${folder}/policy/acme/settings.yaml\n`);
    expect(readdirSync(join(folder, 'policy/acme'))).toEqual([
      'budgets.yaml',
      'members.yaml',
      'profile.yaml',
      'property_schema.yaml',
      'registries.yaml',
      'rulesets',
      'settings.yaml',
      'teams.yaml',
    ]);
    expect(readdirSync(join(folder, 'policy/acme/rulesets'))).toEqual([
      'default-branches.yaml',
      'no-binaries.yaml',
      'version-tags.yaml',
    ]);
    expect(readFileSync(join(folder, 'policy/acme/rulesets/version-tags.yaml'), 'utf8')).toContain(
      'organizations:\n  - acme\nrulesets:\n  - name: Version tags\n',
    );
    expect((await forgectl('policy plan FOLDER/policy --exit-code')).code).toBe(0);
  });

  it('rejects a folder with files, unless --force is given', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('policy/acme/old.yaml', 'organizations: [acme]\n');
    expect(await forgectl('policy export acme --dir FOLDER/policy')).toMatchObject({
      code: 2,
      stderr: `forgectl: ${folder}/policy/acme is not empty. Nothing was sent.\nChoose another folder with --dir, or write over its files with --force.\n`,
    });
    const { stderr, code } = await forgectl('policy export acme --dir FOLDER/policy --force');
    expect(stderr).toContain(
      `1 earlier file was not replaced, and plans still read it: ${folder}/policy/acme/old.yaml\n`,
    );
    expect(code).toBe(0);
    write('policy/acme/rulesets/gone.yaml', 'organizations: [acme]\n');
    const again = await forgectl('policy export acme --dir FOLDER/policy --force');
    expect(again.stderr).toContain(
      `2 earlier files were not replaced, and plans still read them: ${folder}/policy/acme/old.yaml, ${folder}/policy/acme/rulesets/gone.yaml\n`,
    );
  });

  it('fails for an organization that it cannot read, and exports the others', async () => {
    const { forgectl, folder } = await onSandbox();
    const { stderr, code } = await forgectl('policy export nosuch acme --dir FOLDER/policy');
    expect(code).toBe(5);
    expect(stderr.split('\n').slice(-3).join('\n')).toBe(
      'forgectl: Nothing of nosuch could be read.\nCheck the name, and the permissions of the token.\n',
    );
    expect(readdirSync(join(folder, 'policy'))).toEqual(['acme', 'policy.schema.json']);
  });

  it('sends nothing for a folder that cannot be written', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('file', '');
    expect(await forgectl('policy export acme --dir FOLDER/file')).toMatchObject({
      code: 2,
      stderr: `forgectl: Cannot write ${folder}/file/acme: ${folder}/file is not a directory. Nothing was sent.\n`,
    });
  });
});

describe('policy plan', () => {
  it('lists differences, and exits with 11 only with --exit-code', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', `${guard('active')}settings: { default_repository_permission: none }\n`);
    const { stdout, stderr, code } = await forgectl('policy plan FOLDER/p.yaml');
    expect(stdout).toBe(
      '~\tsettings\t\tacme\ttightens\tdefault_repository_permission: "read" → "none"\n+\truleset\tGuard\tacme\ttightens\t\n',
    );
    expect(stderr).toBe('2 changes (1 to create, 1 to update). 4 requests, 1 unchanged.\n');
    expect(code).toBe(0);
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 11 });
  });

  it('groups the same change of several repositories, and warns of patterns that match nothing', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories:\n  - select: { names: ["*", "!nosuch"] }\n    settings: { is_template: true }\n',
    );
    const { stdout, stderr } = await forgectl('policy plan FOLDER/p.yaml');
    expect(stdout).toBe('~\tsettings\t\t3 of acme\t\tis_template: false → true\n');
    const warning = 'p.yaml:3:28: !nosuch matches no repository of acme.\n';
    expect(stderr).toContain(warning);
    expect((await forgectl('policy plan FOLDER/p.yaml --json')).stderr).toContain(warning);
    expect((await forgectl('policy plan FOLDER/p.yaml', 'classic', {}, { tty: true })).stderr).toContain(warning);
  });

  it('prints the lines of a saved plan as ndjson, and a comment as Markdown', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', guard('active'));
    const { stdout } = await forgectl('policy plan FOLDER/p.yaml -o ndjson --out FOLDER/plan.ndjson');
    expect(stdout).toBe(readFileSync(join(folder, 'plan.ndjson'), 'utf8'));
    expect(stdout.split('\n').map((line) => line.slice(0, 12))).toEqual([
      '{"plan":2,"p',
      '{"action":"c',
      '{"summary":{',
      '',
    ]);
    expect((await forgectl('policy plan FOLDER/p.yaml --markdown')).stdout).toBe(
      `### Policy plan for acme

1 change (1 to create). 3 requests.

<details><summary>1 other change</summary>

\`\`\`diff
+ ruleset Guard · acme (tightens)
    conditions:
      ref_name:
        exclude: []
        include: [~DEFAULT_BRANCH]
      repository_name:
        exclude: []
        include: [~ALL]
    enforcement: active
    rules:
+       type: deletion
+       type: rule_of_tomorrow
    target: branch
\`\`\`

</details>
`,
    );
  });

  it('lists all teams and apps that do not exist, and does not plan their ruleset', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      `${guard('active')}    bypass_actors: ["team:nosuch", "role:admin", "app:nobody", "team:nosuch", "user:ghost-writer"]\n`,
    );
    const { stdout, code } = await forgectl('policy plan FOLDER/p.yaml');
    expect(stdout).toBe(
      '?\truleset\tGuard\tacme\t\tunresolved: no team “nosuch” in acme; no app “nobody” in acme; no user “ghost-writer”\n',
    );
    expect(code).toBe(9);
  });

  it('reports that a role may be a custom one, if these cannot be listed', async () => {
    const { write, folder } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nrulesets: [{ name: A, bypass_actors: ["role:deployer"] }]\n');
    const platform = await scriptedPlatform({
      'GET /orgs/acme/rulesets': { body: [] },
      'GET /orgs/acme/custom-repository-roles': { status: 403, body: { message: 'Forbidden' } },
    });
    expect((await run(['policy', 'plan', join(folder, 'p.yaml')], { env: platform.env })).stdout).toBe(
      '?\truleset\tA\tacme\t\tunresolved: no built-in role “deployer”, and the custom roles of acme cannot be listed (GET /orgs/acme/custom-repository-roles returned 403: needs organization_custom_roles (read) or organization_administration (read))\n',
    );
  });

  it('stops before any write if --expect is not met', async () => {
    const { forgectl, write } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories:\n  - select: { expect: 40..120 }\n    settings: { has_wiki: false }\n',
    );
    const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes');
    expect(stderr).toContain('expects 40..120 repositories of acme, and selects 4. Nothing was written.');
    expect(code).toBe(12);
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories:\n  - select: { expect: 5 }\n    settings: { has_wiki: false }\n',
    );
    expect((await forgectl('policy plan FOLDER/p.yaml')).stderr).toContain(
      'expects 5 repositories of acme, and selects',
    );
  });
});

it.each([
  ['policy plan - --out FOLDER/no/plan.ndjson', 'Cannot write FOLDER/no/plan.ndjson: the directory does not exist.'],
  ['policy plan - --out FOLDER', 'Cannot write FOLDER: it is a directory.'],
  ['policy apply - --yes --undo-out FOLDER/no/u', 'Cannot write FOLDER/no/u: the directory does not exist.'],
  ['policy apply FOLDER/plan.ndjson --yes', 'Cannot read FOLDER/plan.ndjson: no such file.'],
])('%s fails before any request', async (words, message) => {
  const platform = await scriptedPlatform({});
  const folder = await temporaryDirectory();
  const { stderr, code } = await run(words.replace('FOLDER', folder).split(' '), {
    env: platform.env,
    stdin: 'organizations: [acme]\nsettings: { location: Oslo }\n',
  });
  expect({ stderr, code }).toEqual({
    stderr: `forgectl: ${message.replace('FOLDER', folder)} Nothing was sent.\n`,
    code: 2,
  });
  expect(platform.requests).toEqual([]);
});

describe('policy apply', () => {
  it('makes the changes, after which the plan is empty', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', guard('active'));
    const { stdout, stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes');
    expect({ stdout, code }).toEqual({ stdout: 'acme\tok\tcreate ruleset “Guard”\t\n', code: 0 });
    expect(stderr).toContain('1 change (1 to create). 3 requests.\nJournal: ');
    expect(await forgectl('policy plan FOLDER/p.yaml --exit-code')).toMatchObject({ code: 0, stdout: '' });
  });

  it('says when to continue after a rate limit that outlasts --max-wait', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: { login: 'acme', id: 1, location: 'Bergen' } },
      'PATCH /orgs/acme': { status: 429, headers: { 'retry-after': '3600' }, body: { message: 'Slow down.' } },
    });
    const { stderr, code } = await run(['policy', 'apply', '-', '--yes'], {
      env: platform.env,
      stdin: 'organizations: [acme]\nsettings: { location: Oslo }\n',
    });
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      'forgectl: 1 of 1 target failed.',
      'Retry in 60 minutes, at 13:00 UTC, or wait longer with --max-wait.',
    ]);
    expect(code).toBe(9);
  });

  it.each([
    ['Bergen', 'acme (after its repositories)\tok\tupdate settings\t\n', 2],
    [
      'Turku',
      'acme (after its repositories)\tfailed\t\tsettings of acme changed after the plan, so nothing was sent. Plan again.\n',
      1,
    ],
  ])('checks an object again after the wait for a rate limit, when it is %s', async (later, stdout, writes) => {
    let location = 'Bergen';
    const sent: string[] = [];
    const platform = await scriptedPlatform(({ method }) => {
      if (method !== 'GET') sent.push(method);
      if (method === 'GET') return { body: { login: 'acme', id: 1, location } };
      if (sent.length > 1) return { body: { login: 'acme', id: 1, location: 'Oslo' } };
      location = later;
      return { status: 429, headers: { 'retry-after': '5' }, body: { message: 'Slow down.' } };
    });
    const stdin = 'organizations: [acme]\nsettings: { location: Oslo }\n';
    expect(await run(['policy', 'apply', '-', '--yes'], { env: platform.env, stdin })).toMatchObject({ stdout });
    expect(sent).toEqual(Array(writes).fill('PATCH'));
  });

  it('checks an object again if its write waited for the rate limit of another', async () => {
    let homepage: string | null = null;
    let writes = 0;
    const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': '1772370000' };
    const owner = { login: 'acme', id: 1 };
    const record = (id: number, name: string) => ({
      id,
      name,
      full_name: `acme/${name}`,
      owner,
      archived: false,
      homepage,
    });
    const refuse = () => {
      writes++;
      homepage = 'https://by-hand.example';
      return { status: 429, headers: { 'retry-after': '5' }, body: { message: 'Slow down.' } };
    };
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { headers, body: owner },
      'GET /orgs/acme/repos': () => ({ headers, body: [record(1, 'api'), record(2, 'web')] }),
      'GET /repos/acme/api': () => ({ headers, body: record(1, 'api') }),
      'GET /repos/acme/web': () => ({ headers, body: record(2, 'web') }),
      'PATCH /repos/acme/api': refuse,
      'PATCH /repos/acme/web': refuse,
    });
    const stdin =
      'organizations: [acme]\nrepositories: [{ select: { names: ["*"] }, settings: { homepage: "https://acme.example" } }]\n';
    const line = (name: string) =>
      `acme/${name}\tfailed\t\tsettings of acme/${name} changed after the plan, so nothing was sent. Plan again.\n`;
    expect(await run(['policy', 'apply', '-', '--yes'], { env: platform.env, stdin })).toMatchObject({
      code: 9,
      stdout: `${line('api')}${line('web')}`,
    });
    expect(writes).toBe(1);
  });

  it('requires --yes without a terminal, and sends nothing with --dry-run', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', guard('active'));
    const refused = await forgectl('policy apply FOLDER/p.yaml');
    expect(refused.stderr).toContain('Nothing was sent. This makes 1 change in 1 target; confirm with --yes.');
    expect(refused.code).toBe(2);
    const dry = await forgectl('policy apply FOLDER/p.yaml --dry-run --json');
    expect(JSON.parse(dry.stdout)).toMatchObject([{ method: 'POST', body: { name: 'Guard' } }]);
    expect((await forgectl('policy plan FOLDER/p.yaml --exit-code')).code).toBe(11);
  });

  it('first shows the plan that policy plan shows', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', `${guard('active')}settings: { default_repository_permission: none }\n`);
    const screen = { tty: true, columns: 80 };
    const shown = `~ settings · acme (tightens)
    default_repository_permission: read → none (tightens)

+ ruleset Guard · acme (tightens)
    conditions:
      ref_name:
        exclude: []
        include: [~DEFAULT_BRANCH]
      repository_name:
        exclude: []
        include: [~ALL]
    enforcement: active
    rules:
      + type: deletion
      + type: rule_of_tomorrow
    target: branch

`;
    const plan = await forgectl('policy plan FOLDER/p.yaml', 'classic', {}, screen);
    expect(plan.stdout).toBe(shown);
    expect(plan.stderr).toMatch(
      /^2 changes \(1 to create, 1 to update\)\. 4 requests, 1 unchanged\.\nApply with:\n {2}forgectl policy apply (?:\\\n {6})?\S+\/p\.yaml\n$/,
    );
    const apply = await forgectl('policy apply FOLDER/p.yaml --deny loosens --yes', 'classic', {}, screen);
    expect(apply.stderr).toContain(`${shown}2 changes (1 to create, 1 to update). 4 requests, 1 unchanged.\nJournal:`);
  });

  it('shows the plan that a guard stops', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nsettings: { default_repository_permission: write }\n');
    expect(await forgectl('policy apply FOLDER/p.yaml --yes --deny loosens')).toMatchObject({
      code: 12,
      stderr: `~ settings · acme (loosens, asks for confirmation)
    default_repository_permission: read → write (loosens)

1 change (1 to update). 3 requests, 1 unchanged.
Attention: 1 change loosens protection.
forgectl: 1 change would loosen protection (--deny loosens). Nothing was written.
`,
    });
  });

  it('takes a saved plan of any name', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', guard('active'));
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/saved');
    expect(await forgectl('policy apply FOLDER/saved --yes')).toMatchObject({
      code: 0,
      stdout: 'acme\tok\tcreate ruleset “Guard”\t\n',
      stderr: expect.stringContaining('\n1 change (1 to create), planned by admin.\nJournal: '),
    });
  });

  it('makes exactly the changes of a saved plan, and skips items changed since', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', guard('active'));
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write('p.yaml', guard('disabled'));
    expect((await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson')).stdout).toBe(
      '~\truleset\tGuard\tacme\tloosens\tenforcement: "active" → "disabled"\n',
    );
    write('q.yaml', guard('evaluate'));
    await forgectl('policy apply FOLDER/q.yaml --yes');
    const { stdout, code } = await forgectl('policy apply FOLDER/plan.ndjson --yes');
    expect(stdout).toBe(
      'acme (after its repositories)\tfailed\t\truleset “Guard” of acme changed after the plan, so nothing was sent. Plan again.\n',
    );
    expect(code).toBe(9);
    expect((await forgectl('policy plan FOLDER/q.yaml --exit-code')).code).toBe(0);
  });

  it('rejects a saved plan that was changed or truncated', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', guard('active'));
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const text = readFileSync(join(folder, 'plan.ndjson'), 'utf8');
    write('plan.ndjson', text.replace('"active"', '"disabled"'));
    expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({
      code: 2,
      stderr: `forgectl: ${folder}/plan.ndjson was changed after it was saved. Nothing was sent.\n`,
    });
    write('plan.ndjson', text.slice(0, -20));
    expect((await forgectl('policy apply FOLDER/plan.ndjson --yes')).code).toBe(2);
  });

  it('deletes items declared absent, and undeclared ones only with --prune', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nmanage: { rulesets: all }\nabsent: { rulesets: [No binaries] }\n');
    expect((await forgectl('policy apply FOLDER/p.yaml --yes')).stdout).toBe(
      'acme (after its repositories)\tok\tdelete ruleset “No binaries”\t\n',
    );
    expect((await forgectl('rulesets list acme --jq .[].name')).stdout).toBe('Default branches\nVersion tags\n');
    const left = await forgectl('policy apply FOLDER/p.yaml --yes', 'classic', {}, { tty: true });
    expect(left).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^- ruleset Default branches · acme \(loosens\)\n {4}not declared; deleted only with --prune\n {4}bypass_actors:\n/,
      ),
    });
    expect(left.stderr).toContain(`
- ruleset Version tags · acme (loosens)
    not declared; deleted only with --prune
    bypass_actors: []
    conditions:
      ref_name:
        exclude: []
        include: [refs/tags/v*]
      repository_name:
        exclude: []
        include: [~ALL]
    enforcement: evaluate
    rules:
      - type: update
        parameters:
          update_allows_fetch_and_merge: false
      - type: required_signatures
    target: tag

No changes, 2 undeclared (deleted or reset only with --prune). 5 requests.
Nothing was changed.
`);
    const pruning = await forgectl('policy apply FOLDER/p.yaml --yes --prune', 'classic', {}, { tty: true });
    expect(pruning).toMatchObject({
      code: 12,
      stderr: expect.stringMatching(
        /^- ruleset Default branches · acme \(loosens\)\n {4}not declared; will be deleted\n/,
      ),
    });
    expect(pruning.stderr).toMatch(
      /\n2 changes \(2 to delete or reset\)\. 5 requests\.\nAttention: 2 changes delete or reset objects\.\nforgectl: acme would keep none of its 2 rulesets\. To allow that, add --allow-deletes 2\. Nothing was written\.\n$/,
    );
    await forgectl('policy apply FOLDER/p.yaml --yes --prune --allow-deletes 2');
    expect((await forgectl('rulesets list acme --jq .[].name')).stdout).toBe('');
  });

  it('denies loosening, archiving and changes of visibility before the first write', async () => {
    const { forgectl, write } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nsettings: { default_repository_permission: write }\n');
    expect(await forgectl('policy apply FOLDER/p.yaml --yes --deny loosens')).toMatchObject({ code: 12, stdout: '' });
    write(
      'p.yaml',
      'organizations: [acme]\nrepositories: [{ select: { names: [site] }, settings: { archived: true } }]\n',
    );
    const { stderr, code } = await forgectl('policy apply FOLDER/p.yaml --yes');
    expect(stderr).toContain('archived of 1 repository would change. To allow that, use --allow archived.');
    expect(code).toBe(12);
    expect((await forgectl('policy apply FOLDER/p.yaml --yes --allow archived')).code).toBe(0);
  });

  it('never writes what the token cannot read: bypass actors, and items that a 404 may hide', async () => {
    const { write, folder } = await onSandbox();
    write('p.yaml', `${guard('active')}    bypass_actors: ["role:admin"]\n`);
    const summary = { id: 7, name: 'Guard', source_type: 'Organization', updated_at: '2026-01-01T00:00:00Z' };
    const lists = { 'GET /orgs/acme/rulesets': { body: [summary] } };
    const seeing = await scriptedPlatform({
      ...lists,
      'GET /orgs/acme/rulesets/7': { body: { ...summary, enforcement: 'disabled', rules: [], conditions: {} } },
    });
    const apply = (env: Readonly<Record<string, string>>) =>
      run(['policy', 'apply', join(folder, 'p.yaml'), '--yes'], { env });
    const first = await apply(seeing.env);
    expect(first.stderr).toContain('1 object could not be read.');
    expect(first.code).toBe(5);
    const plan = await run(['policy', 'plan', join(folder, 'p.yaml')], { env: seeing.env });
    expect(plan.stdout).toBe(
      '?\truleset\tGuard\tacme\t\tbypass_actors cannot be read: needs organization_administration (write)\n',
    );
    const blind = await scriptedPlatform({});
    expect(await apply(blind.env)).toMatchObject({ code: 5, stdout: '' });
    expect([...seeing.requests, ...blind.requests].filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('reports values that the platform accepts but does not keep, and loosens nothing afterwards', async () => {
    const { write, folder } = await onSandbox();
    write(
      'p.yaml',
      'organizations: [acme]\nsettings: { web_commit_signoff_required: true }\nabsent: { rulesets: [Old] }\n',
    );
    const summary = { id: 7, name: 'Old', source_type: 'Organization', updated_at: '2026-01-01T00:00:00Z' };
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: { login: 'acme', id: 1, web_commit_signoff_required: false } },
      'PATCH /orgs/acme': { body: { login: 'acme', id: 1, web_commit_signoff_required: false } },
      'GET /orgs/acme/rulesets': { body: [summary] },
      'GET /orgs/acme/rulesets/7': { body: { ...summary, enforcement: 'active', rules: [], bypass_actors: [] } },
    });
    const { stdout, code } = await run(['policy', 'apply', join(folder, 'p.yaml'), '--yes'], {
      env: { ...platform.env, XDG_STATE_HOME: join(folder, 'state') },
    });
    expect(stdout).toBe(
      `acme\tfailed\t\tThe platform accepted the change of settings of acme, but did not keep web_commit_signoff_required.
acme (after its repositories)\tfailed\t\tNot done: changes of acme that come before it failed.
`,
    );
    expect(code).toBe(9);
    expect(platform.requests.filter(({ method }) => method !== 'GET').map(({ method }) => method)).toEqual(['PATCH']);
  });

  it('reports the fields that the platform refused', async () => {
    const { write, folder } = await onSandbox();
    write('p.yaml', 'organizations: [acme]\nsettings: { billing_email: bills@example.com }\n');
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: { login: 'acme', id: 1, billing_email: 'old@example.com' } },
      'PATCH /orgs/acme': {
        status: 422,
        headers: { 'x-github-request-id': 'AB12' },
        body: { message: 'Validation Failed', errors: [{ field: 'billing_email', message: 'is not verified' }] },
      },
    });
    const apply = (...flags: string[]) =>
      run(['policy', 'apply', join(folder, 'p.yaml'), '--yes', ...flags], {
        env: { ...platform.env, XDG_STATE_HOME: join(folder, 'state') },
      });
    expect((await apply()).stdout).toBe(
      'acme (after its repositories)\tfailed\t\tPATCH /orgs/acme returned 422 Validation Failed: billing_email is not verified\n',
    );
    expect(JSON.parse((await apply('--json')).stdout)).toEqual([
      {
        target: 'acme',
        phase: 'loosenings',
        status: 'failed',
        done: [],
        error: {
          code: 'refused',
          message: 'PATCH /orgs/acme returned 422 Validation Failed',
          status: 422,
          requestId: 'AB12',
          fields: [{ field: 'billing_email', message: 'is not verified' }],
        },
      },
    ]);
  });

  it('continues from a journal: skips what is done, and first checks a write without a response', async () => {
    const { forgectl, write, folder } = await onSandbox();
    write('p.yaml', guard('active'));
    await forgectl('policy apply FOLDER/p.yaml --yes --journal FOLDER/run.ndjson');
    const lines = readFileSync(join(folder, 'run.ndjson'), 'utf8').split('\n');
    const cut = lines.findIndex((line) => line.includes('"received"'));
    writeFileSync(join(folder, 'run.ndjson'), `${lines.slice(0, cut).join('\n')}\n`, { mode: 0o600 });
    const { stdout, code } = await forgectl('policy apply --resume FOLDER/run.ndjson --yes');
    expect({ stdout, code }).toEqual({ stdout: 'acme\tok\t\t\n', code: 0 });
    expect((await forgectl('rulesets list acme --jq .[].name')).stdout.match(/Guard/g)).toHaveLength(1);
  });
});

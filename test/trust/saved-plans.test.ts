/** What a saved plan shows is what it does, also if someone edited it and its digest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onSandbox } from '../commands/policy/support.ts';
import { changed, damaged, type Edit, inPlan, saved, withDigest } from './forging.ts';

const secret = ['hunter', '2-of-aws'].join('');
const aws = { AWS_SECRET_ACCESS_KEY: secret };

const conditions =
  'conditions: { ref_name: { include: [~ALL], exclude: [] }, repository_name: { include: [~ALL], exclude: [] } }';

const settings =
  'organizations: [acme]\nsettings: { default_repository_permission: none, blog: "https://a.example" }\n';

describe('a saved plan', () => {
  it('has a digest of the whole file', async () => {
    const { text } = await saved(settings);
    expect(withDigest(text)).toBe(text);
  });

  it.each<[what: string, at: number, edit: Edit]>([
    ['identity', 0, (header) => ({ ...header, identity: 'ceo' })],
    ['organizations', 0, (header) => ({ ...header, organizations: ['globex'] })],
    ['policy_digest', 0, (header) => ({ ...header, policy_digest: '0'.repeat(64) })],
    ['platform', 0, ({ platform, ...header }) => ({ platform, more: 1, ...header })],
    ['body', 1, (change) => ({ ...change, body: { default_repository_permission: 'admin' } })],
    ['summary', 2, ({ summary }) => ({ summary: { ...(summary as object), update: 0 } })],
  ])('with another %s is rejected', async (_what, at, edit) => {
    const { text, apply } = await saved(settings);
    expect(await apply(inPlan(text, { [at]: edit }))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'forgectl: FOLDER/forged.ndjson was changed after it was saved. Nothing was sent.\n',
    });
  });

  it('with a key twice, or with spaces, is rejected', async () => {
    const { text, apply } = await saved(settings);
    for (const [from, to] of [
      ['"body":{', '"body":{"blog":"https://b.example",'],
      ['"body":{', '"body": {'],
    ] as const)
      expect(await apply(withDigest(text.replace(from, to)))).toMatchObject({
        code: 2,
        stderr: 'forgectl: FOLDER/forged.ndjson was changed after it was saved. Nothing was sent.\n',
      });
  });

  it('without its last change is rejected', async () => {
    const { text, apply } = await saved(settings);
    const [header, , summary] = text.split('\n');
    expect(await apply(`${header}\n${summary}\n`)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a forged plan with the digest of its content', () => {
  it('shows what it sends, and not its own rows', async () => {
    const { text, apply } = await saved(settings);
    const forged = inPlan(text, {
      1: (change) => ({ ...change, body: { blog: 'https://a.example', default_repository_permission: 'admin' } }),
    });
    expect((await apply(withDigest(forged), ' --dry-run --json')).stdout).toContain('"admin"');
    const { stderr } = await apply(withDigest(forged));
    expect(stderr).toContain('default_repository_permission: read → admin');
    expect(stderr).not.toContain('none');
  });

  it('cannot hide that it loosens protection', async () => {
    const { text, apply } = await saved(settings);
    const body = { default_repository_permission: 'admin' };
    const stripped: Edit = (change) => ({ ...change, effect: 'tightens', before: {}, body });
    const forgeries: Edit[] = [
      (change) => ({ ...change, effect: 'tightens', body: { ...body, blog: '' } }),
      (change) => ({ ...change, before: { private: true }, body: { private: false } }),
      (change) => ({
        ...change,
        before: { members_allowed_repository_creation_type: 'none' },
        body: { members_allowed_repository_creation_type: 'all' },
      }),
    ];
    for (const edit of forgeries)
      expect(await apply(withDigest(inPlan(text, { 1: edit })), ' --deny loosens')).toMatchObject({
        code: 12,
        stdout: '',
        stderr: expect.stringContaining('1 change would loosen protection (--deny loosens). Nothing was written.'),
      });
    // What cannot be read has no earlier value, and an undo sends nothing that the earlier write did not.
    for (const edit of [stripped, (change: Record<string, unknown>) => ({ ...stripped(change), sent: true })])
      expect(await apply(withDigest(inPlan(text, { 1: edit })), ' --deny loosens')).toMatchObject(damaged);
    // The value that is replaced must be the planned one.
    const other = { default_repository_permission: 'write' };
    const replaced = inPlan(text, { 1: (change) => ({ ...stripped(change), before: other }) });
    expect(await apply(withDigest(replaced))).toMatchObject(changed);
  });

  it('cannot replace values that it does not have, though an undo plan knows only what was sent', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 0 });
    const review = (count: number) =>
      `{ type: pull_request, parameters: { required_approving_review_count: ${count}, dismiss_stale_reviews_on_push: false, require_code_owner_review: false, require_last_push_approval: false, required_review_thread_resolution: false } }`;
    const ruleset = (rule: string) =>
      `organizations: [acme]\nrulesets: [{ name: R, target: branch, enforcement: active, ${conditions}, rules: [${rule}] }]\n`;
    write('p.yaml', ruleset(review(1)));
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write('p.yaml', ruleset(review(2)));
    await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson');
    const undo = readFileSync(join(folder, 'undo.ndjson'), 'utf8');
    type Ruleset = { readonly name: string; readonly rules: readonly object[] };
    const bare = ({ name }: Ruleset) => ({ name });
    const forgeries: ((given: { before: Ruleset; body: Ruleset }) => object)[] = [
      // A value in between with nothing to compare would match any ruleset.
      ({ body }) => ({ body: { ...body, enforcement: 'disabled' }, before: { ...body, enforcement: 'disabled' } }),
      ({ body }) => ({ body: { ...body, rules: [] }, before: { ...body, rules: [] } }),
      ({ body }) => ({ body, before: { ...body, rules: [{ type: 'pull_request' }] } }),
      ({ body }) => ({ body, before: { ...body, rules: [{ type: 'pull_request', parameters: {} }] } }),
    ];
    for (const forge of forgeries) {
      const forged = inPlan(undo, {
        1: (change) => {
          const parts = forge(change as never) as { before: Ruleset };
          return { ...change, ...parts, effect: 'tightens', between: bare(parts.before) };
        },
      });
      write('forged.ndjson', withDigest(forged));
      expect(await forgectl('policy apply FOLDER/forged.ndjson --yes --deny loosens')).toMatchObject({
        code: 12,
        stdout: '',
        stderr: expect.stringContaining('1 change would loosen protection (--deny loosens). Nothing was written.'),
      });
    }
  });

  it('cannot mix two earlier values, or remove what neither of them has', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 0 });
    const ruleset = (enforcement: string, checks: string) =>
      `organizations: [acme]\nrulesets: [{ name: R, target: branch, enforcement: ${enforcement}, ${conditions}, rules: [{ type: required_status_checks, parameters: { strict_required_status_checks_policy: true, required_status_checks: [${checks}] } }] }]\n`;
    write('p.yaml', ruleset('active', '{ context: ci, integration_id: 7 }'));
    await forgectl('policy apply FOLDER/p.yaml --yes');
    write('p.yaml', ruleset('disabled', '{ context: ci, integration_id: 7 }'));
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const text = readFileSync(join(folder, 'plan.ndjson'), 'utf8');
    const forge = (edit: (before: object) => object) => {
      const forged = inPlan(text, { 1: (change) => ({ ...change, sent: true, ...edit(change.before as object) }) });
      write('forged.ndjson', withDigest(forged));
      return forgectl('policy apply FOLDER/forged.ndjson --yes --deny loosens');
    };
    const mixed = await forge((before) => {
      const body = { ...before, rules: [] };
      return { before: { ...before, enforcement: 'disabled' }, body, between: body };
    });
    expect(mixed).toMatchObject({ code: 12, stderr: expect.stringContaining('1 change would loosen protection') });
    const partial = JSON.parse(
      JSON.stringify(JSON.parse(text.split('\n')[1] ?? '').before).replace(',"integration_id":7', ''),
    );
    const body = { ...partial, rules: [...partial.rules, { type: 'deletion' }] };
    expect(await forge(() => ({ before: partial, body }))).toMatchObject(changed);
    expect(await forge(() => ({ before: partial, body: partial }))).toMatchObject(damaged);
    const [{ id } = { id: 0 }] = JSON.parse((await forgectl('rulesets list acme --json')).stdout).filter(
      ({ name }: { readonly name: string }) => name === 'R',
    );
    expect((await forgectl(`rulesets get acme ${id} --json`)).stdout).toContain('"integration_id": 7');
  });

  it('cannot hide what it removes by leaving it out', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 0 });
    const checks = (count: number) =>
      `{ type: required_status_checks, parameters: { strict_required_status_checks_policy: true, required_status_checks: [{ context: ci, integration_id: ${count} }] } }`;
    const ruleset = (rules: string) =>
      `organizations: [acme]\nrulesets: [{ name: R, target: branch, enforcement: active, ${conditions}, rules: [${rules}] }]\n`;
    write('p.yaml', ruleset(checks(7)));
    expect(await forgectl('policy apply FOLDER/p.yaml --yes')).toMatchObject({ code: 0 });
    write('p.yaml', ruleset(`${checks(7)}, { type: deletion }`));
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const text = readFileSync(join(folder, 'plan.ndjson'), 'utf8');
    const forgeries = [
      [
        '"include":["~ALL"]},"repository_name"',
        '},"repository_name"',
        '- conditions.ref_name.include: [~ALL] (loosens)',
      ],
      [',"integration_id":7}', '}', '- integration_id: 7 (loosens)'],
      [',"strict_required_status_checks_policy":true', '', '- strict_required_status_checks_policy: true (loosens)'],
    ] as const;
    for (const [from, to, shown] of forgeries) {
      const forged = inPlan(text, {
        1: ({ body, ...change }) => ({
          ...change,
          body: JSON.parse(JSON.stringify(body).replace(`,${from}`, to).replace(from, to)),
        }),
      });
      write('forged.ndjson', withDigest(forged));
      expect(await forgectl('policy apply FOLDER/forged.ndjson --yes --deny loosens')).toMatchObject({
        code: 12,
        stdout: '',
        stderr: expect.stringContaining(shown),
      });
    }
  });

  it('cannot hide how many objects it deletes', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 0 });
    const ruleset = (at: number) =>
      `{ name: R${at}, target: branch, enforcement: active, ${conditions}, rules: [{ type: deletion }] }`;
    write('p.yaml', `organizations: [acme]\nrulesets: [${Array.from({ length: 12 }, (_, at) => ruleset(at))}]\n`);
    await forgectl('policy apply FOLDER/p.yaml --yes');
    const all = Number((await forgectl('rulesets list acme --all --jq length')).stdout);
    const absent = Array.from({ length: 12 }, (_, at) => `R${at}`);
    write('p.yaml', `organizations: [acme]\nabsent: { rulesets: [${absent}] }\n`);
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const edits = Object.fromEntries(absent.map((_, at) => [at + 1, (change: object) => ({ ...change, of: 10_000 })]));
    write('forged.ndjson', withDigest(inPlan(readFileSync(join(folder, 'plan.ndjson'), 'utf8'), edits)));
    expect(await forgectl('policy apply FOLDER/forged.ndjson --yes')).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining(`12 of ${all} rulesets would be deleted or reset.`),
    });
    const asText: Edit = (change) => ({ ...change, id: String(change.id) });
    write(
      'forged.ndjson',
      withDigest(
        inPlan(
          readFileSync(join(folder, 'plan.ndjson'), 'utf8'),
          Object.fromEntries(absent.map((_, at) => [at + 1, asText])),
        ),
      ),
    );
    expect(await forgectl('policy apply FOLDER/forged.ndjson --yes')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('is truncated or damaged at line 2.'),
    });
  });

  it('cannot hide an end of ownership, or removals from a team, as those of an undo plan', async () => {
    const { text, apply } = await saved('organizations: [acme]\nmembers: { members: [riverotter] }\n');
    const undoing: Edit = (change) => ({ ...change, sent: true, changes: [] });
    const forgeries: [Edit, object][] = [
      [(change) => ({ ...undoing(change), before: { role: 'member' }, between: { role: 'admin' } }), damaged],
      [({ body: _body, ...change }) => ({ ...undoing(change), action: 'delete', before: {} }), damaged],
      [
        ({ body: _body, ...change }) => ({ ...undoing(change), action: 'delete', before: { name: 'x' } }),
        {
          code: 12,
          stdout: '',
          stderr: expect.stringContaining(
            'acme would keep 1 owner and needs 2 (members.min_owners). Nothing was written.',
          ),
        },
      ],
    ];
    for (const [edit, outcome] of forgeries)
      expect(await apply(withDigest(inPlan(text, { 1: edit })))).toMatchObject(outcome);
    const [header, change = '', ...rest] = text.split('\n');
    const { body: _body, id: _id, ...common } = JSON.parse(change);
    const people = ['quietowl', 'amberlynx', 'mosshare'].map((login) =>
      JSON.stringify({
        ...common,
        ...{ action: 'delete', kind: 'team_member', name: `platform/${login}`, before: { role: 'member' }, sent: true },
      }),
    );
    expect(await apply(withDigest([header, ...people, ...rest].join('\n')))).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining('3 of 4 team members of platform in acme would be removed.'),
    });
    const spelled = people.map((line, at) => line.replace('platform', ['Platform', 'pLatform', 'plAtform'][at] ?? ''));
    expect(await apply(withDigest([header, ...spelled, ...rest].join('\n')))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is truncated or damaged at line 2.'),
    });
    const twice = change.replace('"name":"riverotter"', '"name":"RiverOtter"');
    expect(await apply(withDigest([header, change, twice, ...rest].join('\n')))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is truncated or damaged at line 3.'),
    });
  });

  it('cannot spread deletions over several spellings or IDs of a target', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 1 });
    const ruleset = (at: number) =>
      `{ name: R${at}, target: branch, enforcement: active, ${conditions}, rules: [{ type: deletion }] }`;
    write('p.yaml', `organizations: [acme]\nrulesets: [${Array.from({ length: 12 }, (_, at) => ruleset(at))}]\n`);
    await forgectl('policy apply FOLDER/p.yaml --yes');
    const absent = Array.from({ length: 12 }, (_, at) => `R${at}`);
    write('p.yaml', `organizations: [acme]\nabsent: { rulesets: [${absent}] }\n`);
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const text = readFileSync(join(folder, 'plan.ndjson'), 'utf8');
    const spelled = (bits: number) =>
      Array.from('acme', (letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join('');
    const forgeries: ((at: number) => object)[] = [
      (at) => ({ target: spelled(at) }),
      (at) => (at === 0 ? {} : { organization_id: 7 }),
    ];
    for (const forge of forgeries) {
      const edits = Object.fromEntries(
        absent.map((_, at) => [at + 1, (change: object) => ({ ...change, ...forge(at) })]),
      );
      write('forged.ndjson', withDigest(inPlan(text, edits)));
      expect(await forgectl('policy apply FOLDER/forged.ndjson --yes --allow-deletes 12')).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('is truncated or damaged at line 3.'),
      });
    }
  });

  it('cannot delete many registries by names of their own', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 0 });
    const registry = (at: number) =>
      `{ registry_type: npm_registry, url: "https://r${at}.example", name: R${at}, visibility: all, secret: { env: NPM } }`;
    write('p.yaml', `organizations: [acme]\nregistries: [${Array.from({ length: 12 }, (_, at) => registry(at))}]\n`);
    await forgectl('policy apply FOLDER/p.yaml --yes --undo-out FOLDER/undo.ndjson', 'classic', { NPM: secret });
    expect(await forgectl('policy apply FOLDER/undo.ndjson --yes')).toMatchObject({
      code: 12,
      stdout: '',
      stderr: expect.stringContaining('registries would be deleted or reset. To allow that, add --allow-deletes 12.'),
    });
  });

  it.each([
    ['a value', 'evil', { code: 0, stderr: expect.stringContaining('team: LIVE → evil') }],
    ['a text behind a mask', 'https://npm.co;token=abcdefghij0123456789@evil.example/', damaged],
  ])('cannot hide %s behind two earlier values', async (_what, value, outcome) => {
    const { text, apply } = await saved(
      'organizations: [acme]\nrepositories: [{ select: { names: [site] }, properties: { team: web } }]\n',
    );
    const live = JSON.parse(text.split('\n')[1] ?? '').before.team;
    const forged = inPlan(text, {
      1: (change) => ({
        ...change,
        sent: true,
        before: { team: value },
        between: { team: live },
        body: { team: value },
      }),
    });
    const { stderr, ...ended } = await apply(withDigest(forged));
    expect({ ...ended, stderr: stderr.replace(live, 'LIVE') }).toMatchObject(outcome);
  });

  it('has two earlier values only where an honest plan may have them', async () => {
    const { text, apply } = await saved(settings);
    const forged = inPlan(text, { 1: (change) => ({ ...change, between: change.before }) });
    expect(await apply(withDigest(forged))).toMatchObject(damaged);
  });

  it('cannot delete a registry under the row of another', async () => {
    const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 0 });
    const registry = (name: string) =>
      `{ registry_type: npm_registry, url: "https://twin.example", name: ${name}, visibility: all, secret: { env: NPM } }`;
    for (const name of ['ONE', 'TWO'])
      await forgectl(
        'registries create acme --registry-type npm_registry --url https://twin.example --visibility all --secret-stdin',
        'classic',
        {},
        { stdin: name },
      );
    const names = JSON.parse((await forgectl('registries list acme --json')).stdout)
      .filter(({ url }: { url: string }) => url === 'https://twin.example')
      .map(({ name }: { name: string }) => name);
    expect(names).toHaveLength(2);
    write(
      'p.yaml',
      `organizations: [acme]\nabsent: { registries: [${registry(names[0]).replace(/, visibility.*/, ' }')}] }\n`,
    );
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const text = readFileSync(join(folder, 'plan.ndjson'), 'utf8');
    expect(text).toContain(`"name":"npm_registry https://twin.example (${names[0]})"`);
    write('forged.ndjson', withDigest(inPlan(text, { 1: (change) => ({ ...change, id: names[1] }) })));
    expect(await forgectl('policy apply FOLDER/forged.ndjson --yes --allow-deletes 1')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('is truncated or damaged at line 2.'),
    });
    write(
      'forged.ndjson',
      withDigest(
        inPlan(text, {
          1: (change) => ({ ...change, id: names[0].toLowerCase(), name: 'npm_registry https://twin.example' }),
        }),
      ),
    );
    await forgectl('policy apply FOLDER/forged.ndjson --yes --allow-deletes 1');
    expect((await forgectl('registries list acme --jq .[].name')).stdout).toContain(names[0]);
  });

  it.each<[what: string, edit: Edit]>([
    [
      'a host behind what looks like a secret',
      (change) => ({
        ...change,
        name: 'npm_registry https://npm.co;token=@evil.example/',
        body: { ...(change.body as object), url: 'https://npm.co;token=@evil.example/' },
      }),
    ],
    [
      'a file behind what looks like a secret',
      (change) => ({ ...change, secret: { file: 'q?token=abcdefghij0123456789/../../victim', source: 'x' } }),
    ],
  ])('cannot hide %s', async (_what, edit) => {
    const { text, apply } = await saved(
      'organizations: [acme]\nregistries: [{ registry_type: npm_registry, url: "https://npm.example.com", visibility: all, secret: { env: NPM_TOKEN } }]\n',
    );
    expect(
      await apply(withDigest(inPlan(text, { 1: edit })), ' --allow-secret NPM_TOKEN', { NPM_TOKEN: secret }),
    ).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('is truncated or damaged at line 2.'),
    });
  });

  it('shows a deletion however many other changes there are', async () => {
    const { forgectl, write } = await onSandbox({ orgs: 1, repos: 0 });
    const ruleset = (name: string) =>
      `{ name: ${name}, target: branch, enforcement: active, ${conditions}, rules: [{ type: deletion }] }`;
    write('p.yaml', `organizations: [acme]\nrulesets: [${ruleset('Z')}]\n`);
    await forgectl('policy apply FOLDER/p.yaml --yes');
    const others = Array.from({ length: 50 }, (_, at) => ruleset(`R${at}`));
    write('p.yaml', `organizations: [acme]\nabsent: { rulesets: [Z] }\nrulesets: [${others}]\n`);
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const { stderr } = await forgectl('policy apply FOLDER/plan.ndjson --yes');
    expect(stderr).toMatch(/^- +ruleset +Z +acme +loosens/m);
    expect(stderr).toContain('… and 10 more rows.\nShow all ');
  });

  it('shows the fields of what it creates', async () => {
    const { text, apply } = await saved(
      `organizations: [acme]\nrulesets: [{ name: R, target: branch, enforcement: active, ${conditions}, rules: [{ type: deletion }] }]\n`,
    );
    const forged = inPlan(text, {
      1: ({ body, ...change }) => ({ ...change, body: { ...(body as object), enforcement: 'disabled' } }),
    });
    const { stderr } = await apply(withDigest(forged), ' --limit 1');
    expect(stderr).toContain('    enforcement: disabled\n');
    expect(stderr).not.toContain('enforcement: active');
  });

  it('cannot hide a change behind a reason, or make one twice', async () => {
    const { text, apply } = await saved(settings);
    const refused = { code: 2, stdout: '', stderr: expect.stringContaining('is truncated or damaged at line ') };
    const reason = inPlan(text, { 1: (change) => ({ ...change, reason: 'nothing to do' }) });
    expect(await apply(withDigest(reason))).toMatchObject(refused);
    const [header, change = '', ...rest] = text.split('\n');
    for (const twin of [change, change.replace('"target":"acme"', '"target":"ACME"')])
      expect(await apply(withDigest([header, change, twin, ...rest].join('\n')))).toMatchObject(refused);
  });

  it('cannot add lines to messages', async () => {
    const { text, apply, forgectl } = await saved(settings);
    const identity = inPlan(text, { 0: (header) => ({ ...header, identity: 'admin.\n2 rows\u001b[2J' }) });
    expect((await apply(withDigest(identity))).stderr).toContain(', planned by admin. 2 rows\\u001b[2J.\n');
    expect((await forgectl('policy show FOLDER/forged.ndjson')).stderr).toMatch(
      /^Planned by admin\. 2 rows\\u001b\[2J for http:.*\.$/m,
    );
    const platform = inPlan(text, { 0: (header) => ({ ...header, platform: 'https://a.example.\n2 rows' }) });
    expect((await apply(withDigest(platform))).stderr).toContain('The plan is for https://a.example. 2 rows, not for ');
    expect((await forgectl('policy show FOLDER/forged.ndjson')).stderr).toContain(
      'Planned by admin for https://a.example. 2 rows.\n',
    );
  });

  it('cannot send another setting of a team than it shows', async () => {
    const { text, apply } = await saved('organizations: [acme]\nteams: [{ name: Platform, notifications: false }]\n');
    for (const notifications of ['off', [false], 0, null]) {
      const forged = inPlan(text, {
        1: ({ body, ...change }) => ({ ...change, body: { ...(body as object), notifications } }),
      });
      expect(await apply(withDigest(forged))).toMatchObject({
        code: 2,
        stderr: 'forgectl: FOLDER/forged.ndjson is truncated or damaged at line 2. Nothing was sent.\n',
      });
    }
    expect(await apply(text)).toMatchObject({ code: 0 });
  });

  it('changes only the object with the name that it shows', async () => {
    const { forgectl, write, folder } = await onSandbox();
    const [first, second] = JSON.parse((await forgectl('rulesets list acme --json')).stdout) as {
      id: number;
      name: string;
    }[];
    write('p.yaml', `organizations: [acme]\nabsent: { rulesets: ["${first?.name}"] }\n`);
    await forgectl('policy plan FOLDER/p.yaml --out FOLDER/plan.ndjson');
    const text = readFileSync(join(folder, 'plan.ndjson'), 'utf8');
    write('id.ndjson', withDigest(inPlan(text, { 1: (change) => ({ ...change, id: second?.id, sent: true }) })));
    expect(await forgectl('policy apply FOLDER/id.ndjson --yes')).toMatchObject({ code: 9 });
    write('name.ndjson', withDigest(inPlan(text, { 1: (change) => ({ ...change, name: 'Harmless' }) })));
    expect(await forgectl('policy apply FOLDER/name.ndjson --yes')).toMatchObject({ code: 2 });
    expect((await forgectl('rulesets list acme --jq .[].name')).stdout).toContain(`${first?.name}\n${second?.name}\n`);
  });

  const creating = `organizations: [acme]
teams: [{ name: Ops }, { name: Core, was: [Engineering] }]
repositories:
  - create: { name: fresh, visibility: private }
    settings: { has_wiki: false }
  - select: { names: [site] }
    rulesets:
      - { name: Guard, target: branch, enforcement: active, bypass_actors: ["team:core"], ${conditions.replace(/, repository.*/, ' }')} }
`;

  it('cannot claim to create a repository or a team that exists', async () => {
    const { text, apply, forgectl } = await saved(creating);
    const at = (word: string) => text.split('\n').findIndex((line) => line.includes(word));
    const [team, repository] = [at('"create","kind":"team"'), at('"kind":"repository"')];
    for (const [line, added] of [
      [repository, { sent: true }],
      [team, { id: 2 }],
    ] as const) {
      const forged = inPlan(text, { [line]: (change) => ({ ...change, ...added }) });
      expect(await apply(withDigest(forged))).toMatchObject({
        code: 2,
        stderr: `forgectl: FOLDER/forged.ndjson is truncated or damaged at line ${line + 1}. Nothing was sent.\n`,
      });
    }
    const again = inPlan(text, { [team]: (change) => ({ ...change, sent: true }) });
    expect((await apply(withDigest(again))).stderr).toContain('lacks the IDs of teams and people (team Ops)');
    expect((await forgectl('teams list acme --jq .[].name')).stdout).not.toContain('Ops');
  });

  it.each<[what: string, kind: string, edit: Edit]>([
    ['publishes a new repository', 'settings', (change) => ({ ...change, body: { visibility: 'public' } })],
    ['publishes a new repository by another field', 'settings', (change) => ({ ...change, body: { private: false } })],
    [
      'publishes a new repository by an update',
      'settings',
      (change) => ({ ...change, kind: 'repository', body: { visibility: 'public' } }),
    ],
    [
      'updates access that a new repository has given',
      'settings',
      (change) => ({ ...change, kind: 'grant', name: 'user:mosshare', id: 12, body: { role: 'admin' } }),
    ],
    ['leaves the visibility to the platform', 'repository', (change) => ({ ...change, body: { name: 'fresh' } })],
    [
      'creates a repository of another name',
      'repository',
      (change) => ({ ...change, body: { name: 'other', visibility: 'private' } }),
    ],
    [
      'gives a team access with a creation',
      'repository',
      ({ body, ...change }) => ({ ...change, body: { ...(body as object), team_id: 3 } }),
    ],
    [
      'gives people a role with a creation',
      'team',
      ({ body, ...change }) => ({ ...change, body: { ...(body as object), maintainers: ['mosshare'] } }),
    ],
    [
      'gives access with the creation of a team',
      'team',
      ({ body, ...change }) => ({ ...change, body: { ...(body as object), repo_names: ['acme/site'] } }),
    ],
  ])('is rejected if a line %s', async (_what, kind, edit) => {
    const { text, apply } = await saved(creating);
    const at = text.split('\n').findIndex((line) => line.includes(`"kind":"${kind}"`));
    expect(await apply(withDigest(inPlan(text, { [at]: edit })), ' --deny loosens')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `forgectl: FOLDER/forged.ndjson is truncated or damaged at line ${at + 1}. Nothing was sent.\n`,
    });
  });

  it('gives the bypass of a team that it renames to the team with that ID', async () => {
    const { text, forgectl } = await saved(creating);
    expect(text).not.toContain('"team:core"');
    expect(await forgectl('policy apply FOLDER/plan.ndjson --yes')).toMatchObject({ code: 0 });
    const id = (await forgectl('rulesets list acme/site --jq .[]|select(.name=="Guard").id')).stdout.trim();
    const actors = await forgectl(`rulesets get acme/site ${id} --jq .bypass_actors[].actor_id`);
    expect(actors.stdout).toBe((await forgectl('teams get acme core --jq .id')).stdout);
  });

  it('is rejected if the name of a new registry is that of another', async () => {
    const { text, apply } = await saved(
      'organizations: [acme]\nregistries: [{ registry_type: npm_registry, url: "https://evil.example", visibility: all, secret: { env: NPM_TOKEN } }]\n',
    );
    const plan = inPlan(text, {
      1: (change) => ({ ...change, name: 'npm_registry https://evil.example (like https://npm.acme.example)' }),
    });
    expect(await apply(withDigest(plan), ' --allow-secret NPM_TOKEN')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is truncated or damaged at line 2.'),
    });
  });

  it.each<[what: string, edit: Edit]>([
    ['sends a secret again', (change) => ({ ...change, action: 'resend', changes: [{ path: 'secret' }] })],
    ['sends a secret with an update', (change) => ({ ...change, action: 'update', body: {} })],
    [
      'sends settings as a deletion',
      (change) => ({ ...change, kind: 'settings', action: 'delete', secret: undefined }),
    ],
    [
      'sends a sealed secret',
      (change) => {
        const { secret: _secret, ...rest } = change;
        return { ...rest, action: 'update', before: {}, body: { encrypted_value: 'c2VjcmV0', key_id: '1' } };
      },
    ],
    ['has a body that its row does not show', (change) => ({ ...change, body: { url: 'https://evil.example' } })],
    ['sends fields as a selection', (change) => ({ ...change, writeOnly: { url: 'https://evil.example' } })],
    [
      'sends the secret of a registry to another URL',
      ({ secret: _secret, ...change }) => ({
        ...{ ...change, action: 'update', changes: [] },
        ...{ before: { url: 'https://python.acme.example/simple' }, body: { url: 'https://evil.example' } },
      }),
    ],
    [
      'makes a budget another one',
      ({ secret: _secret, ...change }) => ({
        ...{
          ...change,
          kind: 'budget',
          name: 'organization acme ProductPricing packages',
          action: 'update',
          changes: [],
        },
        ...{ before: { budget_product_sku: 'packages' }, body: { budget_product_sku: 'actions' } },
      }),
    ],
    ['names two sources', (change) => ({ ...change, secret: { env: 'A', file: '/b', source: 'p:1' } })],
    ['names a file with a line break', (change) => ({ ...change, secret: { file: '/a\n/b', source: 'p:1' } })],
    ['has an unknown member', (change) => ({ ...change, force: true })],
    ['names a target in a path', (change) => ({ ...change, target: 'acme/../globex' })],
  ])('is rejected if a line %s', async (_what, edit) => {
    const { text, apply } = await saved(`organizations: [acme]
registries: [{ registry_type: python_index, url: "https://python.acme.example/simple", secret: { env: NPM_TOKEN } }]
`);
    const reserved = /^\{"action":"unverified"/m;
    expect(text).toMatch(reserved);
    expect(await apply(withDigest(inPlan(text, { 1: edit })), ' --rotate-secrets', aws)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'forgectl: FOLDER/forged.ndjson is truncated or damaged at line 2. Nothing was sent.\n',
    });
  });

  const guard = { enforcement: 'active', rules: [], target: 'branch' };

  it.each<[what: string, change: object]>([
    [
      'a team',
      {
        kind: 'team',
        name: 'Interns',
        id: 1,
        before: { name: 'Platform', privacy: 'closed' },
        body: { privacy: 'secret' },
      },
    ],
    [
      'a label',
      { kind: 'label', name: 'bug', id: 1, before: { name: 'wontfix', color: 'ffffff' }, body: { color: '000000' } },
    ],
    [
      'a ruleset',
      {
        ...{ kind: 'ruleset', name: 'Decoy', id: 1, sent: true, between: { ...guard, name: 'Guard' } },
        ...{ before: { ...guard, name: 'Decoy' }, body: { ...guard, name: 'Decoy', enforcement: 'disabled' } },
      },
    ],
    [
      'the settings of a repository',
      { kind: 'repository', before: { visibility: 'private' }, body: { visibility: 'public' } },
    ],
    [
      'what a creation decides',
      {
        kind: 'repository',
        before: { archived: true, visibility: 'public' },
        body: { archived: true, visibility: 'private' },
      },
    ],
    [
      'a switch',
      { kind: 'alerts', name: 'vulnerability', before: { vulnerability: true }, body: { vulnerability: 1 } },
    ],
    [
      'a role by another name',
      { kind: 'grant', name: 'team:platform', id: 1, before: { role: 'read' }, body: { role: 'push' } },
    ],
    ['a role without a value', { kind: 'member', name: 'admin', id: 1, before: { role: 'admin' }, body: {} }],
    [
      'a role in a team without a value',
      { kind: 'team_member', name: 'platform/admin', team_id: 1, user_id: 1, before: { role: 'maintainer' }, body: {} },
    ],
    ['a visibility in capitals', { kind: 'settings', before: { has_wiki: true }, body: { PRIVATE: false } }],
    [
      'a nested setting in capitals',
      {
        ...{ kind: 'settings', before: { has_wiki: true } },
        body: { security_and_analysis: { Secret_scanning: { status: 'disabled' } } },
      },
    ],
    [
      'an enforcement in capitals',
      {
        kind: 'ruleset',
        name: 'Guard',
        id: 1,
        before: guard,
        body: { ...guard, name: 'Guard', Enforcement: 'disabled' },
      },
    ],
    ['the name of a repository', { kind: 'settings', before: { name: 'site' }, body: { name: 'other' } }],
    ['a role', { kind: 'grant', name: 'team:platform', id: 1, before: { role: 'read' }, body: { role: ['admin'] } }],
    [
      'a parent',
      { kind: 'team', name: 'Interns', id: 1, before: { description: '' }, body: { parent_team_slug: 'platform' } },
    ],
    [
      'a property',
      {
        ...{ kind: 'property', name: 'tier', id: 'tier', before: { editable_by: 'org_actors' } },
        body: { editable_by: 'org_actors', values_editable_by: 'org_and_repo_actors' },
      },
    ],
  ])('is rejected if a line changes %s under another name or in another form', async (_what, forged) => {
    const { text, apply } = await saved(`organizations: [acme]
repositories: [{ select: { names: [site] }, settings: { has_wiki: false } }]
`);
    const isOfOrganization =
      'kind' in forged && ['team', 'property', 'member', 'team_member'].includes(String(forged.kind));
    const owner = isOfOrganization && { target: 'acme', organization_id: 101, repository_id: undefined };
    const edit: Edit = (change) => ({ ...change, ...forged, ...owner });
    expect(await apply(withDigest(inPlan(text, { 1: edit })))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'forgectl: FOLDER/forged.ndjson is truncated or damaged at line 2. Nothing was sent.\n',
    });
  });

  it('loosens with a setting of a hook of its own, as the plan does not have the inherited one', async () => {
    const { text, apply } = await saved(`organizations: [acme]
repositories: [{ select: { names: [site] }, hooks: [{ name: Check commit messages, enforcement: disabled }] }]
`);
    const forged = inPlan(text, {
      1: ({ before: _before, inherited: _inherited, ...change }) => ({ ...change, action: 'create' }),
    });
    expect(await apply(withDigest(forged), ' --deny loosens')).toMatchObject({ code: 12, stdout: '' });
    const renamed = inPlan(forged, { 1: (change) => ({ ...change, name: 'Harmless' }) });
    expect(await apply(withDigest(renamed))).toMatchObject({
      code: 9,
      stdout: expect.stringContaining('hook “Harmless” of acme/site changed after the plan, so nothing was sent.'),
    });
  });

  it('loosens with an integer that is larger than numbers of JavaScript', async () => {
    const { text, apply } = await saved(`organizations: [acme]
budgets: [{ budget_scope: organization, budget_entity_name: acme, budget_type: ProductPricing, budget_product_sku: packages, budget_amount: 5001 }]
`);
    const forged = withDigest(
      text.replace('"body":{"budget_amount":5001', '"body":{"budget_amount":123456789012345678901'),
    );
    const { code, stderr } = await apply(forged, ' --deny loosens');
    expect({ code, stderr }).toEqual({
      code: 12,
      stderr: expect.stringContaining('budget_amount: 5000 → 123456789012345678901 (loosens)'),
    });
  });

  it('sends nothing again without a flag, whatever its rows are called', async () => {
    const { text, apply } = await saved(`organizations: [acme]
registries: [{ registry_type: python_index, url: "https://python.acme.example/simple", secret: { env: NPM_TOKEN } }]
`);
    const row: Edit = (change) => ({ ...change, changes: [{ path: 'constructor', to: 1 }] });
    const { code, stderr } = await apply(withDigest(inPlan(text, { 1: row })));
    expect(stderr).not.toContain('done');
    expect(code).toBe(0);
  });

  it('does not crash forgectl, whatever the values are', async () => {
    const { text, apply } = await saved(settings);
    const refused = { code: 2, stderr: expect.stringContaining('is truncated or damaged at line 2.') };
    const withValue = (value: string) =>
      withDigest(text.replace('"before":{', '"before":{"more":1,').replace('"body":{', `"body":{"more":${value},`));
    expect(await apply(withValue(`${'['.repeat(2000)}${']'.repeat(2000)}`))).toMatchObject(refused);
    const before = { name: { toString: 1 } };
    const unnamed = inPlan(text, {
      1: ({ body: _body, ...change }) => ({ ...change, kind: 'ruleset', action: 'delete', name: 'R', id: 1, before }),
    });
    expect(await apply(withDigest(unnamed))).toMatchObject(refused);
    expect((await apply(withValue('123456789012345678901'))).stderr).toContain('more: 1 → 123456789012345678901');
  });

  it('with a key __proto__ is rejected', async () => {
    const { text, apply } = await saved(settings);
    for (const key of ['__proto__', '\\u005f_proto__'])
      expect(await apply(withDigest(text.replace('"body":{', `"body":{"${key}":{"name":"x"},`)))).toMatchObject({
        code: 2,
        stderr: 'forgectl: FOLDER/forged.ndjson is truncated or damaged at line 2. Nothing was sent.\n',
      });
  });
});

describe('a secret of a saved plan', () => {
  const registry =
    'organizations: [acme]\nregistries: [{ registry_type: npm_registry, url: "https://npm.example.com", visibility: all, secret: { env: NPM_TOKEN } }]\n';
  const forged: Edit = (change) => ({ ...change, secret: { env: 'AWS_SECRET_ACCESS_KEY', source: 'p.yaml:2' } });

  it('is shown, and sent without a terminal only with --allow-secret', async () => {
    const { forgectl, text, apply } = await saved(registry);
    const plan = withDigest(inPlan(text, { 1: forged }));
    for (const flags of ['', ' --allow-secret NPM_TOKEN'])
      expect(await apply(plan, flags, aws)).toMatchObject({
        code: 12,
        stdout: '',
        stderr: `+ registry npm_registry https://npm.example.com · acme
    registry_type: npm_registry
    url: https://npm.example.com
    visibility: all
    secret from $AWS_SECRET_ACCESS_KEY

1 change (1 to create), planned by admin.
forgectl: The plan sends a secret from AWS_SECRET_ACCESS_KEY. To allow that, add --allow-secret AWS_SECRET_ACCESS_KEY. Nothing was written.
`,
      });
    expect((await forgectl('registries list acme --jq .[].name')).stdout).not.toContain('NPM');
    expect(await apply(plan, ' --allow-secret AWS_SECRET_ACCESS_KEY', aws)).toMatchObject({ code: 0 });
  });

  it('from a file is not allowed by the name of a variable', async () => {
    const { text, apply } = await saved(registry);
    for (const file of ['NPM_TOKEN', '$NPM_TOKEN']) {
      const plan = inPlan(text, { 1: (change) => ({ ...change, secret: { file, source: 'p.yaml:2' } }) });
      const { code, stderr } = await apply(withDigest(plan), ` --allow-secret ${file}`);
      expect({ code, stderr }).toEqual({ code: 12, stderr: expect.stringContaining(`secret from ./${file}\n`) });
    }
  });

  it('cannot add lines to messages by its source', async () => {
    const { text, apply } = await saved(registry);
    const secret = { env: 'NOT_SET', source: 'p.yaml:2\nAll is well' };
    const { stderr } = await apply(
      withDigest(inPlan(text, { 1: (change) => ({ ...change, secret }) })),
      ' --allow-secret NOT_SET',
    );
    expect(stderr).toContain('\np.yaml:2 All is well: environment variable NOT_SET is not set\n');
  });

  it('cannot be a credential of forgectl', async () => {
    const { text, apply } = await saved(registry);
    for (const env of ['FORGECTL_TOKEN', 'GITHUB_TOKEN']) {
      const plan = withDigest(inPlan(text, { 1: (change) => ({ ...change, secret: { env, source: 'p.yaml:2' } }) }));
      for (const flags of [` --allow-secret ${env}`, '', ' --dry-run'])
        expect(await apply(plan, flags, { GITHUB_TOKEN: secret })).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining(`p.yaml:2: environment variable ${env} is a credential of forgectl itself\n`),
        });
    }
  });
});

describe('a saved plan of an organization', () => {
  it('has its ID, and changes no other organization that has its name later', async () => {
    const { forgectl, text, apply, folder } = await saved(settings);
    const id = Number((await forgectl('orgs get acme --jq .id')).stdout);
    expect(JSON.parse(text.split('\n')[1] ?? '')).toMatchObject({ target: 'acme', organization_id: id });
    const other = withDigest(inPlan(text, { 1: (change) => ({ ...change, organization_id: 7 }) }));
    expect(await apply(other)).toMatchObject({
      code: 9,
      stdout: `acme (after its repositories)\tfailed\t\tacme is now a different organization: its ID is ${id}, not 7. Nothing was sent to it.\n`,
    });
    expect((await forgectl('orgs get acme --jq .blog')).stdout).not.toContain('a.example');
    expect(await apply(text, ' --undo-out FOLDER/undo.ndjson')).toMatchObject({ code: 0 });
    const undo = readFileSync(join(folder, 'undo.ndjson'), 'utf8');
    expect(JSON.parse(undo.split('\n')[1] ?? '')).toMatchObject({ target: 'acme', organization_id: id });
  });

  it('is rejected without the ID', async () => {
    const { text, apply } = await saved(settings);
    const plan = withDigest(inPlan(text, { 1: ({ organization_id: _id, ...change }) => change }));
    expect(await apply(plan)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a saved plan of a repository', () => {
  const policy = 'organizations: [acme]\nrepositories: [{ select: { names: [site] }, settings: { description: D } }]\n';

  it('has its ID, and changes no other repository that has its name later', async () => {
    const { forgectl, text, apply } = await saved(policy);
    const id = Number((await forgectl('repos get acme/site --jq .id')).stdout);
    expect(JSON.parse(text.split('\n')[1] ?? '')).toMatchObject({ target: 'acme/site', repository_id: id });
    await forgectl('repos delete acme/site --yes');
    await forgectl('repos create acme/site --private');
    const other = Number((await forgectl('repos get acme/site --jq .id')).stdout);
    expect(await apply(text)).toMatchObject({
      code: 9,
      stdout: `acme/site\tfailed\t\tacme/site is now a different repository: its ID is ${other}, not ${id}. Nothing was sent to it.\n`,
    });
    expect((await forgectl('repos get acme/site --jq .description')).stdout).toBe('null\n');
  });

  it('is rejected without the ID', async () => {
    const { text, apply } = await saved(policy);
    const plan = withDigest(inPlan(text, { 1: ({ repository_id: _id, ...change }) => change }));
    expect(await apply(plan)).toMatchObject({ code: 2, stdout: '' });
  });
});

import nacl from 'tweetnacl';
import { describe, expect, it } from 'vitest';
import { openSealedBox } from '../../../support/open-sealed-box.ts';
import { scriptedPlatform } from '../../../support/platform.ts';
import { type RunOptions, run } from '../../../support/run.ts';

const created = { status: 201, body: { id: 7, name: 'Guard', enforcement: 'active' } };

/** Where nobody sits: a pipe, a terminal in CI, and a terminal with --no-input. */
const nobody: readonly (readonly [where: string, words: readonly string[], options: RunOptions])[] = [
  ['in a pipe', [], {}],
  ['in CI', [], { person: [], env: { CI: 'true' } }],
  ['with --no-input', ['--no-input'], { person: [] }],
];

describe('at a terminal', () => {
  it('missing arguments and fields are prompted for, and sent like typed ones', async () => {
    const platform = await scriptedPlatform({ 'POST /repos/acme/site/rulesets': created });
    const { stdout, stderr, code } = await run(['rulesets', 'create', '--json'], {
      env: platform.env,
      person: [
        ['(TARGET)', 'acme/site\r'],
        ['(--name)', "Ada's guard\r"],
        ['(--enforcement)', '\x1b[B\r'],
        ['Which branches?', ' \r'],
        ['Which rules?', ' \x1b[B \r'],
      ],
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: 7 });
    expect(platform.requests.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
      [
        'POST',
        '/api/v3/repos/acme/site/rulesets',
        {
          name: "Ada's guard",
          enforcement: 'active',
          conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
          rules: [{ type: 'deletion' }, { type: 'non_fast_forward' }],
        },
      ],
    ]);
    expect(stderr).toContain(
      `Without prompts:\n  forgectl rulesets create --json acme/site --name 'Ada'\\''s guard' --enforcement active --conditions '{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}}' --rules '[{"type":"deletion"},{"type":"non_fast_forward"}]'\n`,
    );
  });

  it('an invalid answer is prompted for again, with the message of the command line', async () => {
    const platform = await scriptedPlatform({ 'POST /repos/acme/site/dispatches': { status: 204 } });
    const { stderr, code } = await run(['repos', 'dispatch'], {
      env: platform.env,
      person: [
        ['(REPO)', 'site\r'],
        ['must have the form OWNER/NAME', '\x15acme/site\r'],
        ['(EVENT_TYPE)', '\r'],
        ['must not be empty', 'deploy\r'],
      ],
    });
    expect(code).toBe(0);
    expect(platform.requests[0]?.body).toBe('{"event_type":"deploy"}');
    expect(stderr).toContain('\n  forgectl repos dispatch acme/site deploy\n');
  });

  it('fields required by another answer are prompted for, and others are not', async () => {
    const platform = await scriptedPlatform({
      'POST /organizations/acme/settings/billing/budgets': { body: { message: 'Created.', budget: { id: 'b' } } },
    });
    const { stderr, code } = await run(['budgets', 'create', '--plain'], {
      env: platform.env,
      person: [
        ['1. ORG: Organization login\n', '1\r'],
        ['Organization login (ORG):', 'acme/site\r'],
        ['must be a single name, without a slash', '\x15acme\r'],
        ['4. user', '4\r'],
        ['(--budget-amount)', 'much\r'],
        ['must be a whole number, not “much”', '50\r'],
        ['(--prevent-further-usage)', 'n\r'],
        ['must be true when budget_scope is user', 'y\r'],
        ['3. SkuPricing', '3\r'],
        ['1. ai_credits\n2. premium_requests\n', '2\r'],
        ['(--user)', 'octocat\r'],
      ],
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      budget_scope: 'user',
      budget_type: 'SkuPricing',
      budget_amount: 50,
      prevent_further_usage: true,
      budget_product_sku: 'premium_requests',
      user: 'octocat',
    });
    expect(stderr).not.toContain('alert_recipients');
    expect(stderr).toContain(
      '  forgectl budgets create --plain acme --budget-scope user --budget-amount 50 --prevent-further-usage --budget-type SkuPricing --budget-product-sku premium_requests --user octocat\n',
    );
  });

  it('nested fields with their own flags are prompted for one by one', async () => {
    const platform = await scriptedPlatform({
      'POST /enterprises/e/settings/billing/budgets': { body: { message: 'Created.', budget: { id: 'b' } } },
    });
    const words =
      'budgets create --enterprise e --budget-scope enterprise --budget-type ProductPricing --budget-amount 5 --no-prevent-further-usage';
    const { stderr, code } = await run(words.split(' '), {
      env: platform.env,
      person: [
        ['Send alerts', 'n\r'],
        ['Product, such as actions', 'actions\r'],
      ],
    });
    expect(code).toBe(0);
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toMatchObject({
      budget_alerting: { will_alert: false, alert_recipients: [] },
    });
    expect(stderr).toContain(" --no-will-alert --alert-recipients '[]' --budget-product-sku actions\n");
  });

  it('an update without fields prompts for the fields to change', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme': { body: { login: 'acme' } } });
    const { stderr, code } = await run(['orgs', 'update', 'acme', '--plain', '--dry-run'], {
      env: platform.env,
      person: [
        ['3. email', '2,x\r'],
        ['Some of those numbers are not in the list.', '2, 3\r'],
        ['(--company)', 'Acme\r'],
        ['(--email)', 'a@b.example\r'],
      ],
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET']);
    expect(stderr).toContain('\n  forgectl orgs update acme --plain --dry-run --company Acme --email a@b.example\n');
  });

  it.each([
    [[], /\*{9}/],
    [['--plain'], /^Registry secret: \n$/m],
  ])('a secret from the keyboard is prompted for with a mask, or nothing with --plain: %j', async (flags, shown) => {
    const keys = nacl.box.keyPair();
    const key = Buffer.from(keys.publicKey).toString('base64');
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries/public-key': { body: { key_id: 'k1', key } },
    });
    const { stdout, stderr } = await run(['registries', 'seal', 'acme', '--secret-stdin', '--json', ...flags], {
      env: platform.env,
      person: [['Registry secret:', 'hush hush\r']],
    });
    const opened = openSealedBox(Buffer.from(JSON.parse(stdout).encrypted_value, 'base64'), keys) ?? [];
    expect(Buffer.from(opened).toString('utf8')).toBe('hush hush');
    expect(stderr).not.toContain('hush');
    expect(stderr).toMatch(shown);
  });

  it.each([
    ['repos dispatch -- acme/site', 'deploy', 'repos dispatch -- acme/site deploy'],
    ['repos dispatch acme/site', '-x', 'repos dispatch acme/site -- -x'],
    ['repos dispatch --dry-run acme/site', '$HOME', "repos dispatch --dry-run acme/site '$HOME'"],
  ])('%s with the answer %s becomes %s, and that command has the same effect', async (line, event, told) => {
    const platform = await scriptedPlatform({ 'POST /repos/acme/site/dispatches': { status: 204 } });
    const { env } = platform;
    const asked = await run(line.split(' '), { env, person: [['(EVENT_TYPE)', `${event}\r`]] });
    expect(asked.stderr).toContain(`\n  forgectl ${told}\n`);
    const again = await run(told.replaceAll("'", '').split(' '), { env });
    expect([asked.code, again.code]).toEqual([0, 0]);
    const sent = `{"event_type":"${event}"}`;
    expect(platform.requests.map(({ body }) => body)).toEqual(line.includes('--dry-run') ? [] : [sent, sent]);
    expect(asked.stdout).toBe(again.stdout);
  });

  it('several arguments are prompted for in one line', async () => {
    const platform = await scriptedPlatform({ 'POST /user/migrations': { status: 201, body: { id: 7 } } });
    const { stderr } = await run(['migrations', 'start'], {
      env: platform.env,
      person: [
        ['(REPOS)', 'acme/site api\r'],
        ['must have the form OWNER/NAME', '\x15acme/site acme/api\r'],
      ],
    });
    expect(platform.requests[0]?.body).toBe('{"repositories":["acme/site","acme/api"]}');
    expect(stderr).toContain('\n  forgectl migrations start acme/site acme/api\n');
  });

  it('the command line is printed only after success', async () => {
    const platform = await scriptedPlatform({
      'POST /repos/acme/site/dispatches': { status: 422, body: { message: 'Validation Failed' } },
    });
    const person = [['(EVENT_TYPE)', 'deploy\r']] as const;
    const refused = await run(['repos', 'dispatch', 'acme/site'], { env: platform.env, person });
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain('returned 422');
    expect(refused.stderr).not.toContain('Without prompts');
    const unreadable = ['repos', 'dispatch', 'acme/site', '--input', 'none.json'];
    const { stderr } = await run(unreadable, { env: platform.env, person });
    expect(stderr).not.toContain('Without prompts');
  });

  it('errors that no answer can fix are reported at once, with everything missing', async () => {
    const { stderr, code } = await run(['rulesets', 'create', 'acme', '--enforcement', 'maybe'], { person: [] });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'forgectl: name is required; --enforcement must be one of disabled, active, evaluate. Nothing was sent.\nUsage: forgectl rulesets create TARGET --name=TEXT [FLAGS]\n',
    );
  });

  it('Ctrl-C at a prompt exits with 130, and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['rulesets', 'create'], {
      env: platform.env,
      person: [
        ['(TARGET)', 'acme\r'],
        ['(--name)', '\x03'],
      ],
    });
    expect(code).toBe(130);
    expect(stderr).not.toContain('Without prompts');
    expect(platform.requests).toEqual([]);
  });

  it('a secret is prompted for with a mask, and is in no command line', async () => {
    const keys = nacl.box.keyPair();
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries/public-key': {
        body: { key_id: 'k1', key: Buffer.from(keys.publicKey).toString('base64') },
      },
      'POST /orgs/acme/private-registries': { status: 201, body: { name: 'NPM', registry_type: 'npm_registry' } },
    });
    const { stderr, stdout, code } = await run(['registries', 'create', 'acme', '--registry-type', 'npm_registry'], {
      env: platform.env,
      person: [
        ['(--url)', 'https://npm.example.com\r'],
        ['all\n❯ private\n', '\r'],
        ['Registry secret:', '\r'],
        ['must not be empty', 'hush hush\r'],
      ],
    });
    expect(code).toBe(0);
    const { encrypted_value, ...rest } = JSON.parse(platform.requests[1]?.body ?? '');
    expect(rest).toEqual({
      registry_type: 'npm_registry',
      url: 'https://npm.example.com',
      visibility: 'private',
      key_id: 'k1',
    });
    const opened = openSealedBox(Buffer.from(encrypted_value, 'base64'), keys) ?? [];
    expect(Buffer.from(opened).toString('utf8')).toBe('hush hush');
    expect(stderr + stdout).not.toContain('hush');
    expect(stderr).toContain(' --url https://npm.example.com --visibility private --secret-stdin\n');
  });

  it('a secret in an answer is masked in the command line', async () => {
    const definition = { property_name: 'deploy_token', value_type: 'string', allowed_values: null };
    const platform = await scriptedPlatform({
      'GET /orgs/acme/properties/schema': { body: [definition] },
      'PATCH /orgs/acme/properties/values': { status: 204 },
    });
    const { stderr } = await run(['properties', 'set', 'acme', '--repos', 'site'], {
      env: platform.env,
      person: [['NAME= unsets a property', 'deploy_token=opensesame\r']],
    });
    expect(stderr).toContain(`Without prompts:
  forgectl properties set acme --repos site 'deploy_token=********'
Replace ******** with the value of the field deploy_token.
`);
  });
});

it('the visibility of a new repository is private, unless another is chosen', async () => {
  const visibility = async (keys: string) => {
    const platform = await scriptedPlatform({
      'POST /orgs/acme/repos': { status: 201, body: { full_name: 'acme/x' } },
    });
    const person = [['public\n❯ private\n  internal\n', keys]] as const;
    const { code } = await run(['repos', 'create', 'acme/x'], { env: platform.env, person });
    return { code, ...JSON.parse(platform.requests[0]?.body ?? '{}') };
  };
  expect(await visibility('\r')).toEqual({ code: 0, name: 'x', visibility: 'private' });
  expect(await visibility('\x1b[A\r')).toEqual({ code: 0, name: 'x', visibility: 'public' });
});

describe('a record created by prompts', () => {
  /** Answers the questions of a command with --plain, and gives what it sent. */
  async function create(line: string, route: string, person: NonNullable<RunOptions['person']>) {
    const keys = nacl.box.keyPair();
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries/public-key': {
        body: { key_id: 'k1', key: Buffer.from(keys.publicKey).toString('base64') },
      },
      [route]: { status: 201, body: { id: 7, message: 'Created.', budget: { id: 'b' } } },
    });
    const result = await run([...line.split(' '), '--plain'], { env: platform.env, columns: 200, person });
    const bodies = platform.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
    return { ...result, bodies };
  }

  it('is a ruleset with branches by name and rules with parameters', async () => {
    const { bodies, stderr } = await create('rulesets create acme --name Guard --json', 'POST /orgs/acme/rulesets', [
      ['(--enforcement)', '2\r'],
      ['1. the default branch\n2. all branches\n3. others by name or pattern\n', '1,3\r'],
      ['Branches, such as main or release/*', ' , main\r'],
      ['must not be empty', '\x15main, refs/heads/release/*\r'],
      ['1. all repositories\n2. others by name or pattern\n', '2\r'],
      ['Repositories, such as api-*', 'api-*\r'],
      ['Which rules? (--rules)\n1. Block deletions\n2. Block force pushes\n', '7,8\r'],
      ['Required approvals (0 to 10):', '1\r'],
      ['must be a whole number from 0 to 10', '\x152\r'],
      ['Names of the status checks, comma-separated:', 'build, test\r'],
    ]);
    expect({ bodies, stderr }).toMatchObject({
      bodies: [
        {
          name: 'Guard',
          enforcement: 'active',
          conditions: {
            ref_name: { include: ['~DEFAULT_BRANCH', 'refs/heads/main', 'refs/heads/release/*'], exclude: [] },
            repository_name: { include: ['api-*'], exclude: [] },
          },
          rules: [
            {
              type: 'pull_request',
              parameters: {
                required_approving_review_count: 2,
                dismiss_stale_reviews_on_push: false,
                require_code_owner_review: false,
                require_last_push_approval: false,
                required_review_thread_resolution: false,
              },
            },
            {
              type: 'required_status_checks',
              parameters: {
                required_status_checks: [{ context: 'build' }, { context: 'test' }],
                strict_required_status_checks_policy: false,
              },
            },
          ],
        },
      ],
    });
  });

  it.each<[line: string, person: NonNullable<RunOptions['person']>, body: object]>([
    [
      'rulesets create acme/site --name T --target tag',
      [
        ['(--enforcement)', '2\r'],
        ['1. all tags\n', '2\r'],
        ['Tags, such as v*', 'v*\r'],
        ['1. Block deletions\n', '1\r'],
      ],
      { conditions: { ref_name: { include: ['refs/tags/v*'], exclude: [] } }, rules: [{ type: 'deletion' }] },
    ],
    [
      'rulesets create acme/site --name P --target push',
      [
        ['(--enforcement)', '2\r'],
        ['1. Restrict file paths\n2. Restrict file extensions\n3. Restrict file size\n', '2,3\r'],
        ['Restricted file extensions', 'exe,zip\r'],
        ['Maximum file size in megabytes (1 to 100):', '10\r'],
      ],
      {
        rules: [
          { type: 'file_extension_restriction', parameters: { restricted_file_extensions: ['exe', 'zip'] } },
          { type: 'max_file_size', parameters: { max_file_size: 10 } },
        ],
      },
    ],
  ])('%s has the conditions and rules of its target', async (line, person, body) => {
    const { bodies, code } = await create(line, 'POST /repos/acme/site/rulesets', person);
    expect(code).toBe(0);
    const [, , , name = '', , target = ''] = line.split(' ').slice(1);
    expect(bodies).toEqual([{ name, target, enforcement: 'active', ...body }]);
  });

  const budget = 'budgets create --enterprise e --budget-amount 5 --no-prevent-further-usage';

  it.each<[words: string, person: NonNullable<RunOptions['person']>, body: object]>([
    [
      '--budget-type SkuPricing --no-will-alert',
      [
        ['2. organization\n', '2\r'],
        ['Organization login (--budget-entity-name):', '\r'],
        ['must not be empty', 'acme\r'],
        ['SKU, such as actions_linux (--budget-product-sku):', 'actions_linux\r'],
      ],
      {
        budget_scope: 'organization',
        budget_entity_name: 'acme',
        budget_product_sku: 'actions_linux',
        budget_alerting: { will_alert: false, alert_recipients: [] },
      },
    ],
    [
      '--budget-type BundlePricing --will-alert',
      [
        ['3. repository\n', '3\r'],
        ['Logins of the alert recipients', '\r'],
        ['must not be empty', 'ada,bot\r'],
        ['Repository (OWNER/NAME) (--budget-entity-name):', 'acme/site\r'],
      ],
      {
        budget_scope: 'repository',
        budget_entity_name: 'acme/site',
        budget_product_sku: 'ai_credits',
        budget_alerting: { will_alert: true, alert_recipients: ['ada', 'bot'] },
      },
    ],
  ])('is a budget for an entity and a product: %s', async (words, person, body) => {
    const route = 'POST /enterprises/e/settings/billing/budgets';
    const { bodies, stderr } = await create(`${budget} ${words}`, route, person);
    expect({ bodies, stderr }).toMatchObject({ bodies: [body] });
  });

  it.each([
    ['ada', { username: 'ada' }, '--username ada '],
    ['', {}, ''],
  ])('is a maven repository with the user name %j', async (typed, username, flag) => {
    const { bodies, stderr } = await create(
      'registries create acme --registry-type maven_repository',
      'POST /orgs/acme/private-registries',
      [
        ['(--url)', 'https://maven.example.com\r'],
        ['1. all\n', '1\r'],
        ['Username, or Enter for none (--username):', `${typed}\r`],
        ['Registry secret:', 'hush\r'],
      ],
    );
    const [{ encrypted_value: _sealed, ...body }] = bodies;
    expect(body).toEqual({
      registry_type: 'maven_repository',
      url: 'https://maven.example.com',
      visibility: 'all',
      key_id: 'k1',
      ...username,
    });
    expect(stderr).toContain(` --url https://maven.example.com --visibility all ${flag}--secret-stdin\n`);
  });
});

describe('an update at a terminal', () => {
  const acme = {
    login: 'acme',
    company: null,
    location: 'Oslo',
    description: 'Rockets',
    default_repository_permission: 'write',
    members_can_create_pages: true,
    web_commit_signoff_required: false,
  };

  /** Chooses fields of `orgs update acme` by their places in the list, and answers the questions for them. */
  async function update(plain: readonly string[], person: NonNullable<RunOptions['person']>) {
    const platform = await scriptedPlatform({ 'GET /orgs/acme': { body: acme }, 'PATCH /orgs/acme': { body: acme } });
    const result = await run(['orgs', 'update', 'acme', ...plain], { env: platform.env, person, columns: 200 });
    const sent = platform.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body));
    return { ...result, sent };
  }

  /** The places of company, location, description, default-repository-permission and members-can-create-pages. */
  const several = '2,5,8,11,16\r';

  it('starts each prompt from the current value, and sends only changes', async () => {
    const { sent, stderr, code } = await update(
      ['--plain'],
      [
        ['numbers from 1 to', several],
        ['(--company):', 'Acme Inc.\r'],
        ['(--location):', '\x7f\x7f\x7f\x7fBergen\r'],
        ['(--description):', '\r'],
        ['Type a number from 1 to 4, Enter for 2:', '\r'],
        ['(--members-can-create-pages)? Type y or n, Enter for y:', 'n\r'],
      ],
    );
    expect({ stderr, code }).toMatchObject({ code: 0 });
    expect(sent).toEqual([{ company: 'Acme Inc.', location: 'Bergen', members_can_create_pages: false }]);
    expect(stderr).toContain(
      `\n  forgectl orgs update acme --plain --company 'Acme Inc.' --location Bergen --no-members-can-create-pages\n`,
    );
  });

  it('draws the current values: editable text, the selected word, and Y for true', async () => {
    const down = '\x1b[B';
    const { sent, stderr, code } = await update(
      [],
      [
        ['Fields to change:', `${down.repeat(4)} ${down.repeat(6)} ${down.repeat(5)} ${down} \r`],
        ['(--location):', ' and Bergen\r'],
        ['Default permission', `${down}\r`],
        ['Allow members to publish sites', '\r'],
        ['Allow members to publish public sites', 'y\r'],
        ['to confirm:', 'acme\r'],
      ],
    );
    expect({ stderr, code }).toMatchObject({ code: 0 });
    const shown = stderr.replaceAll('\n', '');
    expect(shown).toContain('(--members-can-create-pages)? (Y/n)');
    expect(shown).toContain('(--members-can-create-public-pages)? (y/N)');
    expect(sent).toEqual([
      { location: 'Oslo and Bergen', default_repository_permission: 'admin', members_can_create_public_pages: true },
    ]);
  });

  it('sends nothing if every answer is the current value', async () => {
    const { sent, stderr, code } = await update(
      ['--plain'],
      [
        ['numbers from 1 to', '5,16\r'],
        ['(--location):', '\r'],
        ['Enter for y:', '\r'],
      ],
    );
    expect(code).toBe(2);
    expect(stderr).toContain('forgectl: No changes: every answer equals the current value. Nothing was sent.\n');
    expect(sent).toEqual([]);
  });

  it('can clear a text', async () => {
    const { sent, stderr } = await update(
      ['--plain'],
      [
        ['numbers from 1 to', '8\r'],
        ['(--description):', '\x15\r'],
      ],
    );
    expect(sent).toEqual([{ description: '' }]);
    expect(stderr).toContain(`\n  forgectl orgs update acme --plain --description ''\n`);
  });

  it.each<[line: string, get: string, record: object, choose: string, question: string, shown: string]>([
    ['comments update acme/site 7', '/repos/acme/site/comments/7', { id: 7, body: 'Why?' }, '', '(--body):', 'Why?'],
    [
      'hooks set acme/site 7',
      '/repos/acme/site/pre-receive-hooks/7',
      { id: 7, enforcement: 'testing' },
      '',
      'Type a number from 1 to 3, Enter for 3:',
      '',
    ],
    ['rulesets update acme/site 7', '/repos/acme/site/rulesets/7', { id: 7, name: 'Guard' }, '1', '(--name):', 'Guard'],
    [
      'budgets update acme budget-1',
      '/organizations/acme/settings/billing/budgets/budget-1',
      { id: 'budget-1', budget_product_skus: ['actions'] },
      '7',
      '(--budget-product-sku):',
      'actions',
    ],
    [
      'budgets update --enterprise e budget-1',
      '/enterprises/e/settings/billing/budgets/budget-1',
      { id: 'budget-1', budget_alerting: { will_alert: true, alert_recipients: ['ada', 'bot'] } },
      '4',
      'Enter for none) (--alert-recipients):',
      'ada,bot',
    ],
  ])('%s starts from the record', async (line, get, record, choose, question, shown) => {
    const platform = await scriptedPlatform({ [`GET ${get}`]: { body: record } });
    const { stderr, code } = await run([...line.split(' '), '--plain'], {
      env: platform.env,
      columns: 200,
      person: [...(choose ? [['numbers from 1 to', `${choose}\r`] as const] : []), [question, '\r']],
    });
    expect({ stderr, code }).toMatchObject({ code: 2 });
    expect(stderr).toContain(`${question} ${shown}`);
    expect(stderr).toContain('No changes: every answer equals the current value.');
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('a secret for --secret-prompt', () => {
  it('is read from standard input in the printed command line', async () => {
    const keys = nacl.box.keyPair();
    const key = Buffer.from(keys.publicKey).toString('base64');
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries/public-key': { body: { key_id: 'k1', key } },
      'PATCH /orgs/acme/private-registries/NPM': { status: 204 },
    });
    const { env } = platform;
    const { stderr } = await run(['registries', 'update', 'acme', 'NPM', '--secret-prompt'], {
      env,
      person: [['Registry secret:', 'hush hush\r']],
    });
    expect(stderr).toContain('\n  forgectl registries update acme NPM --secret-stdin\n');
    const again = ['registries', 'update', 'acme', 'NPM', '--secret-stdin'];
    expect((await run(again, { env, stdin: 'hush hush' })).code).toBe(0);
    expect(platform.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
  });
});

describe.each(nobody)('%s', (_where, words, options) => {
  it.each<[line: string, missing: string]>([
    [
      'rulesets create',
      'TARGET is required: organization (acme) or repository (acme/site); name is required; enforcement is required',
    ],
    [
      'registries create',
      'ORG is required: organization login; --secret-file or --secret-stdin is required when prompts are disabled; registry_type is required; url is required; visibility is required',
    ],
    [
      'registries seal',
      'ORG is required: organization login; --secret-file or --secret-stdin is required when prompts are disabled',
    ],
    [
      'registries update acme --secret-prompt',
      'NAME is required: registry name; --secret-file or --secret-stdin is required when prompts are disabled',
    ],
    [
      'repos dispatch',
      'REPO is required: repository (OWNER/NAME); EVENT_TYPE is required: event type, at most 100 characters',
    ],
    [
      'dismissals review',
      'TARGET is required: repository (OWNER/NAME), or an organization at a terminal if no number follows; ALERT is required: alert number; status is required; message is required',
    ],
    ['dismissals create acme/site', 'ALERT is required: alert number; dismissed_reason is required'],
    ['comments create acme/site', 'SHA is required: SHA of the commit; body is required'],
    [
      'budgets create',
      'ORG or --enterprise is required; budget_scope is required; budget_amount is required; prevent_further_usage is required; budget_type is required; budget_alerting is required, with will_alert and alert_recipients',
    ],
    [
      'views create',
      'PROJECT_NUMBER is required: project number; --org or --user is required; name is required; layout is required',
    ],
    ['hooks set acme/site', 'ID is required: hook ID; enforcement is required'],
    ['hooks list', 'TARGET or --installation is required'],
    ['migrations start', 'repositories must contain at least one, unless org_metadata_only is true'],
    [
      'auth login',
      '--base-url or FORGECTL_BASE_URL is required; --with-token is required, with the token on standard input: prompts are disabled',
    ],
  ])('%s reports everything missing in one error, and does not prompt', async (line, missing) => {
    const { stdout, stderr, code } = await run([...line.split(' '), ...words], options);
    const [told, ...usage] = stderr.split('\n');
    expect({ stdout, told, code }).toEqual({ stdout: '', told: `forgectl: ${missing}. Nothing was sent.`, code: 2 });
    expect(usage.join('\n')).toMatch(/^(Usage: forgectl .* \[FLAGS\]\n)?$/);
  });

  it('auth switch, which sends no requests, reports a missing profile, and does not prompt', async () => {
    expect(await run(['auth', 'switch', ...words], options)).toEqual({
      stdout: '',
      stderr: 'forgectl: PROFILE is required: profile name.\nUsage: forgectl auth switch PROFILE [FLAGS]\n',
      code: 2,
    });
  });
});

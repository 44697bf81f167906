/** Responses whose JSON is valid and whose shape is not: a result or one clear error, and no plan that creates or deletes for it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { commands, hasFlag } from '../contracts/commands.ts';
import { invocationOf, invoke, routeOf, succeed } from '../contracts/invocations.ts';
import { chance as chanceOf } from '../support/chance.ts';
import { mutated } from '../support/mutations.ts';
import { pathOf, type RecordedRequest, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { type Exchange, type ReplayPlatform, replayPlatform } from '../support/replay.ts';
import { type RunResult, run, temporaryDirectory } from '../support/run.ts';

/** Members that commands read to go on, or that their tables show. */
const members =
  `account actor body budget commit commit_id conditions created_at data enterprise full_name id key key_id
  login message name owner permissions plan rate repositories result rules state updated_at url user`.split(/\s+/);

/** One value in the place of every member. */
const filled = (value: unknown) => Object.fromEntries(members.map((name) => [name, value]));

/** JavaScript cannot convert such an object to text. */
const inconvertible = { a: null, toString: 7, valueOf: 7 };

/** Each in the place of the record, or of the whole answer, without a terminal or on one. */
const trials: readonly (readonly [shape: unknown, whole: boolean, tty: boolean])[] = [
  [null, false, false],
  [7, false, false],
  [filled(null), false, false],
  [filled(7), false, false],
  [filled(inconvertible), false, true],
  [filled('constructor'), false, true],
  [filled(null), true, true],
];

/** The shape in the place of each record, or of the whole answer. */
function misshapen(request: RecordedRequest, shape: unknown, whole: boolean): ScriptedAnswer {
  const endpoint = allEndpoints.find(({ route }) => route === routeOf(request.method, pathOf(request)));
  const healthy = succeed(request);
  if (!endpoint || endpoint.answer.kind === 'nothing' || healthy.status === 302) return healthy;
  const list = endpoint.items ? { [endpoint.items]: [shape] } : [shape];
  const body = whole || endpoint.answer.kind === 'record' ? shape : list;
  return { status: endpoint.status, body: JSON.stringify(body) };
}

it.each(commands.filter(({ requests }) => requests.length > 0))(
  '$name never crashes, regardless of the shape of responses',
  async (command) => {
    let [shape, whole]: readonly unknown[] = [];
    const platform = await scriptedPlatform((request) => misshapen(request, shape, whole === true));
    const flags = ['--max-wait', '0', '--no-cache', ...(hasFlag(command, 'yes') ? ['--yes'] : [])];
    const invocation = invocationOf(command.name);
    for (const trial of trials) {
      [shape, whole] = trial;
      const [, , tty] = trial;
      const { code, stderr } = await invoke(invocation, platform.env, flags, { tty });
      expect({ shape, whole, tty, code, stderr }).not.toMatchObject({ code: 1 });
      expect(stderr).not.toMatch(/inside forgectl|\n\s+at .+:\d+/);
    }
  },
  20_000,
);

const acme = { id: 7, login: 'acme', blog: 'x' };
it.each([
  [{ ...acme, blog: 5 }, 'a number instead of a string for blog'],
  [{ ...acme, id: '7' }, 'a string instead of a number for id'],
  [{ ...acme, id: undefined }, 'nothing instead of a number for id'],
  [{ ...acme, has_organization_projects: 'yes' }, 'a string instead of true or false for has_organization_projects'],
])('policy apply changes nothing because of the record %j', async (body, problem) => {
  const platform = await scriptedPlatform({ 'GET /user': { body: { login: 'ada' } }, 'GET /orgs/acme': { body } });
  const file = join(await temporaryDirectory(), 'p.yaml');
  writeFileSync(file, 'organizations: [acme]\nsettings: { blog: "", has_organization_projects: true }\n');
  expect(await run(['policy', 'apply', file, '--yes'], { env: platform.env })).toEqual({
    ...{ stdout: '', stderr: `forgectl: GET /orgs/acme returned ${problem}.\n`, code: 8 },
  });
  expect(platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

const budget = {
  ...{ id: 'b1', budget_scope: 'organization', budget_type: 'ProductPricing', budget_product_skus: ['actions'] },
  ...{ budget_amount: 5, prevent_further_usage: true },
};
const registry = { name: 'MAVEN', registry_type: 'maven_repository', visibility: 'all', auth_type: 'token' };
const child = { id: 3, name: 'Interns', slug: 'interns', privacy: 'closed' };

it.each<[path: string, body: unknown, policy: string, said: string]>([
  [
    '/organizations/acme/settings/billing/budgets',
    { budgets: [{ ...budget, budget_entity_name: null }] },
    'budgets: [{ budget_scope: organization, budget_entity_name: acme, budget_type: ProductPricing, budget_product_sku: actions, budget_amount: 5, prevent_further_usage: true, budget_alerting: { will_alert: false, alert_recipients: [] } }]',
    'the platform does not return which organization budget b1 is for',
  ],
  [
    '/organizations/acme/settings/billing/budgets',
    { budgets: [{ ...budget, budget_entity_name: 'acme', budget_amount: null }] },
    'budgets: []\nmanage: { budgets: all }',
    'null instead of a number for [0].budget_amount',
  ],
  [
    '/orgs/acme/private-registries',
    { configurations: [{ ...registry, url: null }] },
    'registries: [{ registry_type: maven_repository, url: "https://maven.example", visibility: all, secret: { env: MAVEN } }]',
    'null instead of a string for [0].url',
  ],
  [
    '/orgs/acme/teams',
    [{ ...child, parent: { id: 2 } }],
    'teams: [{ name: Interns, parent: platform }, { name: Platform }]',
    'nothing instead of a string for [0].parent.slug',
  ],
  [
    '/orgs/acme/properties/schema',
    [{ property_name: 'tier', value_type: 'string', required: 'true' }],
    'property_schema: [{ name: tier, type: string, required: true, default: x }]',
    'a string instead of true or false for [0].required',
  ],
])('policy apply creates and changes nothing because of %s with %j', async (path, body, policy, said) => {
  const platform = await scriptedPlatform((request) => {
    const at = pathOf(request);
    if (at === path) return { body };
    return { body: at === '/user' ? { id: 1, login: 'ada' } : at === '/orgs/acme' ? { id: 101, login: 'acme' } : [] };
  });
  const file = join(await temporaryDirectory(), 'p.yaml');
  writeFileSync(file, `organizations: [acme]\n${policy}\n`);
  const env = { ...platform.env, MAVEN: 'x'.repeat(20) };
  const { stdout, stderr } = await run(['policy', 'apply', file, '--yes', '--prune'], { env });
  expect(stdout + stderr).toContain(said);
  expect(platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('properties set reads a page with more values than a call has arguments', async () => {
  const values = `[${Array(230_000).fill('{"repository_name":"site"}').join(',')}]`;
  const platform = await scriptedPlatform(({ url }) => ({
    body: url.includes('/properties/schema') ? '[{"property_name":"tier","value_type":"string"}]' : values,
  }));
  const journal = join(await temporaryDirectory(), 'run.ndjson');
  const words = ['properties', 'set', 'acme', 'tier=gold', '--repos', 'site', '--journal', journal, '--yes'];
  const { stderr, code } = await run([...words, '--max-wait', '0'], { env: platform.env });
  expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(/^forgectl: GET /), code: 8 });
}, 20_000);

const named = (at: number) => ({ id: at + 1, name: `t${at}`, slug: `t${at}` });

/** Teams with the parents that `parentOf` returns by number. */
const teamsBelow = (parentOf: (at: number) => number, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const parent = parentOf(at) < 0 ? null : named(parentOf(at));
    return { ...named(at), privacy: 'closed', permission: 'push', parent };
  });

/** Runs `policy plan` for a policy on a platform with these teams, all of which have access to acme/site. */
async function planWithTeams(teams: readonly { readonly slug: string }[], text: string) {
  const platform = await scriptedPlatform((request) => {
    const path = pathOf(request);
    const team = teams.find(({ slug }) => path === `/orgs/acme/teams/${slug}`);
    if (team) return { body: team };
    if (/^\/(orgs\/acme|repos\/acme\/site)\/teams$/.test(path)) return { body: teams };
    if (path === '/orgs/acme/repos')
      return { body: [{ id: 7, name: 'site', full_name: 'acme/site', archived: false }] };
    if (path === '/orgs/acme') return { body: { id: 101, login: 'acme' } };
    const ada = { id: 1, login: 'ada' };
    return { body: path === '/user' ? ada : path.endsWith('/members') ? [ada] : [] };
  });
  const file = join(await temporaryDirectory(), 'p.yaml');
  writeFileSync(file, `organizations: [acme]\n${text}`);
  return run(['policy', 'plan', file], { env: platform.env });
}

it('policy plan orders and deletes a long chain of teams', async () => {
  const teams = teamsBelow((at) => at - 1, 3000);
  const { stdout, code } = await planWithTeams(teams, 'manage: { teams: all }\nteams: [{ name: Fresh }]\n');
  expect(code).toBe(0);
  expect(stdout).toContain('\tteam\tt2999\tacme\t');
});

it('policy plan reads the access of teams that are their own ancestors', async () => {
  const access = 'repositories: [{ select: {}, access: { teams: { t0: admin } }, manage: { access: all } }]\n';
  for (const parentOf of [(at: number) => at, (at: number) => 1 - at]) {
    const { stdout, code } = await planWithTeams(teamsBelow(parentOf, 2), access);
    expect({ stdout, code }).toMatchObject({
      stdout: expect.stringContaining('~\tgrant\tteam:t0\tacme/site\tloosens\trole: "write" → "admin"\n'),
      code: 0,
    });
  }
});

it('policy plan compares the access of many people and teams', async () => {
  const team = (at: number) => ({ id: at, slug: `t${at}`, permission: 'push' });
  const person = (at: number) => ({ id: at, login: `p${at}`, role_name: 'write' });
  const lists: Readonly<Record<string, unknown>> = {
    '/orgs/acme/repos': [{ id: 7, name: 'site', full_name: 'acme/site', archived: false }],
    '/repos/acme/site/teams': Array.from({ length: 30_000 }, (_, at) => team(at)),
    '/repos/acme/site/collaborators': Array.from({ length: 30_000 }, (_, at) => person(at)),
    '/orgs/acme': { id: 101, login: 'acme' },
    '/user': { id: 1, login: 'ada' },
    '/orgs/acme/memberships/p7': { role: 'member', state: 'active', user: person(7) },
  };
  const platform = await scriptedPlatform((request) => ({ body: lists[pathOf(request)] ?? [] }));
  const file = join(await temporaryDirectory(), 'p.yaml');
  writeFileSync(file, 'organizations: [acme]\nrepositories: [{ select: {}, access: { users: { p7: triage } } }]\n');
  const { stdout } = await run(['policy', 'plan', file], { env: platform.env });
  expect(stdout).toBe('~\tgrant\tuser:p7\tacme/site\ttightens\trole: "write" → "triage"\n');
});

/** Replaces a member of every object. */
const withMember = (json: unknown, name: string, value: unknown): string =>
  JSON.stringify(json, (key, each) => (key === name ? '@@' : each)).replaceAll('"@@"', JSON.stringify(value));

it.each([
  ['rulesets impact 21000010 acme/site', '/rulesets/21000010', 'name'],
  ['rulesets impact 21000010 acme/site', '/rulesets/21000010', 'target'],
  ['rulesets impact 21000010 acme/site', '/rulesets/21000010', 'type'],
  ['rulesets impact 21000010 acme/site', '/rulesets/21000010', 'include'],
  ['rulesets impact 21000010 acme/site', '/rulesets/21000010', 'enforcement'],
  ['rulesets impact 21000011 acme/site', '/rulesets/21000011', 'updated_at'],
  ['rulesets impact 21000011 acme/site', '/rule-suites', 'actor_name'],
  ['rulesets impact 21000010 acme/site', '/activity', 'actor'],
  ['rulesets impact 21000011 acme/site', 'GET /api/v3/repos/acme/site', 'default_branch'],
  ['audit acme', '/orgs/acme/rulesets/10001012', 'updated_at'],
  ['rulesets impact 21000010 acme/site', 'GET /api/v3/repos/acme/site', 'html_url'],
  ['rulesets impact FOLDER/ruleset.json acme', '/orgs/acme/repos', 'html_url'],
  ['audit acme --html FOLDER/audit.html --force', '/orgs/acme/members', 'html_url'],
  ['repos list acme --topic web', '/orgs/acme/repos', 'topics'],
  ['repos list acme --language Go', '/orgs/acme/repos', 'language'],
  ['repos list acme --pushed-before 1d', '/orgs/acme/repos', 'pushed_at'],
  ['repos access acme/site', '/repos/acme/site/teams', 'permission'],
  ['properties set acme tier=gold --repos site --yes', '/properties/schema', 'allowed_values'],
  ['properties set acme tier=gold --repos site --journal FOLDER/run.ndjson', '/properties/schema', 'property_name'],
  ['repos access acme/site', 'GET /api/v3/orgs/acme', 'default_repository_permission'],
  ['migrations unlock 78 --all --yes', '/migrations/78/repositories', 'name'],
  ['teams update acme platform --parent engineering', 'PATCH', 'slug'],
  ['teams add acme platform paperfox', '/teams/platform', 'ldap_dn'],
  ['members set acme paperfox --role member', '/memberships/paperfox', 'login'],
  ['members set acme paperfox --role member', '/memberships/paperfox', 'organization'],
])('%s never crashes because of what cannot be text: %s %s', async (line, part, name) => {
  const { replay, env, healthy } = await recorded(line);
  expect(healthy.code).not.toBe(2);
  for (const value of [inconvertible, [inconvertible], { login: inconvertible }, JSON.rawJSON('9007199254740993')]) {
    replay.rewind(({ request, json }) =>
      `${request.method} ${request.url}`.includes(part) ? withMember(json, name, value) : undefined,
    );
    const { code, stderr } = await runOn(line, env, ['-o', 'table']);
    expect({ code, stderr }).not.toMatchObject({ code: 1 });
    expect(stderr).not.toMatch(/Internal error|inside forgectl/);
  }
});

/** `SHAPES_CASES=10000` and another `SHAPES_SEED` are for a deliberate trial. */
const cases = Number(process.env.SHAPES_CASES ?? 80);
const seed = Number(process.env.SHAPES_SEED ?? 1);

/** In milliseconds, for a busy machine. */
const longestCase = 2000;
vi.setConfig({ testTimeout: 60_000 + cases * longestCase });

const policy = `organizations: [acme]
manage: { rulesets: all, registries: all, budgets: all, hooks: all }
settings: { company: Acme Works, members_can_create_repositories: false, default_repository_permission: none }
rulesets:
  - name: Default branches
    enforcement: evaluate
    bypass_actors: ["team:platform", "role:Security Engineer", { actor: "role:maintain", mode: pull_request }]
    conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] }, repository_name: { include: ["~ALL"], exclude: [] } }
    rules: [{ type: deletion }]
  - name: New
    was: Version tags
    target: tag
    enforcement: active
    conditions: { ref_name: { include: ["~ALL"], exclude: [] }, repository_id: { repository_ids: ["repository:site"] } }
    rules: [{ type: deletion }]
  - { name: Fresh, enforcement: active }
registries:
  - { registry_type: python_index, url: "https://python.acme.example/simple", visibility: selected, repositories: ["s*"], secret: { env: PYTHON } }
  - { registry_type: npm_registry, url: "https://npm.acme.example", visibility: all, secret: { env: PYTHON } }
budgets:
  - { budget_scope: organization, budget_entity_name: acme, budget_type: ProductPricing, budget_product_sku: packages, budget_amount: 70,
      prevent_further_usage: true, budget_alerting: { will_alert: true, alert_recipients: [riverotter] } }
  - { budget_scope: organization, budget_entity_name: acme, budget_type: ProductPricing, budget_product_sku: copilot, budget_amount: 7,
      prevent_further_usage: true, budget_alerting: { will_alert: false, alert_recipients: [] } }
hooks:
  - { name: Block secrets, enforcement: testing }
repositories:
  - select: { visibility: [public, private, internal], properties: { tier: [bronze, silver, gold] } }
    settings: { has_wiki: false, squash_merge_commit_title: PR_TITLE, squash_merge_commit_message: BLANK }
    properties: { tier: gold, region: [us] }
    rulesets: [{ name: Release branches, enforcement: disabled }, { name: Fresh, enforcement: active }]
    hooks: [{ name: Block secrets, enforcement: enabled }]
    manage: { rulesets: all, hooks: all }
`;

const snapshot =
  '{"version":0,"job":{"id":"7","correlator":"build"},"sha":"ce587453ced02b1526dfb4cb910479d431683101","ref":"refs/heads/main","detector":{"name":"d","version":"1","url":"https://d.example.com"},"scanned":"2026-03-10T12:00:00Z","manifests":{"a":{"name":"a","resolved":{"x":{"package_url":"pkg:npm/x@1"}}}}}';

const ruleset =
  '{"name":"G","target":"branch","enforcement":"active","conditions":{"ref_name":{"include":["~ALL"],"exclude":[]},"repository_name":{"include":["~ALL"],"exclude":[]}},"rules":[{"type":"deletion"}]}';

const planLine = 'policy plan FOLDER/policy.yaml -o json';

/** FOLDER is a directory with the policy, the snapshot and the ruleset. */
const lines = [
  ...Array<string>(5).fill(planLine),
  'policy plan FOLDER/policy.yaml --out FOLDER/plan.ndjson',
  'policy plan FOLDER/policy.yaml --organization globex',
  'policy apply FOLDER/policy.yaml --yes --prune --allow-deletes 100 --undo-out FOLDER/undo.ndjson',
  'policy apply FOLDER/policy.yaml --yes --prune --allow-deletes 100',
  'policy export acme --repositories --dir FOLDER/exported',
  'policy export --enterprise sandbox --dir FOLDER/exported',
  'policy explain acme/site FOLDER/policy.yaml',
  'each repos acme -- repos get {}',
  'each repos acme --where .size>=0 -- repos update {} --description Rockets',
  'each orgs -- orgs get {}',
  'each repos acme -- rulesets create {} --name G --enforcement active',
  'audit-log list acme',
  'audit-log list --enterprise sandbox --all',
  'snapshots diff acme/site main...develop',
  'snapshots sbom acme/site',
  'snapshots submit acme/site --input FOLDER/snapshot.json',
  'teams list acme --all',
  'teams members acme platform',
  'teams repos acme platform',
  'teams delete acme platform --yes',
  'teams remove acme platform stonewren --yes',
  'members list acme --all',
  'members remove acme stonewren --yes',
  'properties list acme',
  'properties values acme --all',
  'properties set acme tier=gold --repos site --yes',
  'properties set acme tier=gold --repos site --journal FOLDER/run.ndjson',
  'repos access acme/site',
  'repos access acme/site --user stonewren',
  'repos revoke acme/site --team platform --yes',
  'repos list acme --all',
  'repos topics acme/site --set web',
  'installations list --org acme',
  'installations list',
  'roles list acme',
  'auth check',
  'auth status',
  'registries list acme',
  'registries get acme PYTHON_INDEX_SECRET',
  'registries create acme --registry-type npm_registry --url https://npm.example.com --visibility all --secret-stdin',
  'registries update acme PYTHON_INDEX_SECRET --visibility all --yes',
  'registries delete acme PYTHON_INDEX_SECRET --yes',
  'budgets list acme',
  'budgets list --enterprise sandbox --all',
  'budgets get acme fe0c',
  'budgets update acme fe0c --budget-amount 5 --yes',
  'budgets delete acme fe0c --yes',
  'hooks list acme',
  'hooks list acme/site --all',
  'hooks get acme 4',
  'hooks set acme/site 4 --enforcement enabled --yes',
  'rulesets list acme',
  'rulesets get acme/site 21000010',
  'rulesets check acme/site main',
  'rulesets create acme/site --name G --enforcement active',
  'rulesets update acme/site 21000010 --enforcement disabled --yes',
  'rulesets delete acme/site 21000010 --yes',
  'rulesets history acme/site 21000010',
  'rulesets impact 21000010 acme/site --html FOLDER/impact.html',
  'audit acme --deep',
  'rulesets suites acme/site',
  'orgs get acme',
  'repos get acme/site',
];

const formats = ['', '', '-o json', '-o yaml', '-o csv', '-o ndjson', '-o table', '--jq .'];

interface Change {
  readonly action: string;
  readonly kind: string;
  readonly target: string;
  readonly name: string;
}

const keyOf = ({ kind, target, name }: Change) => `${kind} ${target} ${name}`;
const changesIn = (stdout: string) => (JSON.parse(stdout) as { changes: Change[] }).changes;

/** Returns what a plan creates or deletes that the plan of healthy responses does not, and what it misses. */
function misplanned(healthy: readonly Change[], planned: readonly Change[]): readonly string[] {
  const refused = ['unreadable', 'unresolved', 'ambiguous'];
  const isMade = ({ action }: Change) => ['create', 'delete', 'unset'].includes(action);
  const known = new Set(healthy.filter(isMade).map((change) => `${change.action} ${keyOf(change)}`));
  const invented = planned.filter((change) => isMade(change) && !known.has(`${change.action} ${keyOf(change)}`));
  const told = new Set(planned.map(keyOf));
  const hidden = planned
    .filter(({ action }) => refused.includes(action))
    .map(({ kind, target }) => `${kind} ${target}`);
  const missed = healthy.filter(
    (change) => !told.has(keyOf(change)) && !hidden.includes(`${change.kind} ${change.target}`),
  );
  return [...invented.map((c) => `${c.action} ${keyOf(c)}`), ...missed.map((c) => `missed ${keyOf(c)}`)];
}

interface Recording {
  readonly replay: ReplayPlatform;
  readonly env: Readonly<Record<string, string>>;
  readonly healthy: RunResult;
  readonly exchanges: readonly Exchange[];
}

async function runOn(line: string, env: Readonly<Record<string, string>>, flags: readonly string[] = []) {
  const folder = await temporaryDirectory();
  writeFileSync(join(folder, 'policy.yaml'), policy);
  writeFileSync(join(folder, 'snapshot.json'), snapshot);
  writeFileSync(join(folder, 'ruleset.json'), ruleset);
  const words = line.split(' ').map((word) => word.replace('FOLDER', folder));
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return run(words.toSpliced(end, 0, '--max-wait', '0', '--timeout', '20s', ...flags), {
    env: { ...env, XDG_STATE_HOME: folder, PYTHON: 'a registry secret' },
    stdin: 'a registry secret',
  });
}

/** Runs a line on a sandbox of its own, and keeps the responses. */
async function recorded(line: string): Promise<Recording> {
  const sandbox = await startSandbox({ orgs: 2, repos: 3 });
  onTestFinished(() => sandbox.close());
  const replay = await replayPlatform(sandbox.baseUrl);
  const env = { ...replay.platform.env, FORGECTL_TOKEN: sandbox.tokens.classic };
  const healthy = await runOn(line, env);
  return { replay, env, healthy, exchanges: replay.rewind() };
}

/** Returns what is wrong with a run of which one response was changed. */
function faultsOf(line: string, outcome: RunResult, healthy: RunResult, isWrongType: boolean): readonly string[] {
  const { code, stdout, stderr } = outcome;
  const isUnshown = /the result cannot be shown: The (?:response is too large|jq filter)/.test(stderr);
  const isCrash = (code === 1 && !isUnshown) || /Internal error|inside forgectl|\n\s+at .+:\d+/.test(stderr);
  const isUnclear = code === 8 && !/\b(?:GET|POST|PUT|PATCH|DELETE) \/|public key/.test(stderr);
  const isPlan = line === planLine && isWrongType && code === 0;
  return [
    ...(isCrash || isUnclear ? [`exit code ${code}: ${stderr.slice(0, 500)}`] : []),
    ...(isPlan ? misplanned(changesIn(healthy.stdout), changesIn(stdout)) : []),
  ];
}

/** Returns the creations and deletions that were sent, by request. */
const madeIn = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges.flatMap(({ request: { method, url } }) => (/POST|DELETE/.test(method) ? [`${method} ${url}`] : []));

it(`ends in a result or one clear error in ${cases} runs`, async () => {
  const next = chanceOf(seed);
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  const recordings = new Map<string, Promise<Recording>>();
  const problems: string[] = [];
  for (let at = 0; at < cases; at++) {
    const line = oneOf(lines);
    const recording = recordings.get(line) ?? recorded(line);
    recordings.set(line, recording);
    const { replay, env, healthy, exchanges } = await recording;
    const exchange = oneOf(exchanges);
    const mutation = mutated(exchange.json ?? {}, next);
    replay.rewind((each) => (each === exchange ? mutation.text : undefined));
    const flags = / -o |--out|--dir/.test(line) ? [] : oneOf(formats).split(' ').filter(Boolean);
    // jq has no more memory in this process once it has run out of it.
    if (mutation.kind.includes('900') && (flags.includes('--jq') || line.includes('--where'))) continue;
    const outcome = await runOn(line, env, flags);
    const known = madeIn(exchanges);
    const made = mutation.isWrongType ? madeIn(replay.rewind()).filter((write) => !known.includes(write)) : [];
    const { method, url } = exchange.request;
    const where = `${line} ${flags.join(' ')} | ${method} ${url} | ${mutation.path.join('.')} ${mutation.kind}`;
    for (const fault of [...faultsOf(line, outcome, healthy, mutation.isWrongType), ...made])
      problems.push(`${where}: ${fault}`);
  }
  expect(problems).toEqual([]);
});

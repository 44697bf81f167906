/**
 * The command lines of each command that asks the platform: its first example, or, where that does not send every request that the
 * command declares, those in the table here.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { appEnv, appKey } from '../support/app.ts';
import { pathOf, type RecordedRequest, type ScriptedAnswer } from '../support/platform.ts';
import { type RunOptions, type RunResult, run, temporaryDirectory } from '../support/run.ts';
import { commands, type Example } from './commands.ts';
import { routeMatcher } from './routes.ts';

type TokenForm = 'classic' | 'app_user' | 'installation';

export interface Invocation {
  /** Words with a space between each; FOLDER stands for an empty directory. */
  readonly line: string;
  /** The token in the environment, or the login as an app. */
  readonly as?: TokenForm | 'app';
  readonly stdin?: string;
}

/** Tokens put together here, so that no complete token stands in the repository. */
const tokens: Readonly<Record<TokenForm, string>> = {
  classic: ['ghp', 'c'.repeat(36)].join('_'),
  app_user: ['ghu', 'u'.repeat(36)].join('_'),
  installation: ['ghs', 'i'.repeat(36)].join('_'),
};

const registrySecret = 'a registry secret that nobody may see';

/** All that must never be printed. */
export const secrets: readonly string[] = [...Object.values(tokens), registrySecret, appKey];

/** A ruleset that asks for all facts about a commit, and about who may bypass it. */
const askingRuleset = JSON.stringify({
  name: 'asking',
  enforcement: 'active',
  conditions: { ref_name: { include: ['~ALL'], exclude: [] } },
  bypass_actors: [
    { actor_type: 'OrganizationAdmin', bypass_mode: 'pull_request' },
    { actor_type: 'Team', actor_id: 3, bypass_mode: 'pull_request' },
    { actor_type: 'User', actor_id: 9, bypass_mode: 'pull_request' },
  ],
  rules: [
    {
      type: 'required_status_checks',
      parameters: { required_status_checks: [{ context: 'build' }], strict_required_status_checks_policy: false },
    },
    { type: 'required_deployments', parameters: { required_deployment_environments: ['staging'] } },
  ],
});

const oneBudget = '3f9e9a4a-0000-4000-8000-000000000000';
const conditions = '{"ref_name":{"include":["~ALL"],"exclude":[]}}';
const snapshot =
  '{"version":0,"job":{"id":"7","correlator":"build"},"sha":"ce587453ced02b1526dfb4cb910479d431683101","ref":"refs/heads/main","detector":{"name":"d","version":"1","url":"https://d.example.com"},"scanned":"2026-03-10T12:00:00Z"}';

/** A budget by its id, and by the beginning of it, which is looked up. */
const namingBudget = (rest: string) =>
  [oneBudget, oneBudget.slice(0, 8)].flatMap((id) => [`--enterprise e ${id}${rest}`, `acme ${id}${rest}`]);

/** A ruleset whose impact depends on all that can be asked about it. */
const guard = {
  id: 7,
  name: 'guard',
  source: 'acme',
  enforcement: 'active',
  conditions: {
    ref_name: { include: ['~ALL'], exclude: [] },
    repository_property: { include: [{ name: 'tier', property_values: ['gold'] }], exclude: [] },
  },
  bypass_actors: [
    { actor_type: 'OrganizationAdmin', actor_id: null, bypass_mode: 'pull_request' },
    { actor_type: 'Team', actor_id: 3, bypass_mode: 'pull_request' },
    { actor_type: 'Integration', actor_id: 41, bypass_mode: 'pull_request' },
  ],
  rules: [{ type: 'required_signatures' }],
};
const [older, newer] = ['a'.repeat(40), 'b'.repeat(40)];
const suite = {
  ...{ id: 7, ref: 'refs/heads/main', before_sha: older, after_sha: newer, repository_id: 100001, actor_name: 'hubot' },
  ...{ pushed_at: '2026-03-01T12:00:00Z', result: 'fail', evaluation_result: null },
};
const push = { id: 7, ref: 'refs/heads/main', before: older, after: newer, activity_type: 'push' };

const table: Readonly<Record<string, readonly (string | Invocation)[]>> = {
  api: ['GET /orgs/acme'],
  'apps get': [{ line: '', as: 'app' }],
  'apps installations': [{ line: '', as: 'app' }],
  'audit-log list': ['acme', '--enterprise e'],
  audit: ['acme --deep --enterprise e', { line: '--all-installations', as: 'app' }],
  'auth check': [
    '--on acme/site',
    { line: '', as: 'app_user' },
    { line: '--org acme', as: 'installation' },
    { line: '', as: 'app' },
  ],
  'auth login': [
    { line: '--with-token --insecure-storage', stdin: tokens.classic },
    { line: '--with-token --insecure-storage', as: 'installation', stdin: tokens.installation },
    { line: '--app-id 41 --private-key-file FOLDER/app.pem --insecure-storage', as: 'app' },
  ],
  'auth status': ['', { line: '', as: 'installation' }, { line: '', as: 'app' }],
  'budgets create': ['--enterprise e', 'acme'].map(
    (owner) =>
      `${owner} --budget-scope organization --budget-entity-name acme --budget-type ProductPricing --budget-product-sku actions --budget-amount 200 --no-prevent-further-usage --will-alert --alert-recipients hubot`,
  ),
  'budgets delete': namingBudget(''),
  'budgets get': namingBudget(''),
  'budgets list': ['--enterprise e', 'acme'],
  'budgets update': namingBudget(' --budget-amount 5'),
  'bypass dismiss-response': ['acme/site 7'],
  'bypass get': ['acme/site 7'],
  'bypass list': ['acme', 'acme/site', 'acme --kind push-rules'],
  'bypass review': ['acme/site 7 --status reject --message No'],
  'comments create': ['acme/site ce58745 --body Well'],
  'comments delete': ['acme/site 7'],
  'comments get': ['acme/site 7'],
  'comments list': ['acme/site', 'acme/site --commit ce58745'],
  'comments update': ['acme/site 7 --body Better'],
  'dismissals cancel': ['acme/site 7'],
  'dismissals create': ['acme/site 7 --dismissed-reason not_used'],
  'dismissals get': ['acme/site 7'],
  'dismissals list': ['acme', 'acme/site'],
  'dismissals review': ['acme/site 7 --status deny --message No'],
  each: [
    'repos acme --where false -- repos get {}',
    'orgs -- orgs get {}',
    { line: 'orgs --all-installations -- orgs get {}', as: 'app' },
  ],
  'forks create': ['acme/site', 'acme/site --wait'],
  'forks list': ['acme/site'],
  'hooks get': ['acme/site 7', 'acme 7'],
  'hooks list': ['acme/site', 'acme', '--installation'],
  'hooks set': ['acme/site 7 --enforcement testing', 'acme 7 --enforcement testing'],
  'hooks unset': ['acme/site 7', 'acme 7'],
  'installations list': ['', '--org acme'],
  'installations repos': [{ line: '', as: 'installation' }],
  'installations revoke-token': [{ line: '', as: 'installation' }],
  'installations token': [
    { line: 'acme --permissions contents=read', as: 'app' },
    { line: '7 --repositories site', as: 'app' },
  ],
  'labels create': ['acme/site security --color b60205'],
  'labels delete': ['acme/site bug'],
  'labels list': ['acme/site'],
  'labels update': ['acme/site bug --new-name defect'],
  'members convert': ['acme paperfox'],
  'members get': ['acme paperfox'],
  'members list': ['acme', 'acme --outside'],
  'members remove': ['acme paperfox', 'acme copperbee --outside'],
  'members set': ['acme paperfox --role member'],
  'migrations delete': ['7'],
  'migrations download': ['7 --file FOLDER/archive.tar.gz'],
  'migrations get': ['7'],
  'migrations list': [''],
  'migrations repos': ['7'],
  'migrations start': ['acme/site'],
  'migrations unlock': ['7 site', '7 --all'],
  'migrations wait': ['7'],
  'orgs get': ['acme'],
  'orgs immutable-releases remove': ['acme acme/site', 'acme 7'],
  'orgs list': ['', '--mine', '--user hubot'],
  'orgs security disable': ['acme secret_scanning'],
  'orgs security enable': ['acme secret_scanning'],
  'orgs update': ['acme --description Rockets'],
  'policy export': ['acme --dir FOLDER/policy'],
  'policy explain': [
    {
      line: 'acme/site -',
      stdin:
        'organizations: [acme]\nrepositories: [{ select: { visibility: [public] }, settings: { has_wiki: true } }]',
    },
  ],
  'properties define': ['acme stage --value-type string'],
  'properties list': ['acme'],
  'properties set': ['acme tier=gold --repos site'],
  'properties undefine': ['acme stage'],
  'properties values': ['acme'],
  'registries create': [
    {
      line: 'acme --registry-type npm_registry --url https://npm.example.com --visibility all --secret-stdin',
      stdin: registrySecret,
    },
  ],
  'registries delete': ['acme NPM_SECRET'],
  'registries get': ['acme NPM_SECRET'],
  'registries list': ['acme'],
  'registries public-key': ['acme'],
  'registries seal': [{ line: 'acme --secret-stdin', stdin: registrySecret }],
  'registries update': [{ line: 'acme NPM_SECRET --secret-stdin', stdin: registrySecret }],
  'repos access': ['acme/site', 'acme/site --role releaser', 'acme/site --pending'],
  'repos activity': ['acme/site'],
  'repos alerts': ['acme/site', 'acme/site --enable', 'acme/site --disable'],
  'repos archive': ['acme/site'],
  'repos codeowners-errors': ['acme/site'],
  'repos contributors': ['acme/site'],
  'repos create': ['acme/handbook --private', 'acme/handbook --template acme/base --visibility internal'],
  'repos delete': ['acme/site'],
  'repos dispatch': ['acme/site deploy'],
  'repos get': ['acme/site'],
  'repos grant': ['acme/site --team release --role push', 'acme/site --user paperfox --role releaser'],
  'repos languages': ['acme/site'],
  'repos list': ['acme'],
  'repos protection': ['acme/site develop', 'acme/site develop --as-ruleset'],
  'repos replicas': ['acme/site'],
  'repos revoke': ['acme/site --team release', 'acme/site --user paperfox', 'acme/site --user invited'],
  'repos security-fixes': ['acme/site', 'acme/site --enable', 'acme/site --disable'],
  'repos topics': ['acme/site', 'acme/site --set web'],
  'repos transfer': ['acme/site globex', 'acme/site globex --wait'],
  'repos unarchive': ['acme/site'],
  'repos update': ['acme/site --description Rockets'],
  'rulesets check': ['acme/site main'],
  'rulesets create': ['acme/site', 'acme'].map(
    (target) => `${target} --name Guard --enforcement active --conditions ${conditions}`,
  ),
  'rulesets delete': ['acme/site 7', 'acme 7'],
  'rulesets get': ['acme/site 7', 'acme 7'],
  'rulesets history': ['acme/site 7', 'acme 7', 'acme/site 7 --version 3', 'acme 7 --version 3'],
  'rulesets impact': ['acme/site', 'acme'].map((target) => ({ line: `- ${target}`, stdin: JSON.stringify(guard) })),
  'rulesets list': ['acme/site', 'acme'],
  'rulesets simulate': [
    'acme/site --ref main',
    { line: 'acme/site --ref main --from HEAD^ --ruleset -', stdin: askingRuleset },
    {
      line: 'acme/site --ref main --from HEAD^ --ruleset - --as hubot --without 7',
      stdin: askingRuleset.replace('"active"', '"evaluate"'),
    },
  ],
  'rulesets suites': ['acme/site', 'acme', 'acme/site 7', 'acme 7'],
  'rulesets update': ['acme/site 7 --enforcement disabled', 'acme 7 --enforcement disabled'],
  'snapshots diff': ['acme/site main...develop'],
  'snapshots submit': [{ line: 'acme/site --input -', stdin: snapshot }],
  'teams add': ['acme platform paperfox'],
  'teams create': ['acme Core', 'acme Core --parent platform'],
  'teams delete': ['acme platform'],
  'teams get': ['acme platform'],
  'teams list': ['acme'],
  'teams members': ['acme platform'],
  'teams remove': ['acme platform paperfox'],
  'teams repos': ['acme platform'],
  'teams update': ['acme platform --description Core', 'acme platform --parent platform'],
  'views create': ['7 --org acme --name Bugs --layout board', '7 --user 5 --name Bugs --layout board'],
};

/** Lines of commands that change something only with a flag: these read. */
const reading = ['repos alerts acme/site', 'repos security-fixes acme/site', 'repos topics acme/site'];

export const reads = ({ line }: Invocation): boolean => reading.includes(line);

/** Returns the command lines of a command, whole. */
export const invocationsOf = (command: string): readonly Invocation[] =>
  (table[command] ?? firstExample(command)).map((row) => {
    const { line, ...rest } = typeof row === 'string' ? { line: row } : row;
    return { line: `${command} ${line}`.trim(), ...rest };
  });

/** Returns the words of a command's first example; nothing where they are not words with a space between each. */
function firstExample(command: string): readonly string[] {
  const [example] = commands.find(({ name }) => name === command)?.examples ?? [];
  const line = (example as Example | undefined)?.command.replace('forgectl ', '') ?? '';
  return line.startsWith(command) && !/['"|<>&$]/.test(line) ? [line.slice(command.length).trim()] : [];
}

/** Returns the first of them. Throws where there is none. */
export function invocationOf(command: string): Invocation {
  const [first] = invocationsOf(command);
  if (!first) throw new Error(`Add a command line for ${command} to the table in test/contracts/invocations.ts.`);
  return first;
}

/** Runs a command line against a platform. */
export async function invoke(
  { line, as = 'classic', stdin }: Invocation,
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
  options: Pick<RunOptions, 'tty'> = {},
): Promise<RunResult> {
  const folder = await temporaryDirectory();
  const words = line.split(' ').map((word) => word.replace('FOLDER', folder));
  const { FORGECTL_TOKEN: _token, ...platform } = env;
  writeFileSync(join(folder, 'app.pem'), appKey);
  const end = words.indexOf('--');
  return run(words.toSpliced(end === -1 ? words.length : end, 0, ...flags), {
    env: { ...platform, ...(as === 'app' ? appEnv : { FORGECTL_TOKEN: tokens[as] }) },
    configDir: join(folder, 'config'),
    ...options,
    ...(stdin === undefined ? {} : { stdin }),
  });
}

export const routeOf = routeMatcher(allEndpoints.map(({ route }) => route));

const version = { version_id: 3, actor: { id: 1, type: 'User' }, updated_at: '2026-02-20T12:00:00Z' };

const changedBudget: ScriptedAnswer = {
  body: { message: 'Budget changed.', budget: { id: oneBudget, budget_scope: 'organization' } },
};

/** What commands read of answers; of all other endpoints an empty record or list is enough. */
const answers: Readonly<Record<string, ScriptedAnswer>> = {
  // A definition is new.
  'GET /orgs/{org}/properties/schema/{custom_property_name}': { status: 404, body: { message: 'Not Found' } },
  'GET /user': { headers: { 'x-oauth-scopes': 'repo' }, body: { login: 'hubot' } },
  'GET /app': { body: { id: 41, slug: 'deploy-bot', permissions: {} } },
  'GET /app/installations': { body: [{ id: 7, permissions: {} }] },
  'GET /orgs/{org}/installation': { body: { id: 7 } },
  'POST /app/installations/{installation_id}/access_tokens': {
    body: { token: tokens.installation, expires_at: '2099-01-01T00:00:00Z' },
  },
  'GET /rate_limit': { body: { rate: { limit: 5000, remaining: 4999, reset: 1772366400, used: 1 } } },
  'GET /orgs/{org}': { body: { login: 'acme', id: 101 } },
  'GET /orgs/{org}/memberships/{username}': { body: { role: 'admin', state: 'active', user: { login: 'paperfox' } } },
  'GET /orgs/{org}/teams/{team_slug}': { body: { id: 1, slug: 'platform', organization: { login: 'acme' } } },
  'GET /orgs/{org}/teams/{team_slug}/memberships/{username}': { body: { role: 'member', state: 'active' } },
  'GET /orgs/{org}/members': { body: [{ login: 'hubot' }, { login: 'paperfox' }] },
  'GET /orgs/{org}/properties/schema': { body: [{ property_name: 'tier', value_type: 'string' }] },
  'GET /repos/{owner}/{repo}/commits': { body: [{ sha: 'ce587453ced02b1526dfb4cb910479d431683101' }] },
  'GET /orgs/{org}/custom-repository-roles': { body: { custom_roles: [{ id: 1, name: 'Releaser' }] } },
  'GET /repos/{owner}/{repo}/invitations': { body: [{ id: 3, invitee: { login: 'invited' } }] },
  'GET /repos/{owner}/{repo}/teams': { body: [{ slug: 'release', permission: 'push' }] },
  'POST /repos/{owner}/{repo}/forks': {
    body: { full_name: 'hubot/site', name: 'site', owner: { login: 'hubot' } },
  },
  'GET /orgs/{org}/private-registries/public-key': {
    body: { key_id: '1', key: '2Sg8iYjAxxmI2LvUXpJjkYrMxURPc8r+dB7TJyvvcCU=' },
  },
  'GET /orgs/{org}/teams': { body: [{ id: 3, slug: 'release' }] },
  'GET /repos/{owner}/{repo}/commits/{ref}': { body: { commit: { message: '' } } },
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs': {
    body: { check_runs: [{ id: 1, name: 'build', conclusion: 'success', app: null }] },
  },
  'GET /repos/{owner}/{repo}/deployments': { body: [{ id: 5, environment: 'staging' }] },
  'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses': { body: [{ id: 1, state: 'success' }] },
  'GET /orgs/{org}/repos': { body: [{ id: 100001, name: 'site', full_name: 'acme/site', default_branch: 'main' }] },
  'GET /orgs/{org}/properties/values': {
    body: [{ repository_full_name: 'acme/site', properties: [{ property_name: 'tier', value: 'gold' }] }],
  },
  'GET /repos/{owner}/{repo}/activity': {
    body: [
      { ...push, actor: { login: 'deploy-bot[bot]', type: 'Bot' }, timestamp: '2026-03-01T12:00:00Z' },
      { ...push, actor: { login: 'hubot', type: 'User' }, timestamp: '2026-03-01T12:00:00Z' },
    ],
  },
  'GET /repos/{owner}/{repo}/rulesets/rule-suites': { body: [suite] },
  'GET /orgs/{org}/rulesets/rule-suites': { body: [suite] },
  'GET /repos/{owner}/{repo}/rulesets/rule-suites/{rule_suite_id}': { body: { ...suite, rule_evaluations: [] } },
  'GET /orgs/{org}/rulesets/rule-suites/{rule_suite_id}': { body: { ...suite, rule_evaluations: [] } },
  'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}': { body: guard },
  'GET /orgs/{org}/rulesets/{ruleset_id}': { body: guard },
  'GET /orgs/{org}/rulesets': { body: [{ id: 7, name: 'guard', source: 'acme', enforcement: 'active' }] },
  'GET /orgs/{org}/rulesets/{ruleset_id}/history': { body: [version] },
  'GET /orgs/{org}/rulesets/{ruleset_id}/history/{version_id}': { body: { ...version, state: guard } },
  'GET /repos/{owner}/{repo}/branches/{branch}': { body: { name: 'main', protection: { enabled: true } } },
  'GET /repos/{owner}/{repo}/rules/branches/{branch}': {
    body: [{ type: 'deletion', ruleset_id: 8, ruleset_source_type: 'Repository', ruleset_source: 'acme/site' }],
  },
  'GET /repos/{owner}/{repo}/rulesets': {
    body: [{ id: 7, name: 'guard', source: 'acme/site', enforcement: 'active' }],
  },
  'GET /user/migrations/{migration_id}/repositories': {
    body: [
      { name: 'site', full_name: 'acme/site' },
      { name: 'api', full_name: 'acme/api' },
    ],
  },
  'GET /user/migrations/{migration_id}': { body: { id: 7, state: 'exported' } },
  'POST /enterprises/{enterprise}/settings/billing/budgets': changedBudget,
  'POST /organizations/{org}/settings/billing/budgets': changedBudget,
  'PATCH /enterprises/{enterprise}/settings/billing/budgets/{budget_id}': changedBudget,
  'PATCH /organizations/{org}/settings/billing/budgets/{budget_id}': changedBudget,
  'GET /repos/{owner}/{repo}/dependency-graph/sbom': { body: { sbom: { packages: [] } } },
  'POST /repos/{owner}/{repo}/dependency-graph/snapshots': { body: { id: 7, result: 'SUCCESS', message: 'Done' } },
};

/** Where archives are said to be, beside the API. */
export const storagePath = '/storage/archive';

/** Answers every declared endpoint with a success. */
export function succeed(request: RecordedRequest): ScriptedAnswer {
  if (pathOf(request) === storagePath) return { body: 'archive' };
  const route = routeOf(request.method, pathOf(request));
  const endpoint = allEndpoints.find((each) => each.route === route);
  if (!endpoint || !route) return { status: 404, body: { message: 'Not Found' } };
  if (route === 'GET /user' && request.headers.authorization?.includes(tokens.installation))
    return { status: 403, body: { message: 'Resource not accessible by integration' } };
  if (route === 'GET /user/migrations/{migration_id}/archive')
    return { status: 302, headers: { location: `http://${request.headers.host}${storagePath}` } };
  // Someone with access that is not their own.
  if (route === 'GET /repos/{owner}/{repo}/collaborators')
    return { body: request.url.includes('affiliation=direct') ? [] : [{ login: 'hubot', role_name: 'write' }] };
  if (route === 'GET /repos/{owner}/{repo}')
    return {
      body: {
        id: 100001,
        full_name: pathOf(request).slice('/repos/'.length),
        owner: { login: 'acme', type: 'Organization' },
      },
    };
  if (answers[route]) return { status: endpoint.status, ...answers[route] };
  if (endpoint.answer.kind === 'nothing') return { status: endpoint.status };
  const empty = endpoint.answer.kind === 'list' ? (endpoint.items ? { [endpoint.items]: [] } : []) : {};
  return { status: endpoint.status, body: empty };
}

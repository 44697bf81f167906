import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { workflowProblems } from '../support/published-schemas.ts';
import { temporaryDirectory } from '../support/run.ts';
import { TypedBlocks } from '../support/typed-blocks.ts';

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(join(root, 'docs/ci.md'), 'utf8');
const typed = new TypedBlocks('ci.md');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const [workflowText = '', rulesetFile = '', appText = '', setupText = '', proxyText = ''] = blocks('yaml');
const workflow = parse(workflowText) as {
  on: object;
  env: Readonly<Record<string, string>>;
  jobs: Readonly<Record<string, Job>>;
};
const stepNamed = (name: string): string => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const { run } = steps.find((step) => step.name === name) ?? {};
  if (run === undefined) throw new Error(`the page has no step ${name}`);
  return run;
};

let platform: Sandbox;
let folder: string;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  platform = await startSandbox();
});
afterAll(() => platform.close());

beforeEach(async () => {
  folder = await temporaryDirectory();
  env = {
    PATH: await forgectlOnPath(folder),
    HOME: folder,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: 'https://api.github.com',
    FORGECTL_BASE_URL: platform.baseUrl,
    FORGECTL_TOKEN: platform.tokens.classic,
  };
  mkdirSync(join(folder, 'rulesets'));
  writeFileSync(join(folder, 'rulesets/release-branches.yaml'), rulesetFile);
});

/** Runs a step like a runner; without blocking, because the platform runs in this process. */
async function runStep(script: string): Promise<{ code: number; stdout: string; stderr: string }> {
  writeFileSync(join(folder, 'step.sh'), typed.ran(script));
  const child = spawn('bash', ['-e', 'step.sh'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    chunks.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    chunks.stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...chunks };
}

describe('the workflow', () => {
  it('is valid by the schema of GitHub Actions', async () => {
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
    expect(await workflowProblems(workflowText)).toEqual([]);
  });

  it('gives the secret only to the job that applies rulesets', () => {
    const { lint, apply } = workflow.jobs;
    expect(JSON.stringify(lint)).not.toContain('secrets.');
    expect(apply?.env?.FORGECTL_BASE_URL).toMatch(/^\$\{\{ vars\.\w+ \}\}$/);
    expect(apply?.env?.FORGECTL_TOKEN).toMatch(/^\$\{\{ secrets\.\w+ \}\}$/);
  });

  it('installs the package from the URL in a variable', () => {
    expect(workflow.env).toMatchObject({
      FORGECTL_PACKAGE: expect.stringMatching(/^\$\{\{ vars\.FORGECTL_PACKAGE \}\}$/),
    });
    const installs = Object.values(workflow.jobs).flatMap(({ steps }) =>
      steps.filter(({ name }) => name === 'Install'),
    );
    expect(installs.map(({ run }) => run)).toEqual(
      Object.keys(workflow.jobs).map(() => 'npm install --global --omit=optional "$FORGECTL_PACKAGE"'),
    );
    installWith(stepNamed('Install'), { FORGECTL_PACKAGE: packInto(folder) });
  });

  it('lints the ruleset of the page, and fails for an invalid one', async () => {
    expect(await runStep(stepNamed('Lint'))).toEqual({ code: 0, stdout: '', stderr: '' });
    writeFileSync(
      join(folder, 'rulesets/bad.yaml'),
      'name: a\nenforcement: sometimes\nrules: [{type: pull_request}]\n',
    );
    expect(await runStep(stepNamed('Lint'))).toMatchObject({ code: 2 });
  });

  it('shows the account', async () => {
    const { code, stdout } = await runStep(stepNamed('Show the account'));
    expect({ code, shown: JSON.parse(stdout) }).toEqual({
      code: 0,
      shown: { login: 'admin', base_url: platform.baseUrl, source: 'environment', ignored_tokens: [] },
    });
  });

  it('creates the ruleset once, then updates it', async () => {
    const rulesets = async () => {
      const headers = { authorization: `Bearer ${platform.tokens.classic}` };
      const answer = await fetch(`${platform.baseUrl}/orgs/acme/rulesets`, { headers });
      const listed = (await answer.json()) as { name: string; enforcement: string }[];
      return listed.filter(({ name }) => name === 'Release branches').map(({ enforcement }) => enforcement);
    };
    expect(await rulesets()).toEqual([]);
    expect(await runStep(stepNamed('Apply'))).toMatchObject({ code: 0, stdout: 'Release branches\tactive\n' });
    expect(await rulesets()).toEqual(['active']);
    const changed = rulesetFile.replace('enforcement: active', 'enforcement: disabled');
    writeFileSync(join(folder, 'rulesets/release-branches.yaml'), changed);
    expect(await runStep(stepNamed('Apply'))).toMatchObject({ code: 0, stdout: 'Release branches\tdisabled\n' });
    expect(await rulesets()).toEqual(['disabled']);
  });
});

it('the login as an app replaces the token in the workflow', async () => {
  expect(Object.keys(parse(appText))).toEqual([
    'FORGECTL_APP_ID',
    'FORGECTL_APP_PRIVATE_KEY',
    'FORGECTL_APP_INSTALLATION',
  ]);
  delete env.FORGECTL_TOKEN;
  env.FORGECTL_APP_ID = String(platform.app.id);
  env.FORGECTL_APP_PRIVATE_KEY = platform.app.privateKey();
  env.FORGECTL_APP_INSTALLATION = parse(appText).FORGECTL_APP_INSTALLATION;
  const { code, stdout } = await runStep(stepNamed('Show the account'));
  expect({ code, shown: JSON.parse(stdout) }).toEqual({
    code: 0,
    shown: { login: 'sandbox-app', base_url: platform.baseUrl, source: 'environment', ignored_tokens: [] },
  });
  writeFileSync(join(folder, 'rulesets/release-branches.yaml'), rulesetFile.replace('Release branches', 'By an app'));
  expect(await runStep(stepNamed('Apply'))).toMatchObject({ code: 0, stdout: 'By an app\tactive\n' });
});

it('the page sets up forgectl with the inputs of the action', () => {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { inputs: object };
  const { steps } = parse(setupText) as { steps: readonly Step[] };
  expect(steps.map((step) => Object.keys(step.with ?? {}))).toEqual([Object.keys(action.inputs)]);
});

it('the proxy settings of the page are environment variables', () => {
  expect(Object.keys(parse(proxyText).env)).toEqual(['HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS']);
});

describe('the scripts', () => {
  const [limitLogin = '', limitToken = '', exitCodes = '', checksum = ''] = blocks('bash');

  it('limit the tokens of an app', async () => {
    writeFileSync(join(folder, 'app.pem'), platform.app.privateKey(), { mode: 0o600 });
    delete env.FORGECTL_TOKEN;
    expect(await runStep(limitLogin)).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nacme\/site\n$/) });
    const withToken = `${limitToken}FORGECTL_TOKEN=$GH_TOKEN forgectl installations repos --quiet`;
    expect(await runStep(withToken)).toMatchObject({ code: 0, stdout: 'acme/site\n' });
  });

  it('handle exit codes', async () => {
    expect(await runStep(exitCodes)).toMatchObject({ code: 0, stdout: 'The repository does not exist yet.\n' });
    expect(await runStep(exitCodes.replace('acme/no-such-repository', 'acme/site'))).toMatchObject({
      code: 0,
      stdout: 'The repository exists.\n',
    });
    env.FORGECTL_BASE_URL = 'http://127.0.0.1:9';
    const unreachable = exitCodes.replace('--json', '--json --max-wait 0');
    expect(await runStep(unreachable)).toMatchObject({ code: 1, stdout: 'Try again later.\n' });
  });

  it('install the executable only if its checksum matches', async () => {
    writeFileSync(join(folder, 'forgectl-1.2.3-linux-x64'), 'the executable');
    const sum = spawnSync('sha256sum', ['forgectl-1.2.3-linux-x64'], { cwd: folder, encoding: 'utf8' }).stdout;
    writeFileSync(join(folder, 'SHA256SUMS'), `${sum}${sum.replace('x64', 'arm64')}`);
    expect((await runStep(checksum)).code).toBe(0);
    expect(readFileSync(join(folder, '.local/bin/forgectl'), 'utf8')).toBe('the executable');
    writeFileSync(join(folder, 'forgectl-1.2.3-linux-x64'), 'another one');
    expect((await runStep(checksum)).code).toBe(1);
  });
});

/** Packs the package as `forgectl.tgz`; returns its path. */
function packInto(directory: string): string {
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory];
  const name = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim();
  const tarball = join(directory, 'forgectl.tgz');
  renameSync(join(directory, name), tarball);
  return tarball;
}

/** Runs a script that installs forgectl without network access, then runs the installed forgectl. */
function installWith(script: string, variables: Readonly<Record<string, string>> = {}): void {
  const prefix = join(folder, 'usr');
  const offline = { NPM_CONFIG_PREFIX: prefix, NPM_CONFIG_OFFLINE: 'true', NPM_CONFIG_CACHE: `${folder}/npm` };
  const installed = spawnSync('sh', ['-c', script], { env: { ...env, ...offline, ...variables }, encoding: 'utf8' });
  expect(installed).toMatchObject({ status: 0 });
  const version = spawnSync(join(prefix, 'bin/forgectl'), ['--version'], { env, encoding: 'utf8' });
  expect(version.stdout).toMatch(/^forgectl\/\d/);
  expect(readdirSync(join(prefix, 'lib/node_modules/forgectl'))).not.toContain('node_modules');
}

describe('the images', () => {
  const images = blocks('dockerfile').map((text) => {
    const lines = text.trim().split('\n');
    return lines.map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)] as const);
  });
  const [withNode = []] = images;
  const said = (image: readonly (readonly [string, string])[], instruction: string) =>
    image.flatMap(([name, words]) => (name === instruction ? [words] : []));

  it('have a small base and an unprivileged user, and start forgectl', () => {
    expect(withNode.map(([name]) => name)).toEqual(['FROM', 'COPY', 'RUN', 'USER', 'ENTRYPOINT']);
    expect(said(withNode, 'FROM')).toEqual(['node:24-slim']);
    expect(said(withNode, 'USER')).toEqual(['node']);
    expect(JSON.parse(said(withNode, 'ENTRYPOINT')[0] ?? '')).toEqual(['forgectl']);
  });

  it('install the packed package without the network', () => {
    expect(said(withNode, 'COPY')).toEqual(['forgectl-*.tgz /tmp/forgectl.tgz']);
    const tarball = packInto(folder);
    installWith((said(withNode, 'RUN')[0] ?? '').replaceAll('/tmp/', `${folder}/`));
    expect(existsSync(tarball)).toBe(false);
  });
});

it('runs every block of the page that does not need Docker', () =>
  expect(typed.left.map((block) => block.match(/^\$ \w+ \w+/gm))).toEqual([['$ docker load', '$ docker run']]));

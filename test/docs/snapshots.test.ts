/** Runs the workflows and scripts of docs/snapshots.md in a checkout with lockfiles, against the sandbox. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { lockfileFormats } from '../../src/dependencies/formats.ts';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { workflowProblems } from '../support/published-schemas.ts';
import { temporaryDirectory } from '../support/run.ts';
import { TypedBlocks } from '../support/typed-blocks.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

const typed = new TypedBlocks('snapshots.md');
const page = readFileSync(join(root, 'docs/snapshots.md'), 'utf8');
const sections = new Map(
  page.split(/^##+ /m).map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);
const blocksOf = (section: string, language: string) =>
  [...(sections.get(section) ?? '').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  );
const [workflowText = ''] = blocksOf('In CI', 'yaml');
const workflow = parse(workflowText) as { jobs: { snapshot: { steps: readonly Step[] } } };
const scriptOf = (steps: readonly Step[]) => steps.flatMap(({ run }) => run ?? []).join('\n');

const npmLock = JSON.stringify({
  packages: { '': { dependencies: { ms: '2' } }, 'node_modules/ms': { version: '2.1.3' } },
});
const nugetLock = '{"version": 1, "dependencies": {"net8.0": {"Polly": {"type": "Direct", "resolved": "8.5.0"}}}}';
const bom =
  '{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [{"name": "a", "purl": "pkg:maven/org.a/a@1.0"}]}';

/** A lockfile for each ecosystem of the page, in the root of the repository. */
const files: Readonly<Record<string, string>> = {
  'package-lock.json': npmLock,
  'Cargo.lock':
    '[[package]]\nname = "serde"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n',
  'go.mod': 'module example.com/app\nrequire golang.org/x/net v0.30.0\n',
  'Gemfile.lock': 'GEM\n  remote: https://rubygems.org/\n  specs:\n    rake (13.2.1)\n\nDEPENDENCIES\n  rake\n',
  'composer.lock': '{"packages": [{"name": "acme/log", "version": "3.0.0"}]}',
  'pubspec.lock':
    'packages:\n  path:\n    dependency: "direct main"\n    description:\n      name: path\n      url: "https://pub.dev"\n    source: hosted\n    version: "1.9.0"\n',
  'mix.lock': '%{\n  "jason": {:hex, :jason, "1.4.4", "00", [:mix], [], "hexpm", "00"},\n}\n',
  'Package.resolved':
    '{"version": 2, "pins": [{"identity": "nio", "kind": "remoteSourceControl", "location": "https://example.com/acme/nio.git", "state": {"version": "2.0.0"}}]}',
  'web/package-lock.json': npmLock.replaceAll('ms', 'debug'),
  'api/go.mod': 'module example.com/api\nrequire golang.org/x/text v0.20.0\n',
};

/** Programs of the page that write files, for machines that do not have them. */
const programs: Readonly<Record<string, readonly [file: string, content: string]>> = {
  uv: ['requirements.txt', 'flask==3.0.0\n'],
  dotnet: ['packages.lock.json', nugetLock],
  './gradlew': ['gradle.lockfile', 'org.b:b:2.0=runtimeClasspath\n'],
  mvn: ['target/bom.json', bom],
};

/** Returns a shell in a checkout, with forgectl, and a sandbox of its own. */
async function shell(inCI: boolean) {
  const folder = await temporaryDirectory();
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  const path = await forgectlOnPath(folder);
  const checkout = join(folder, 'site');
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(checkout, dirname(file)), { recursive: true });
    writeFileSync(join(checkout, file), content);
  }
  for (const [program, [file, content]] of Object.entries(programs)) {
    const script = program.startsWith('./') ? join(checkout, program) : join(folder, 'bin', program);
    writeFileSync(script, `#!/bin/sh\nmkdir -p "$(dirname ${file})" && cat > ${file} <<'END'\n${content}\nEND\n`);
    chmodSync(script, 0o755);
  }
  const env: Record<string, string> = { PATH: path, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=mona', '-c', 'user.email=mona@example.com', ...words], {
      cwd: checkout,
      env,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('add', ...Object.keys(files));
  git('commit', '--quiet', '--message=One');
  Object.assign(env, { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic });
  if (inCI)
    Object.assign(env, {
      CI: 'true',
      GITHUB_SHA: git('rev-parse', 'HEAD'),
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REPOSITORY: 'acme/site',
      GITHUB_RUN_ID: '7',
      GITHUB_WORKFLOW: 'dependencies',
      GITHUB_JOB: 'snapshot',
    });
  return async (script: string): Promise<{ code: number; stdout: string; stderr: string }> => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', typed.ran(script)], {
      cwd: checkout,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, stdout, stderr };
  };
}

const listed = "forgectl snapshots sbom acme/site --jq '.packages[].externalRefs[].referenceLocator'";

it('has a valid workflow, which submits all lockfiles', async () => {
  expect(await workflowProblems(workflowText)).toEqual([]);
  const bash = await shell(true);
  const { code, stdout, stderr } = await bash(scriptOf(workflow.jobs.snapshot.steps));
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Submitted 10 manifests with 10 packages to acme/site.\n' });
  expect(stdout).toContain('SUCCESS');
  expect((await bash(listed)).stdout.split('\n')).toEqual(
    expect.arrayContaining(['pkg:npm/ms@2.1.3', 'pkg:npm/debug@2.1.3', 'pkg:cargo/serde@1.0.0']),
  );
}, 60_000);

it.each([
  ['npm, Yarn, pnpm, bun and Deno', 'pkg:npm/ms@2.1.3'],
  ['Python', 'pkg:pypi/flask@3.0.0'],
  ['Rust', 'pkg:cargo/serde@1.0.0'],
  ['Go', 'pkg:golang/golang.org/x/net@v0.30.0'],
  ['Ruby', 'pkg:gem/rake@13.2.1'],
  ['PHP', 'pkg:composer/acme/log@3.0.0'],
  ['.NET', 'pkg:nuget/Polly@8.5.0'],
  ['Gradle', 'pkg:maven/org.b/b@2.0'],
  ['Maven, sbt and others without a lockfile', 'pkg:maven/org.a/a@1.0'],
  ['Dart', 'pkg:pub/path@1.9.0'],
  ['Elixir', 'pkg:hex/jason@1.4.4'],
  ['Swift and CocoaPods', 'pkg:swift/example.com/acme/nio@2.0.0'],
])(
  'has steps for %s',
  async (section, url) => {
    const [block = ''] = blocksOf(section, 'yaml');
    const steps = parse(block) as readonly Step[];
    const { jobs, ...rest } = workflow;
    const whole = {
      ...rest,
      jobs: { snapshot: { ...jobs.snapshot, steps: [{ uses: 'actions/checkout@v4' }, ...steps] } },
    };
    expect(await workflowProblems(JSON.stringify(whole))).toEqual([]);
    const bash = await shell(true);
    expect(await bash(scriptOf(steps))).toMatchObject({ code: 0, stdout: expect.stringContaining('SUCCESS') });
    expect((await bash(listed)).stdout.split('\n')).toContain(url);
  },
  60_000,
);

it('submits the parts of a monorepo, and each manifest separately', async () => {
  const [teams = '', split = ''] = blocksOf('A monorepo', 'bash');
  const bash = await shell(true);
  expect(await bash(teams)).toMatchObject({ code: 0, stdout: expect.stringMatching(/SUCCESS[\s\S]*SUCCESS/) });
  const urls = (await bash(listed)).stdout.split('\n');
  expect(urls).toEqual(expect.arrayContaining(['pkg:npm/debug@2.1.3', 'pkg:golang/golang.org/x/text@v0.20.0']));
  expect(urls).not.toContain('pkg:cargo/serde@1.0.0');
  const { code, stdout } = await bash(split);
  expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: Object.keys(files).length });
}, 60_000);

it('submits outside CI, and compares', async () => {
  const bash = await shell(false);
  const [submit = ''] = blocksOf('Outside CI', 'bash');
  expect(await bash(submit)).toMatchObject({ code: 0, stdout: expect.stringContaining('SUCCESS') });
  const [files = '', commits = '', sbom = ''] = blocksOf('Changes', 'bash');
  const create = (file: string, lockfile: string) =>
    `forgectl snapshots create ${lockfile} --job-id 1 --correlator c --file ${file}\n`;
  expect(
    await bash(create('last.json', 'package-lock.json') + create('snapshot.json', 'package-lock.json web') + files),
  ).toMatchObject({
    code: 0,
    stdout: 'added\tpkg:npm/debug\t\t2.1.3\tdirect\truntime\tweb/package-lock.json\n',
  });
  expect((await bash(commits)).stdout).toContain('changed\tpkg:npm/axios');
  expect(await bash(sbom)).toMatchObject({ code: 0, stdout: expect.stringContaining('removed\tpkg:cargo/serde') });
}, 60_000);

it('creates a snapshot of a bare repository', async () => {
  const bash = await shell(false);
  const [block = ''] = blocksOf('In CI', 'console');
  const bare = 'git clone -q --bare . ../site.git && cd .. && mkdir build && cp site/package-lock.json build';
  const script = typed.ran(block).replace(/^\$ /, '').replace('/srv/git/', '');
  const { code, stdout, stderr } = await bash(`${bare}\n${script}`);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain('pkg:npm/ms@2.1.3');
}, 60_000);

it('lists every lockfile that forgectl reads', () => {
  const names = [...(sections.get('Formats') ?? '').matchAll(/`([\w./*-]+)`/g)].map(([, name = '']) =>
    name.replace('*', 'a').replace(/^.*\//, ''),
  );
  expect(lockfileFormats.filter(({ file }) => !names.some((name) => file.test(name)))).toEqual([]);
});

it('runs every block of the page', () => expect(typed.left).toEqual([]));

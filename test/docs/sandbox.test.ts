import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { temporaryDirectory } from '../support/run.ts';
import { TypedBlocks, typedBlocks } from '../support/typed-blocks.ts';

const typed = new TypedBlocks('sandbox.md');
const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
const [, script = ''] = /```bash\n([\s\S]*?)```/.exec(page) ?? [];

it('the script for a CI job works', async () => {
  const folder = await temporaryDirectory();
  await writeFile(join(folder, 'job.sh'), typed.ran(script));
  const env = { PATH: await forgectlOnPath(folder), HOME: folder };
  const job = spawn('bash', ['job.sh'], { cwd: folder, env });
  let stdout = '';
  let stderr = '';
  job.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  job.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(job, 'close');
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: 'Signed commits\n' });
});

it('the page lists the seeded tokens, IDs and repositories', async () => {
  const { startSandbox } = await import('../../src/sandbox/serve.ts');
  const sandbox = await startSandbox();
  const get = async (path: string) => {
    const answer = await fetch(sandbox.baseUrl + path, {
      headers: { authorization: `Bearer ${sandbox.tokens.classic}` },
    });
    return answer.json() as Promise<Record<string, unknown> & Record<string, unknown>[]>;
  };
  expect(await get('/orgs/acme')).toMatchObject({ id: 101 });
  expect((await get('/organizations')).map(({ login }) => login)).toEqual(['acme', 'globex', 'initech']);
  const byPlace = (await get('/orgs/acme/repos?direction=asc')).map((repository) => ({
    ...repository,
    place: Number(repository.id) - 100_001,
  }));
  const places = (has: (repository: Record<string, unknown>) => boolean) =>
    byPlace.filter(has).map(({ place }) => place);
  expect(byPlace[0]).toMatchObject({ name: 'site', visibility: 'public', place: 0 });
  expect(places(({ visibility }) => visibility === 'private')).toEqual([2, 4, 10]);
  expect(places(({ visibility }) => visibility === 'internal')).toEqual([6]);
  expect(places(({ size }) => size === 0)).toEqual([4]);
  expect(places(({ fork }) => fork === true)).toEqual([5]);
  expect(places(({ archived }) => archived === true)).toEqual([7]);
  const registries = (await get('/orgs/acme/private-registries')) as { configurations?: { name: string }[] };
  expect(registries.configurations?.map(({ name }) => name)).toEqual([
    'MAVEN_REPOSITORY_SECRET',
    'PYTHON_INDEX_SECRET',
  ]);
  expect((await get('/orgs/globex/rulesets')).map(({ name }) => name)).toEqual([
    'Default branches',
    'Version tags',
    'No binaries',
  ]);
  await sandbox.close();
});

it('logs in as an app', async () => {
  const { startSandbox } = await import('../../src/sandbox/serve.ts');
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const folder = await temporaryDirectory();
  const keyFile = join(folder, 'app.pem');
  await writeFile(keyFile, sandbox.app.privateKey(), { mode: 0o600 });
  await writeFile(join(folder, 'sandbox.json'), JSON.stringify({ app: { private_key_file: keyFile } }));
  const login = typedBlocks('sandbox.md').find((block) => block.startsWith('forgectl auth login --app-id'));
  const lines = `jq() { echo '${keyFile}'; }\n${login}forgectl installations repos --quiet | head -n 1`;
  const env = { PATH: await forgectlOnPath(folder), HOME: folder, FORGECTL_BASE_URL: sandbox.baseUrl };
  const child = spawn('bash', ['-uo', 'pipefail', '-c', typed.ran(lines)], {
    ...{ cwd: folder, env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/^(?:.*\n)*acme\/[\w-]+\n$/);
});

it('runs every block of the page', () => expect(typed.left).toEqual([]));

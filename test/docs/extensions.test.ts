/** Runs the extensions of docs/extensions.md against the sandbox, as its readers do. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { root } from '../contracts/commands.ts';
import { forgectlOnPath } from '../support/forgectl-on-path.ts';
import { writeProfiles } from '../support/profiles.ts';
import { temporaryDirectory } from '../support/run.ts';
import { TypedBlocks } from '../support/typed-blocks.ts';

const page = readFileSync(join(root, 'docs/extensions.md'), 'utf8');
const [script = '', bash = '', typescript = ''] = ['bash', 'sh', 'ts'].map(
  (language) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '',
);

it('runs every block, both templates included', async () => {
  const typed = new TypedBlocks('extensions.md');
  expect(page).toContain(`SHA-256 ${createHash('sha256').update(bash).digest('hex')}\n`);
  const home = await temporaryDirectory();
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  const { origin } = new URL(sandbox.baseUrl);
  writeProfiles(join(home, '.config/forgectl'), {
    active: 'default',
    profiles: { default: { 'base-url': sandbox.baseUrl, token: { storage: 'file', origin } } },
    tokens: { default: { origin, token: sandbox.tokens.classic } },
  });
  const [bin, project] = [join(home, '.local/bin'), join(home, 'src/archived-count')];
  for (const folder of [bin, join(project, 'node_modules')]) mkdirSync(folder, { recursive: true, mode: 0o755 });
  writeFileSync(join(bin, 'forgectl-archived'), typed.ran(bash));
  writeFileSync(join(project, 'main.ts'), typescript);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  symlinkSync(root, join(project, 'node_modules/forgectl'));
  for (const file of [join(bin, 'forgectl-archived'), join(project, 'main.ts')]) chmodSync(file, 0o755);
  symlinkSync(join(project, 'main.ts'), join(bin, 'forgectl-archived-count'));
  symlinkSync(process.execPath, join(bin, 'node'));
  const env = { HOME: home, PATH: `${bin}:${await forgectlOnPath(home)}` };

  const run = async (text: string) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    const code = await new Promise((resolve) => child.on('close', resolve));
    return { code, output: Buffer.concat(chunks).toString().replaceAll(home, 'HOME') };
  };
  const { code, output } = await run(typed.ran(script));
  expect(code).toBe(0);
  expect(output).toMatch(/^archived-count\tnew\tfalse\tHOME\/\.local\/bin\/forgectl-archived-count\t/m);
  const [archived] = output.split('\n').filter((line) => line.startsWith('acme/'));
  expect(archived).toBeDefined();
  expect(await run('forgectl --yes-extension archived')).toEqual({ code: 2, output: 'Usage: forgectl archived ORG\n' });
  expect(
    await run('forgectl extensions allow archived-count --token --quiet; forgectl --json archived-count acme'),
  ).toEqual({
    code: 0,
    output: 'archived-count\n{"org":"acme","archived":1}\n',
  });
  // The example at a prompt is in trust/extensions.
  expect(typed.left.filter((block) => !block.startsWith('$ forgectl archived acme\n'))).toEqual([]);
});

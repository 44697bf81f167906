/** Packs the package, installs the tarball in an empty folder as a user would, and runs what was installed. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = mkdtempSync(join(tmpdir(), 'forgectl-smoke-'));
try {
  const bin = install();
  await smoke(bin);
  process.stdout.write('The installed package works.\n');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(): string {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { encoding: 'utf8' }).trim();
  execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, join(folder, packed)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return join(folder, 'node_modules', '.bin', 'forgectl');
}

async function smoke(bin: string): Promise<void> {
  const env = { ...process.env, FORGECTL_CONFIG_DIR: join(folder, 'config') };
  const forgectl = (args: readonly string[], more: Record<string, string> = {}) =>
    execFileSync(bin, args, { encoding: 'utf8', env: { ...env, ...more } });

  assert.match(forgectl(['--version']), /^forgectl\/\d+\.\d+\.\d+ /);
  assert.match(forgectl(['repos', '--help']), /repos list/);

  const sandbox = spawn(bin, ['sandbox', 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface(sandbox.stdout), 'line')) as [string];
    const { base_url, token } = JSON.parse(line) as { base_url: string; token: string };
    const account = { FORGECTL_BASE_URL: base_url, FORGECTL_TOKEN: token };
    const organizations = JSON.parse(forgectl(['orgs', 'list', '--json'], account)) as { login: string }[];
    assert.equal(organizations[0]?.login, 'acme');
  } finally {
    sandbox.kill('SIGTERM');
    await once(sandbox, 'exit');
  }
}

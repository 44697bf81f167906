/** A policy cannot make forgectl send its own credentials, or files of the system, as the secret of a registry. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classicToken, scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const registry = (source: string) =>
  `organizations: [acme]\nregistries:\n  - { registry_type: npm_registry, url: "https://npm.example.com", visibility: all, secret: { ${source} } }\n`;

const commands = [['validate'], ['plan'], ['apply', '--yes']];

describe.each(commands)('policy %s', (verb = '', ...flags) => {
  async function refused(source: string) {
    const folder = await temporaryDirectory();
    const platform = await scriptedPlatform({});
    symlinkSync('/proc/self/environ', join(folder, 'innocent'));
    writeFileSync(join(folder, 'p.yaml'), registry(source.replace('FOLDER', folder)));
    const { code, stdout, stderr } = await run(['policy', verb, join(folder, 'p.yaml'), ...flags], {
      env: { ...platform.env, GITHUB_TOKEN: classicToken },
    });
    expect({ code, requests: platform.requests }).toEqual({ code: 2, requests: [] });
    return `${stdout}${stderr}`.replaceAll(folder, 'FOLDER');
  }

  it.each([
    'FORGECTL_TOKEN',
    'FORGECTL_TOKEN_4',
    'forgectl_token',
    'FORGECTL_APP_PRIVATE_KEY',
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'GH_ENTERPRISE_TOKEN',
    'GITHUB_ENTERPRISE_TOKEN',
  ])('rejects the variable %s', async (name) => {
    expect(await refused(`env: ${name}`)).toContain(
      `FOLDER/p.yaml:3:85: registries[0].secret cannot come from ${name}, which is a credential of forgectl itself\n`,
    );
  });

  it.each(['/proc/self/environ', '/tmp/../sys/kernel/notes', '//dev/stdin', 'FOLDER/innocent'])(
    'rejects the file %s',
    async (file) => {
      expect(await refused(`file: ${file}`)).toContain(
        `FOLDER/p.yaml:3:85: registries[0].secret cannot come from ${file}, which is below /proc, /sys or /dev\n`,
      );
    },
  );
});

it('policy apply sends no file of the settings, and not the key of an app', async () => {
  const folder = await temporaryDirectory();
  const settings = join(folder, 'settings');
  mkdirSync(settings, { mode: 0o700 });
  writeFileSync(join(settings, 'credentials.json'), '{}', { mode: 0o600 });
  writeFileSync(join(folder, 'app.pem'), 'key', { mode: 0o600 });
  symlinkSync(join(folder, 'app.pem'), join(folder, 'npm'));
  for (const file of [join(settings, 'credentials.json'), join(folder, 'npm')]) {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/private-registries': { body: { total_count: 0, configurations: [] } },
      'GET /user': { body: { login: 'admin' } },
    });
    writeFileSync(join(folder, 'p.yaml'), registry(`file: ${file}`));
    const { code, stderr } = await run(['policy', 'apply', join(folder, 'p.yaml'), '--yes'], {
      configDir: settings,
      env: {
        ...platform.env,
        XDG_STATE_HOME: folder,
        FORGECTL_APP_PRIVATE_KEY_FILE: join(folder, 'app.pem'),
      },
    });
    expect(stderr).toContain(`${join(folder, 'p.yaml')}:3: file ${file} is a credential of forgectl itself\n`);
    expect({ code, writes: platform.requests.filter(({ method }) => method !== 'GET') }).toEqual({
      code: 2,
      writes: [],
    });
  }
});

it('policies may name variables that only look like those of forgectl', async () => {
  const folder = await temporaryDirectory();
  for (const name of ['NPM_TOKEN', 'MY_GITHUB_TOKEN', 'GITHUB_TOKEN_FOR_NPM', 'FORGECTL_APPLE']) {
    writeFileSync(join(folder, 'p.yaml'), registry(`env: ${name}`));
    expect(await run(['policy', 'validate', join(folder, 'p.yaml')])).toMatchObject({ code: 0, stdout: '' });
  }
});

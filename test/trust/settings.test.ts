/** What is wrong with the settings stops only what needs them, is named in full, and can be mended with forgectl itself. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classicToken, scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

async function settings(work: object, others: Record<string, object> = {}): Promise<string> {
  const configDir = await temporaryDirectory();
  writeFileSync(join(configDir, 'config.json'), JSON.stringify({ profile: 'work', profiles: { work, ...others } }));
  return configDir;
}

const wrong = { 'base-url': 'https://ghe.example.com', timeout: 'soon', output: 'xml', concurrency: 0 };

describe('invalid values', () => {
  it('are listed together when they are needed, with the file and the commands that remove them', async () => {
    const configDir = await settings(wrong);
    expect(await run(['orgs', 'get', 'acme', '--profile', 'work'], { configDir })).toEqual({
      stdout: '',
      stderr: [
        `forgectl: ${configDir}/config.json, profile “work”: timeout must be a duration such as 500ms, 30s, 5m, 1h or 7d; output must be one of table, tsv, csv, json, ndjson, yaml; concurrency must be a whole number from 1 to 100. Nothing was sent.`,
        'To remove them: forgectl config unset timeout, forgectl config unset output, forgectl config unset concurrency.',
        '',
      ].join('\n'),
      code: 2,
    });
  });

  it('are removed by those commands', async () => {
    const configDir = await settings(wrong);
    for (const key of ['timeout', 'output', 'concurrency'])
      expect(await run(['config', 'unset', key, '--json'], { configDir })).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8')).profiles.work).toEqual({
      'base-url': 'https://ghe.example.com/api/v3',
    });
  });

  it('are replaced with config set', async () => {
    const configDir = await settings({ output: 'xml' });
    expect(await run(['config', 'set', 'output', 'tsv'], { configDir })).toEqual({
      stdout: 'work\toutput\ttsv\n',
      stderr: '',
      code: 0,
    });
  });

  it.each([
    ['version'],
    ['auth', 'list'],
    ['config', 'list'],
    ['config', 'get', 'base-url'],
    ['config', 'path'],
    ['permissions', 'explain', 'rulesets', 'create'],
    ['autocomplete', 'bash'],
  ])('do not stop commands that do not need them: %s %s %s %s', async (...words) => {
    const configDir = await settings(wrong);
    const { code, stdout } = await run(words, { configDir });
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
  });

  it('of the output setting are reported when the setting would apply', async () => {
    const configDir = await settings({ output: 'xml' });
    const ignored = `Ignored the output setting. ${configDir}/config.json: output must be one of table, tsv, csv, json, ndjson, yaml.\n`;
    expect((await run(['config', 'path'], { configDir })).stderr).toBe(ignored);
    expect((await run(['config', 'path', '-o', 'tsv'], { configDir })).stderr).toBe('');
  });

  it('do not matter if a flag or a variable takes precedence', async () => {
    const platform = await scriptedPlatform(() => ({ body: { login: 'acme' } }));
    const configDir = await settings({ 'base-url': 'http://x.example', timeout: 'soon' });
    const result = await run(['orgs', 'get', 'acme', '--timeout', '9s', '--jq', '.login'], {
      configDir,
      env: platform.env,
    });
    expect(result).toEqual({ stdout: 'acme\n', stderr: '', code: 0 });
  });

  it('of another profile do not matter', async () => {
    const platform = await scriptedPlatform(() => ({ body: { login: 'acme' } }));
    const configDir = await settings({ 'base-url': platform.baseUrl }, { other: wrong });
    const env = { FORGECTL_TOKEN: classicToken };
    expect((await run(['orgs', 'get', 'acme'], { configDir, env })).code).toBe(0);
    const { stderr } = await run(['orgs', 'get', 'acme', '--profile', 'other'], { configDir });
    expect(stderr).toContain('forgectl config unset timeout --profile other');
  });

  it('of a proxy never cause a request without it, not even at login', async () => {
    const platform = await scriptedPlatform(() => ({ body: { login: 'ada' } }));
    const configDir = await settings({ 'base-url': platform.baseUrl, proxy: 'ada:hunter2@proxy' });
    for (const words of [
      ['orgs', 'get', 'acme'],
      ['auth', 'login', '--with-token'],
    ]) {
      const { code, stderr } = await run(words, { configDir, stdin: 'a-token-0123456789' });
      expect(code).toBe(2);
      expect(stderr).toContain('proxy must be an http');
      expect(stderr).not.toContain('hunter2');
    }
    expect(platform.requests).toEqual([]);
  });

  it('of token details are fixed by logging in or out', async () => {
    const configDir = await settings({ 'base-url': 'https://ghe.example.com', token: 'ghp_secret' });
    const { code, stderr } = await run(['orgs', 'get', 'acme'], { configDir });
    expect(code).toBe(2);
    expect(stderr).toContain('To remove it: forgectl auth login.');
    expect(stderr).not.toContain('ghp_secret');
    expect((await run(['auth', 'logout'], { configDir })).code).toBe(0);
    expect(readFileSync(join(configDir, 'config.json'), 'utf8')).not.toContain('ghp_secret');
  });
});

describe('an invalid settings file', () => {
  it('does not stop commands that do not need it, and is reported', async () => {
    const configDir = await temporaryDirectory();
    writeFileSync(join(configDir, 'config.json'), '{');
    expect(await run(['permissions', 'list', '-o', 'ndjson'], { configDir })).toMatchObject({ code: 2 });
    const { code, stderr } = await run(['version'], { configDir });
    expect(code).toBe(0);
    expect(stderr).toBe(`Ignored the output setting. ${configDir}/config.json is not valid JSON (line 1).\n`);
  });
});

describe('certificates that cannot be trusted', () => {
  it('are reported with their setting before anything is sent', async () => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const file = join(await temporaryDirectory(), 'ca.pem');
    writeFileSync(file, 'no certificate');
    const configDir = await settings({ 'base-url': platform.baseUrl, 'ca-file': file });
    const env = { FORGECTL_TOKEN: classicToken };
    const { code, stderr } = await run(['orgs', 'get', 'acme'], { configDir, env });
    expect(code).toBe(2);
    expect(stderr).toBe(
      [
        `forgectl: ca-file ${file} contains no certificate. Expected PEM text that starts with -----BEGIN CERTIFICATE-----. Nothing was sent.`,
        'Change the setting with “forgectl config set ca-file FILE --profile work”, or remove it with “forgectl config unset ca-file --profile work”.',
        '',
      ].join('\n'),
    );
    expect(platform.requests).toEqual([]);
  });
});

/** Journals and the line that continues a run, without secrets: headers, fields, standard input, and other repositories. */
// cspell:ignore iftoken
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maskedWords, secretsOfWords } from '../../../src/cli/input/masked-words.ts';
import { classicToken, scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const key = ['opensesame', '77'].join('-');
/** Long enough to be masked in records. */
const longKey = `${key}-${key}`;
const digits = '839201748392';

/** Runs `each` on acme/site, with a journal, on a platform whose write is refused first. */
async function onPlatform() {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  let status = 403;
  let id = 9;
  const platform = await scriptedPlatform({
    'GET /repos/acme/site': () => ({ body: { id, full_name: 'acme/site' } }),
    'PATCH /repos/acme/site/x': () => ({ status }),
  });
  const again = (flags: readonly string[], command: readonly string[], stdin = 'acme/site') =>
    run(['each', '--from', '-', ...flags, '--', ...command], { env: platform.env, stdin });
  const patches = () => platform.requests.filter(({ method }) => method === 'PATCH');
  return {
    path,
    again,
    run: (words: readonly string[]) => run(words, { env: platform.env }),
    patches,
    accept: () => {
      status = 204;
    },
    replace: () => {
      id = 10;
    },
    journal: () => readFileSync(path, 'utf8'),
  };
}

const headers = ['-H', `X-Api-Key: ${key}`, '--header', 'Accept: text/plain', `--header=X-Other:${key}`];
const command = ['api', 'PATCH', '/repos/{}/x', ...headers];

it('masks values of headers, and lists those to provide again', async () => {
  const { path, again, accept, journal, patches } = await onPlatform();
  const first = await again(['--journal', path], command);
  expect(first.stderr).toContain(`Continue with:
  forgectl each --resume ${path} -- api PATCH '/repos/{}/x' -H 'X-Api-Key: ********' --header 'Accept: text/plain' '--header=X-Other:********'
Replace ******** with the value of the header X-Api-Key and the header X-Other.
`);
  expect(JSON.parse(journal().split('\n')[0] ?? '')).toMatchObject({
    journal: 2,
    line: ['--from', '-'],
    command: [
      ...command.slice(0, 3),
      '-H',
      'X-Api-Key: ********',
      '--header',
      'Accept: text/plain',
      '--header=X-Other:********',
    ],
    masked: ['the header X-Api-Key', 'the header X-Other'],
  });
  const masked = command.map((word) => word.replace(key, '********'));
  expect(await again(['--resume', path], masked)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Replace ******** with the value of the header X-Api-Key and the header X-Other. Nothing was sent.',
    ),
  });
  accept();
  expect(await again(['--resume', path], command)).toMatchObject({ code: 0 });
  expect(patches().at(-1)?.headers['x-api-key']).toBe(key);
  expect(`${journal()}${first.stderr}${first.stdout}`).not.toContain(key);
});

it('masks values of headers in responses', async () => {
  const vault = `${key}/${key}`;
  const path = join(await temporaryDirectory(), 'run.ndjson');
  const platform = await scriptedPlatform({
    'GET /repos/acme/site': { body: { id: 9, full_name: 'acme/site' } },
    'PATCH /repos/acme/site/x': { status: 422, body: { message: `no access for ${vault}` } },
  });
  const words = [
    'each',
    '--from',
    '-',
    '--journal',
    path,
    '--',
    'api',
    'PATCH',
    '/repos/{}/x',
    '-H',
    `X-Vault: ${vault}`,
  ];
  const { stdout, stderr, code } = await run(words, { env: platform.env, stdin: 'acme/site' });
  expect({ stdout, code }).toEqual({ stdout: expect.stringContaining('no access for ********'), code: 9 });
  expect(`${stdout}${stderr}${readFileSync(path, 'utf8')}`).not.toContain(vault);
});

it('requires the command again if the journal has it only with masks', async () => {
  const { path, again, run: alone, patches } = await onPlatform();
  await again(['--journal', path], command);
  const sent = patches().length;
  expect(await alone(['each', '--resume', path])).toMatchObject({
    code: 2,
    stderr: `forgectl: ${path} contains the header X-Api-Key and the header X-Other only as ********. Specify the command again. Nothing was sent.
Continue with:
  forgectl each --resume ${path} -- api PATCH '/repos/{}/x' -H 'X-Api-Key: ********' --header 'Accept: text/plain' '--header=X-Other:********'
Replace ******** with the value of the header X-Api-Key and the header X-Other.
`,
  });
  expect(patches()).toHaveLength(sent);
});

it('continues a run whose placeholder looks like a secret', async () => {
  const { path, again, accept, patches } = await onPlatform();
  const flags = ['--replace', 'secret=@'];
  const words = ['api', 'PATCH', '/repos/secret=@/x'];
  await again(['--journal', path, ...flags], words);
  accept();
  const { code, stderr } = await again(['--resume', path, ...flags], words);
  expect({ code, stderr, urls: patches().map(({ url }) => url) }).toEqual({
    ...{ code: 0, stderr },
    urls: ['/api/v3/repos/acme/site/x', '/api/v3/repos/acme/site/x'],
  });
});

it('masks values of headers in dry runs', async () => {
  const { again } = await onPlatform();
  const { stdout, stderr } = await again(['--dry-run', '-o', 'json'], command);
  expect(stdout).toContain('text/plain');
  expect(`${stdout}${stderr}`).not.toContain(key);
  const alone = await run([
    'api',
    'PATCH',
    '/x',
    ...headers,
    '--dry-run',
    '--base-url',
    'http://127.0.0.1:9/api/v3',
    '--anonymous',
  ]);
  expect(alone.stdout).toMatch(/^X-Api-Key: \*{8}$/im);
  expect(alone.stdout).toMatch(/^accept: text\/plain$/im);
  expect(alone.stdout).not.toContain(key);
});

it.each<[what: string, words: readonly string[], masked: string]>([
  ['in a field with its flag attached', [`-Ftoken=${key}`], '-Ftoken=********'],
  ['in a field after an equals sign', [`--raw-field=client_secret=${key}`], '--raw-field=client_secret=********'],
  ['in a field after another short flag', [`-iftoken=${key}`], '-iftoken=********'],
  ['in a short flag with an equals sign', [`-F=password=${key}`], '-F=password=********'],
  ['in a nested field', ['-f', `config[secret]=${key}`], 'config[secret]=********'],
  ['in a list', [`--field=token[]=${key}`], '--field=token[]=********'],
  ['in a field below a secret', ['-f', `secret[value]=${key}`], 'secret[value]=********'],
  ['in a name in camel case', ['-f', `clientSecret=${key}`], 'clientSecret=********'],
  ['in a name with hyphens', ['-F', `x-api-key=${key}`], 'x-api-key=********'],
  ['in other names', ['-f', `passwd=${key}`, '-f', `apikey=${key}`], 'apikey=********'],
  ['as the user of a URL', ['-f', `url=https://${key}@x.example/y`], 'url=https://********@x.example/y'],
  ['before x-oauth-basic', ['-f', `url=https://${key}:x-oauth-basic@x.example`], 'https://********:********@x.example'],
  ['before an empty password', ['-f', `url=ssh://${key}:@x.example`], 'ssh://********:@x.example'],
  ['in an encoded URL', ['-f', `url=https%3A%2F%2F${key}%3A%40h`], 'url=https%3A%2F%2F********%3A%40h'],
  ['in a query', ['-f', `url=https://x.example/?password=${key}`], 'url=https://x.example/?password=********'],
  ['in a name of joined words', ['-f', `dbpassword=${key}`, '-f', `DBPASSWORD=${key}`], 'DBPASSWORD=********'],
  ['in a name with two separators', ['-f', `api--key=${key}`, '-f', `api__key=${key}`], 'api__key=********'],
  ['in a name with a space', ['-f', `token =${key}`], 'token =********'],
  ['in a name with other characters', ['-f', `token.=${key}`], 'token.=********'],
  ['in quotation marks', ['-f', `url=https://x.example/?a=1&password="${key}"x`], '?a=1&password=********'],
  ['after other characters', ['-f', `url=https://x.example/?secret=x" <${key}&a=1`], '?secret=********&a=1'],
  ['in brackets', ['-f', `url=https://x.example/?token[a b%20c]=${key}`], '?token[a b%20c]=********'],
  ['in an encoded name', ['-f', `url=https://x.example/?client%5Fsecret=${key}`], '?client%5Fsecret=********'],
])('masks a secret %s', async (_what, words, masked) => {
  const { path, again, journal } = await onPlatform();
  const first = await again(['--journal', path], ['api', 'PATCH', '/repos/{}/x', ...words]);
  expect(first.stderr).toContain(masked);
  expect(journal()).toContain(masked);
  expect(`${journal()}${first.stderr}${first.stdout}`).not.toContain(key);
});

it.each([
  [['--encrypted-value', key], "--encrypted-value '********'"],
  [[`--encrypted-value=${key}`], "'--encrypted-value=********'"],
])('masks the value of a flag with the name of a secret: %j', async (words, masked) => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  const { env } = await scriptedPlatform(() => ({ status: 422, body: { message: `No: ${key}` } }));
  const settings = '--registry-type npm_registry --url https://npm.example --auth-type token';
  const command = ['registries', 'create', '{}', ...settings.split(' '), '--visibility', 'all', '--key-id', 'k1'];
  const each = ['each', 'orgs', 'acme', '--journal', path, '--', ...command, ...words];
  const { stderr } = await run(each, { env });
  expect(stderr).toContain(` --key-id k1 ${masked}\nReplace ******** with the value of --encrypted-value.\n`);
  const journal = readFileSync(path, 'utf8');
  expect(JSON.parse(journal.split('\n')[0] ?? '')).toMatchObject({ masked: ['--encrypted-value'] });
  expect(journal + stderr).not.toContain(key);
  const copied = each.map((word) => word.replace(key, '********').replace('--journal', '--resume'));
  expect(await run(copied, { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Replace ******** with the value of --encrypted-value. Nothing was sent.'),
  });
});

it.each([
  [`{"token":[1,"${key}"]}`, '{"token":[********,"********"]}'],
  [`{"password":[{"v":"${key}"}]}`, '{"password":[{"v":"********"}]}'],
  [`{"secret":{"v":"${key}"}}`, '{"secret":{"v":"********"}}'],
  ['{"token":839201748392017}', '{"token":********}'],
])('masks secrets in the JSON of a flag: %s', async (payload, masked) => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  const { env } = await scriptedPlatform({
    'GET /repos/acme/site': { body: { id: 9, full_name: 'acme/site' } },
    'POST /repos/acme/site/dispatches': ({ body }) => ({ status: 422, body: { message: `No: ${body}` } }),
  });
  const command = ['repos', 'dispatch', '{}', 'deploy', '--client-payload'];
  const words = ['each', '--from', '-', '--journal', path, '--', ...command, payload];
  const { stderr } = await run(words, { env, stdin: 'acme/site' });
  expect(stderr).toContain(` --client-payload '${masked}'\n`);
  const journal = readFileSync(path, 'utf8');
  expect(JSON.parse(journal.split('\n')[0] ?? '')).toMatchObject({
    command: [...command, masked],
    masked: [expect.any(String)],
  });
  expect(journal + stderr).not.toMatch(/opensesame|839201748392017/);
});

it('masks a secret in the path', async () => {
  const { path, again, journal } = await onPlatform();
  const first = await again(['--journal', path], ['api', 'PATCH', `/repos/{}/x?secret=${key}`]);
  expect(first.stderr).toContain("'/repos/{}/x?secret=********'");
  const alone = await run([
    'api',
    'PATCH',
    `/x?access_token=${key}`,
    '--dry-run',
    '--base-url',
    'http://127.0.0.1:9/api/v3',
    '--anonymous',
  ]);
  expect(alone.stdout).toMatch(/^PATCH http:\/\/127.0.0.1:9\/api\/v3\/x\?access_token=\*{8}$/m);
  expect(`${journal()}${first.stderr}${first.stdout}${alone.stderr}${alone.stdout}`).not.toContain(key);
});

it.each([
  ['in JSON', ['-X', 'PATCH', '/x', '-f', `config={"secret":"${longKey}"}`]],
  ['below the name of a secret', ['/x', '-f', `secret[value]=${longKey}`]],
  ['with an encoded name', ['-X', 'PATCH', `/x?t%6Fken=${longKey}`]],
  ['with a colon after its name', ['-X', 'PATCH', '/x', '-f', `token:=${longKey}`]],
])('masks a secret %s in a dry run', async (_what, words) => {
  const target = ['--base-url', 'http://127.0.0.1:9/api/v3', '--anonymous'];
  const { stdout, stderr, code } = await run(['api', ...words, '--dry-run', ...target]);
  expect({ code, shown: stdout.includes('********') }).toEqual({ code: 0, shown: true });
  expect(stdout + stderr).not.toContain(key);
});

describe.each(['json', 'table'])('a dry run with -o %s masks a secret', (format) => {
  const dispatch = ['repos', 'dispatch', 'acme/site', 'deploy'];
  const update = ['repos', 'update', 'acme/site'];

  it.each<[what: string, words: readonly string[], stdin?: string]>([
    ['in an object', [...dispatch, '--client-payload', `{"secret":{"v":"${longKey}"}}`]],
    ['in a file', [...dispatch, '--client-payload', '@FILE']],
    ['in standard input', [...dispatch, '--input', '-'], `{"client_payload":{"secret":{"v":["${longKey}"]}}}`],
    ['that is a number', ['api', 'POST', '/repos/acme/site/labels', '-F', `password=${digits}`]],
    ['that is a number in standard input', [...dispatch, '--input', '-'], `{"client_payload":{"token":${digits}}}`],
    ['in a description', [...update, '--description', `Authorization: Bearer ${longKey}`]],
    ['in JSON', [...update, '--description', `{"token":"${longKey}"}`]],
    ['with a known prefix', [...update, '--description', `ghp_${'opensesame77'.repeat(3)}`]],
    ['in a URL', [...update, '--homepage', `https://${key}@x.example/?a=1`]],
    ['in a comment', ['comments', 'create', 'acme/site', '7', '--body', `token ghp_${'opensesame77'.repeat(3)}`]],
  ])('%s', async (_what, words, stdin = '') => {
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, 'payload'), `{"secret":{"v":"${longKey}"}}`);
    writeFileSync(join(folder, 'targets'), 'acme/site');
    const { env } = await scriptedPlatform({ 'GET /repos/acme/site': { body: { id: 9, full_name: 'acme/site' } } });
    const given = words.map((word) => word.replace('FILE', join(folder, 'payload')));
    const ofEach = given.map((word) => word.replace('acme/site', '{}'));
    const flags = ['--dry-run', '-o', format];
    const alone = await run([...given, ...flags], { env, stdin });
    const fromEach = await run(['each', '--from', join(folder, 'targets'), ...flags, '--', ...ofEach], { env, stdin });
    for (const { stdout, stderr, code } of [alone, fromEach]) {
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining('********'), stderr });
      expect(stdout + stderr).not.toMatch(/opensesame|839201748392/);
    }
  });
});

it.each(['json', 'table'])('masks a short secret below the name of a secret in a dry run: -o %s', async (format) => {
  const { again, run: runAlone } = await onPlatform();
  const words = ['api', 'PATCH', '/repos/acme/site/x', '-f', `password[new]=${key}`];
  const fromEach = await again(['--dry-run', '-o', format], [...words.slice(0, 2), '/repos/{}/x', ...words.slice(3)]);
  const alone = await runAlone([...words, '--dry-run', '-o', format]);
  for (const { stdout, stderr, code } of [fromEach, alone]) {
    expect({ code, shown: stdout.includes('********') }).toEqual({ code: 0, shown: true });
    expect(stdout + stderr).not.toContain(key);
  }
});

it('masks a secret of the command without its escapes', async () => {
  const { env } = await scriptedPlatform(() => ({ status: 422, body: { message: `No: ${btoa('a&b+c&d!')}` } }));
  const { stderr } = await run(['api', 'PATCH', '/x?token=a%26b%2Bc%26d%21', '--yes'], { env });
  expect(stderr).toContain('No: ********');
});

it.each([
  ['a header', ['api', '/x', '--json=name', '-H', `X-Api-Key: ${key}`], "-H 'X-Api-Key: ********'"],
  ['a field', ['api', '/x', '--json=name', '-f', `token=${key}`], "-f 'token=********'"],
  ['a field without its flag', ['api', 'PATCH', '/x', `token=${key}`], '“token=********”'],
  ['a token', ['auth', 'login', classicToken], '“********”'],
  ['what follows --with-token', ['auth', 'login', '--with-token', key], '--profile ********'],
  ['what follows --token', ['extensions', 'allow', 'hello', '--token', key], 'Unexpected argument “********”.'],
  ['a command of each', ['each', '--from', 'x', '--', '{}', `token=${key}`], '“{} token=********”'],
  ['a property of each', ['each', '--from', 'x', '--', '{}', `token:=["${key}"]`], '“{} token:=********”'],
  ['a header after flags', ['--all', 'api', '/x', '-H', `X-Api-Key: ${key}`], "-H 'X-Api-Key: ********' --all"],
  ['an unknown command', ['propertys', 'set', 'acme', `token=${key}`], '“propertys set acme token=********”'],
  ['a password in place of a command', [`https://me:${key}@h.example/x`], '“https //me ********@h.example/x”'],
  [
    'an unknown command of each',
    ['each', '--from', 'x', '--', 'apii', `token=a:${key}`, '{}'],
    '“apii token=********”',
  ],
  ['a field in place of a name', ['alias', 'delete', `config[secret]=${key}`], '“config[secret]=********”'],
  ['a field in place of a file', ['alias', 'import', `token=${key}`], 'Cannot read token=********: no such file.'],
  ['JSON in place of a command', [`{"secret":"${key}"}`], '“{"secret" "********"}”'],
  ['JSON in place of the name of a command', ['auth', 'check', `{"secret":"${key.toUpperCase()}"}`], '********'],
])('masks %s in an error of the command line', async (_what, words, shown) => {
  const { stderr, code } = await run(words);
  expect(code).toBe(2);
  expect(stderr).toContain(shown);
  expect(stderr.toLowerCase()).not.toContain(key);
  expect(stderr).not.toContain(classicToken);
});

it('masks a field in place of a name in a failed request', async () => {
  const platform = await scriptedPlatform(() => ({ status: 404 }));
  for (const flags of [[], ['--json'], ['--debug']]) {
    const { stderr, code } = await run(['orgs', 'get', `client_secret=${key}`, ...flags], { env: platform.env });
    expect(code).toBe(3);
    expect(stderr).toContain('GET /orgs/client_secret%3D******** returned 404');
    expect(stderr).not.toContain(key);
  }
});

it('masks the secrets of the command in responses, and with --debug', async () => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  const platform = await scriptedPlatform({
    'PATCH /repos/acme/site': ({ headers, body }) => ({
      status: 422,
      body: { message: `No: ${headers['x-api-key']} ${body}` },
    }),
  });
  const secrets = [
    '-H',
    `X-Api-Key: ${key}-in-header`,
    '-f',
    `note[token]=${key}-in-field`,
    '-f',
    `url=https://${key}-in-url@x`,
  ];
  const lines = [
    ['each', '--from', '-', '--journal', path, '--debug', '--', 'api', 'PATCH', '/repos/{}', ...secrets],
    ['api', 'PATCH', '/repos/acme/site', '--debug', ...secrets],
  ];
  for (const words of lines) {
    const { stdout, stderr } = await run(words, { env: platform.env, stdin: 'acme/site' });
    expect(stdout + stderr).toContain('No: ********');
    expect(stdout + stderr).not.toContain(key);
  }
  expect(readFileSync(path, 'utf8')).not.toContain(key);
});

it.each<[what: string, words: readonly string[]]>([
  ['of a field in a file', ['-F', 'token=@FOLDER/secret.txt']],
  ['of a field on standard input', ['-F', 'token=@-']],
  ['in a body', ['--input', 'FOLDER/body.json']],
  ['behind the scheme of a header', ['-H', `X-Auth: Bearer ${longKey}`]],
  ['behind another scheme', ['-H', `X-Auth: ApiKey ${longKey}`]],
  ['in a parameter of a header', ['-H', `X-Auth: Digest user="a"; response="${longKey}"`]],
  ['in a list in a header', ['-H', `X-Key: id=abc, ${longKey}`]],
  ['in a repeated header', ['-H', `X-Key: ${longKey}`, '-H', 'X-Key: another,one']],
  ['in a URL', ['-f', `url=https://x.example/?sig=${longKey}`]],
])('masks a secret %s in responses', async (_what, words) => {
  const folder = await temporaryDirectory();
  const at = (name: string) => join(folder, name);
  const platform = await scriptedPlatform({
    'GET /repos/acme/site': { body: { id: 9, full_name: 'acme/site' } },
    'PATCH /repos/acme/site': { status: 422, body: { message: `No: ${longKey}` } },
  });
  writeFileSync(at('targets'), 'acme/site');
  writeFileSync(at('secret.txt'), longKey);
  writeFileSync(at('body.json'), JSON.stringify({ hooks: [{ config: { secret: longKey } }] }));
  const each = ['each', '--from', at('targets'), '--journal', at('run.ndjson'), '--'];
  for (const before of [each, []]) {
    const line = [...before, 'api', 'PATCH', before.length ? '/repos/{}' : '/repos/acme/site', ...words];
    const { stdout, stderr } = await run(
      line.map((word) => word.replace('FOLDER', folder)),
      { env: platform.env, stdin: longKey },
    );
    expect(stdout + stderr).toContain('No: ********');
    expect(stdout + stderr).not.toContain(longKey);
  }
  expect(readFileSync(at('run.ndjson'), 'utf8')).not.toContain(longKey);
});

it.each(['\r\n', '\r', '\n', '\t', '\u0085', '\u2028', '\u200b', '  \n  '])(
  'masks a secret that contains %j, however a message is escaped and wrapped',
  async (between) => {
    const secret = `${key}${between}${key}`;
    const file = join(await temporaryDirectory(), 'secret');
    writeFileSync(file, secret);
    const platform = await scriptedPlatform({
      'POST /x': { status: 422, body: { message: `No ${secret} here`, errors: [{ field: secret, message: secret }] } },
    });
    for (const options of [{}, { tty: true, columns: 40 }, { env: { GITHUB_ACTIONS: 'true' } }])
      for (const flags of [[], ['--debug'], ['--json']]) {
        const words = ['api', 'POST', '/x', '-F', `secret=@${file}`, ...flags];
        const { stdout, stderr } = await run(words, { ...options, env: { ...platform.env, ...options.env } });
        expect(stderr.replaceAll(/\s+/g, ' ')).toContain('No ******** here');
        expect(stdout + stderr).not.toContain(key);
      }
  },
);

it.each([
  ['5ec2e7a', 'No: 5ec2e7a', 'x-5ec2e7a'],
  ['5ec2e7a1', 'No: ********', 'x-5ec2e7a1'],
  ['5ec2e7a15ec2e7a', 'No: ********', 'x-5ec2e7a15ec2e7a'],
  ['5ec2e7a15ec2e7a1', 'No: ********', 'x-********'],
])('masks secrets from 8 characters in messages, and from 16 in records: %s', async (secret, message, inRecord) => {
  const platform = await scriptedPlatform(({ method, headers }) =>
    method === 'PATCH'
      ? { status: 422, body: { message: `No: ${headers['x-api-key']}` } }
      : { body: { name: `x-${headers['x-api-key']}`, type: headers['if-match'] } },
  );
  const words = ['/repos/acme/site', '-H', `X-Api-Key: ${secret}`, '-H', 'If-Match: "0123456789abcdef"'];
  expect((await run(['api', 'PATCH', ...words], { env: platform.env })).stderr).toContain(message);
  const { stdout } = await run(['api', 'GET', ...words], { env: platform.env });
  expect(JSON.parse(stdout)).toEqual({ name: inRecord, type: '"0123456789abcdef"' });
});

it.each([
  ['repos update {} --input -'],
  ['repos update {} --input /dev/stdin'],
  ['api PATCH /repos/{} --input=/dev/fd/0'],
  ['api PATCH /repos/{} -F description=@/proc/self/fd/0'],
  ['registries update {org} 7 --secret-stdin=true'],
])('records in the journal that the command read standard input: %s', async (command) => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  const site = { id: 9, full_name: 'acme/site' };
  const platform = await scriptedPlatform({
    'GET /orgs/acme/repos': { body: [site] },
    'GET /repos/acme/site': { body: site },
    'PATCH /repos/acme/site': { status: 403 },
    'GET /orgs/acme/private-registries/public-key': { status: 403 },
  });
  const words = ['each', 'repos', 'acme', '--journal', path, '--', ...command.split(' ')];
  const { stderr } = await run(words, { env: platform.env, stdin: '{"description":"x"}' });
  expect(stderr).toContain('\nThe command read standard input: provide the same input again.\n');
  const [header = '', targets = ''] = readFileSync(path, 'utf8').split('\n');
  expect(JSON.parse(header)).toMatchObject({ stdin: true, line: ['repos', 'acme'] });
  expect(JSON.parse(targets)).toEqual({ targets: [{ name: 'acme/site', id: 9 }] });
  const seen = platform.requests.length;
  expect(await run(['each', '--resume', path], { env: platform.env, stdin: '' })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'forgectl: The command read standard input: provide the same input again. Nothing was sent.\n',
  });
  expect(platform.requests).toHaveLength(seen);
});

it.each([
  ['api PATCH /orgs/{} -F description=@FOLDER/in-{org}'],
  ['api PATCH /orgs/{} --input FOLDER/in-{org} -H Content-Type:text/plain'],
  ['orgs update {} --input=FOLDER/in-{org}'],
])('records that the command reads standard input only for a later target: %s', async (typed) => {
  const folder = join(await temporaryDirectory(), 'a=b@c');
  const path = join(folder, 'run.ndjson');
  mkdirSync(folder);
  writeFileSync(join(folder, 'in-acme'), '{"description":"x"}');
  symlinkSync('/dev/stdin', join(folder, 'in-globex'));
  const platform = await scriptedPlatform(({ method, url }) =>
    method === 'PATCH' ? { status: 422 } : { body: { id: 9, login: url.split('/').at(-1) } },
  );
  const command = typed.replace('FOLDER', folder).split(' ');
  const words = ['each', 'orgs', 'acme', 'globex', '--yes', '--expect', '2', '--journal', path, '--', ...command];
  const first = await run(words, { env: platform.env, stdin: '{"description":"y"}' });
  expect(first).toMatchObject({ code: 9, stderr: expect.stringContaining('The command read standard input') });
  expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '')).toMatchObject({ stdin: true });
  const resumed = ['each', '--resume', path, '--yes', '--expect', '2'];
  const { code, stdout } = await run(resumed, { env: platform.env, stdin: '' });
  expect({ code, stdout }).toEqual({
    code: 9,
    stdout: expect.stringContaining('The command read standard input: provide the same input again. Nothing was sent.'),
  });
  const sent = platform.requests.filter(({ method }) => method === 'PATCH');
  expect(sent.map(({ url }) => url).toSorted()).toEqual([
    '/api/v3/orgs/acme',
    '/api/v3/orgs/acme',
    '/api/v3/orgs/globex',
  ]);
});

it('resumes a run whose standard input was empty', async () => {
  const { path, run: alone, accept } = await onPlatform();
  const command = ['api', 'PATCH', '/repos/{}/x', '-F', 'description=@-'];
  const targets = join(await temporaryDirectory(), 'targets');
  writeFileSync(targets, 'acme/site');
  expect(await alone(['each', '--from', targets, '--journal', path, '--', ...command])).toMatchObject({ code: 9 });
  accept();
  expect(await alone(['each', '--resume', path])).toMatchObject({ code: 0 });
});

it('changes no other repository that has the name of a target later', async () => {
  const { path, again, accept, replace, patches } = await onPlatform();
  const record = JSON.stringify({ full_name: 'acme/site', id: 9 });
  await again(['--journal', path], command, record);
  expect(patches()).toHaveLength(1);
  accept();
  replace();
  expect(await again(['--resume', path], command, record)).toMatchObject({
    code: 9,
    stdout: expect.stringContaining(
      'acme/site is now a different repository: its ID is 10, not 9. Nothing was sent to it.',
    ),
  });
  expect(patches()).toHaveLength(1);
});

it('shows the sources of secrets that flags allow', () => {
  const words = ['policy', 'apply', 'p.yaml', '--allow-secret=NPM_TOKEN', '--rotate-secret=npm', '--encrypted-value=a'];
  expect(maskedWords(words).words).toEqual([...words.slice(0, -1), '--encrypted-value=********']);
  expect(secretsOfWords(words)).toEqual(['a']);
});

it.each([
  [
    ['-f', '-client-secret=a'],
    ['-f', '-client-secret=********'],
  ],
  [['--raw-field=-secret=a'], ['--raw-field=-secret=********']],
])('masks a field whose name begins with a hyphen: %j', (words, shown) => {
  expect([maskedWords(words).words, secretsOfWords(words)]).toEqual([shown, ['a']]);
});

it.each([
  ['https://a@h/?token=b', 'https://********@h/?token=********', ['b', 'a']],
  ['https://a:@h/?token=b&c=1', 'https://********:@h/?token=********', ['b&c=1', 'b', 'a']],
  ['https://a@h/?config[secret]=b', 'https://********@h/?config[secret]=********', ['b', 'a']],
  ['https://h/?a%3Fpassword%3Dx"b&token=c', 'https://h/?a%3Fpassword%3D********&token=********', ['c', 'x"b']],
  ['https://u:p"a@h/?token=b', 'https://u:********@h/?token=********', ['b', 'p"a']],
  ['?client[secret]=a', '?client[secret]=********', ['a']],
])('masks all secrets of the URL %s', (url, shown, secrets) => {
  const words = ['repos', 'update', '{}', '--homepage', url];
  expect(maskedWords(words)).toEqual({ words: [...words.slice(0, -1), shown], masked: ['the secret of a URL'] });
  expect(secretsOfWords(words)).toEqual(expect.arrayContaining(secrets));
});

it.each([
  ['-HX-HAccept: a/kq9z', '-HX-HAccept: ********'],
  ['-iHX-Key: a/kq9z', '-iHX-Key: ********'],
  ['-HAccept: text/plain', '-HAccept: text/plain'],
])('the header %s is named from behind its flag', (word, shown) => {
  expect(maskedWords(['api', '/x', word]).words).toEqual(['api', '/x', shown]);
});

it('the word after an attached method is no header', () => {
  const words = ['api', `-X${'PATCH'}`, '/repos/{}'];
  expect(maskedWords(words).words).toEqual(words);
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeExtension } from '../support/extensions.ts';
import { run, temporaryDirectory } from '../support/run.ts';

let configDir: string;
const forgectl = (words: readonly string[], options: Parameters<typeof run>[1] = {}) =>
  run([...words], { configDir, ...options });
const read = () => JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));

beforeEach(async () => {
  configDir = await temporaryDirectory();
});

describe('alias set', () => {
  it('keeps a command line beside the settings of all profiles, in the order of names', async () => {
    await forgectl(['config', 'set', 'output', 'tsv']);
    await forgectl(['alias', 'set', 'where', 'config path']);
    expect(await forgectl(['alias', 'set', 'all-orgs', 'forgectl orgs list --all'])).toEqual({
      stdout: 'all-orgs\torgs list --all\n',
      stderr: '',
      code: 0,
    });
    expect(read()).toEqual({
      profile: 'default',
      profiles: { default: { output: 'tsv' } },
      aliases: { 'all-orgs': 'orgs list --all', where: 'config path' },
    });
  });

  it.each([
    ['orgs', 'repos list', 'Alias “orgs” would hide “forgectl orgs”.\n'],
    ['x', 'bogus list', 'Alias “x” must begin with a command, not “bogus list”.\n'],
    ['x', '$1 list', 'Alias “x” must begin with a command, not “$1 list”.\n'],
    [
      'X',
      'orgs list',
      'Alias “X” is not valid: names have up to 64 lowercase letters, digits and hyphens, and begin with a letter.\n',
    ],
    ['x', 'orgs list\norgs list', 'Alias “x” must be a single line.\n'],
    [
      'x',
      'orgs list | jq',
      'Alias “x”: “|” has no meaning, because no shell is started.\nTo use the character itself, put it in quotes.\n',
    ],
  ])('rejects %s for %j', async (name, line, message) => {
    expect(await forgectl(['alias', 'set', name, line])).toEqual({
      stdout: '',
      stderr: `forgectl: ${message}`,
      code: 2,
    });
  });

  const token = ['ghp', 'x'.repeat(36)].join('_');
  it.each([
    `api GET /user -H 'X-Token: ${token}'`,
    `api GET /user -f note=${token.replace('p', 'r')}`,
    `api GET /user -H "Authorization: Bearer s3cret-$1"`,
    `api GET /user '-iHAuthorization: token s3cret'`,
    'api POST /x -f config[secret]=s3cret',
    'api GET https://me:s3cret@example.com/x',
  ])('stores no secret: %s', async (line) => {
    const { stdout, stderr, code } = await forgectl(['alias', 'set', 'x', line]);
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr:
        'forgectl: Alias “x” contains a secret, and aliases are stored as typed. Nothing was stored.\nLeave the value out of the alias, for example with $1 in its place.\n',
      code: 2,
    });
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
    const file = join(configDir, 'aliases.json');
    writeFileSync(file, JSON.stringify({ x: line, y: 'orgs list' }));
    expect(await forgectl(['alias', 'import', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Alias “x” contains a secret'),
    });
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
  });

  it('stores IDs of commits, and places for secrets', async () => {
    for (const line of [`comments list acme/site ${'0123456789'.repeat(4)}`, 'api POST /x -f token=$1'])
      expect(await forgectl(['alias', 'set', 'x', line, '--force'])).toMatchObject({ code: 0 });
  });

  it('masks secrets of command lines in messages and with --debug', async () => {
    const key = 'k'.repeat(20);
    const line = `api GET /x -H 'X-Api-Key: ${key}' -f $1`;
    await forgectl(['alias', 'set', 'x', line]);
    const runs = [
      await forgectl(['alias', 'set', 'x', 'orgs list']),
      await forgectl(['x']),
      await forgectl(['x', `token=${key}`, '--debug', '--no-such-flag']),
    ];
    expect(runs.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
      "forgectl: Alias “x” exists: api GET /x -H 'X-Api-Key: ********' -f '$1'",
      "forgectl: Alias “x” needs 1 argument, but got 0: api GET /x -H 'X-Api-Key: ********' -f '$1'",
      "alias x: forgectl api GET /x -H 'X-Api-Key: ********' -f 'token=********' --debug --no-such-flag",
    ]);
    expect(JSON.stringify(runs)).not.toContain(key);
  });

  it('replaces another command line only with --force', async () => {
    await forgectl(['alias', 'set', 'x', 'orgs list']);
    expect((await forgectl(['alias', 'set', 'x', 'orgs list'])).code).toBe(0);
    expect(await forgectl(['alias', 'set', 'x', 'repos list acme'])).toEqual({
      stdout: '',
      stderr: 'forgectl: Alias “x” exists: orgs list\nTo replace it, add --force.\n',
      code: 2,
    });
    await forgectl(['alias', 'set', 'x', 'repos list acme', '--force']);
    expect(read().aliases).toEqual({ x: 'repos list acme' });
  });
});

describe('an alias', () => {
  it('stands for its command line, with the arguments in their places', async () => {
    await forgectl(['alias', 'set', 'show', 'config get $1 --profile work']);
    await forgectl(['config', 'set', 'timeout', '2m', '--profile', 'work']);
    expect(await forgectl(['show', 'timeout', '-o', 'csv', '--debug'])).toEqual({
      stdout: expect.stringContaining('2m'),
      stderr: expect.stringContaining('alias show: forgectl config get timeout --profile work -o csv --debug\n'),
      code: 0,
    });
    expect((await forgectl(['show'])).stderr).toBe(
      'forgectl: Alias “show” needs 1 argument, but got 0: config get $1 --profile work\n',
    );
    expect((await forgectl(['show', '--help'])).stdout).toContain('forgectl config get KEY');
  });

  it('has the flags before it, in front of those of its command line', async () => {
    await forgectl(['config', 'set', 'timeout', '2m', '--profile', 'work']);
    await forgectl(['alias', 'set', 'limit', 'config get timeout']);
    expect((await forgectl(['--profile', 'work', '-o', 'csv', 'limit', '--debug'])).stderr).toContain(
      'alias limit: forgectl config get --profile work -o csv timeout --debug\n',
    );
  });

  it('cannot have the name of an extension', async () => {
    const path = writeExtension(join(configDir, 'bin'), 'report');
    expect(await forgectl(['alias', 'set', 'report', 'orgs list'], { env: { PATH: join(configDir, 'bin') } })).toEqual({
      stdout: '',
      stderr: `forgectl: Alias “report” would hide the extension ${path}.\n`,
      code: 2,
    });
  });

  it('never stands for another alias, nor for a command that exists', async () => {
    writeFileSync(join(configDir, 'config.json'), '{"aliases":{"a":"b","b":"config path","config":"orgs list"}}');
    expect((await forgectl(['b'])).stdout).toBe(`${configDir}/config.json\n`);
    expect(await forgectl(['a'])).toMatchObject({
      stdout: '',
      code: 2,
      stderr: expect.stringContaining('Unknown command “b”'),
    });
    expect((await forgectl(['config', 'path'])).stdout).toBe(`${configDir}/config.json\n`);
  });

  it.each(['{', '{"aliases":[]}', '{"aliases":{"orgs":1}}'])(
    'in invalid settings keeps no help from being shown: %s',
    async (text) => {
      writeFileSync(join(configDir, 'config.json'), text);
      expect((await forgectl(['orgs'])).stdout).toContain('Organizations');
      expect(await forgectl(['alias', 'list'])).toMatchObject({ stdout: '', code: 2 });
    },
  );
});

describe('alias list, import and delete', () => {
  it('carry all aliases to another machine', async () => {
    await forgectl(['alias', 'set', 'a', "api '/orgs/$1'"]);
    await forgectl(['alias', 'set', 'b', 'orgs list --where \'.login == "x"\'']);
    const { stdout } = await forgectl(['alias', 'list', '-o', 'yaml']);
    expect((await forgectl(['alias', 'list', '-o', 'table'])).stdout).toBe(
      `NAME  COMMAND\na     api '/orgs/$1'\nb     orgs list --where '.login == "x"'\n`,
    );
    const before = read();
    configDir = await temporaryDirectory();
    expect(await forgectl(['alias', 'import', '-', '--json'], { stdin: stdout })).toMatchObject({
      stderr: '',
      code: 0,
    });
    expect(read()).toEqual(before);
    expect((await forgectl(['alias', 'list', '--where', '.name == "b"', '--jq', '.[].command'])).stdout).toBe(
      'orgs list --where \'.login == "x"\'\n',
    );
    expect((await forgectl(['alias', 'delete', 'a'])).stdout).toBe("name\ta\ncommand\tapi '/orgs/$1'\n");
    expect(await forgectl(['alias', 'delete', 'a'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Unknown alias “a”.'),
    });
    expect(Object.keys(read().aliases)).toEqual(['b']);
  });

  it('import all aliases of a mapping, or none with every reason', async () => {
    await forgectl(['alias', 'set', 'mine', 'orgs list']);
    const stdin = 'mine: repos list acme\norgs: orgs list\nbad: orgs get "x\n';
    expect(await forgectl(['alias', 'import', '-'], { stdin })).toEqual({
      stdout: '',
      stderr:
        'forgectl: Standard input was not imported:\nAlias “orgs” would hide “forgectl orgs”.\nAlias “bad”: Unclosed quote: "\nAlias “mine” exists: orgs list\n',
      code: 2,
    });
    expect(read().aliases).toEqual({ mine: 'orgs list' });
    expect((await forgectl(['alias', 'import', '-', '--force'], { stdin: 'mine: repos list acme' })).code).toBe(0);
    expect(read().aliases).toEqual({ mine: 'repos list acme' });
    expect((await forgectl(['alias', 'import', '-'], { stdin: 'mine: [1]' })).stderr).toBe(
      'forgectl: Standard input must contain a mapping of names to command lines.\n',
    );
  });
});

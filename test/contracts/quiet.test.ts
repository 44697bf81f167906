/** `--quiet`: each list gives, a line for each record, what the command beside it takes. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { scriptedPlatform } from '../support/platform.ts';
import { type RunResult, run } from '../support/run.ts';
import { changesSomething, commands, isDecidedByPolicies } from './commands.ts';
import { invocationOf, invoke, succeed } from './invocations.ts';

async function onSandbox() {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
  return (line: string): Promise<RunResult> => run(line.split(' '), { env });
}

const idsIn = ({ stdout }: RunResult) => stdout.trimEnd().split('\n');

describe('the next command accepts the output of --quiet', () => {
  it.each<[list: string, first: string, next: string]>([
    ['orgs list --quiet', 'acme', 'orgs get ID'],
    ['repos list acme --quiet', 'acme/identity-client', 'repos get ID'],
    ['forks list acme/site --quiet', 'riverotter/site', 'repos get ID'],
    ['migrations repos 78 --quiet', 'acme/site', 'repos get ID'],
    ['comments list acme/site --quiet', '10000101', 'comments get acme/site ID'],
    ['dismissals list acme/site --time-period month --quiet', '1', 'dismissals get acme/site ID'],
    ['dismissals list acme --time-period month --quiet', 'acme/fleet-api 1', 'dismissals get ID'],
    ['bypass list acme/site --time-period month --quiet', '1', 'bypass get acme/site ID'],
    ['bypass list acme --time-period month --quiet', 'acme/identity-client 1', 'bypass get ID'],
    [
      'budgets list --enterprise sandbox --quiet',
      '5698c621-6f69-4299-81be-cc06404bf63c',
      'budgets get --enterprise sandbox ID',
    ],
    ['registries list acme --quiet', 'MAVEN_REPOSITORY_SECRET', 'registries get acme ID'],
    ['rulesets list acme/site --no-includes-parents --quiet', '21000010', 'rulesets get acme/site ID'],
    ['rulesets history acme/site 21000010 --quiet', '210000102', 'rulesets history acme/site 21000010 --version ID'],
    ['rulesets suites acme --quiet', '10001101', 'rulesets suites acme ID'],
    ['hooks list acme/site --quiet', '4', 'hooks get acme/site ID'],
    ['migrations list --quiet', '78', 'migrations get ID'],
  ])('%s', async (list, first, next) => {
    const forgectl = await onSandbox();
    const listed = await forgectl(list);
    const [id = ''] = idsIn(listed);
    expect({ ...listed, id }).toMatchObject({ code: 0, id: first });
    const got = await forgectl(`${next.replace('ID', id)} --quiet`);
    expect(got).toEqual({ code: 0, stdout: `${id.split(' ').at(-1)}\n`, stderr: '' });
  });
});

describe('--quiet', () => {
  it('prints the ID of a new record', async () => {
    const forgectl = await onSandbox();
    const { stdout } = await forgectl('repos create acme/handbook --private --quiet');
    expect(stdout).toBe('acme/handbook\n');
    const budget = 'budgets create --enterprise sandbox --budget-scope organization --budget-entity-name acme';
    const rest =
      '--budget-type ProductPricing --budget-product-sku actions --budget-amount 2 --no-prevent-further-usage';
    const made = await forgectl(`${budget} ${rest} --will-alert --alert-recipients riverotter --quiet`);
    expect(made.stdout).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\n$/);
    expect((await forgectl(`budgets get --enterprise sandbox ${made.stdout.trim()} --quiet`)).stdout).toBe(made.stdout);
  });

  it('prints every ID of a long list, and nothing for an empty list', async () => {
    const forgectl = await onSandbox();
    expect(idsIn(await forgectl('repos list acme --all --quiet'))).toHaveLength(12);
    expect(await forgectl('forks list acme/fleet-api --quiet')).toMatchObject({ code: 0, stdout: '' });
  });

  it('prints only the ID on a terminal too, for every output setting', async () => {
    const sandbox = await startSandbox({});
    onTestFinished(() => sandbox.close());
    const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
    expect((await run(['orgs', 'get', 'acme', '--quiet'], { env, tty: true })).stdout).toBe('acme\n');
  });

  it('does not shorten a dry run', async () => {
    const forgectl = await onSandbox();
    const { stdout } = await forgectl('repos create acme/handbook --private --quiet --dry-run');
    expect(stdout).toMatch(/^POST http:\S+\/orgs\/acme\/repos\n/);
    expect(stdout).toContain('"name": "handbook"');
  });

  it.each(['--json', '--output csv', '--jq .', '--fields login'])('cannot be combined with %s', async (other) => {
    const { code, stderr } = await run(['orgs', 'get', 'acme', '--quiet', ...other.split(' ')]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--quiet cannot be used with ${other.split(' ')[0]}`);
  });

  const withoutIds = [
    'api GET /orgs/acme',
    'audit acme',
    'registries seal acme --secret-stdin',
    'repos codeowners-errors acme/site',
    'repos languages acme/site',
    'repos protection acme/site develop',
    'rulesets impact 7 acme',
    'rulesets simulate acme/site',
    'snapshots diff snapshot.json snapshot.json',
    'snapshots sbom acme/site',
  ];

  it.each(withoutIds)('is rejected by %s, which has no IDs', async (line) => {
    expect(await run([...line.split(' '), '--quiet'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'forgectl: --quiet is not supported: the output of this command has no IDs. Nothing was sent.\n',
    });
  });

  it.each([
    'audit merge shard-1.ndjson',
    'auth token',
    'autocomplete bash',
    'config get output',
    'config path',
    'journal merge shard-1.ndjson',
    'journal show run.ndjson',
    'permissions explain api',
    'permissions list',
    'rulesets lint -',
    'rulesets schema',
    'sandbox serve',
    'snapshots create',
    'snapshots lint -',
  ])('is rejected by %s, which has no IDs and sends no requests', async (line) => {
    expect(await run([...line.split(' '), '--quiet'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'forgectl: --quiet is not supported: the output of this command has no IDs.\n',
    });
  });

  const withIds = commands.filter(
    ({ name, requests }) =>
      requests.length > 0 && !isDecidedByPolicies(name) && !withoutIds.some((line) => line.startsWith(name)),
  );

  it.each(withIds)('is accepted by $name', async (command) => {
    const platform = await scriptedPlatform(succeed);
    const invocation = invocationOf(command.name);
    const confirmed = changesSomething(command) ? ['--yes'] : [];
    const { code, stderr } = await invoke(invocation, platform.env, ['--quiet', ...confirmed]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });
});

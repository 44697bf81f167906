import { describe, expect, it } from 'vitest';
import { run } from '../../support/run.ts';

describe('an unknown command', () => {
  it.each([
    ['rpeos list', 'repos list'],
    ['repo', 'repos'],
    ['repos lst acme', 'repos list acme'],
    ['orgs securty enabel acme', 'orgs security enable acme'],
    ['repos view acme/site', 'repos get acme/site'],
    ['repositories list acme', 'repos list acme'],
    ['organizations', 'orgs'],
    ['migrations ls', 'migrations list'],
    ['list repos', 'repos list'],
    ['login', 'auth login'],
    ['completion bash', 'autocomplete bash'],
    ['whoami', 'auth status'],
    ['apply plan.json', 'policy apply plan.json'],
    ['help repos lst', 'repos list'],
    ['help enviroment', 'environment'],
    ['auth check repo lst', 'repos list'],
    ['permissions explain registreis create', 'registries create'],
  ])('“%s” suggests “%s”', async (words, meant) => {
    const { stderr, stdout, code } = await run(words.split(' '), { env: { FORGECTL_BASE_URL: 'http://127.0.0.1:9' } });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toContain(`Did you mean “forgectl ${meant}”?`);
  });

  it.each([
    ['users get octocat', '/users/LOGIN'],
    ['user', '/users/LOGIN'],
    ['secrets list acme', '/orgs/ORG/actions/secrets” or “forgectl api /repos/OWNER/NAME/actions/secrets'],
    ['variables', '/orgs/ORG/actions/variables” or “forgectl api /repos/OWNER/NAME/actions/variables'],
    ['webhooks list', '/orgs/ORG/hooks” or “forgectl api /repos/OWNER/NAME/hooks'],
    ['issue list', '/repos/OWNER/NAME/issues'],
    ['pulls', '/repos/OWNER/NAME/pulls'],
    ['releases', '/repos/OWNER/NAME/releases'],
    ['runners', '/orgs/ORG/actions/runners” or “forgectl api /repos/OWNER/NAME/actions/runners'],
  ])('“%s” has no command, and suggests a path for api', async (words, path) => {
    expect(await run(words.split(' '))).toEqual({
      code: 2,
      stdout: '',
      stderr: `forgectl: Unknown command “${words}”.\nTry “forgectl api ${path}”. See “forgectl help”.\n`,
    });
  });

  it('suggests several commands that contain a verb', async () => {
    const { stderr } = await run(['lint']);
    expect(stderr).toContain('Did you mean “forgectl rulesets lint” or “forgectl snapshots lint”?');
  });

  it('without a near match suggests the verbs of the topic', async () => {
    const { stderr } = await run(['forks', 'acme']);
    expect(stderr).toBe(
      'forgectl: Unknown command “forks acme”.\nCommands of “forgectl forks”: create, list. See “forgectl help”.\n',
    );
  });

  it('without any match has no suggestion', async () => {
    expect((await run(['xyz', 'abc'])).stderr).toBe('forgectl: Unknown command “xyz abc”.\nSee “forgectl help”.\n');
  });
});

describe('an unexpected argument', () => {
  it.each([
    ['orgs list acme', 'Did you mean “forgectl orgs get acme” or “forgectl repos list acme”?'],
    ['migrations list 3', 'Did you mean “forgectl migrations get 3”?'],
    ['installations list acme', 'Did you mean “forgectl installations list --org acme”?'],
    ['auth status staging', 'Did you mean “forgectl auth status --profile staging”?'],
    ['version 2', 'See --help.'],
  ])('“%s”: %s', async (line, advice) => {
    const words = line.split(' ');
    const { stderr, code } = await run(words);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `forgectl: Unexpected argument “${words.at(-1)}”: “forgectl ${words.slice(0, -1).join(' ')}” takes none.\n${advice}\n`,
    );
  });

  it('next to expected ones causes a usage message, as does a missing one', async () => {
    expect((await run(['orgs', 'get', 'a', 'b'])).stderr).toBe(
      'forgectl: Unexpected argument “b”.\nUsage: forgectl orgs get ORG [FLAGS]\n',
    );
    expect((await run(['registries', 'get'])).stderr).toBe(
      'forgectl: ORG is required: organization login; NAME is required: registry name. Nothing was sent.\nUsage: forgectl registries get ORG NAME [FLAGS]\n',
    );
  });
});

describe('a command line for another program', () => {
  it.each([
    ['repos list acme --json full_name,name', 'forgectl repos list acme --json --fields full_name,name'],
    ['repos list acme --json=full_name,name --all', 'forgectl repos list acme --json --fields full_name,name --all'],
    ['orgs get --json=login', 'forgectl orgs get --json --fields login'],
    ['orgs list --json login --limit 3', 'forgectl orgs list --json --fields login --limit 3'],
    ['--debug --all orgs list', 'forgectl orgs list --debug --all'],
    ['-o json --yes api GET /user -- -x', 'forgectl api -o json --yes GET /user -- -x'],
    ['--limit 3 repos list acme', 'forgectl repos list acme --limit 3'],
    ['bypass list acme --state open', 'forgectl bypass list acme --request-status open'],
    ['orgs list --format yaml', 'forgectl orgs list --output yaml'],
    [
      'migrations start acme/site --wait --exclude-releases',
      'forgectl migrations wait "$(forgectl migrations start acme/site --exclude-releases --quiet)"',
    ],
  ])('“%s” ends with the corrected line', async (line, corrected) => {
    const { stderr, stdout, code } = await run(line.split(' '), { env: { FORGECTL_BASE_URL: 'http://127.0.0.1:9' } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const { message, advice = message } = stderr.startsWith('{')
      ? JSON.parse(stderr).error
      : { message: stderr.trimEnd() };
    expect(advice.split('\n').slice(-2)).toEqual([expect.stringMatching(/:$/), `  ${corrected}`]);
  });

  it.each([
    ['--toke abc orgs list', 'forgectl: Put flags after the command.\nSee “forgectl help”.\n'],
    [
      '--yes-extension nosuch --all',
      'forgectl: Unknown extension “nosuch”: PATH has no program forgectl-nosuch.\nList the extensions with “forgectl extensions list”.\n',
    ],
    [
      '--profile x --yes-extension orgs list',
      'forgectl: “forgectl orgs” is a command of forgectl, not an extension.\n',
    ],
    ['--yes-extension', 'forgectl: Put flags after the command.\nSee “forgectl help”.\n'],
    ['--profile x', 'forgectl: Put flags after the command.\nSee “forgectl help”.\n'],
    ['registries create acme --password hunter2', 'forgectl: Unknown flag --password.\nSee --help for all flags.\n'],
    [
      'rulesets create acme --state active --kind x',
      'forgectl: Unknown flags --state, --kind.\nSee --help for all flags.\n',
    ],
  ])('“%s” is not repeated if it cannot be corrected', async (line, said) => {
    expect((await run(line.split(' '))).stderr).toBe(said);
  });
});

describe('a misspelled argument', () => {
  it.each([
    ['repos list acme --typ all', 'Did you mean --type?'],
    ['orgs update acme --desc x', 'Did you mean --description?'],
    ['orgs update acme --member-can-create-repos', 'Did you mean --members-can-create-repositories?'],
    ['orgs update acme --secret-scanning', 'See --help for all flags.'],
    ['auth login --token', 'Did you mean --with-token? See --help for all flags.'],
    ['repos list --org acme', 'Usage: forgectl repos list ORG [FLAGS]'],
    ['orgs get acme --org', 'Usage: forgectl orgs get ORG [FLAGS]'],
    ['repos create acme/x --visibilty public --auto-ini', 'Did you mean --visibility and --auto-init?'],
    [
      'repos list acme --type publc',
      'type must be one of all, public, private, forks, sources, member, internal (did you mean public?).',
    ],
    ['orgs list -o jsn', '(did you mean json?)'],
    ['orgs security enable acme secret_scaning', '(did you mean secret_scanning?)'],
    ['config set ouput json', '(did you mean output?)'],
    ['config set output jsn', '(did you mean json?)'],
  ])('in “%s”: %s', async (line, said) => {
    const { stderr, code } = await run(line.split(' '), { env: { FORGECTL_BASE_URL: 'http://127.0.0.1:9' } });
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  it('without a near match has no suggestion', async () => {
    const { stderr } = await run('repos list acme --type xyz'.split(' '));
    expect(stderr).toContain(
      'type must be one of all, public, private, forks, sources, member, internal. Nothing was sent.',
    );
  });
});

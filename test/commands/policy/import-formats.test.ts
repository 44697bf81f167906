/** The formats of `policy import`, from the command line to files. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onSandbox } from './support.ts';

const fixtures = join(import.meta.dirname, '../../topics/policy/import/fixtures');

it('three levels of safe-settings become an entry for all repositories, and overrides', async () => {
  const { forgectl, folder } = await onSandbox({ orgs: 1, repos: 1 });
  cpSync(join(fixtures, 'safe-settings'), join(folder, '.github'), { recursive: true });
  const files = ['settings', 'suborgs/services', 'repos/svc-a'].map((name) => `FOLDER/.github/${name}.yml`).join(' ');
  const words = `policy import safe-settings ${files} --organization acme --dir FOLDER/policy`;
  const { stderr, code } = await forgectl(words, 'none');
  expect(code).toBe(9);
  const shown = (text: string) => text.replaceAll(`${folder}/.github/`, '');
  expect(shown(stderr)).toMatchInlineSnapshot(`
    "settings.yml:55: validator.pattern: Policies have no rule for the names of repositories
    suborgs/services.yml:6: suborgteams[0]: Selectors have no condition on teams
    repos/svc-a.yml:21: environments[0].name: Policies have no environments
    repos/svc-a.yml:22: environments[0].wait_timer: Policies have no environments
    forgectl: 4 values cannot be imported.
    Review the lines above, and accept them with --allow-losses.
    "
  `);
  expect(shown(readFileSync(join(folder, 'policy/acme/repositories.yaml'), 'utf8'))).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../policy.schema.json
    organizations: [acme]
    repositories:
      # from settings.yml:1
      - select: {names: ["*"]}
        settings:
          description: An internal service
          visibility: internal
          has_wiki: false
          has_downloads: true
          delete_branch_on_merge: true
        properties: {tier: gold}
        access: {users: {stonewren: write}, teams: {core-team: admin}}
        topics: [managed, internal]
        alerts: {vulnerability: true, fixes: false}
        labels:
          - {name: bug, color: CC0000, description: Something is broken}
          - {name: help wanted, was: help, color: "008672"}
        rulesets:
          - name: Protect the default branch
            target: branch
            enforcement: active
            bypass_actors: [role:admin]
            conditions: {ref_name: {include: [~DEFAULT_BRANCH], exclude: []}}
            rules:
              - {type: required_linear_history}
              - type: pull_request
                parameters:
                  dismiss_stale_reviews_on_push: true
                  dismissal_restriction:
                    enabled: true
                    allowed_actors: [{id: user:stonewren, type: User}, {id: team:core-team, type: Team}]
                  require_code_owner_review: false
                  require_last_push_approval: false
                  required_approving_review_count: 1
                  required_review_thread_resolution: false
              - type: required_status_checks
                parameters: {required_status_checks: [{context: build}], strict_required_status_checks_policy: true}
          - name: Protect the history of the default branch
            target: branch
            enforcement: active
            bypass_actors: []
            conditions: {ref_name: {include: [~DEFAULT_BRANCH], exclude: []}}
            rules: [{type: non_fast_forward}, {type: deletion}]
          - name: Restrict pushes to the default branch
            target: branch
            enforcement: active
            bypass_actors: [role:admin, team:core-team]
            conditions: {ref_name: {include: [~DEFAULT_BRANCH], exclude: []}}
            rules: [{type: update}]

      # from settings.yml:1
      - {select: {names: ["*", "!secrets"]}, access: {users: {paperfox: read}}}
      # from settings.yml:1
      - {select: {names: [handbook]}, access: {teams: {docs: maintain}}}
      # from suborgs/services.yml:2
      - {select: {names: [svc-*]}, override: true, settings: {has_wiki: true}}

      # from suborgs/services.yml:2
      - select: {names: [svc-*, "!svc-a"]}
        override: true
        settings: {allow_merge_commit: false}
        rulesets: [{use: acme-protect-the-default-branch}]

      # from suborgs/services.yml:4
      - {select: {properties: {tier: [silver]}}, override: true, settings: {has_wiki: true}}

      # from suborgs/services.yml:4
      - select: {properties: {tier: [silver]}, names: ["*", "!svc-a"]}
        override: true
        settings: {allow_merge_commit: false}
        rulesets: [{use: acme-protect-the-default-branch}]

      # from repos/svc-a.yml:3
      - create: {name: svc-a, visibility: internal, auto_init: true}
        override: true
        settings: {allow_merge_commit: true}
        topics: [managed, internal, payments]
        labels: [{name: bug, color: "336699", description: Something is broken}]
        rulesets:
          - name: Protect the default branch
            target: branch
            enforcement: active
            bypass_actors: []
            conditions: {ref_name: {include: [~DEFAULT_BRANCH], exclude: []}}
            rules:
              - {type: non_fast_forward}
              - {type: deletion}
              - {type: required_linear_history}
              - type: pull_request
                parameters:
                  dismiss_stale_reviews_on_push: true
                  dismissal_restriction:
                    enabled: true
                    allowed_actors: [{id: user:stonewren, type: User}, {id: team:core-team, type: Team}]
                  require_code_owner_review: false
                  require_last_push_approval: false
                  required_approving_review_count: 2
                  required_review_thread_resolution: false
              - type: required_status_checks
                parameters: {required_status_checks: [{context: build}], strict_required_status_checks_policy: true}
          - name: Protect release
            target: branch
            enforcement: active
            bypass_actors: []
            conditions: {ref_name: {include: [refs/heads/release], exclude: []}}
            rules: [{type: non_fast_forward}]
        absent: {rulesets: [Protect the history of the default branch]}
    "
  `);
  expect(await forgectl('policy validate FOLDER/policy', 'none')).toMatchObject({ code: 0, stdout: '' });
});

it('a state of Terraform becomes a policy without the secrets that it has', async () => {
  const { forgectl, folder } = await onSandbox({ orgs: 1, repos: 1 });
  const words = `policy import terraform ${fixtures}/state.json --dir FOLDER/policy --report FOLDER/losses.ndjson`;
  const { stderr, code } = await forgectl(words, 'none');
  expect(code).toBe(9);
  expect(stderr.replaceAll(`${fixtures}/`, '')).toMatchInlineSnapshot(`
    "state.json:297: values.root_module.resources[10].values.pages[0].build_type: Policies have no pages
    state.json:298: values.root_module.resources[10].values.pages[0].cname: Policies have no pages
    state.json:299: values.root_module.resources[10].values.pages[0].custom_404: Policies have no pages
    state.json:300: values.root_module.resources[10].values.pages[0].html_url: Policies have no pages
    state.json:303: values.root_module.resources[10].values.pages[0].source[0].branch: Policies have no pages
    state.json:304: values.root_module.resources[10].values.pages[0].source[0].path: Policies have no pages
    state.json:307: values.root_module.resources[10].values.pages[0].status: Policies have no pages
    state.json:308: values.root_module.resources[10].values.pages[0].url: Policies have no pages
    state.json:469: values.root_module.resources[16].values.require_conversation_resolution: Has no effect in a ruleset without required pull requests
    state.json:634: values.root_module.resources[21].values.created_at: Policies have no Actions secrets, variables, runners or permissions
    state.json:635: values.root_module.resources[21].values.encrypted_value: Policies have no Actions secrets, variables, runners or permissions
    state.json:636: values.root_module.resources[21].values.id: Policies have no Actions secrets, variables, runners or permissions
    state.json:637: values.root_module.resources[21].values.plaintext_value: Policies have no Actions secrets, variables, runners or permissions
    state.json:638: values.root_module.resources[21].values.repository: Policies have no Actions secrets, variables, runners or permissions
    state.json:639: values.root_module.resources[21].values.secret_name: Policies have no Actions secrets, variables, runners or permissions
    state.json:640: values.root_module.resources[21].values.updated_at: Policies have no Actions secrets, variables, runners or permissions
    state.json:654: values.root_module.resources[22].values.bucket: Not a resource of this platform
    state.json:655: values.root_module.resources[22].values.id: Not a resource of this platform
    forgectl: 18 values cannot be imported.
    Review the lines above, and accept them with --allow-losses.
    "
  `);
  const report = readFileSync(join(folder, 'losses.ndjson'), 'utf8');
  expect(`${stderr}${report}`).not.toContain('plain-secret-of-the-state');
  expect(
    readFileSync(join(folder, 'policy/globex/repositories.yaml'), 'utf8').replaceAll(`${fixtures}/`, ''),
  ).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../policy.schema.json
    organizations: [globex]
    repositories:
      # from state.json:208 and 57 more
      - select: {names: ["*"]}
        settings:
          has_issues: true
          has_projects: false
          has_wiki: false
          has_discussions: false
          has_downloads: false
          is_template: false
          default_branch: main
          allow_squash_merge: true
          allow_merge_commit: true
          allow_rebase_merge: true
          allow_auto_merge: false
          delete_branch_on_merge: false
          allow_update_branch: false
          squash_merge_commit_title: COMMIT_OR_PR_TITLE
          squash_merge_commit_message: COMMIT_MESSAGES
          merge_commit_title: MERGE_MESSAGE
          merge_commit_message: PR_TITLE
          archived: false
          web_commit_signoff_required: false
        alerts: {vulnerability: true}

      # from state.json:220
      - create: {name: agent, visibility: public}
        override: true
        settings:
          description: The guest agent
          security_and_analysis: {secret_scanning: {status: enabled}, secret_scanning_push_protection: {status: disabled}}
          allow_auto_merge: true
          delete_branch_on_merge: true
          homepage: https://example.com/
        properties: {tier: gold}
        access: {teams: {platform-team: admin, security: read}, users: {stonewren: write}}
        topics: [docker, ssh]
        labels:
          - {name: bug, description: Something is broken, color: d73a4a}
          - {name: good first issue, color: 0E8A16}
        rulesets:
          - name: Protect main
            target: branch
            enforcement: active
            bypass_actors: [role:admin]
            conditions: {ref_name: {include: [refs/heads/main], exclude: []}}
            rules:
              - type: required_status_checks
                parameters:
                  required_status_checks: [{context: CodeQL}, {context: Run lint}]
                  strict_required_status_checks_policy: true
          - name: Protect the history of main
            target: branch
            enforcement: active
            bypass_actors: []
            conditions: {ref_name: {include: [refs/heads/main], exclude: []}}
            rules: [{type: non_fast_forward}, {type: deletion}]
          - name: Require pull requests for main
            target: branch
            enforcement: active
            bypass_actors: [role:admin, user:stonewren]
            conditions: {ref_name: {include: [refs/heads/main], exclude: []}}
            rules:
              - type: pull_request
                parameters:
                  dismiss_stale_reviews_on_push: true
                  dismissal_restriction: {enabled: true, allowed_actors: [{id: team:security, type: Team}]}
                  require_code_owner_review: false
                  require_last_push_approval: false
                  required_approving_review_count: 1
                  required_review_thread_resolution: false
          - name: Restrict pushes to main
            target: branch
            enforcement: active
            bypass_actors: [role:admin, team:platform-team, team:bots]
            conditions: {ref_name: {include: [refs/heads/main], exclude: []}}
            rules: [{type: update}, {type: creation}]

      # from state.json:293
      - create: {name: legacy, visibility: private, template: globex/starter}
        override: true
        settings: {has_discussions: true, archived: true}
        rulesets:
          - name: Protect main
            target: branch
            enforcement: active
            bypass_actors: []
            conditions: {ref_name: {include: [refs/heads/main], exclude: []}}
            rules:
              - {type: non_fast_forward}
              - {type: deletion}
              - {type: required_signatures}
              - type: required_status_checks
                parameters:
                  required_status_checks: [{context: build}, {context: deploy, integration_id: 15368}]
                  strict_required_status_checks_policy: false

      # from state.json:703
      - create: {name: svc-a, visibility: internal}
        alerts: {fixes: true}
        rulesets:
          - name: Releases
            target: branch
            enforcement: evaluate
            bypass_actors: [{actor_id: 5, actor_type: RepositoryRole, bypass_mode: always}]
            conditions: {ref_name: {exclude: [], include: [refs/heads/release/*]}}
            rules:
              - {type: creation}
              - {type: deletion}
              - {type: update, parameters: {update_allows_fetch_and_merge: true}}

      # from state.json:763
      - {create: {name: svc-b, visibility: internal}, topics: [managed]}
    "
  `);
  expect(await forgectl('policy validate FOLDER/policy', 'none')).toMatchObject({ code: 0, stdout: '' });
});

it('sources that formats cannot place are refused', async () => {
  const { forgectl, write } = await onSandbox({ orgs: 1, repos: 1 });
  const refused = async (words: string) => {
    const { stderr, code } = await forgectl(`policy import ${words}`, 'none');
    return [code, stderr.split('\n')[1]?.replace(/^\S*\//, '')];
  };
  write('main.tf', 'resource "github_repository" "site" {}\n');
  expect(await refused('terraform FOLDER/main.tf')).toEqual([
    2,
    'main.tf:1:1: is Terraform configuration, not state: import the output of “terraform show -json”',
  ]);
  write('state.json', '{}');
  expect(await refused('terraform FOLDER/state.json')).toEqual([
    2,
    'state.json:1:1: is not a Terraform state: import the output of “terraform show -json”',
  ]);
  write('settings.yml', 'repository: { has_wiki: false }\n');
  expect(await refused('repository-settings FOLDER/settings.yml --organization acme')).toEqual([
    2,
    'settings.yml:1:1: does not specify a repository: add --repository NAME',
  ]);
  expect(await refused('safe-settings FOLDER/settings.yml')).toEqual([
    2,
    'settings.yml:1:1: does not specify an organization: add --organization ORG',
  ]);
  write('team.json', '{"name": "Core", "privacy": "closed"}');
  expect(await refused('rulesets FOLDER/team.json --organization acme')).toEqual([
    2,
    'team.json:1:1: is not a ruleset, which has a name, an enforcement and rules',
  ]);
  write('guard.json', '{"name": "Guard", "enforcement": "active", "source_type": "Organization", "source": "globex"}');
  expect(await refused('rulesets FOLDER/guard.json --organization acme')).toEqual([
    2,
    'guard.json:1:1: belongs to globex, but --organization is acme',
  ]);
  expect(await refused('rulesets FOLDER/guard.json --repository site')).toEqual([
    2,
    'guard.json:1:1: belongs to globex, but --repository is site',
  ]);
  write('site.json', '{"name": "Guard", "enforcement": "active", "source": "globex/site"}');
  expect(await refused('rulesets FOLDER/site.json --repository docs')).toEqual([
    2,
    'site.json:1:1: belongs to globex/site, but --repository is docs',
  ]);
});

it('the source of a ruleset is its organization or its repository', async () => {
  const { forgectl, folder, write } = await onSandbox({ orgs: 1, repos: 1 });
  const guard = { name: 'Guard', enforcement: 'active' };
  write('plain.json', JSON.stringify({ ...guard, source: 'globex' }));
  write('named.json', JSON.stringify({ ...guard, source_type: 'Repository', source: 'site' }));
  write('odd.json', JSON.stringify({ ...guard, source: ['globex'] }));
  const imported = (words: string) => forgectl(`policy import rulesets ${words} --force --dir FOLDER/policy`, 'none');
  expect(await imported('FOLDER/plain.json')).toMatchObject({ code: 0 });
  expect(await imported('FOLDER/named.json --organization globex')).toMatchObject({ code: 0 });
  const read = (file: string) => readFileSync(join(folder, 'policy/globex', file), 'utf8');
  expect(read('rulesets/guard.yaml')).toContain('- {name: Guard, enforcement: active}');
  expect(read('repositories.yaml')).toContain('select: {names: [site]}');
  const odd = await imported('FOLDER/odd.json --organization globex');
  expect(odd.stderr).toContain('odd.json:1: source[0]: must be ORG or OWNER/NAME\n');
});

it('repositories of safe-settings are created if any level says so', async () => {
  const { forgectl, folder, write } = await onSandbox({ orgs: 1, repos: 1 });
  write('settings.yml', 'repository: { force_create: true, auto_init: true, org: ACME, has_wiki: false }\n');
  write('suborgs/kept.yml', 'suborgrepos: [kept-*]\nrepository: { force_create: false }\n');
  write('repos/api.yml', 'repository: { name: api, org: globex, template: starter }\n');
  write('repos/kept-web.yml', 'repository: { has_wiki: true }\n');
  const words = 'policy import safe-settings --organization acme --force --dir FOLDER/policy';
  const all = ['settings', 'suborgs/kept', 'repos/api', 'repos/kept-web'].map((name) => `FOLDER/${name}.yml`).join(' ');
  const { stderr } = await forgectl(`${words} ${all}`, 'none');
  const shown = (text: string) => text.replaceAll(`${folder}/`, '');
  expect(shown(stderr).split('\n').slice(0, 3)).toEqual([
    'settings.yml:1: repository.auto_init: cannot be combined with a template',
    'repos/api.yml:1: repository.org: safe-settings ignores it: repositories belong to acme',
    'forgectl: 2 values cannot be imported.',
  ]);
  const policy = () => shown(readFileSync(join(folder, 'policy/acme/repositories.yaml'), 'utf8'));
  expect(policy().split('\n').slice(3)).toEqual([
    '  # from settings.yml:1',
    '  - {select: {names: ["*"]}, settings: {has_wiki: false}}',
    '  # from repos/api.yml:1',
    '  - {create: {name: api, visibility: private, template: acme/starter}, override: true}',
    '  # from repos/kept-web.yml:1',
    '  - {select: {names: [kept-web]}, override: true, settings: {has_wiki: true}}',
    '',
  ]);

  const alone = await forgectl(`${words} FOLDER/settings.yml`, 'none');
  expect(shown(alone.stderr).split('\n').slice(0, 2)).toEqual([
    'settings.yml:1: repository.force_create: Policies create only named repositories: import repos/NAME.yml, too',
    'settings.yml:1: repository.auto_init: Policies create only named repositories: import repos/NAME.yml, too',
  ]);
});

it('a repository of a state that is made from a template has no other first commit', async () => {
  const { forgectl, folder, write } = await onSandbox({ orgs: 1, repos: 1 });
  const template = [{ owner: 'globex', repository: 'starter' }];
  const values = { name: 'site', full_name: 'globex/site', auto_init: true, gitignore_template: 'Node', template };
  const resources = [{ type: 'github_repository', mode: 'managed', values }];
  write('state.json', JSON.stringify({ format_version: '1.0', values: { root_module: { resources } } }, null, 1));
  const { stderr } = await forgectl('policy import terraform FOLDER/state.json --dir FOLDER/policy', 'none');
  const reason = 'cannot be combined with a template';
  const key = 'values.root_module.resources[0].values';
  expect(stderr.replaceAll(/^.*\//gm, '').split('\n').slice(0, 2)).toEqual([
    `state.json:12: ${key}.auto_init: ${reason}`,
    `state.json:13: ${key}.gitignore_template: ${reason}`,
  ]);
  expect(readFileSync(join(folder, 'policy/globex/repositories.yaml'), 'utf8')).toContain(
    '- {create: {name: site, visibility: public, template: globex/starter}}',
  );
});

it('unknown keys are told from misspelled and misplaced ones', async () => {
  const { forgectl, write } = await onSandbox({ orgs: 1, repos: 1 });
  write('settings.yml', 'repository: { has_wikki: false }\nenforcement: active\nzebra: 1\n');
  const { stderr, code } = await forgectl(
    'policy import safe-settings FOLDER/settings.yml --organization acme --dir FOLDER/policy',
    'none',
  );
  expect(code).toBe(9);
  expect(stderr.replaceAll(/^.*\//gm, '').split('\n').slice(0, 3)).toEqual([
    'settings.yml:1: repository.has_wikki: safe-settings has no such key; did you mean has_wiki?',
    'settings.yml:2: enforcement: safe-settings has no such key here',
    'settings.yml:3: zebra: safe-settings has no such key',
  ]);
});

/** Imports of other tools’ files, from the command line to the sandbox. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onSandbox } from './support.ts';

const org = `orgs:
  Moved:
    name: Moved in
    default_repository_permission: none
    has_organization_projects: true
    admins: [wren-owner, 7000001, paperfox]
    members:
      - paperfox
      - stonewren
      - Stonewren
    teams:
      Platform Owners:
        description: Runs it
        privacy: closed
        maintainers: [wren-owner]
        previously: [platform, infra]
        repos: { engine: write, docs: maintain }
        teams:
          On Call: { privacy: closed, members: [stonewren], repos: { site: admin } }
    repos:
      engine:
        private: true
        description: The engine
        has_wiki: false
        allow_merge_commit: false
        allow_rebase_merge: false
        default_branch: trunk
        on_create: { auto_init: true }
      docs:
        homepage: https://docs.example.com
        has_wiki: true
        allow_merge_commit: false
        allow_rebase_merge: false
      site: { has_wiki: false, allow_merge_commit: false, allow_rebase_merge: false, webhooks: 1 }
      attic: { archived: true, has_wiki: false, allow_merge_commit: false, allow_rebase_merge: false }
`;

it('peribolos becomes policies that read as if written by hand, and values that cannot be imported are reported', async () => {
  const { forgectl, folder, write } = await onSandbox({ orgs: 1, repos: 1 });
  write('org.yaml', org);
  const words = 'policy import peribolos FOLDER/org.yaml --dir FOLDER/policy --report FOLDER/losses.ndjson';
  const { stdout, stderr, code } = await forgectl(words, 'none');
  const shown = (text: string) => text.replaceAll(`${folder}/`, '');
  const read = (file: string) => shown(readFileSync(join(folder, file), 'utf8'));
  expect(shown(stdout).split('\n')).toEqual([
    'policy/Moved/members.yaml',
    'policy/Moved/profile.yaml',
    'policy/Moved/repositories.yaml',
    'policy/Moved/settings.yaml',
    'policy/Moved/teams.yaml',
    'policy/policy.schema.json',
    '',
  ]);
  expect(shown(stderr)).toMatchInlineSnapshot(`
    "org.yaml:8: orgs.Moved.members[0]: member “paperfox” is declared twice (first at org.yaml:6:35)
    org.yaml:34: orgs.Moved.repos.site.webhooks: peribolos has no such key
    forgectl: 2 values cannot be imported.
    Review the lines above, and accept them with --allow-losses.
    "
  `);
  expect(code).toBe(9);
  expect(await forgectl(words.replace('FOLDER/policy', 'FOLDER/other'), 'none')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'losses.ndjson already exists.\nReplace it with --force, or choose another file with --report.',
    ),
  });
  expect(existsSync(join(folder, 'other'))).toBe(false);
  expect(read('losses.ndjson').split('\n')[1]).toMatchInlineSnapshot(
    `"{"file":"org.yaml","line":34,"column":86,"key":"orgs.Moved.repos.site.webhooks","value":1,"reason":"peribolos has no such key"}"`,
  );
  expect(read('policy/Moved/members.yaml')).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../policy.schema.json
    organizations: [Moved]
    members:
      # from org.yaml:6
      owners: [wren-owner, "7000001", paperfox]
      # from org.yaml:7
      members: [stonewren]
    "
  `);
  expect(read('policy/Moved/teams.yaml')).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../policy.schema.json
    organizations: [Moved]
    teams:
      # from org.yaml:12
      - name: Platform Owners
        was: [platform, infra]
        description: Runs it
        privacy: closed
        maintainers: [wren-owner]

      # from org.yaml:19
      - {name: On Call, privacy: closed, parent: Platform Owners, members: [stonewren]}
    "
  `);
  expect(read('policy/Moved/repositories.yaml')).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../policy.schema.json
    organizations: [Moved]
    repositories:
      # from org.yaml:24 and 5 more
      - select: {names: ["*"]}
        settings: {has_wiki: false, allow_merge_commit: false, allow_rebase_merge: false}

      # from org.yaml:21
      - create: {name: engine, visibility: private, auto_init: true}
        settings: {description: The engine, default_branch: trunk}
        access: {teams: {platform-owners: write}}

      # from org.yaml:29
      - create: {name: docs}
        override: true
        settings: {homepage: https://docs.example.com, has_wiki: true}
        access: {teams: {platform-owners: maintain}}

      # from org.yaml:34
      - {create: {name: site}, access: {teams: {on-call: admin}}}
      # from org.yaml:35
      - {create: {name: attic}, settings: {archived: true}}
    "
  `);

  const again = await forgectl(`${words.replace('policy --', 'again --')} --allow-losses --force`, 'none');
  expect(again.code).toBe(0);
  expect(read('again/Moved/repositories.yaml')).toBe(read('policy/Moved/repositories.yaml'));
  expect(await forgectl('policy validate FOLDER/policy', 'none')).toMatchObject({ code: 0, stdout: '' });
  expect((await forgectl(words, 'none')).stderr).toContain('policy/Moved is not empty. Nothing was written.');
});

it('files that cannot be read are one message, and nothing is written', async () => {
  const { forgectl, folder, write } = await onSandbox({ orgs: 1, repos: 1 });
  write('broken.yaml', 'admins: [a\n');
  write('list.yaml', 'just text\n');
  const broken = await forgectl('policy import peribolos FOLDER/broken.yaml FOLDER/list.yaml', 'none');
  expect(broken.stderr.replaceAll(`${folder}/`, '')).toMatchInlineSnapshot(`
    "forgectl: The files have 2 errors; nothing was written.
    broken.yaml:2:1: Flow sequence in block collection must be sufficiently indented and end with a ]
    list.yaml:1:1: must be a mapping or a list
    "
  `);
  expect(broken.code).toBe(2);
  write('org.yaml', 'admins: [wren]\nteams: []\n');
  const unnamed = await forgectl('policy import peribolos FOLDER/org.yaml', 'none');
  expect(unnamed.stderr).toContain('org.yaml:1:1: does not specify an organization: add --organization ORG');
  const wrong = await forgectl('policy import peribolos FOLDER/org.yaml --organization acme', 'none');
  expect(wrong.stderr).toContain('org.yaml:2:1: must be a mapping');
  write('named.yaml', 'orgs: { globex: { admins: [wren] } }\n');
  const other = await forgectl('policy import peribolos FOLDER/named.yaml --organization acme', 'none');
  expect(other.stderr).toContain('named.yaml:1:9: is the organization globex, but --organization is acme');
  expect(await forgectl('policy import terrafrom FOLDER/org.yaml', 'none')).toMatchObject({ code: 2 });
});

it('an organization without repositories is like its source after one apply, and archived repositories are filled before', async () => {
  const knownLogins = ['wren-owner', '7000001', 'paperfox', 'stonewren'];
  const { forgectl, write } = await onSandbox({ orgs: 1, repos: 1, emptyOrganizations: ['Moved'], knownLogins });
  write('org.yaml', org.replace('        on_create: { auto_init: true }\n', ''));
  await forgectl('policy import peribolos FOLDER/org.yaml --dir FOLDER/policy --allow-losses', 'none');
  const applied = await forgectl('policy apply FOLDER/policy --yes --allow archived,visibility');
  expect(applied.code).toBe(0);
  const plan = await forgectl('policy plan FOLDER/policy --exit-code');
  expect(plan).toMatchObject({ code: 0, stdout: '' });
  // The platform sets the default branch of an empty repository at the first push.
  expect(plan.stderr).toContain(
    'Moved: repositories without branches keep their default branch until the first push.\n',
  );
  const listed = await forgectl('repos list Moved --all --jq map([.name,.visibility,.has_wiki,.archived])|sort|.[]');
  expect(listed.stdout).toMatchInlineSnapshot(`
    "["attic","private",false,true]
    ["docs","private",true,false]
    ["engine","private",false,false]
    ["site","private",false,false]
    "
  `);
});

const codeFile = `members:
  admin: [wren-owner]
  member: [stonewren, paperfox]
repositories:
  api: &service
    visibility: public
    archived: false
    has_wiki: false
    secret_scanning: true
    default_branch: main
    labels:
      bug: { color: d73a4a, description: Broken }
      docs: { color: "008672" }
      wontfix: { color: ffffff }
    branch_protection:
      main:
        allows_deletions: false
        allows_force_pushes: false
        enforce_admins: true
        required_pull_request_reviews: { required_approving_review_count: 1, dismiss_stale_reviews: true }
        push_restrictions: [/paperfox]
    teams: { push: [Core Team] }
    collaborators: { admin: [paperfox], pull: [stonewren] }
    vulnerability_alerts: true
    topics: [api]
  web:
    <<: *service
    has_wiki: true
    collaborators: {}
    topics: []
  lone: { visibility: private }
  attic: { archived: true, files: { README.md: { content: gone } } }
teams:
  Core Team: { privacy: closed, create_default_maintainer: false, members: { maintainer: [wren-owner] } }
`;

it('github-as-code becomes policies with pieces and rulesets, which one apply makes', async () => {
  const knownLogins = ['wren-owner', 'paperfox', 'stonewren'];
  const { forgectl, folder, write } = await onSandbox({
    orgs: 1,
    repos: 1,
    emptyOrganizations: ['moved'],
    knownLogins,
  });
  write('moved.yml', codeFile);
  const words = 'policy import github-as-code FOLDER/moved.yml --organization moved --dir FOLDER/policy';
  const { stderr, code } = await forgectl(words, 'none');
  expect(stderr.replaceAll(`${folder}/`, '')).toMatchInlineSnapshot(`
    "moved.yml:32: repositories.attic.files["README.md"].content: Policies have no files of repositories
    forgectl: 1 value cannot be imported.
    Review the lines above, and accept them with --allow-losses.
    "
  `);
  expect(code).toBe(9);
  const read = (file: string) => readFileSync(join(folder, 'policy/moved', file), 'utf8').replaceAll(`${folder}/`, '');
  expect(read('repositories.yaml')).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../policy.schema.json
    organizations: [moved]
    repositories:
      # from moved.yml:5
      - create: {name: api, visibility: public}
        settings: {use: moved-settings, has_wiki: false}
        access: {teams: {core-team: write}, users: {paperfox: admin, stonewren: read}}
        topics: [api]
        alerts: {vulnerability: true}
        labels: [{use: moved-labels}]
        rulesets: [{use: moved-protect-main}, {use: moved-restrict-pushes-to-main}]

      # from moved.yml:26
      - create: {name: web, visibility: public}
        settings: {use: moved-settings, has_wiki: true}
        access: {teams: {core-team: write}}
        topics: []
        alerts: {vulnerability: true}
        labels: [{use: moved-labels}]
        rulesets: [{use: moved-protect-main}, {use: moved-restrict-pushes-to-main}]

      # from moved.yml:31
      - {create: {name: lone, visibility: private}}
      # from moved.yml:32
      - {create: {name: attic}, settings: {archived: true}}
    "
  `);
  expect(read('pieces.yaml')).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=../policy.schema.json
    define:
      # from moved.yml:7
      moved-settings:
        archived: false
        default_branch: main
        security_and_analysis: {secret_scanning: {status: enabled}}

      # from moved.yml:12
      moved-labels:
        - {name: bug, color: d73a4a, description: Broken}
        - {name: docs, color: "008672"}
        - {name: wontfix, color: ffffff}

      # from moved.yml:16
      moved-protect-main:
        name: Protect main
        target: branch
        enforcement: active
        bypass_actors: []
        conditions: {ref_name: {include: [refs/heads/main], exclude: []}}
        rules:
          - {type: non_fast_forward}
          - {type: deletion}
          - type: pull_request
            parameters:
              dismiss_stale_reviews_on_push: true
              require_code_owner_review: false
              require_last_push_approval: false
              required_approving_review_count: 1
              required_review_thread_resolution: false

      # from moved.yml:16
      moved-restrict-pushes-to-main:
        name: Restrict pushes to main
        target: branch
        enforcement: active
        bypass_actors: [role:admin, user:paperfox]
        conditions: {ref_name: {include: [refs/heads/main], exclude: []}}
        rules: [{type: update}]
    "
  `);
  expect(await forgectl('policy apply FOLDER/policy --yes --allow archived,visibility')).toMatchObject({ code: 0 });
  expect(await forgectl('policy plan FOLDER/policy --exit-code')).toMatchObject({ code: 0, stdout: '' });
});

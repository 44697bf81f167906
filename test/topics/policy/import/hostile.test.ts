/** Sources of imports with values that nobody expects: each is imported, or reported. */
import { expect, it } from 'vitest';
import { formats } from '../../../../src/topics/policy/import/formats/index.ts';
import { importPolicies } from '../../../../src/topics/policy/import/import.ts';

function imported(
  name: string,
  texts: Readonly<Record<string, string>>,
  flags: { repository?: string; organization?: undefined } = { repository: 'site' },
) {
  const format = formats.find((each) => each.name === name);
  if (!format) throw new Error(`no format ${name}`);
  const sources = Object.entries(texts).map(([file, text]) => ({ file, text }));
  const { organizations, losses } = importPolicies(format, sources, {
    organization: 'acme',
    repository: undefined,
    ...flags,
  });
  const documents = organizations.flatMap(({ files }) => files.map(({ document }) => document));
  return { written: JSON.stringify(documents), lost: losses.map(({ key }) => key), losses };
}

it('a repository of peribolos is public only if the source says so', () => {
  const { written, lost } = imported('peribolos', {
    'org.yaml': `
repos: { site: { private: yes }, docs: { private: "true" }, Site: { private: false } }
teams: { core: { previously: old, repos: { site: none, docs: NONE, api: 5 } }, ops: { repos: { site: none } } }
`,
  });
  expect(lost).toEqual([
    'repos.site.private',
    'repos.docs.private',
    'repos.Site.private',
    'teams.core.previously',
    'teams.core.repos.api',
  ]);
  expect(written).not.toContain('public');
  expect(written).toContain('"absent":{"access":{"teams":["core","ops"]}}');
});

it('what a level of safe-settings takes back is reported', () => {
  const { written, lost } = imported('safe-settings', {
    'settings.yml': 'repository: { private: true, has_wiki: false }',
    'repos/site.yml': 'repository: { has_wiki: null }',
  });
  expect(lost).toEqual(['repository.has_wiki']);
  expect(written).not.toContain('absent');
});

it('incomplete resources of a state are reported', () => {
  const resource = (type: string, values: object) => ({ address: type, mode: 'managed', type, values });
  const resources = [
    resource('github_team_repository', { repository: null, team_id: 'core', permission: 'push' }),
    resource('github_repository_collaborators', { repository: 'site', user: [{ permission: 'pull' }] }),
    resource('github_branch_protection', { repository_id: 'R_kgDOunknown', pattern: 'main', enforce_admins: true }),
    resource('github_membership', { username: 'wren', role: 'boss' }),
    resource('github_team_repository', { repository: 'site', team_id: 'core', permission: 5 }),
    resource('github_repository', { name: 'site', license_template: false }),
  ];
  const state = { format_version: '1.0', values: { root_module: { resources } } };
  const { written, lost } = imported('terraform', { 'state.json': JSON.stringify(state) });
  expect(lost.map((key) => key.replace(/^.*resources\[(\d)\]\.values/, '$1'))).toEqual([
    '0.team_id',
    '0.permission',
    '1.user[0].permission',
    '2.pattern',
    '2.enforce_admins',
    '3.role',
    '4.repository',
    '4.team_id',
    '4.permission',
    '5.license_template',
  ]);
  expect(written).not.toMatch(/undefined|R_kg/);
});

it('rulesets of other owners are reported', () => {
  const team = '{"name":"d","source_type":"Team","source":"acme","target":"tag","enforcement":"active","rules":[]}';
  const { written, lost } = imported('rulesets', { 'd.json': team });
  expect([written, lost.length]).toEqual(['[]', 6]);
});

it('teams whose names have no letter or digit are reported', () => {
  const settings = imported('repository-settings', { 'settings.yml': 'teams: [{ name: "--", permission: push }]' });
  expect([settings.written, settings.lost]).toEqual([
    expect.not.stringContaining('access'),
    ['teams[0].name', 'teams[0].permission'],
  ]);
  const code = imported('github-as-code', {
    'acme.yml': 'repositories: { site: { teams: { push: ["--", { constructor: { prototype: 7 } }] } } }',
  });
  expect(code.lost).toEqual([
    'repositories.site.teams.push[0]',
    'repositories.site.teams.push[1].constructor.prototype',
  ]);
});

it('tokens in any field are masked', () => {
  const token = `ghp_${'a1'.repeat(18)}`;
  const { losses } = imported('repository-settings', { 'settings.yml': `variables: [{ name: A, value: ${token} }]` });
  expect(losses.map(({ value }) => value)).toEqual(['A', '********']);
});

it('lists and objects below the name of a secret are masked in the report', () => {
  const { written, losses } = imported('repository-settings', {
    'settings.yml': `
repository: { token: { value: hidden-1, all: [hidden-2] } }
labels: [{ name: a, color: ff0000, api_key: [hidden-3] }]
environments: [{ name: live, password: { is_set: true } }]
`,
  });
  expect(losses.map(({ key, value }) => [key, value])).toEqual([
    ['repository.token.value', '********'],
    ['repository.token.all[0]', '********'],
    ['labels[0].api_key[0]', '********'],
    ['environments[0].name', 'live'],
    ['environments[0].password.is_set', true],
  ]);
  expect(written).not.toContain('hidden');
});

it('values that a state marks as sensitive are neither in policies nor in the report', () => {
  const values = {
    name: 'site',
    description: 'hidden-1',
    homepage_url: '',
    topics: ['a', 'hidden-2'],
    security_and_analysis: [{ secret_scanning: [{ status: 'hidden-3' }] }],
    unknown: { deep: 'hidden-4' },
  };
  const sensitive_values = {
    description: true,
    homepage_url: true,
    topics: [false, true],
    security_and_analysis: [{ secret_scanning: true }],
    unknown: true,
  };
  const whole = { address: 'b', mode: 'managed', type: 'github_team', values: { name: 'hidden-5' } };
  const resources = [
    { address: 'a', mode: 'managed', type: 'github_repository', values, sensitive_values },
    { ...whole, sensitive_values: true },
  ];
  const state = { format_version: '1.0', values: { root_module: { resources } } };
  const { written, losses } = imported('terraform', { 'state.json': JSON.stringify(state) });
  expect(written).toContain('"topics":["a"]');
  expect(written + JSON.stringify(losses)).not.toContain('hidden');
  expect(losses.map(({ key, value }) => [key.replace(/^.*resources/, ''), value])).toEqual([
    ['[0].values.description', '********'],
    ['[0].values.topics[1]', '********'],
    ['[0].values.security_and_analysis[0].secret_scanning[0].status', '********'],
    ['[0].values.unknown.deep', '********'],
    ['[1].values.name', '********'],
  ]);
});

it.each(['constructor', 'toString', '__proto__'])('%s is a name like any other', (name) => {
  const rule = { pattern: name, [name]: [name], required_status_checks: [{ [name]: name }] };
  const values = { name: 'site', full_name: 'acme/site', [name]: name };
  const resource = (type: string, given: object) => ({ address: type, mode: 'managed', type, values: given });
  const resources = [
    resource(name, { [name]: name }),
    resource('github_repository', values),
    resource('github_branch_protection', { repository_id: 'site', ...rule }),
    resource('github_repository_ruleset', { repository: 'site', name, rules: [{ [name]: [{ [name]: name }] }] }),
  ];
  const app = {
    [name]: name,
    repository: { [name]: name },
    teams: [{ name, permission: name }],
    branches: [{ name, protection: { [name]: {}, restrictions: { [name]: [name] } } }],
    rulesets: [{ name, target: 'branch', enforcement: 'active', rules: [{ type: name }] }],
  };
  const role = { [name]: [name] };
  const sources: Readonly<Record<string, object>> = {
    terraform: { format_version: '1.0', values: { root_module: { resources } } },
    'repository-settings': app,
    'safe-settings': app,
    'github-as-code': {
      members: role,
      teams: { [name]: { members: role } },
      repositories: { [name]: { [name]: name } },
    },
    peribolos: { [name]: name, teams: { [name]: { repos: { [name]: name } } }, repos: { [name]: { [name]: name } } },
  };
  for (const [format, source] of Object.entries(sources)) {
    const text = JSON.stringify(source).replaceAll('"__proto__":{}', '"__proto__":[]');
    expect(imported(format, { 'source.json': text }).losses.length, format).toBeGreaterThan(0);
  }
});

it('a name may be a number that JavaScript cannot represent', () => {
  const { lost } = imported('repository-settings', { 'settings.yml': 'repository: { name: 99999999999999999999999 }' });
  expect(lost).toEqual(['repository.name']);
});

it('merge keys merge mappings, and nothing else', () => {
  const { written, lost } = imported('peribolos', {
    'org.yaml': `
repos: { site: &site { has_wiki: false, has_wikis: true }, docs: { <<: *site, has_wiki: true }, api: { <<: [*site] } }
`,
  });
  expect(lost).toEqual(['repos.site.has_wikis', 'repos.docs.has_wikis', 'repos.api.has_wikis']);
  expect(written).toContain('{"create":{"name":"docs"},"override":true,"settings":{"has_wiki":true}}');
  expect(() => imported('peribolos', { 'org.yaml': 'repos:\n  site: { <<: 5 }\n  docs: !!binary aGVsbG8=' })).toThrow(
    'org.yaml:2:11: << must be a mapping or a list of mappings\n' +
      'org.yaml:3:3: must be text: binary values are not supported',
  );
});

it.each(['..', '.', '.hidden', 'acme.', 'con', 'NUL.acme', 'x'.repeat(256)])(
  'an organization that cannot name a folder is rejected: %s',
  (name) => {
    const values = { name: 'site', full_name: `${name}/site` };
    const resource = { address: 'github_repository.a', mode: 'managed', type: 'github_repository', name: 'a', values };
    const state = { format_version: '1.0', values: { root_module: { resources: [resource] } } };
    expect(() => imported('terraform', { 'state.json': JSON.stringify(state) }, { organization: undefined })).toThrow(
      `state.json:1:1: “${name}” cannot name a folder`,
    );
    const source = JSON.stringify({ orgs: { [name]: {} } });
    expect(() => imported('peribolos', { 'org.yaml': source }, { organization: undefined })).toThrow(
      /^The files have an error; nothing was written\.\norg\.yaml:1:10: .+$/,
    );
  },
);

it('values that no creation can have are reported', () => {
  const { written, lost } = imported('github-as-code', {
    'acme.yml': 'repositories: { site: { visibility: hidden, auto_init: maybe, has_wiki: false } }',
  });
  expect(lost).toEqual(['repositories.site.visibility', 'repositories.site.auto_init']);
  expect(written).toContain('{"create":{"name":"site"},"settings":{"has_wiki":false}}');
});

it('earlier names that are not names, or that another object has, are reported', () => {
  const { written, lost } = imported('peribolos', {
    'org.yaml':
      'teams: { core: { previously: [[ops], 99999999999999999999, docs, infra] }, docs: { previously: [Infra, infra] } }',
  });
  expect(lost).toEqual([
    'teams.core.previously[0][0]',
    'teams.core.previously[1]',
    'teams.core.previously[2]',
    'teams.docs.previously[0]',
    'teams.docs.previously[1]',
  ]);
  expect(written).toContain('{"name":"core","was":"infra"}');
});

it('the name of a branch is reported with all of its protection', () => {
  const protection =
    '{ required_status_checks: { checks: [{ app_id: 5 }, x] }, restrictions: x, block_creations: true }';
  const { lost } = imported('repository-settings', {
    'settings.yml': `branches: [{ name: main, protection: ${protection} }]`,
  });
  expect(lost).toEqual([
    'branches[0].protection.required_status_checks.checks[0].app_id',
    'branches[0].protection.required_status_checks.checks[1]',
    'branches[0].protection.restrictions',
    'branches[0].protection.block_creations',
  ]);
});

it('a state never makes a repository public, or a ruleset apply to the organization, by mistake', () => {
  const resource = (type: string, values: object) => ({ address: type, mode: 'managed', type, values });
  const ruleset = { name: 'Guard', target: 'branch', enforcement: 'active', rules: [{ deletion: true }] };
  const resources = [
    resource('github_repository', { name: 'site', full_name: 'acme/site', private: 'true' }),
    resource('github_repository', { name: 'docs', visibility: 'hidden' }),
    resource('github_repository_ruleset', { ...ruleset, repository: 'R_kgDOunknown' }),
  ];
  const state = { format_version: '1.0', values: { root_module: { resources } } };
  const { written, lost } = imported('terraform', { 'state.json': JSON.stringify(state) });
  expect(written).not.toMatch(/public|Guard/);
  expect(lost.map((key) => key.replace(/^.*resources\[(\d)\]\.values/, '$1'))).toEqual([
    '0.private',
    '1.visibility',
    '2.name',
    '2.target',
    '2.enforcement',
    '2.rules[0].deletion',
    '2.repository',
  ]);
});

it('a suborg whose condition policies cannot have selects no repositories', () => {
  const { written, lost } = imported('safe-settings', {
    'suborgs/silver.yml': 'suborgproperties: [{ tier: { is: silver } }, {}]\nrepository: { has_wiki: false }',
  });
  expect([written.includes('has_wiki'), lost]).toEqual([
    false,
    ['suborgproperties[0].tier.is', 'suborgproperties[1]', 'repository.has_wiki'],
  ]);
});

it('a suborg with nothing but creations is reported unless a file creates one of its repositories', () => {
  const suborg = 'suborgrepos: [svc-*]\nrepository: { auto_init: true }';
  const none = imported('safe-settings', {
    'suborgs/services.yml': suborg,
    'repos/site.yml': 'repository: { force_create: true, private: true }',
  });
  expect(none.lost).toEqual(['suborgrepos[0]', 'repository.auto_init']);
  const one = imported('safe-settings', {
    'suborgs/services.yml': suborg,
    'repos/svc-a.yml': 'repository: { force_create: true, private: true }',
  });
  expect([one.lost, one.written.includes('"name":"svc-a","visibility":"private","auto_init":true')]).toEqual([
    [],
    true,
  ]);
});

it('an earlier name of a label is no list', () => {
  const { written, lost } = imported('repository-settings', {
    'settings.yml': 'labels: [{ name: bug, aliases: [[defect]], oldname: [fault] }]',
  });
  expect([written.includes('"was"'), lost]).toEqual([false, ['labels[0].aliases[0][0]', 'labels[0].oldname[0]']]);
});

it('settings of a repository that could not be called so are refused', () => {
  const settings = { 'settings.yml': 'repository: { name: refs/heads/*, has_wiki: true }' };
  expect(() => imported('repository-settings', settings, {})).toThrow(
    'settings.yml:1:15: cannot be the name of a repository: add --repository NAME',
  );
});

it.each([
  ['repository: { has_wiki: false }', 'repository: { force_create: true, private: "true" }', 'repository.private'],
  ['repository: { private: "true" }', 'repository: { force_create: true }', 'repository.private'],
])('safe-settings creates no public repository for an invalid private: %s, %s', (all, own, key) => {
  const { written, lost } = imported('safe-settings', { 'settings.yml': all, 'repos/site.yml': own });
  expect(written).toContain('{"create":{"name":"site","visibility":"private"}');
  expect(lost).toEqual([key]);
});

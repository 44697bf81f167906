/** Sources of imports with values that nobody expects: each is imported, or reported. */
import { expect, it } from 'vitest';
import { formats } from '../../../../src/topics/policy/import/formats/index.ts';
import { importPolicies } from '../../../../src/topics/policy/import/import.ts';

function imported(name: string, texts: Readonly<Record<string, string>>) {
  const format = formats.find((each) => each.name === name);
  if (!format) throw new Error(`no format ${name}`);
  const sources = Object.entries(texts).map(([file, text]) => ({ file, text }));
  const { organizations, losses } = importPolicies(format, sources, { organization: 'acme', repository: 'site' });
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
  ]);
  expect(written).not.toMatch(/undefined|R_kg/);
});

it('rulesets of other owners are reported', () => {
  const team = '{"name":"d","source_type":"Team","source":"acme","target":"tag","enforcement":"active","rules":[]}';
  const { written, lost } = imported('rulesets', { 'd.json': team });
  expect([written, lost.length]).toEqual(['[]', 6]);
});

it('tokens in any field are masked', () => {
  const token = `ghp_${'a1'.repeat(18)}`;
  const { losses } = imported('repository-settings', { 'settings.yml': `variables: [{ name: A, value: ${token} }]` });
  expect(losses.map(({ value }) => value)).toEqual(['A', '********']);
});

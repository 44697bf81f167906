import { describe, expect, it } from 'vitest';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { commands } from './commands.ts';

/** They work without a platform; `api` asks what it is told to ask, and policies decide what their commands ask. */
const asksNothing = [
  'alias delete',
  'alias import',
  'alias list',
  'alias set',
  'api',
  'audit checks',
  'audit explain',
  'audit merge',
  'auth list',
  'auth logout',
  'auth switch',
  'auth token',
  'autocomplete',
  'config get',
  'config list',
  'config path',
  'config set',
  'config unset',
  'extensions allow',
  'extensions forget',
  'extensions list',
  'help',
  'journal list',
  'journal merge',
  'journal show',
  'permissions explain',
  'permissions list',
  'policy effects',
  'policy import',
  'policy review',
  'policy schema',
  'policy show',
  'policy validate',
  'rulesets lint',
  'rulesets schema',
  'sandbox serve',
  'snapshots create',
  'snapshots lint',
  'version',
];

/**
 * Asked only to show the child teams that a deletion takes away, by policy apply before it sets the properties of a repository, by each for a label, a definition or a grant whose
 * write is in doubt, or not worth a command: `forgectl api GET /versions`, and the fixes of two checks of audit. Only the invited person accepts an invitation.
 */
const hasNoCommand = [
  'GET /versions',
  'GET /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo}',
  'PATCH /user/repository_invitations/{invitation_id}',
  'GET /repos/{owner}/{repo}/labels/{name}',
  'DELETE /orgs/{org}/migrations/{migration_id}/repos/{repo_name}/lock',
  'PATCH /user/memberships/orgs/{org}',
  'PUT /orgs/{org}/settings/immutable-releases',
  'GET /orgs/{org}/properties/schema/{custom_property_name}',
  'GET /repos/{owner}/{repo}/properties/values',
  'GET /orgs/{org}/teams/{team_slug}/teams',
];

const declared = allEndpoints.map(({ route }) => route as string);

describe('endpoints and the commands that call them', () => {
  it('no route is declared twice', () => {
    expect(declared.filter((route, index) => declared.indexOf(route) !== index)).toEqual([]);
  });

  it('every declared endpoint has a command, with listed exceptions', () => {
    const asked = new Set(commands.flatMap(({ requests }) => requests));
    expect(declared.filter((route) => !asked.has(route))).toEqual(hasNoCommand);
  });

  it('commands list only declared endpoints', () => {
    const unknown = commands.flatMap(({ name, requests }) =>
      requests.filter((route) => !declared.includes(route)).map((route) => `${name}: ${route}`),
    );
    expect(unknown).toEqual([]);
  });

  it('every command that sends requests lists them', () => {
    expect(commands.filter(({ requests }) => requests.length === 0).map(({ name }) => name)).toEqual(asksNothing);
  });
});

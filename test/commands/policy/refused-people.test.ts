/** Invitations that the platform refuses: all other additions are made, and nobody is removed. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const people: Readonly<Record<string, number>> = { ada: 1, bob: 2, cleo: 3, dora: 4 };

it('a refused invitation does not stop the others, but all removals', async () => {
  const refused: string[] = [];
  const ops = { id: 50, name: 'Ops', slug: 'ops', description: null, privacy: 'closed', parent: null };
  const platform = await scriptedPlatform(({ method, url }) => {
    const [path = '', query = ''] = url.replace('/api/v3', '').split('?');
    const login = path.split('/').at(-1) ?? '';
    if (method === 'PUT' && refused.includes(login)) return { status: 422, body: { message: 'Validation Failed' } };
    if (method === 'PUT') return { body: { role: 'member', state: 'pending', user: { id: people[login] } } };
    if (method === 'POST') return { status: 201, body: ops };
    if (path === '/user') return { body: { login: 'root' } };
    if (path === '/orgs/acme') return { body: { id: 9, login: 'acme' } };
    if (path === '/orgs/acme/teams') return { body: [] };
    if (path === '/orgs/acme/members')
      return { body: query.includes('role=admin') ? [{ id: 7, login: 'root' }] : [{ id: 4, login: 'dora' }] };
    if (path === '/orgs/acme/memberships/dora') return { body: { role: 'member', user: { id: 4 } } };
    if (path.startsWith('/users/')) return { body: { id: people[login], login, type: 'User' } };
    return { status: 404, body: { message: 'Not Found' } };
  });
  const stdin = `organizations: [acme]
members: { members: [ada, bob, cleo] }
absent: { members: [dora] }
teams: [{ name: Ops }]
`;
  const folder = await temporaryDirectory();
  const apply = async (logins: readonly string[], ...words: string[]) => {
    refused.splice(0, refused.length, ...logins);
    const before = platform.requests.length;
    const { code, stdout, stderr } = await run(['policy', 'apply', ...words, '--yes', '-o', 'ndjson'], {
      ...{ env: platform.env, stdin },
    });
    expect(stderr).toContain('\nAn undo does not restore the teams and access of removed members.\n');
    const sent = platform.requests.slice(before).filter(({ method }) => method !== 'GET');
    const outcomes = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ phase, status, error }) => [phase, status, error?.code, error?.message]);
    return { code, sent: sent.map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`), outcomes };
  };
  const additions = [
    'PUT /orgs/acme/memberships/ada',
    'PUT /orgs/acme/memberships/bob',
    'PUT /orgs/acme/memberships/cleo',
    'POST /orgs/acme/teams',
  ];
  const left = ['loosenings', 'failed', 'earlier_failure', 'Not done: changes of acme that come before it failed.'];
  const why = (login: string) => `PUT /orgs/acme/memberships/${login} returned 422 Validation Failed`;
  const journal = join(folder, 'run.ndjson');
  expect(await apply(['ada'], '-', '--journal', journal)).toEqual({
    code: 9,
    sent: additions,
    outcomes: [[undefined, 'failed', 'refused', why('ada')], left],
  });
  expect(await apply([], '--resume', journal)).toEqual({
    code: 0,
    sent: ['PUT /orgs/acme/memberships/ada', 'DELETE /orgs/acme/memberships/dora'],
    outcomes: [
      [undefined, 'ok', undefined, undefined],
      ['loosenings', 'ok', undefined, undefined],
    ],
  });
  expect(await apply(['ada', 'cleo'], '-')).toEqual({
    code: 9,
    sent: additions,
    outcomes: [[undefined, 'failed', 'refused', `${why('ada')}; ${why('cleo')}`], left],
  });
});

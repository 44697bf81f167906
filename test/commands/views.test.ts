import { describe, expect, test } from 'vitest';
import { nockedEnv as env, platform, useNock } from '../support/nocked.ts';
import { run } from '../support/run.ts';

useNock();

const view = {
  id: 1,
  number: 2,
  name: 'Bugs',
  layout: 'board',
  node_id: 'PVTV_1',
  project_url: 'https://ghe.example.com/api/v3/orgs/acme/projectsV2/5',
  html_url: 'https://ghe.example.com/orgs/acme/projects/5/views/2',
  creator: { login: 'admin' },
  created_at: '2026-03-01T12:00:00Z',
  updated_at: '2026-03-01T12:00:00Z',
  filter: 'is:open',
  visible_fields: [12, 15],
  sort_by: [[12, 'asc']],
  group_by: [],
  vertical_group_by: [12],
};
const create = ['views', 'create', '5', '--name', 'Bugs', '--layout', 'board'];

describe('views create', () => {
  test.each([
    ['{value: view}', { value: view }],
    ['the bare view', view],
  ])('prints the view itself if the platform returns %s', async (_what, body) => {
    platform().post('/api/v3/orgs/acme/projectsV2/5/views', { name: 'Bugs', layout: 'board' }).reply(201, body);
    const { stdout, code } = await run([...create, '--org', 'acme', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual(view);
    expect(code).toBe(0);
  });

  test('shows the view in one line on a terminal', async () => {
    platform().post('/api/v3/orgs/acme/projectsV2/5/views').reply(201, view);
    const { stdout } = await run([...create, '--org', 'acme'], { env, tty: true });
    expect(stdout).toMatch(/^Created view 2 “Bugs”: https:\S+\n$/);
  });

  test('sends every field', async () => {
    platform()
      .post('/api/v3/orgs/acme/projectsV2/5/views', {
        name: 'Bugs',
        layout: 'board',
        filter: 'is:open',
        visible_fields: [12, 15],
        sort_by: [
          [12, 'asc'],
          [15, 'desc'],
        ],
        group_by: [15],
        vertical_group_by: [12],
      })
      .reply(201, view);
    const words = ['--filter', 'is:open', '--visible-fields', '12,15', '--sort-by', '[[12,"asc"],[15,"desc"]]'];
    const grouping = ['--group-by', '15', '--vertical-group-by', '12'];
    expect((await run([...create, '--org', 'acme', ...words, ...grouping], { env })).code).toBe(0);
  });

  test('accepts --sort-by as field:direction, too', async () => {
    const fields = [
      [12, 'asc'],
      [15, 'desc'],
    ];
    platform()
      .post('/api/v3/orgs/acme/projectsV2/5/views', { name: 'Bugs', layout: 'board', sort_by: fields })
      .reply(201, view);
    expect((await run([...create, '--org', 'acme', '--sort-by', '12:asc,15:desc'], { env })).code).toBe(0);
  });

  test('requests the projects of a user by the user’s ID', async () => {
    platform().post('/api/v3/users/583231/projectsV2/5/views').reply(201, view);
    const { code } = await run([...create, '--user', '583231'], { env });
    expect(code).toBe(0);
  });

  test.each([
    [[], '--org or --user is required'],
    [['--org', 'acme', '--user', '1'], '--org and --user cannot be used together'],
  ])('requires exactly one of --org and --user: %j', async (words, message) => {
    const { stderr, code } = await run([...create, ...words], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('reports every invalid field at once', async () => {
    const words = ['--layout', 'grid', '--group-by', '12,15', '--vertical-group-by', 'status', '--sort-by', '12'];
    const { stderr, code } = await run(['views', 'create', '0', '--org', 'acme', ...words], { env });
    expect(code).toBe(2);
    for (const message of [
      'PROJECT_NUMBER must be a whole number, at least 1',
      'name is required',
      'layout must be one of table, board, roadmap',
      '--group-by must have at most 1 item',
      '--vertical-group-by must be a whole number, not “status”',
      '--sort-by must be a list',
    ])
      expect(stderr).toContain(message);
  });

  test('rejects a fine-grained token for a user’s project before any request', async () => {
    const fineGrained = { ...env, FORGECTL_TOKEN: `github_${'pat'}_${'x'.repeat(30)}` };
    const { stderr, code } = await run([...create, '--user', '583231'], { env: fineGrained });
    expect(code).toBe(2);
    expect(stderr).toContain('works only with classic personal access tokens and OAuth app tokens');
  });

  test('gives advice about visible fields if the platform rejects them', async () => {
    platform().post('/api/v3/orgs/acme/projectsV2/5/views').reply(422, { message: 'Validation Failed' });
    const { stderr, code } = await run([...create, '--org', 'acme', '--visible-fields', '12'], { env });
    expect(code).toBe(6);
    expect(stderr).toContain('A roadmap cannot have visible fields: omit --visible-fields.');
    expect(stderr).not.toContain('--group-by');
  });

  test.each([
    [['--layout', 'table', '--sort-by', '4:up'], '--sort-by[0][1] must be asc or desc'],
    [
      ['--layout', 'table', '--vertical-group-by', '3'],
      '--vertical-group-by is only valid with --layout board, not table',
    ],
    [
      ['--layout', 'roadmap', '--vertical-group-by', '3'],
      '--vertical-group-by is only valid with --layout board, not roadmap',
    ],
  ])('rejects %j, and sends nothing', async (words, problem) => {
    const { code, stderr } = await run(['views', 'create', '1', '--org', 'acme', '--name', 'Bugs', ...words], {
      env,
    });
    expect(stderr).toContain(`forgectl: ${problem}. Nothing was sent.\n`);
    expect(code).toBe(2);
  });
});

/** `repos protection`, and repositories from templates. */
import { describe, expect, it } from 'vitest';
import { nockedEnv as env, platform, useNock } from '../../support/nocked.ts';
import { run } from '../../support/run.ts';

useNock();

const url = 'https://ghe.example.com/api/v3/repos/acme/site/branches/release%2F1.2/protection';
const path = '/api/v3/repos/acme/site/branches/release%2F1.2/protection';
const protection = {
  url,
  required_status_checks: {
    strict: true,
    contexts: ['build'],
    checks: [{ context: 'build', app_id: null }],
  },
  restrictions: {
    users: [{ login: 'paperfox', id: 3 }],
    teams: [{ slug: 'release', id: 7 }],
    apps: [],
  },
  enforce_admins: { url: `${url}/enforce_admins`, enabled: true },
  allow_force_pushes: { enabled: false },
  allow_deletions: { enabled: true },
};

describe('repos protection', () => {
  const words = ['repos', 'protection', 'acme/site', 'release/1.2'];

  it('shows the protection, as a table and as JSON', async () => {
    platform().get(path).twice().reply(200, protection);
    const { stdout, code } = await run(words, { env, tty: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Status checks +build\n/);
    expect(stdout).toMatch(/^Force pushes +not allowed\n/m);
    expect(stdout).toMatch(/^May push +paperfox, team release\n/m);
    expect(JSON.parse((await run([...words, '--json'], { env })).stdout)).toEqual(protection);
  });

  it('shows the equivalent ruleset, and what it cannot express', async () => {
    platform().get(path).twice().reply(200, protection);
    const { stdout, stderr, code } = await run([...words, '--as-ruleset', '--json'], { env });
    expect(code).toBe(0);
    expect(stderr).toBe('The ruleset does not say 1 part of the protection.\n');
    expect(JSON.parse(stdout)).toEqual({
      ruleset: {
        name: 'Protect release/1.2',
        target: 'branch',
        enforcement: 'active',
        bypass_actors: [],
        conditions: { ref_name: { include: ['refs/heads/release/1.2'], exclude: [] } },
        rules: [
          { type: 'non_fast_forward' },
          {
            type: 'required_status_checks',
            parameters: {
              required_status_checks: [{ context: 'build' }],
              strict_required_status_checks_policy: true,
            },
          },
        ],
      },
      losses: [
        {
          field: 'restrictions',
          value: { users: ['paperfox'], teams: ['release'] },
          reason: 'Only bypass actors could push, and they would bypass every rule of the ruleset',
        },
      ],
    });
    const table = await run([...words, '--as-ruleset'], { env, tty: true });
    expect(table.stdout).toMatch(/^Name +Protect release\/1\.2\n/);
    expect(table.stdout).toMatch(/^Not in the ruleset\n +- Field +restrictions$/m);
  });

  it('reports a branch without protection, and a wildcard', async () => {
    platform().get('/api/v3/repos/acme/site/branches/main/protection').reply(404, { message: 'Branch not protected' });
    const { stderr, code } = await run(['repos', 'protection', 'acme/site', 'main'], { env });
    expect(stderr).toContain('returned 404 Branch not protected');
    expect(stderr).toContain('The platform also returns 404 for a branch without classic protection.');
    expect(code).toBe(3);
    expect((await run(['repos', 'protection', 'acme/site', 'release/*'], { env })).code).toBe(2);
  });
});

describe('repos create --template', () => {
  const words = ['repos', 'create', 'acme/service', '--template', 'acme/base'];
  const generate = '/api/v3/repos/acme/base/generate';
  const service = {
    name: 'service',
    full_name: 'acme/service',
    visibility: 'private',
    html_url: 'https://x/acme/service',
  };

  it('sends one request for what it accepts', async () => {
    const body = { owner: 'acme', name: 'service', description: 'New', include_all_branches: true, private: true };
    platform().post(generate, body).reply(201, service);
    const given = ['--private', '--description', 'New', '--include-all-branches'];
    expect(await run([...words, ...given, '--quiet'], { env })).toMatchObject({ stdout: 'acme/service\n', code: 0 });
    platform()
      .post(generate, { owner: 'acme', name: 'service', private: false })
      .reply(201, { ...service, visibility: 'public' });
    expect((await run([...words, '--visibility', 'public'], { env })).code).toBe(0);
  });

  it('updates the rest, and says so in a dry run', async () => {
    const given = ['--visibility', 'internal', '--no-has-wiki'];
    const dry = await run([...words, ...given, '--dry-run', '--json'], { env });
    expect(JSON.parse(dry.stdout)).toMatchObject([
      {
        method: 'POST',
        url: `https://ghe.example.com${generate}`,
        body: { owner: 'acme', name: 'service', private: true },
      },
      {
        method: 'PATCH',
        url: 'https://ghe.example.com/api/v3/repos/acme/service',
        body: { visibility: 'internal', has_wiki: false },
      },
    ]);
    platform()
      .post(generate, { owner: 'acme', name: 'service', private: true })
      .reply(201, service)
      .patch('/api/v3/repos/acme/service', { visibility: 'internal', has_wiki: false })
      .reply(200, { ...service, visibility: 'internal' });
    const made = await run([...words, ...given, '--json'], { env });
    expect(JSON.parse(made.stdout)).toMatchObject({ visibility: 'internal' });
  });

  it('tells what was made if the update fails', async () => {
    platform()
      .post(generate)
      .reply(201, service)
      .patch('/api/v3/repos/acme/service')
      .reply(422, { message: 'Internal repositories are disabled.' });
    const { stdout, stderr, code } = await run([...words, '--visibility', 'internal', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ visibility: 'private' });
    expect(stderr).toContain('Created acme/service, but without visibility.');
    expect(stderr).toContain('Internal repositories are disabled.');
    expect(code).toBe(6);
  });

  it.each(['acme/service-1', 'globex/service', 7])('updates nothing if the copy is %s', async (full_name) => {
    platform()
      .post(generate)
      .reply(201, { ...service, full_name });
    const { stderr, code } = await run([...words, '--visibility', 'internal', '--json'], { env });
    expect(stderr).toContain(`Created ${full_name}, but without visibility.`);
    expect(stderr).toContain(
      `POST /repos/acme/base/generate created ${full_name} instead of acme/service, which was not changed.`,
    );
    expect(code).toBe(8);
  });

  it('rejects what no request takes, and flags without a template', async () => {
    const { stderr, code } = await run([...words, '--private', '--auto-init', '--team-id', '7'], { env });
    expect(stderr).toContain('--team-id cannot be used with --template');
    expect(stderr).toContain('--auto-init cannot be used with --template');
    expect(code).toBe(2);
    const alone = await run(['repos', 'create', 'acme/service', '--private', '--include-all-branches'], { env });
    expect(alone).toMatchObject({
      stderr: expect.stringContaining('--include-all-branches requires --template'),
      code: 2,
    });
    const public_ = await run(words, { env });
    expect(public_.stderr).toContain('visibility is required, because the platform defaults to public');
  });
});

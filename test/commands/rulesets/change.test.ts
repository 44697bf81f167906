import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import { ofOrganization, parts, ruleset } from './records.ts';

const rules = [{ type: 'deletion' }, { type: 'max_file_size', parameters: { max_file_size: 50 } }];

const bodies = ({ requests }: { requests: readonly { body: string }[] }) =>
  requests.map(({ body }) => JSON.parse(body));

const pullRequest = {
  dismiss_stale_reviews_on_push: false,
  require_code_owner_review: false,
  require_last_push_approval: false,
  required_approving_review_count: 1,
  required_review_thread_resolution: false,
};

describe('rulesets create', () => {
  it('sends exactly the given fields', async () => {
    const platform = await scriptedPlatform({ 'POST /repos/acme/site/rulesets': { status: 201, body: ruleset } });
    const { stdout, code } = await run(
      [
        'rulesets',
        'create',
        'acme/site',
        '--name=guard',
        '--target=push',
        '--enforcement=evaluate',
        `--rules=${JSON.stringify(rules)}`,
        `--bypass-actors=[{"actor_type":"DeployKey"}]`,
        '--json',
      ],
      platform,
    );
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/v3/repos/acme/site/rulesets',
    ]);
    expect(platform.requests[0]?.headers['content-type']).toBe('application/json');
    expect(bodies(platform)).toEqual([
      {
        name: 'guard',
        target: 'push',
        enforcement: 'evaluate',
        rules,
        bypass_actors: [{ actor_type: 'DeployKey' }],
      },
    ]);
    expect(JSON.parse(stdout)).toEqual(ruleset);
    expect(code).toBe(0);
  });

  it('reads nested values from files, and an organization’s conditions', async () => {
    const file = join(await temporaryDirectory(), 'conditions.json');
    const conditions = { ref_name: { include: ['~ALL'] }, repository_property: { include: [], exclude: [] } };
    await writeFile(file, JSON.stringify(conditions));
    const platform = await scriptedPlatform({ 'POST /orgs/acme/rulesets': { status: 201, body: ofOrganization } });
    const { code } = await run(
      ['rulesets', 'create', 'acme', '--name=all', '--enforcement=active', `--conditions=@${file}`],
      platform,
    );
    expect(bodies(platform)).toEqual([{ name: 'all', enforcement: 'active', conditions }]);
    expect(code).toBe(0);
  });

  it('reads a whole body as YAML from standard input, and flags override it', async () => {
    const platform = await scriptedPlatform({ 'POST /orgs/acme/rulesets': { status: 201, body: ofOrganization } });
    const stdin = 'name: watch\nenforcement: active\nrules:\n  - type: required_signatures\n';
    await run(['rulesets', 'create', 'acme', '--input', '-', '--enforcement', 'evaluate'], { ...platform, stdin });
    expect(bodies(platform)).toEqual([
      { name: 'watch', enforcement: 'evaluate', rules: [{ type: 'required_signatures' }] },
    ]);
  });

  it('reports every invalid field at once and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const stdin = JSON.stringify({
      target: 'tag',
      bypass_actors: [{ actor_type: 'Team', bypass_mode: 'pull_request' }],
      rules: [{ type: 'deletion' }, { type: 'max_file_size', parameters: { max_file_size: 101 } }, {}],
    });
    const { stderr, code } = await run(
      ['rulesets', 'create', 'acme/site', '--input', '-', '--enforcement', 'later', '--json'],
      { ...platform, stdin },
    );
    const { error } = JSON.parse(stderr.trim());
    expect(error.code).toBe('validation');
    expect(error.fields).toEqual([
      { field: 'name', message: 'is required' },
      { field: 'bypass_actors[0].actor_id', message: 'is required' },
      { field: 'rules[1].parameters.max_file_size', message: 'must be a whole number from 1 to 100' },
      { field: 'rules[2].type', message: 'is required' },
      {
        field: 'bypass_actors[0].bypass_mode',
        message: 'must not be pull_request, which only branch rulesets support',
      },
      { field: '--enforcement', message: 'must be one of disabled, active, evaluate' },
    ]);
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('sends unknown rule types and parameters, and with --allow-unknown words, unchanged with a warning', async () => {
    const platform = await scriptedPlatform({ 'POST /repos/acme/site/rulesets': { status: 201, body: ruleset } });
    const body = {
      name: 'new',
      enforcement: 'shadow',
      rules: [
        { type: 'quantum_lock', parameters: { qubits: [1, { a: null }] } },
        { type: 'max_file_size', parameters: { max_file_size: 1, unit: 'GB' } },
      ],
    };
    const words = ['rulesets', 'create', 'acme/site', '--input', '-'];
    const stdin = JSON.stringify(body);
    expect(await run(words, { ...platform, stdin })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'forgectl: enforcement must be one of disabled, active, evaluate. Nothing was sent.\nTo send values that only a newer platform knows, use --allow-unknown.\n',
    });
    const { stderr, code } = await run([...words, '--allow-unknown'], { ...platform, stdin });
    expect(bodies(platform)).toEqual([body]);
    expect(stderr.split('\n').sort()).toEqual([
      '',
      'enforcement must be one of disabled, active, evaluate; sending it anyway.',
      'rules[0].type is not a known rule type; sending it anyway.',
      'rules[1].parameters.unit is not a known field; sending it anyway.',
    ]);
    expect(code).toBe(0);
  });

  it.each<[what: string, body: object, problem: string]>([
    [
      'a word',
      { enforcement: 'activ' },
      'enforcement must be one of disabled, active, evaluate (did you mean active?)',
    ],
    [
      'a word in capitals',
      { enforcement: 'Active' },
      'enforcement must be one of disabled, active, evaluate (did you mean active?)',
    ],
    ['a field', { rule: [] }, 'rule is not a known field (did you mean rules?)'],
    [
      'a rule type',
      { rules: [{ type: 'deletoin' }] },
      'rules[0].type is not a known rule type (did you mean deletion?)',
    ],
    [
      'a parameter',
      { rules: [{ type: 'pull_request', parameters: { ...pullRequest, required_reviewer: [] } }] },
      'rules[0].parameters.required_reviewer is not a known field (did you mean required_reviewers?)',
    ],
    [
      'a word in a rule',
      { rules: [{ type: 'pull_request', parameters: { ...pullRequest, allowed_merge_methods: ['squahs'] } }] },
      'rules[0].parameters.allowed_merge_methods[0] must be one of merge, squash, rebase (did you mean squash?)',
    ],
    [
      'an actor type',
      { bypass_actors: [{ actor_type: 'team', actor_id: 7 }] },
      'bypass_actors[0].actor_type is not a known actor type (did you mean Team?)',
    ],
  ])('rejects %s that is misspelled, even with --allow-unknown', async (_, body, problem) => {
    const platform = await scriptedPlatform({});
    const words = ['rulesets', 'update', 'acme/site', '7', '--input', '-'];
    for (const flags of [[], ['--allow-unknown']]) {
      const { code, stderr } = await run([...words, ...flags], { ...platform, stdin: JSON.stringify(body) });
      expect(stderr).toBe(`forgectl: ${problem}. Nothing was sent.\n`);
      expect(code).toBe(2);
    }
    expect(platform.requests).toEqual([]);
  });

  it('accepts an unknown actor type with --allow-unknown', async () => {
    const platform = await scriptedPlatform({ 'PUT /repos/acme/site/rulesets/7': { body: ruleset } });
    const words = ['rulesets', 'update', 'acme/site', '7', '--bypass-actors', '[{"actor_type":"Robot","actor_id":7}]'];
    expect((await run(words, platform)).code).toBe(2);
    expect((await run([...words, '--allow-unknown'], platform)).code).toBe(0);
  });

  it.each<[what: string, body: object, fields: readonly string[]]>([
    ['conditions', { conditions: [] }, ['conditions']],
    ['a condition', { conditions: { ref_name: [] } }, ['conditions.ref_name']],
    ['non-empty conditions', { conditions: { repository_id: [1, 2] } }, ['conditions.repository_id']],
    ['a rule', { rules: [[]] }, ['rules[0]']],
    ['parameters', { rules: [{ type: 'max_file_size', parameters: [] }] }, ['rules[0].parameters']],
    [
      'a reviewer',
      {
        rules: [
          {
            type: 'pull_request',
            parameters: {
              ...pullRequest,
              required_reviewers: [{ file_patterns: [], minimum_approvals: 1, reviewer: [] }],
            },
          },
        ],
      },
      ['rules[0].parameters.required_reviewers[0].reviewer'],
    ],
    ['an actor', { bypass_actors: [[]] }, ['bypass_actors[0]']],
  ])('rejects %s given as a list, on the command line and in a file', async (_, body, fields) => {
    const platform = await scriptedPlatform({});
    const stdin = JSON.stringify(body);
    const update = await run(['rulesets', 'update', 'acme', '7', '--input', '-', '--json'], { ...platform, stdin });
    const named = fields.map((field) => ({ field, message: 'must be an object' }));
    expect(JSON.parse(update.stderr).error.fields).toEqual(named);
    const [[name = '', value] = []] = Object.entries(body);
    const flag = `--${name.replace('_', '-')}`;
    const typed = ['rulesets', 'update', 'acme', '7', flag, JSON.stringify(value), '--json'];
    expect(JSON.parse((await run(typed, platform)).stderr).error.fields).toEqual(
      named.map(({ field, message }) => ({ field: field.replace(name, flag), message })),
    );
    const whole = JSON.stringify({ name: 'r', enforcement: 'active', ...body });
    const lint = await run(['rulesets', 'lint', '-', '--json'], { stdin: whole });
    expect(JSON.parse(lint.stdout)).toMatchObject(
      fields.map((path) => ({ line: 1, severity: 'error', path, message: 'must be an object' })),
    );
    expect(platform.requests).toEqual([]);
  });

  it('rejects the repository target for a repository', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(
      ['rulesets', 'create', 'acme/site', '--name=r', '--enforcement=active', '--target=repository'],
      platform,
    );
    expect(stderr).toBe(
      'forgectl: --target must be one of branch, tag, push. Nothing was sent.\nTo send values that only a newer platform knows, use --allow-unknown.\n',
    );
    expect(code).toBe(2);
  });

  it('prints the platform’s reason for a refusal, with exit code 6', async () => {
    const platform = await scriptedPlatform({
      'POST /repos/acme/site/rulesets': {
        status: 422,
        body: { message: 'Validation Failed', errors: ['Name must be unique'] },
      },
    });
    const { stderr, code } = await run(
      ['rulesets', 'create', 'acme/site', '--name=r', '--enforcement=active'],
      platform,
    );
    expect(stderr).toContain('Validation Failed');
    expect(stderr).toContain('Name must be unique');
    expect(code).toBe(6);
  });

  it('shows the request with --dry-run and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const { stdout, code } = await run(
      ['rulesets', 'create', 'acme', '--name=r', '--enforcement=active', '--dry-run', '--json'],
      platform,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      url: `${platform.baseUrl}/orgs/acme/rulesets`,
      body: { name: 'r', enforcement: 'active' },
    });
    expect(code).toBe(0);
    expect(platform.requests).toEqual([]);
  });
});

describe('rulesets update', () => {
  const update = 'PUT /repos/acme/site/rulesets/42';

  it('sends only the given fields: omitted bypass actors stay', async () => {
    const platform = await scriptedPlatform({ [update]: { body: ruleset }, 'PUT /orgs/acme/rulesets/9': { body: {} } });
    await run(['rulesets', 'update', 'acme/site', '42', '--enforcement', 'disabled'], platform);
    await run(['rulesets', 'update', 'acme', '9', '--name', 'renamed'], platform);
    expect(bodies(platform)).toEqual([{ enforcement: 'disabled' }, { name: 'renamed' }]);
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'PUT /api/v3/repos/acme/site/rulesets/42',
      'PUT /api/v3/orgs/acme/rulesets/9',
    ]);
  });

  it('clears bypass actors with an empty list', async () => {
    const platform = await scriptedPlatform({ [update]: { body: { ...ruleset, bypass_actors: [] } } });
    await run(['rulesets', 'update', 'acme/site', '42', '--bypass-actors', '[]'], platform);
    expect(bodies(platform)).toEqual([{ bypass_actors: [] }]);
  });

  it.each([
    ['from a flag', ['--bypass-actors', 'null'], '--bypass-actors', undefined],
    ['from a file', ['--input', '-'], 'bypass_actors', 'bypass_actors: null\n'],
  ])('rejects null for bypass actors %s, as the platform would', async (_from, flags, named, stdin) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['rulesets', 'update', 'acme/site', '42', ...flags], {
      ...platform,
      ...(stdin === undefined ? {} : { stdin }),
    });
    expect(stderr).toBe(
      `forgectl: ${named} must be a list; use [] to clear it, since the platform rejects null. Nothing was sent.\n`,
    );
    expect(code).toBe(2);
  });

  it('requires a change', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['rulesets', 'update', 'acme/site', '42'], platform);
    expect(stderr).toContain('No changes given');
    expect(code).toBe(2);
  });

  it.each(['json', 'yaml'])(
    'accepts the output of get as %s, without fields that only the platform sets',
    async (format) => {
      const platform = await scriptedPlatform({
        'GET /repos/acme/site/rulesets/42': { body: ruleset },
        [update]: { body: ruleset },
      });
      const { stdout } = await run(['rulesets', 'get', 'acme/site', '42', '-o', format], platform);
      const { stderr, code } = await run(['rulesets', 'update', 'acme/site', '42', '--input', '-'], {
        ...platform,
        stdin: stdout,
      });
      expect(code).toBe(0);
      expect(JSON.parse(platform.requests[1]?.body ?? '')).toEqual({
        name: 'protect-main',
        target: 'branch',
        enforcement: 'active',
        ...parts,
      });
      expect(stderr).toBe(
        'Ignored read-only or null fields of --input: id, source_type, source, node_id, _links, created_at, updated_at, current_user_can_bypass.\n',
      );
    },
  );
});

describe('rulesets delete', () => {
  it.each([
    ['acme/site', '42', 'DELETE /repos/acme/site/rulesets/42'],
    ['acme', '9', 'DELETE /orgs/acme/rulesets/9'],
  ])('deletes the ruleset of %s with --yes', async (target, id, request) => {
    const platform = await scriptedPlatform({ [request]: { status: 204 } });
    const { stdout, code } = await run(['rulesets', 'delete', target, id, '--yes', '--json'], platform);
    expect(platform.requests.map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`)).toEqual([request]);
    expect(JSON.parse(stdout)).toEqual({});
    expect(code).toBe(0);
  });

  it('requires --yes when prompts are disabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['rulesets', 'delete', 'acme/site', '42'], platform);
    expect(stderr).toBe('forgectl: Nothing was sent. This deletes ruleset 42 of acme/site; confirm with --yes.\n');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });
});

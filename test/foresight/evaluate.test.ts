import { describe, expect, it } from 'vitest';
import { evaluatePush } from '../../src/foresight/evaluate.ts';
import type { Commit, JudgedRuleset, Push } from '../../src/foresight/facts.ts';
import type { Given } from '../../src/platform/validate.ts';

const [first, second] = ['1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d', '2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e'];

const commit = (id: string, facts: Partial<Commit> = {}): Commit => ({
  id,
  parents: 1,
  message: 'Fix the build\n',
  authorEmail: 'ada@acme.example',
  committerEmail: 'ada@acme.example',
  isVerified: true,
  ...facts,
});

const push: Push = {
  repository: 'site',
  ref: 'refs/heads/main',
  update: 'update',
  isForced: false,
  isDefaultBranch: true,
  isMerge: false,
  head: second,
  commits: [commit(first), commit(second)],
  files: [],
  passedChecks: [],
  deployedTo: [],
};

const ruleset = (rules: readonly Given[], facts: Partial<JudgedRuleset> = {}): JudgedRuleset => ({
  id: 1,
  name: 'guard',
  source: 'acme/site',
  target: 'branch',
  enforcement: 'active',
  conditions: { ref_name: { include: ['~ALL'], exclude: [] } },
  rules: rules.map(({ type, ...parameters }) => ({ type: String(type), parameters })),
  bypass: 'never',
  ...facts,
});

/** Returns the verdict with what is missing, or with what is refused. */
async function verdictOf(facts: Partial<Push>, rule: Given, of: Partial<JudgedRuleset> = {}): Promise<string> {
  const { verdict, rules } = await evaluatePush({ ...push, ...facts }, [ruleset([rule], of)]);
  const [only] = rules;
  const reasons = only?.evidence.map(({ commit: id, path, value }) => path ?? id?.slice(0, 7) ?? value) ?? [];
  return [verdict, only?.missing ?? reasons.join(' ')].filter(Boolean).join(': ');
}

const create = { update: 'create' } as const;
const remove = { update: 'delete' } as const;
const merge = { isMerge: true };
const messages = (...texts: string[]) => ({ commits: texts.map((message) => commit(first, { message })) });
const pattern = (type: string, operator: string, text: string, negate = false) => ({
  type,
  operator,
  pattern: text,
  negate,
});
const files = (...all: readonly (readonly [path: string, size: number])[]) => ({
  files: all.map(([path, size]) => ({ commit: first, path, size })),
});
const megabyte = 1_048_576;

describe('a rule', () => {
  // Available rules for rulesets, each by its heading.
  it.each<[heading: string, facts: Partial<Push>, rule: Given, verdict: string]>([
    ['Restrict creations', create, { type: 'creation' }, 'refused'],
    ['Restrict creations', {}, { type: 'creation' }, 'allowed'],
    ['Restrict updates', {}, { type: 'update' }, 'refused'],
    ['Restrict updates', create, { type: 'update' }, 'allowed'],
    ['Restrict deletions', remove, { type: 'deletion' }, 'refused'],
    ['Restrict deletions', {}, { type: 'deletion' }, 'allowed'],
    ['Block force pushes', { isForced: true }, { type: 'non_fast_forward' }, 'refused'],
    ['Block force pushes', {}, { type: 'non_fast_forward' }, 'allowed'],
    [
      'Block force pushes',
      { isForced: undefined },
      { type: 'non_fast_forward' },
      'unknown: whether the push is forced',
    ],
    ['Require linear history', {}, { type: 'required_linear_history' }, 'allowed'],
    [
      'Require linear history',
      { commits: [commit(first, { parents: 2 }), commit(second)] },
      { type: 'required_linear_history' },
      'refused: 1a2b3c4',
    ],
    ['Require signed commits', {}, { type: 'required_signatures' }, 'allowed'],
    [
      'Require signed commits',
      { commits: [commit(first, { isVerified: false }), commit(second, { isVerified: undefined })] },
      { type: 'required_signatures' },
      'refused: 1a2b3c4',
    ],
    [
      'Require signed commits',
      { commits: [commit(first), commit(second, { isVerified: undefined })] },
      { type: 'required_signatures' },
      'unknown: whether the platform verifies the signature of 2b3c4d5',
    ],
    ['Require a pull request before merging', {}, { type: 'pull_request' }, 'refused'],
    ['Require a pull request before merging', create, { type: 'pull_request' }, 'allowed'],
    ['Require a pull request before merging', remove, { type: 'pull_request' }, 'allowed'],
    [
      'Require a pull request before merging',
      merge,
      { type: 'pull_request' },
      'unknown: whether the pull request has the required approvals',
    ],
    ['Require a merge queue', {}, { type: 'merge_queue' }, 'refused'],
    ['Require workflows to pass', {}, { type: 'workflows' }, 'refused'],
    ['Require workflows to pass', create, { type: 'workflows' }, 'refused'],
    ['Require workflows to pass', create, { type: 'workflows', do_not_enforce_on_create: true }, 'allowed'],
    [
      'Require status checks to pass',
      {},
      { type: 'required_status_checks', required_status_checks: [{ context: 'build' }] },
      'refused: 2b3c4d5',
    ],
    [
      'Require status checks to pass',
      { passedChecks: [{ context: 'build', app: 7 }] },
      { type: 'required_status_checks', required_status_checks: [{ context: 'build', integration_id: 7 }] },
      'allowed',
    ],
    [
      'Require status checks to pass',
      { passedChecks: [{ context: 'build', app: 7 }] },
      { type: 'required_status_checks', required_status_checks: [{ context: 'build', integration_id: 8 }] },
      'refused: 2b3c4d5',
    ],
    [
      'Require status checks to pass',
      { passedChecks: undefined },
      { type: 'required_status_checks', required_status_checks: [{ context: 'build' }] },
      'unknown: whether commit 2b3c4d5 has passed build',
    ],
    [
      'Require status checks to pass',
      create,
      {
        type: 'required_status_checks',
        required_status_checks: [{ context: 'build' }],
        do_not_enforce_on_create: true,
      },
      'allowed',
    ],
    [
      'Require deployments to succeed',
      { deployedTo: ['staging'] },
      { type: 'required_deployments', required_deployment_environments: ['staging'] },
      'allowed',
    ],
    [
      'Require deployments to succeed',
      {},
      { type: 'required_deployments', required_deployment_environments: ['staging'] },
      'refused: 2b3c4d5',
    ],
    ['Require code scanning results', {}, { type: 'code_scanning' }, 'unknown: the results of code scanning'],
    [
      'Metadata restrictions',
      messages('JIRA-1 a\n'),
      pattern('commit_message_pattern', 'starts_with', 'JIRA-'),
      'allowed',
    ],
    ['Metadata restrictions', {}, pattern('commit_message_pattern', 'contains', 'JIRA'), 'refused: 1a2b3c4 2b3c4d5'],
    [
      'Metadata restrictions',
      {},
      pattern('commit_message_pattern', 'contains', 'Fix', true),
      'refused: 1a2b3c4 2b3c4d5',
    ],
    [
      'Metadata restrictions',
      messages('a\nb\n'),
      pattern('commit_message_pattern', 'regex', '^b'),
      'unknown: whether ^ and $ mean lines',
    ],
    ['Metadata restrictions', messages('a\nb\n'), pattern('commit_message_pattern', 'regex', '(?m)^b'), 'allowed'],
    ['Metadata restrictions', messages('ab\n'), pattern('commit_message_pattern', 'regex', 'b'), 'allowed'],
    [
      'Metadata restrictions',
      messages('a\n'),
      pattern('commit_message_pattern', 'ends_with', 'a'),
      'unknown: whether the final line feed belongs to the message',
    ],
    [
      'Metadata restrictions',
      { commits: undefined },
      pattern('commit_message_pattern', 'contains', 'a'),
      'unknown: the commits of the push',
    ],
    [
      'Metadata restrictions',
      merge,
      pattern('commit_message_pattern', 'contains', 'Fix'),
      'unknown: which commits the platform judges when it merges',
    ],
    [
      'Metadata restrictions',
      { commits: [commit(first, { authorEmail: 'ada@home.example' })] },
      pattern('commit_author_email_pattern', 'ends_with', '@acme.example'),
      'refused: 1a2b3c4',
    ],
    [
      'Metadata restrictions',
      { commits: [commit(first, { committerEmail: 'ada@home.example' })] },
      pattern('committer_email_pattern', 'ends_with', '@acme.example'),
      'refused: 1a2b3c4',
    ],
    ['Metadata restrictions', create, pattern('branch_name_pattern', 'regex', '^main$'), 'allowed'],
    ['Metadata restrictions', create, pattern('branch_name_pattern', 'starts_with', 'refs/'), 'refused: main'],
    [
      'Metadata restrictions',
      {},
      pattern('branch_name_pattern', 'starts_with', 'x'),
      'unknown: whether name patterns apply to updates of existing refs',
    ],
    [
      'Metadata restrictions',
      messages('a'),
      pattern('commit_message_pattern', 'regex', 'a(?=b)'),
      'unknown: what the pattern means: it is too long, or not valid in RE2',
    ],
    ['A newer rule', {}, { type: 'quantum_lock' }, 'unknown: what the rule quantum_lock means'],
  ])('“%s”: %j by %j: %s', async (_heading, facts, rule, verdict) => {
    expect(await verdictOf(facts, rule)).toBe(verdict);
  });

  // Available rules for rulesets, Push rulesets: they apply to every push to the repository and its forks.
  it.each<[pushed: Partial<Push>, rule: Given, verdict: string]>([
    [files(['a/b.txt', 1]), { type: 'file_path_restriction', restricted_file_paths: ['a/*'] }, 'refused: a/b.txt'],
    [files(['a/b/c.txt', 1]), { type: 'file_path_restriction', restricted_file_paths: ['a/**'] }, 'allowed'],
    [
      files(['.env', 1]),
      { type: 'file_path_restriction', restricted_file_paths: ['*'] },
      'unknown: whether * matches .env',
    ],
    [files(['abcd', 1]), { type: 'max_file_path_length', max_file_path_length: 3 }, 'refused: abcd'],
    [
      files(['été', 1]),
      { type: 'max_file_path_length', max_file_path_length: 3 },
      'unknown: whether the limit counts characters or bytes',
    ],
    [
      files(['a.exe', 1], ['b.jar', 1], ['exe', 1]),
      { type: 'file_extension_restriction', restricted_file_extensions: ['*.exe', 'jar'] },
      'refused: a.exe b.jar',
    ],
    [
      files(['a.EXE', 1]),
      { type: 'file_extension_restriction', restricted_file_extensions: ['exe'] },
      'unknown: whether extensions ignore case',
    ],
    [files(['a', 2 * megabyte]), { type: 'max_file_size', max_file_size: 1 }, 'refused: a'],
    [files(['a', 0.9 * megabyte]), { type: 'max_file_size', max_file_size: 1 }, 'allowed'],
    [files(['a', 1_000_000]), { type: 'max_file_size', max_file_size: 1 }, 'unknown: how many bytes the limit has'],
    [{ files: undefined }, { type: 'max_file_size', max_file_size: 1 }, 'unknown: the files of the push'],
    [
      { files: [{ commit: first, path: 'a', size: undefined }] },
      { type: 'max_file_size', max_file_size: 1 },
      'unknown: the size of a',
    ],
    [remove, { type: 'max_file_size', max_file_size: 1 }, 'allowed'],
  ])('of files: %j by %j: %s', async (pushed, rule, verdict) => {
    expect(await verdictOf({ ref: 'refs/heads/any', ...pushed }, rule, { target: 'push', conditions: {} })).toBe(
      verdict,
    );
  });
});

describe('a ruleset', () => {
  const update = { type: 'update' };
  const onRefs = (include: readonly string[], exclude: readonly string[] = [], target = 'branch') => ({
    target,
    conditions: { ref_name: { include, exclude } },
  });

  const ofRepositories = (conditions: Given) => ({
    conditions: { ref_name: { include: ['~ALL'], exclude: [] }, ...conditions },
  });

  // Creating rulesets for a repository, Using fnmatch syntax.
  it.each<[of: Partial<JudgedRuleset>, facts: Partial<Push>, verdict: string]>([
    [onRefs(['~DEFAULT_BRANCH']), {}, 'refused'],
    [onRefs(['~DEFAULT_BRANCH']), { isDefaultBranch: false }, 'allowed'],
    [onRefs(['~DEFAULT_BRANCH']), { isDefaultBranch: undefined }, 'unknown: whether ruleset guard applies to the ref'],
    [onRefs(['refs/heads/*'], ['refs/heads/main']), {}, 'allowed'],
    [onRefs(['refs/heads/feature/**']), { ref: 'refs/heads/feature/a/b' }, 'allowed'],
    [onRefs(['refs/heads/\\main']), {}, 'unknown: whether ruleset guard applies to the ref'],
    [onRefs(['~ALL'], [], 'tag'), {}, 'allowed'],
    [onRefs(['refs/tags/v*'], [], 'tag'), { ref: 'refs/tags/v1' }, 'refused'],
    [onRefs(['~ALL'], [], 'repository'), {}, 'allowed'],
    [onRefs(['~NEWER']), {}, 'unknown: whether ruleset guard applies to the ref'],
    [{ conditions: {} }, {}, 'unknown: whether ruleset guard applies to the ref'],
    [ofRepositories({ repository_name: { include: ['s*'], exclude: [] } }), {}, 'refused'],
    [ofRepositories({ repository_name: { include: ['~ALL'], exclude: ['site'] } }), {}, 'allowed'],
    [ofRepositories({ repository_name: { include: ['~ALL'] } }), { repository: undefined }, 'refused'],
    [
      ofRepositories({ repository_name: { include: ['s*'] } }),
      { repository: undefined },
      'unknown: whether ruleset guard applies to the ref',
    ],
    [
      ofRepositories({ repository_id: { repository_ids: [1] } }),
      {},
      'unknown: whether ruleset guard applies to the ref',
    ],
  ])('%j applies to %j: %s', async (of, facts, verdict) => {
    expect(await verdictOf(facts, update, of)).toBe(verdict);
  });

  // REST API endpoints for rules, current_user_can_bypass.
  it.each([
    ['never', {}, 'refused'],
    ['always', {}, 'bypassed'],
    ['exempt', {}, 'bypassed'],
    ['pull_requests_only', {}, 'refused'],
    ['pull_requests_only', merge, 'bypassed'],
    [undefined, {}, 'unknown: whether the pusher may bypass ruleset guard'],
  ])('with bypass %s: %j: %s', async (bypass, facts, verdict) => {
    expect(await verdictOf(facts, update, { bypass })).toBe(verdict);
  });

  it('adds up with others, each with its own bypass list', async () => {
    const verdict = async (...rulesets: readonly JudgedRuleset[]) => (await evaluatePush(push, rulesets)).verdict;
    const mayBypass = ruleset([update], { bypass: 'always' });
    const signed = ruleset([{ type: 'code_scanning' }]);
    expect(await verdict()).toBe('allowed');
    expect(await verdict(mayBypass, ruleset([{ type: 'deletion' }]))).toBe('bypassed');
    expect(await verdict(mayBypass, signed)).toBe('unknown');
    expect(await verdict(signed, mayBypass, ruleset([update]))).toBe('refused');
  });

  it('searches no text for longer than some seconds', async () => {
    const slow = pattern('commit_message_pattern', 'regex', 'a{1000}');
    const verdicts = await Promise.all([10, 250_000].map((length) => verdictOf(messages('b'.repeat(length)), slow)));
    expect(verdicts).toEqual(['refused: 1a2b3c4', 'unknown: whether the pattern matches: that takes too long']);
  });

  it('never refuses in evaluate or disabled', async () => {
    const { verdict, rules } = await evaluatePush(push, [
      ruleset([update], { enforcement: 'evaluate' }),
      ruleset([update], { enforcement: 'disabled' }),
    ]);
    expect(verdict).toBe('allowed');
    expect(rules).toMatchObject([{ type: 'update', verdict: 'allowed', would: 'refused' }]);
  });
});

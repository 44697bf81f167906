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

/** Sentences of the page Available rules for rulesets by heading; those of other pages name them. */
const documented = {
  'Restrict creations':
    '… only users with bypass permissions can create branches or tags whose name matches the pattern …',
  'Restrict updates':
    '… only users with bypass permissions can push to branches or tags whose name matches the pattern …',
  'Restrict deletions':
    '… only users with bypass permissions can delete branches or tags whose name matches the pattern …',
  'Block force pushes': 'You can prevent users from force pushing to the targeted branches or tags.',
  'Require linear history': '… prevents collaborators from pushing merge commits to the targeted branches or tags.',
  'Require signed commits': '… contributors can only push commits that have been signed and verified to the branch.',
  'Require a pull request before merging':
    'You can require that all changes to the target branch be associated with a pull request.',
  'Require a merge queue': 'You can require that merges must be performed with a merge queue at the repository level.',
  'Require workflows to pass':
    'Applying this rule will block direct pushes because the ruleset workflows run as part of the pull request …',
  'Require status checks to pass':
    'REST API endpoints for rules: When enabled, commits must first be pushed to another ref where the checks pass.',
  'Two reports with the name': 'Troubleshooting required status checks: … both the check and the status are required.',
  'Check of an app': 'If the status is set by any other person or integration, merging won’t be allowed.',
  'Checks of a merge commit':
    'Troubleshooting required status checks: … can be merged locally and pushed to the protected branch … without status checks running on the merge commit itself.',
  'Checks of the test merge commit':
    'Troubleshooting required status checks: If the test merge commit has a status, the test merge commit must pass.',
  'Strict status checks': 'The topic branch must be up to date with the base branch before merging.',
  'Checks on creation':
    'Optionally, you can select “Do not require status checks on creation” if you wish to allow branch creation regardless …',
  'Require deployments to succeed':
    'REST API endpoints for rules: Choose which environments must be successfully deployed to before refs can be pushed …',
  'Require code scanning results': '… you can use rulesets to prevent pull requests from being merged when …',
  'Metadata restrictions':
    'If a contributor tries to update a branch or tag with a commit that doesn’t meet your requirements, the contributor will see an error …',
  'Must not match': 'REST API endpoints for rules: If true, the rule will fail if the pattern matches.',
  'Regular expressions':
    'Using regular expressions for commit metadata: Regular expressions consider multiple lines of text by default. (In newer versions, the ends of the text.)',
  'Metadata of squash merges':
    '… restrictions are only validated against the metadata of the single, resulting merge commit.',
  'Names of branches and tags': 'You can also control the format of new branch names and tag names.',
  'A newer rule': 'What nobody has documented is not known.',
  'Unreadable parameters': 'What cannot be read is not known.',
} as const;

describe('a rule', () => {
  it.each<[heading: keyof typeof documented, facts: Partial<Push>, rule: Given, verdict: string]>([
    ['Restrict creations', create, { type: 'creation' }, 'refused'],
    ['Restrict creations', {}, { type: 'creation' }, 'allowed'],
    ['Restrict updates', {}, { type: 'update' }, 'refused'],
    ['Restrict updates', create, { type: 'update' }, 'allowed'],
    ['Restrict deletions', remove, { type: 'deletion' }, 'refused'],
    ['Restrict deletions', {}, { type: 'deletion' }, 'allowed'],
    ['Block force pushes', { isForced: true }, { type: 'non_fast_forward' }, 'refused'],
    ['Block force pushes', {}, { type: 'non_fast_forward' }, 'allowed'],
    ['Block force pushes', { ...merge, isForced: true }, { type: 'non_fast_forward' }, 'allowed'],
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
    ['Require signed commits', merge, { type: 'required_signatures' }, 'unknown: how the pull request is merged'],
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
    ['Checks on creation', create, { type: 'workflows', do_not_enforce_on_create: true }, 'allowed'],
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
      'Check of an app',
      { passedChecks: [{ context: 'build', app: 7 }] },
      { type: 'required_status_checks', required_status_checks: [{ context: 'build', integration_id: 8 }] },
      'refused: 2b3c4d5',
    ],
    [
      'Check of an app',
      { passedChecks: [{ context: 'build' }] },
      { type: 'required_status_checks', required_status_checks: [{ context: 'build', integration_id: 8 }] },
      'unknown: which app reported build',
    ],
    [
      'Two reports with the name',
      { passedChecks: [{ context: 'build', app: 7 }], failedChecks: [{ context: 'build' }] },
      { type: 'required_status_checks', required_status_checks: [{ context: 'build' }] },
      'unknown: which report of build counts',
    ],
    [
      'Checks of a merge commit',
      { commits: [commit(second, { parents: 2 })] },
      { type: 'required_status_checks', required_status_checks: [{ context: 'build' }] },
      'unknown: whether 2b3c4d5 merges a pull request that has passed build',
    ],
    [
      'Checks of the test merge commit',
      merge,
      { type: 'required_status_checks', required_status_checks: [{ context: 'build' }] },
      'unknown: whether the test merge commit has passed build',
    ],
    [
      'Strict status checks',
      { ...merge, isForced: true },
      {
        type: 'required_status_checks',
        required_status_checks: [{ context: 'build' }],
        strict_required_status_checks_policy: true,
      },
      'refused: 2b3c4d5',
    ],
    [
      'Require status checks to pass',
      { passedChecks: undefined },
      { type: 'required_status_checks', required_status_checks: [{ context: 'build' }] },
      'unknown: whether commit 2b3c4d5 has passed build',
    ],
    [
      'Checks on creation',
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
    ['Must not match', {}, pattern('commit_message_pattern', 'contains', 'Fix', true), 'refused: 1a2b3c4 2b3c4d5'],
    [
      'Regular expressions',
      messages('a\nb\n'),
      pattern('commit_message_pattern', 'regex', '^b'),
      'unknown: whether ^ and $ mean lines',
    ],
    ['Regular expressions', messages('a\nb\n'), pattern('commit_message_pattern', 'regex', '(?m)^b'), 'allowed'],
    ['Regular expressions', messages('ab\n'), pattern('commit_message_pattern', 'regex', 'b'), 'allowed'],
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
      'Metadata of squash merges',
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
    ['Names of branches and tags', create, pattern('branch_name_pattern', 'regex', '^main$'), 'allowed'],
    ['Names of branches and tags', create, pattern('branch_name_pattern', 'starts_with', 'refs/'), 'refused: main'],
    [
      'Names of branches and tags',
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
    ['A newer rule', {}, { type: 'constructor' }, 'unknown: what the rule constructor means'],
    [
      'Unreadable parameters',
      {},
      { type: 'required_status_checks', required_status_checks: 'build' },
      'unknown: the required_status_checks of the rule',
    ],
    [
      'Unreadable parameters',
      {},
      { type: 'required_status_checks', required_status_checks: [null] },
      'unknown: the required_status_checks of the rule',
    ],
    [
      'Unreadable parameters',
      {},
      { type: 'required_deployments' },
      'unknown: the required_deployment_environments of the rule',
    ],
    [
      'A newer rule',
      {},
      { type: 'commit_message_pattern', operator: '__proto__', pattern: 'x' },
      'unknown: what the operator __proto__ means',
    ],
    [
      'Unreadable parameters',
      {},
      { type: 'commit_message_pattern', operator: 'contains', pattern: { toString: 1 }, negate: true },
      'unknown: the pattern of the rule',
    ],
    [
      'Unreadable parameters',
      {},
      { type: 'commit_message_pattern', operator: 'contains', pattern: 'x', negate: 'true' },
      'unknown: the pattern of the rule',
    ],
  ])('“%s”: %j by %j: %s', async (heading, facts, rule, verdict) => {
    expect(await verdictOf(facts, rule), documented[heading]).toBe(verdict);
  });

  // About rulesets, Push rulesets: “Prevent commits that include changes in specified file paths from being pushed. … that
  // include file paths that exceed a specified character limit … that include files with specified file extensions … that
  // exceed a specified file size limit.”
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
    [
      files(['a.exe', 1], ['b.txt', 1]),
      { type: 'file_extension_restriction', restricted_file_extensions: ['*.e*'] },
      'unknown: whether extensions may have wildcards',
    ],
    [files(['b.txt', 1]), { type: 'file_extension_restriction', restricted_file_extensions: ['*.e*'] }, 'allowed'],
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
    [files(['a', 1]), { type: 'max_file_size', max_file_size: '1' }, 'unknown: the max_file_size of the rule'],
    [files(['a', 1]), { type: 'max_file_path_length' }, 'unknown: the max_file_path_length of the rule'],
    [
      files(['a', 1]),
      { type: 'file_path_restriction', restricted_file_paths: 'a' },
      'unknown: the restricted_file_paths of the rule',
    ],
    [
      files(['a.exe', 1]),
      { type: 'file_extension_restriction', restricted_file_extensions: [['exe']] },
      'unknown: the restricted_file_extensions of the rule',
    ],
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

  // REST API endpoints for rules, ref_name: “One of these patterns must match for the condition to pass. Also accepts
  // ~DEFAULT_BRANCH to include the default branch or ~ALL to include all branches. … The condition will not pass if any of these
  // [excluded] patterns match.”
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
    [onRefs(['~ALL'], [], 'newer'), {}, 'unknown: whether ruleset guard applies to the ref'],
    [{ enforcement: 'newer' }, {}, 'unknown: whether ruleset guard applies to the ref'],
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
    [{ conditions: { ref_name: { include: { length: 5 } } } }, {}, 'unknown: whether ruleset guard applies to the ref'],
    [{ conditions: { ref_name: { include: [null] } } }, {}, 'unknown: whether ruleset guard applies to the ref'],
    [{ conditions: { ref_name: { include: [7, '~ALL'] } } }, {}, 'refused'],
    [
      { conditions: { ref_name: { include: ['~ALL'], exclude: '~ALL' } } },
      {},
      'unknown: whether ruleset guard applies to the ref',
    ],
    [
      { conditions: { ref_name: { include: ['~ALL'], exclude: [[]] } } },
      {},
      'unknown: whether ruleset guard applies to the ref',
    ],
    [ofRepositories({ repository_name: 'x' }), {}, 'unknown: whether ruleset guard applies to the ref'],
  ])('%j applies to %j: %s', async (of, facts, verdict) => {
    expect(await verdictOf(facts, update, of)).toBe(verdict);
  });

  // REST API endpoints for rules: “The bypass type of the user making the API request for this ruleset.” and “pull_request means
  // that an actor can only bypass rules on pull requests.”
  it.each([
    ['never', {}, 'refused'],
    ['always', {}, 'bypassed'],
    ['exempt', {}, 'bypassed'],
    ['pull_requests_only', {}, 'refused'],
    ['pull_requests_only', merge, 'bypassed'],
    [undefined, {}, 'unknown: whether the pusher may bypass ruleset guard'],
    ['toString', {}, 'unknown: whether the pusher may bypass ruleset guard'],
  ])('with bypass %s: %j: %s', async (bypass, facts, verdict) => {
    expect(await verdictOf(facts, update, { bypass })).toBe(verdict);
  });

  // About rule layering: “… if multiple rulesets target the same branch or tag in a repository, the rules in each of these
  // rulesets are aggregated.”
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

  // Enforcement statuses: “Evaluate: your ruleset will not be enforced … Disabled: your ruleset will not be enforced or evaluated.”
  it('never refuses in evaluate or disabled', async () => {
    const { verdict, rules } = await evaluatePush(push, [
      ruleset([update], { enforcement: 'evaluate' }),
      ruleset([update], { enforcement: 'disabled' }),
    ]);
    expect(verdict).toBe('allowed');
    expect(rules).toMatchObject([{ type: 'update', verdict: 'allowed', would: 'refused' }]);
  });
});

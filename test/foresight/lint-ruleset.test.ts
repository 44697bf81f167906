import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lintRuleset } from '../../src/foresight/lint-ruleset.ts';
import type { Given } from '../../src/platform/validate.ts';

const codes = async (ruleset: Given) =>
  (await lintRuleset(ruleset)).map(({ field, code, severity }) => `${severity} ${code} ${field}`);

const refs = (include: unknown, exclude: unknown = []) => ({ conditions: { ref_name: { include, exclude } } });

const patternRule = (type: string, operator: string, pattern: string, negate?: boolean) => ({
  type,
  parameters: { operator, pattern, ...(negate !== undefined && { negate }) },
});

const many = (amount: number) => Array.from({ length: amount }, (_, at) => `refs/heads/${at}`);

const examples: readonly (readonly [ruleset: Given, findings: readonly string[]])[] = [
  [refs(['main']), ['warning never-matches conditions.ref_name.include[0]']],
  [{ ...refs(['v*']), target: 'tag' }, ['warning never-matches conditions.ref_name.include[0]']],
  [{ ...refs(['refs/tags/v*']), target: 'tag' }, []],
  [refs(['refs/heads/a'], ['refs/heads/?']), ['warning never-matches conditions.ref_name.include[0]']],
  [refs(['refs/heads/a*'], ['refs/heads/**/*']), ['warning never-matches conditions.ref_name.include[0]']],
  [refs(['refs/heads/a*'], ['refs/heads/ab']), []],
  [refs(['refs/heads/a/**']), ['warning final-double-star conditions.ref_name.include[0]']],
  [
    refs(['~MAIN'], ['~ALL']),
    ['error unknown-tilde conditions.ref_name.include[0]', 'error unknown-tilde conditions.ref_name.exclude[0]'],
  ],
  [
    { conditions: { repository_name: { include: ['~DEFAULT_BRANCH', 'site', '.*'] } } },
    ['error unknown-tilde conditions.repository_name.include[0]'],
  ],
  [refs([]), ['warning empty-include conditions.ref_name.include']],
  [refs(['refs/heads/\\*']), ['warning unsupported-pattern conditions.ref_name.include[0]']],
  [refs(['refs/heads/[^a]*']), ['warning unsupported-pattern conditions.ref_name.include[0]']],
  [refs(['refs/heads/{a,b}']), ['warning unsupported-pattern conditions.ref_name.include[0]']],
  [
    { rules: [{ type: 'file_path_restriction', parameters: { restricted_file_paths: ['a', 'b/**'] } }] },
    ['warning final-double-star rules[0].parameters.restricted_file_paths[1]'],
  ],
  [
    { rules: [{ type: 'file_extension_restriction', parameters: { restricted_file_extensions: ['*.jar', 'exe'] } }] },
    ['warning extension-form rules[0].parameters.restricted_file_extensions[1]'],
  ],
  [
    {
      rules: [
        patternRule('branch_name_pattern', 'contains', 'x'),
        patternRule('tag_name_pattern', 'contains', 'x', true),
        patternRule('branch_name_pattern', 'contains', 'x', true),
      ],
    },
    ['warning never-matches rules[2].parameters.pattern'],
  ],
  [
    { rules: [patternRule('branch_name_pattern', 'regex', 'a(?=b)')] },
    ['error regex-syntax rules[0].parameters.pattern'],
  ],
  [
    { rules: [patternRule('commit_message_pattern', 'regex', '^JIRA-\\d+')] },
    ['warning regex-lines rules[0].parameters.pattern'],
  ],
  [{ rules: [patternRule('branch_name_pattern', 'regex', '^JIRA-\\d+$')] }, []],
  [
    { rules: [patternRule('committer_email_pattern', 'ends_with', '@acme.example')] },
    ['warning noreply-refused rules[0].parameters.pattern'],
  ],
  [
    { rules: [patternRule('committer_email_pattern', 'regex', 'no-?reply', true)] },
    ['warning noreply-refused rules[0].parameters.pattern'],
  ],
  [
    {
      bypass_actors: [
        { actor_type: 'Team', actor_id: 4 },
        { actor_type: 'RepositoryRole', actor_id: 4 },
        { actor_type: 'RepositoryRole', actor_id: 'role:maintain' },
      ],
    },
    ['warning bypass-wide bypass_actors[1]', 'warning bypass-wide bypass_actors[2]'],
  ],
  [refs(many(200), many(200)), ['warning unchecked conditions.ref_name.exclude']],
  [
    refs([`refs/heads/${'a'.repeat(30_000)}`], [`refs/heads/${'*a'.repeat(30_000)}b`]),
    ['warning unchecked conditions.ref_name.exclude'],
  ],
  [
    { rules: [patternRule('commit_message_pattern', 'regex', `[${'\\pL'.repeat(100_000)}]`)] },
    ['warning unchecked rules[0].parameters.pattern'],
  ],
  [refs([`refs/heads/${'{,'.repeat(200_000)}`]), []],
  [
    // 2,800,000 instructions.
    { rules: many(20).map(() => patternRule('branch_name_pattern', 'regex', 'a{1000}'.repeat(140))) },
    ['warning unchecked rules[2].parameters.pattern'],
  ],
  [
    { rules: many(101).map((name) => patternRule('branch_name_pattern', 'regex', name)) },
    ['warning unchecked rules[100].parameters.pattern'],
  ],
];

describe('lintRuleset', () => {
  it('finds nothing in a sound ruleset', async () => {
    expect(
      await codes({
        ...refs(['~DEFAULT_BRANCH', 'refs/heads/release/**/*'], ['refs/heads/release/old']),
        bypass_actors: [
          { actor_type: 'RepositoryRole', actor_id: 5, bypass_mode: 'always' },
          { actor_type: 'RepositoryRole', actor_id: 4, bypass_mode: 'pull_request' },
        ],
        rules: [
          { type: 'deletion' },
          patternRule('commit_message_pattern', 'regex', '\\A[A-Z]'),
          patternRule('committer_email_pattern', 'ends_with', '@example.com.invalid', true),
        ],
      }),
    ).toEqual([]);
  });

  it.each(examples)('has the findings of example %#', async (ruleset, findings) => {
    expect(await codes(ruleset)).toEqual(findings);
  });

  it('has the codes of the documentation', () => {
    const page = readFileSync(new URL('../../docs/rulesets.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/^\| `([a-z-]+)` \| (error|warning) \|/gm)].map(
      ([, code, severity]) => `${severity} ${code}`,
    );
    const found = examples.flatMap(([, findings]) => findings.map((finding) => finding.replace(/ \S+$/, '')));
    // Those of single fields are declared with the endpoint.
    const declared = ['error size-range', 'error path-length-range'];
    expect(documented.sort()).toEqual([...new Set([...found, ...declared])].sort());
  });

  it('ignores values of other types, which are reported elsewhere', async () => {
    const odd = [null, 3, 'a', [], {}];
    for (const value of odd)
      for (const ruleset of [
        { rules: value, conditions: value, bypass_actors: value },
        { rules: [value], conditions: { ref_name: value, repository_name: value }, bypass_actors: [value] },
        { rules: [{ type: value, parameters: value }], conditions: { ref_name: { include: [value], exclude: value } } },
        { rules: [{ type: 'branch_name_pattern', parameters: { operator: value, pattern: 'a', negate: value } }] },
      ])
        expect(await lintRuleset(ruleset)).toBeInstanceOf(Array);
  });
});

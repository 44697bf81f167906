/** Classic protection as rulesets that add up. */
import { describe, expect, it } from 'vitest';
import { protectionItems } from '../../../../../src/topics/policy/import/protection/protection.ts';
import { placedAt } from '../../../../../src/topics/policy/import/source.ts';

const place = { file: 'settings.yml', line: 1, column: 1 };

interface Ruleset {
  readonly name: string;
  readonly bypass_actors: readonly string[];
  readonly conditions: { readonly ref_name: { readonly exclude: readonly string[] } };
  readonly rules: readonly { readonly type: string; readonly parameters?: unknown }[];
}

function rulesetsOf(protection: object, pattern = 'main', others: readonly string[] = []) {
  const lost: string[] = [];
  const items = protectionItems({ pattern, protection: placedAt(protection, place) }, others, (_, reason) =>
    lost.push(reason),
  );
  return { rulesets: items.map(({ value }) => value.value as Ruleset), lost };
}

function outlineOf(protection: object) {
  const { rulesets, lost } = rulesetsOf(protection);
  expect(lost).toEqual([]);
  return rulesets.map(({ name, bypass_actors, rules }) => [name, bypass_actors, rules.map(({ type }) => type)]);
}

const reviews = { required_pull_request_reviews: { required_approving_review_count: 1 } };
const open = { allow_force_pushes: true, allow_deletions: true };

describe('classic protection as rulesets', () => {
  it('lets administrators bypass all but the rules about the history', () => {
    expect(outlineOf({ ...reviews, enforce_admins: false })).toEqual([
      ['Protect main', ['role:admin'], ['pull_request']],
      ['Protect the history of main', [], ['non_fast_forward', 'deletion']],
    ]);
    expect(outlineOf({ ...reviews, ...open })).toEqual([['Protect main', ['role:admin'], ['pull_request']]]);
  });

  it('is one ruleset if administrators bypass nothing', () => {
    const all = ['non_fast_forward', 'deletion', 'pull_request'];
    expect(outlineOf({ ...reviews, enforce_admins: true })).toEqual([['Protect main', [], all]]);
    expect(outlineOf({ enforce_admins: false })).toEqual([['Protect main', [], ['non_fast_forward', 'deletion']]]);
    expect(outlineOf({ ...open, enforce_admins: false })).toEqual([['Protect main', [], []]]);
  });

  it('lets each rule be bypassed by those who may do without it', () => {
    expect(
      outlineOf({
        allow_deletions: true,
        enforce_admins: false,
        required_pull_request_reviews: { bypass_pull_request_allowances: { users: ['wren'], apps: ['bot'] } },
        restrictions: { users: ['wren'], teams: ['Core Team'], apps: [] },
        block_creations: true,
        bypass_force_push_allowances: { users: ['fox', 'fox'] },
      }),
    ).toEqual([
      ['Block force pushes to main', ['user:fox'], ['non_fast_forward']],
      ['Require pull requests for main', ['role:admin', 'user:wren', 'app:bot'], ['pull_request']],
      ['Restrict pushes to main', ['role:admin', 'user:wren', 'team:core-team'], ['update', 'creation']],
    ]);
  });

  it('lets administrators push despite restrictions, as the platform does', () => {
    const nobody = { users: [], teams: [], apps: [] };
    expect(outlineOf({ ...open, enforce_admins: true, restrictions: nobody })).toEqual([
      ['Restrict pushes to main', ['role:admin'], ['update']],
    ]);
    expect(outlineOf({ ...open, restrictions: null, block_creations: true })).toEqual([['Protect main', [], []]]);
  });

  it('names the people and teams that may dismiss reviews, and reports apps', () => {
    const dismissal_restrictions = { users: ['wren'], teams: ['Core'], apps: ['bot'] };
    const { rulesets, lost } = rulesetsOf({ required_pull_request_reviews: { dismissal_restrictions } });
    expect(rulesets[0]?.rules[0]?.parameters).toMatchObject({
      dismissal_restriction: {
        enabled: true,
        allowed_actors: [
          { id: 'user:wren', type: 'User' },
          { id: 'team:core', type: 'Team' },
        ],
      },
    });
    expect(lost).toEqual(['Apps that may dismiss reviews are declared by ID']);
  });

  it('leaves branches to their own protection', () => {
    const excluded = (pattern: string, others: string[]) =>
      rulesetsOf({ ...reviews, restrictions: {} }, pattern, others).rulesets.map(
        ({ conditions }) => conditions.ref_name.exclude,
      );
    const own = ['refs/heads/main'];
    expect(excluded('*', ['main', '*', 'release/1', 'dev*'])).toEqual([own, own, own]);
    expect(excluded('main', ['*', 'develop'])).toEqual([[], [], []]);
  });
});

import { check, fail, pass, unreadable } from '../../check.ts';
import { pullRequestRule, ruleDocuments, rulesetFix } from '../../default-branch-rule.ts';
import { effective, type Layer } from '../../effective-protection.ts';

const requirements = [
  { does: 'delete it', types: ['deletion'], rule: { type: 'deletion' } },
  { does: 'force-push to it', types: ['non_fast_forward'], rule: { type: 'non_fast_forward' } },
  { does: 'push without a pull request', types: ['pull_request', 'merge_queue'], rule: pullRequestRule() },
];

interface Found {
  readonly requirement: (typeof requirements)[number];
  readonly by: readonly Layer[];
  /** Whether it applies to administrators; undefined if `unknown` would tell. */
  readonly applies: boolean | undefined;
  readonly unknown: string | undefined;
}

export const defaultBranchAdministrators = check({
  id: 'default-branch-administrators',
  scope: 'repository',
  severity: 'low',
  title: 'The protection of the default branch applies to administrators',
  description:
    'Administrators are the accounts that attackers look for, so each requirement of the default branch should have a source that they cannot bypass. Requirements that no rule asks for are the subject of other checks.',
  documents: ruleDocuments,
  maps: {
    legitify: ['users_allowed_to_bypass_ruleset'],
    steampipe: ['cis_supply_chain_v100_1_1_14'],
    scorecard: ['Branch-Protection'],
  },
  reads: ['repository', 'protection'],
  judge({ repository, protection }, { target }) {
    const branch = repository.default_branch ?? 'the default branch';
    const found = requirements.flatMap((requirement): Found[] => {
      const state = effective(branch, protection, requirement);
      if (state.status === 'unknown') return [{ requirement, by: [], applies: undefined, unknown: state.missing }];
      if (state.status === 'missing') return [];
      const { by, missing } = state;
      const applies = by.map(({ isForAdministrators: is }) => is);
      if (applies.includes(true)) return [{ requirement, by, applies: true, unknown: undefined }];
      const unknown = applies.includes(undefined)
        ? `whether ${by[0]?.name} applies to administrators is not known`
        : missing;
      return [{ requirement, by, applies: unknown === undefined ? false : undefined, unknown }];
    });
    const exempt = found.filter(({ applies }) => applies === false);
    if (exempt.length > 0) {
      const layers = [...new Set(exempt.flatMap(({ by }) => by.map(({ name }) => name)))];
      const does = listed(exempt.map(({ requirement }) => requirement.does));
      return fail(
        `${branch} is not protected from administrators: ${layers.join(' and ')} let${layers.length === 1 ? 's' : ''} them ${does}.`,
        layers.map((name) => ({ name, value: 'administrators may bypass it' })),
        rulesetFix(
          { target, protection, name: 'Protection that applies to administrators' },
          exempt.map(({ requirement }) => requirement.rule),
        ),
      );
    }
    const open = found.find(({ applies }) => applies === undefined);
    if (open?.unknown !== undefined) return unreadable(open.unknown);
    return found.length > 0 ? pass : undefined;
  },
});

const listed = (words: readonly string[]): string => new Intl.ListFormat('en').format(words);

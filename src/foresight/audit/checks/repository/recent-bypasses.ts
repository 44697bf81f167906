import { check, fail, pass } from '../../check.ts';
import { isOlder, recentDays } from '../../periods.ts';

export const recentBypasses = check({
  id: 'recent-bypasses',
  scope: 'repository',
  severity: 'low',
  title: 'Nobody has bypassed the rules lately',
  description:
    'Bypassing is meant for emergencies. Lists the pushes of the last month for which somebody bypassed an active ruleset.',
  documents: [
    'https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/managing-rulesets-for-a-repository',
  ],
  maps: {},
  thresholds: {
    days: { default: recentDays, least: 1, description: 'Number of days to look back, up to 30' },
    most: { default: 0, least: 0, description: 'Maximum number of bypasses in that time' },
  },
  reads: ['repository', 'bypasses'],
  judge({ repository, bypasses }, { target, now }, { days, most }) {
    const own = bypasses.filter(
      ({ repository_id: id, repository_name: name, pushed_at: at }) =>
        (id === undefined ? name === repository.name : id === repository.id) && !isOlder(at, days, now),
    );
    if (own.length <= most) return pass;
    const people = [...new Set(own.map(({ actor_name: name }) => name ?? 'unknown'))];
    return fail(
      `${people.join(', ')} bypassed rules of ${target} ${own.length === 1 ? 'once' : `${own.length} times`} in ${days} days.`,
      own.map(({ actor_name: name, ref, pushed_at: at }) => ({ name: name ?? 'unknown', value: `${ref} at ${at}` })),
      { hint: `See the rules: forgectl rulesets suites ${target} --time-period month --rule-suite-result bypass` },
    );
  },
});

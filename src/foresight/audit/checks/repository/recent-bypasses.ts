import { check, fail, pass, unreadable } from '../../check.ts';
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
    const recent = bypasses.filter(({ pushed_at: at }) => !isOlder(at, days, now));
    if (recent.some(({ repository_id: id, repository_name: name }) => !isId(id) && name === undefined))
      return unreadable('the platform does not return the repository of a bypassed push');
    const own = recent.filter(({ repository_id: id, repository_name: name }) =>
      isId(id) ? id === repository.id : name === repository.name,
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

const isId = (id: unknown): boolean => Number.isSafeInteger(id) && Number(id) > 0;

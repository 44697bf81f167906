import { check, fail, pass, unreadable } from '../../check.ts';
import { daysSince } from '../../periods.ts';

export const staleRepository = check({
  id: 'stale-repository',
  scope: 'repository',
  severity: 'low',
  title: 'The repository is in use, or archived',
  description:
    'Nobody watches the dependencies, access and settings of a repository that nobody works on. Archived repositories are read-only.',
  documents: ['https://docs.github.com/en/repositories/archiving-a-github-repository/archiving-repositories'],
  maps: {
    legitify: ['repository_not_maintained'],
    steampipe: ['cis_supply_chain_v100_1_2_7'],
    scorecard: ['Maintained'],
  },
  thresholds: { days: { default: 365, least: 1, description: 'Maximum number of days without a push' } },
  reads: ['repository'],
  judge({ repository }, { target, now }, { days }) {
    const { pushed_at: pushed, created_at: created, html_url: url } = repository;
    if (pushed === undefined) return unreadable('GET /orgs/{org}/repos does not return pushed_at');
    // Null until the first push.
    const time = pushed ?? created;
    if (!time) return unreadable('GET /orgs/{org}/repos does not return created_at');
    const age = daysSince(time, now);
    if (age <= days) return pass;
    return fail(
      `Nobody has pushed to ${target} for ${age} days.`,
      [{ name: 'pushed_at', value: pushed, url }],
      { command: ['repos', 'archive', target] },
      { since: { time, source: 'record' } },
    );
  },
});

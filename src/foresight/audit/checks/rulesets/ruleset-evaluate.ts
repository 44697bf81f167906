import type { RulesetVersionState } from '../../../../platform/records.ts';
import { check, fail, pass, unreadable, type Verdict } from '../../check.ts';
import { organizationPolicy } from '../../fixes.ts';
import { daysSince, recentDays } from '../../periods.ts';

export const rulesetEvaluate = check({
  id: 'ruleset-evaluate',
  scope: 'organization',
  severity: 'medium',
  title: 'No ruleset stays in evaluate',
  description:
    'A ruleset in evaluate protects nothing: it only reports. The date comes from the history of the ruleset.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-rulesets-for-repositories-in-your-organization',
  ],
  maps: {},
  thresholds: { days: { default: recentDays, least: 1, description: 'Maximum number of days in evaluate' } },
  reads: ['rulesets', 'rulesetVersions'],
  judge({ rulesets, rulesetVersions }, { owner, now }, { days }) {
    const evaluated = rulesets.filter(({ enforcement }) => enforcement === 'evaluate');
    if (evaluated.length === 0) return pass;
    return evaluated.map(({ id, name, _links: links }): Verdict => {
      const since = evaluatedSince(rulesetVersions.get(id) ?? []);
      if (since === undefined)
        return unreadable(`the history of ruleset “${name}” does not show how long it has been in evaluate`, name);
      const age = daysSince(since, now);
      if (age <= days) return { status: 'pass', object: name };
      const url = links?.html?.href;
      return fail(
        `Ruleset “${name}” has been in evaluate for ${age} days, and protects nothing.`,
        [{ name, value: 'evaluate', ...(url && { url }) }],
        {
          command: ['rulesets', 'update', owner, String(id), '--enforcement', 'active'],
          policy: organizationPolicy(owner, { rulesets: [{ name, enforcement: 'active' }] }),
        },
        { object: name, since: { time: since, source: 'ruleset history' } },
      );
    });
  },
});

/** Returns the date of the oldest of the latest versions that are all in evaluate. */
function evaluatedSince(newestFirst: readonly RulesetVersionState[]): string | undefined {
  const end = newestFirst.findIndex(({ state }) => state.enforcement !== 'evaluate');
  return newestFirst.slice(0, end === -1 ? undefined : end).at(-1)?.updated_at;
}

import type { Ruleset, RulesetVersionState } from '../../../../platform/records.ts';
import { check, fail, pass, unreadable, type Verdict } from '../../check.ts';
import { loosened } from '../../loosened.ts';
import { isOlder, recentDays } from '../../periods.ts';

export const rulesetLoosened = check({
  id: 'ruleset-loosened',
  scope: 'organization',
  severity: 'medium',
  title: 'No ruleset was loosened lately',
  description:
    'Protection is often loosened for an hour and forgotten. Compares the versions of the last month, and says who made them, by the history of the ruleset.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-rulesets-for-repositories-in-your-organization',
  ],
  maps: {},
  thresholds: { days: { default: recentDays, least: 1, description: 'Number of days to look back' } },
  reads: ['rulesets', 'rulesetVersions'],
  mayRead: ['members'],
  judge({ rulesets, rulesetVersions, members }, { owner, now }, { days = recentDays }) {
    const logins = new Map('value' in members ? members.value.map(({ id, login }) => [id, login]) : []);
    const found = rulesets.flatMap((ruleset): Verdict[] => {
      const versions = rulesetVersions.get(ruleset.id) ?? [];
      if (versions.some(({ state }) => state.enforcement === undefined || state.rules === undefined))
        return [unreadable(`a version of ruleset “${ruleset.name}” lacks its enforcement or rules`, ruleset.name)];
      const [latest] = versions.flatMap((version, place) => {
        const before = versions[place + 1];
        const parts = before && !isOlder(version.updated_at, days, now) ? loosened(before.state, version.state) : [];
        return before && parts.length > 0 && !isMended(before, versions[0]) ? [{ version, before, parts }] : [];
      });
      if (!latest) return [];
      const { version, before, parts } = latest;
      const { id, type } = version.actor;
      const who = logins.get(id ?? 0) ?? `${type ?? 'actor'} ${id}`;
      return [
        fail(
          `${who} loosened ruleset “${ruleset.name}”: ${parts.join(', ')}.`,
          parts.map((part) => ({ name: who, value: part })),
          restoration(owner, ruleset, before),
          { object: ruleset.name, since: { time: version.updated_at, source: 'ruleset history' } },
        ),
      ];
    });
    return found.length > 0 ? found : pass;
  },
});

/** Returns whether the newest version protects no less than an earlier one. */
const isMended = ({ state }: RulesetVersionState, newest: RulesetVersionState | undefined): boolean =>
  newest !== undefined && loosened(state, newest.state).length === 0;

const restoration = (owner: string, { id, name }: Ruleset, { version_id: version }: RulesetVersionState) => ({
  hint: `See the version before in “forgectl rulesets history ${owner} ${id} --version ${version}”, and restore what “${name}” lacks, or suppress the finding.`,
});

import type { AuditEvent } from '../../../../platform/records.ts';
import { check, fail, pass, unreadable } from '../../check.ts';
import { isOlder, recentDays } from '../../periods.ts';

export const protectionRemoved = check({
  id: 'protection-removed',
  scope: 'organization',
  severity: 'medium',
  title: 'No protection was removed lately',
  description:
    'Lists the rulesets and branch protection that were deleted in the last month, and the security features that were turned off, with who did it, by the audit log.',
  documents: [
    'https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-security-settings-for-your-organization/audit-log-events-for-your-organization',
  ],
  maps: {},
  thresholds: { days: { default: recentDays, least: 1, description: 'Number of days to look back' } },
  reads: ['loosenings'],
  judge({ loosenings }, { owner, now }, { days = recentDays }) {
    const recent = loosenings.flatMap((event) => {
      const time = timeOf(event);
      return time === undefined || isOlder(time, days, now) ? [] : [{ ...event, time }];
    });
    const undated = loosenings.find((event) => timeOf(event) === undefined);
    if (undated) return unreadable(`the event ${undated.action} in the audit log has no time`);
    if (recent.length === 0) return pass;
    return recent.map(({ action = '', actor = 'unknown', repo, time }) => {
      const where = repo ?? owner;
      return fail(
        `${actor} removed protection of ${where}: ${action}.`,
        [{ name: actor, value: action }],
        { hint: `Ask ${actor} whether this was intended. Restore the protection, or suppress the finding.` },
        { object: `${action} of ${where} at ${time}`, since: { time, source: 'audit log' } },
      );
    });
  },
});

const timeOf = ({ '@timestamp': logged, created_at: created }: AuditEvent): string | undefined => {
  const time = logged ?? created;
  return time === undefined ? undefined : new Date(time).toISOString();
};

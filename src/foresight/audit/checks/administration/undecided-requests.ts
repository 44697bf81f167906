import { check, type Fact, fail, unreadable, type Verdict } from '../../check.ts';
import { daysSince } from '../../periods.ts';
import type { OpenRequest } from '../../readings.ts';

export const undecidedRequests = check({
  id: 'undecided-requests',
  scope: 'organization',
  severity: 'low',
  title: 'Requests for bypasses and dismissals are decided',
  description:
    'People who wait too long find another way. Lists the requests of the last month that are open, or expired, without a decision.',
  documents: [
    'https://docs.github.com/en/code-security/secret-scanning/using-advanced-secret-scanning-and-push-protection-features/delegated-bypass-for-push-protection/managing-requests-to-bypass-push-protection',
  ],
  maps: {},
  thresholds: { days: { default: 7, least: 1, description: 'Maximum number of days without a decision' } },
  reads: [],
  mayRead: ['secretRequests', 'pushRuleRequests', 'dismissalRequests'],
  judge: ({ secretRequests, pushRuleRequests, dismissalRequests }, { owner, now }, { days }) =>
    (
      [
        ['push protection', secretRequests, `bypass list ${owner}`],
        ['push rules', pushRuleRequests, `bypass list ${owner} --kind push-rules`],
        ['dependency alerts', dismissalRequests, `dismissals list ${owner}`],
      ] as const
    ).flatMap(([object, fact, command]) => waiting(object, fact, { command, now, days }) ?? []),
});

function waiting(
  object: string,
  fact: Fact<readonly OpenRequest[]>,
  { command, now, days }: { readonly command: string; readonly now: number; readonly days: number },
): Verdict | undefined {
  if ('unreadable' in fact) return fact.isElsewhere ? undefined : unreadable(fact.unreadable, object);
  const late = fact.value.filter(({ status, created_at: at }) => status === 'expired' || daysSince(at, now) > days);
  if (late.length === 0) return { status: 'pass', object };
  return fail(
    `${late.length} request${late.length === 1 ? '' : 's'} about ${object} had no decision within ${days} days.`,
    late.map(({ number, repository, requester, status, created_at: at, html_url: url }) => ({
      name: `${repository ?? 'repository'} #${number}`,
      value: `${status}, by ${requester} at ${at}`,
      ...(url !== undefined && { url }),
    })),
    { hint: `List them, and decide those that are open: forgectl ${command}` },
    { object },
  );
}

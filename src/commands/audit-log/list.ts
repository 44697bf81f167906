import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgOrEnterpriseArg } from '../../cli/input/args.ts';
import { parsePointInTime, parseTimeout } from '../../cli/input/duration.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, valueFlag } from '../../cli/input/flags.ts';
import { plainName } from '../../cli/input/values.ts';
import { type ListFlags, Listing } from '../../cli/result/listing.ts';
import type { Page } from '../../client/pages.ts';
import type { Column } from '../../output/table/columns.ts';
import { listEnterpriseAuditLog, listOrganizationAuditLog } from '../../platform/endpoints/audit-log.ts';
import type { AuditEvent } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { actionName, isReversed, repositoryName, searchPhrase } from '../../topics/audit-phrase.ts';

const halfMinute = 30_000;

/** Number of recent events that are remembered to recognize new ones. */
const mostRemembered = 10_000;

/** The last date that JavaScript has. Milliseconds. */
const latestTime = 8.64e15;

const happened = ({ '@timestamp': time, created_at }: AuditEvent): string | undefined => {
  const at = time ?? created_at;
  return typeof at === 'number' && Math.abs(at) <= latestTime ? new Date(at).toISOString() : undefined;
};

/** Returns the most specific object of an event. */
const target = ({ repo, team, user, org, business }: AuditEvent): string | undefined =>
  [repo, team, user, org, business].find((name) => typeof name === 'string' && name !== '');

export default class AuditLogList extends ForgectlCommand<Listing<AuditEvent>> {
  static override summary = 'List the audit log';
  static override description =
    `Lists the events of an organization or an enterprise, newest first. By default, the platform covers the last three
months; --since or --phrase selects another period. --actor, --action, --repo, --since and --until are added to the
search phrase. --follow prints the latest events and then new ones as they come, oldest first, until you press Ctrl-C.`;
  static override examples = examples({
    'List deleted repositories': 'forgectl audit-log list acme --phrase action:repo.destroy',
    'List changes to a repository in the last week': 'forgectl audit-log list acme --repo site --since 1w',
    'List web and Git events in an enterprise':
      'forgectl audit-log list --enterprise sandbox --include all --limit 100',
  });
  static override requests = [listOrganizationAuditLog.route, listEnterpriseAuditLog.route];
  static override args = { org: orgOrEnterpriseArg() };
  static override flags = {
    enterprise: valueFlag('--enterprise', plainName, {
      helpValue: 'SLUG',
      question: 'Enterprise slug',
      description: 'Enterprise; this or ORG is required',
    }),
    actor: valueFlag('--actor', plainName, { helpValue: 'LOGIN', description: 'Only events caused by this account' }),
    action: valueFlag('--action', actionName, {
      helpValue: 'NAME',
      description: 'Only this action, such as repo.destroy, or category, such as repo',
    }),
    repo: valueFlag('--repo', repositoryName, {
      helpValue: 'REPO',
      description: 'Only events of this repository, as OWNER/NAME, or as NAME with ORG',
    }),
    since: valueFlag('--since', parsePointInTime, {
      helpValue: 'TIME',
      description: 'Only events after this time: a date, a time, or an age such as 1w',
    }),
    until: valueFlag('--until', parsePointInTime, {
      helpValue: 'TIME',
      description: 'Only events before this time, written like --since',
    }),
    ...queryFlags(listOrganizationAuditLog.query),
    follow: Flags.boolean({ description: 'Keep printing new events' }),
    interval: valueFlag('--interval', parseTimeout, {
      helpValue: 'DURATION',
      description: 'Pause between the requests of --follow (default: 30s)',
    }),
    ...listFlags('.action == "repo.destroy"'),
  };

  protected override readonly columns: readonly Column<AuditEvent>[] = [
    { header: 'When', get: happened, as: 'age', priority: 1 },
    { header: 'Actor', get: 'actor', as: 'name', priority: 1 },
    { header: 'Action', get: 'action', priority: 1 },
    { header: 'Target', get: target, as: 'name', priority: 1 },
    { header: 'Organization', get: 'org', priority: 3 },
  ];
  protected override readonly recordsName = 'events';
  protected override readonly recordsVary = true;
  protected override readonly timeOf = happened;
  protected override readonly idField = '_document_id';

  async run() {
    const { args, flags } = await this.collect(AuditLogList);
    if (args.org !== undefined && flags.enterprise !== undefined)
      this.problems.push(invalid('ORG and --enterprise', 'cannot be used together'));
    const isNamed = args.org !== undefined || flags.enterprise !== undefined;
    const { enterprise = flags.enterprise, org = args.org } = isNamed
      ? {}
      : await this.input.missingArgumentOrFlag('org', 'enterprise');
    if (enterprise !== undefined && flags.repo && !flags.repo.includes('/'))
      this.problems.push(invalid('--repo', 'must be OWNER/NAME with --enterprise'));
    const now = this.runtime.terminal.now().getTime();
    if (isReversed(flags.since, flags.until, now)) this.problems.push(invalid('--until', 'must not be before --since'));
    if (flags.follow) this.prepareFollowing(flags);
    else if (flags.interval !== undefined) this.problems.push(invalid('--interval', 'requires --follow'));
    const { phrase, ...others } = (await this.inputFor(listOrganizationAuditLog, flags)).query ?? {};
    const search = searchPhrase(phrase, { ...flags, org: org ?? undefined, now });
    if (search !== undefined && flags.debug) this.notice(`Search phrase: ${search}`);
    const query = { ...(search !== undefined && { phrase: search }), ...others };
    const list = (query: object, cut: ListFlags) =>
      enterprise === undefined
        ? this.list(listOrganizationAuditLog, { path: { org: this.valid({ org }).org as string }, query }, cut)
        : this.list(listEnterpriseAuditLog, { path: { enterprise }, query }, cut);
    if (!flags.follow) return list(query, flags);
    const ask = (cut: ListFlags) => list({ ...query, order: 'desc' }, cut);
    return new Listing(this.follow(ask, flags, flags.interval ?? halfMinute), { limit: undefined, isEndless: true });
  }

  /**
   * Rejects flags that --follow does not support: other orders and positions, and formats that need all records at
   * once.
   */
  private prepareFollowing(flags: Readonly<Record<string, unknown>>): void {
    for (const name of ['order', 'after', 'before', 'all', 'page'])
      if (flags[name] !== undefined && flags[name] !== false)
        this.problems.push(invalid(`--${name}`, 'cannot be used with --follow'));
    const format = flags.json ? 'json' : flags.output;
    if (format === 'json' || format === 'yaml' || (flags.jq !== undefined && format !== 'ndjson'))
      this.problems.push(invalid('--follow', 'requires -o table, tsv, csv or ndjson, and with --jq -o ndjson'));
  }

  /** Yields the latest events and then, after each pause, new ones, oldest first. */
  private async *follow(
    ask: (cut: ListFlags) => Promise<Listing<AuditEvent>>,
    flags: ListFlags,
    intervalMs: number,
  ): AsyncGenerator<Page<AuditEvent>> {
    const seen = new Set<string>();
    let listing = await ask(flags);
    for (;;) {
      const items = await unseen(listing, seen);
      if (items.length > 0) yield { items: items.reverse(), more: false };
      await this.runtime.clock.sleep(intervalMs);
      listing = await ask({ all: true });
    }
  }
}

/**
 * Returns new events, newest first, and adds them to `seen`. Stops at the last known event of the first page that has
 * one: late events may appear after known ones, but events after the last are older than the first shown.
 */
async function unseen(listing: Listing<AuditEvent>, seen: Set<string>): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  for await (const page of listing.pages()) {
    const events = [...page];
    const lastKnown = events.findLastIndex((event) => seen.has(identity(event)));
    const recent = lastKnown < 0 ? events : events.slice(0, lastKnown);
    for (const event of recent) if (!seen.has(identity(event))) found.push(event);
    if (lastKnown >= 0) break;
  }
  for (const event of found.toReversed()) seen.add(identity(event));
  for (const oldest of seen) {
    if (seen.size <= mostRemembered) break;
    seen.delete(oldest);
  }
  return found;
}

const identity = (event: AuditEvent): string => event._document_id ?? JSON.stringify(event);

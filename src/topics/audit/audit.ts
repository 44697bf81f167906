/** Audits organizations with their repositories, and enterprises. Read-only. */
import type { Failure } from '../../cli/report/report.ts';
import type { Client } from '../../client/client.ts';
import { isRefusedInstallation } from '../../client/errors.ts';
import { masked } from '../../client/redact.ts';
import { Reader, type RequestCounts } from '../../fleet/policy/live/requests.ts';
import { readAll } from '../../fleet/read-all.ts';
import { FleetRun } from '../../fleet/runner.ts';
import { inShard, type Shard } from '../../fleet/shard.ts';
import type { Check, Context, Fact, Severity, VisibilityLimits } from '../../foresight/audit/check.ts';
import { judged, readingsOf, type Thresholds } from '../../foresight/audit/evaluate.ts';
import { compareTargets, type Finding } from '../../foresight/audit/finding.ts';
import { type AuditedRepository, repositoryFields } from '../../foresight/audit/readings.ts';
import { fieldsUsed } from '../../jq/fields-used.ts';
import { RecordFilter } from '../../jq/record-filter.ts';
import { maskSecrets } from '../../output/secrets.ts';
import { Facts, type OtherFacts } from './facts.ts';
import { type AuditedOwner, type Owner, type RepositoryCounts, targetOf } from './owners.ts';
import { enterpriseReaders } from './readers/enterprise.ts';
import { organizationReaders } from './readers/organization.ts';
import type { OwnerReader, Readers, RepositoryReader } from './readers/reader.ts';
import { repositoryReaders } from './readers/repository.ts';

export interface AuditOptions {
  readonly client: Client;
  readonly checks: readonly Check[];
  readonly thresholds: Thresholds;
  readonly visibilityLimits: VisibilityLimits;
  readonly withRepositories: boolean;
  readonly deep: boolean;
  /** A jq expression that selects repositories. */
  readonly where: string | undefined;
  readonly whereTimeoutMs: number | undefined;
  readonly shard: Shard | undefined;
  readonly concurrency: number | undefined;
  /** As in plans. */
  readonly rateLimitGroup: ((target: string) => string) | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly describe: (error: unknown) => Promise<Failure>;
  /** Receives the findings of each target, passes included; targets come in no order. */
  readonly found: (target: string, findings: readonly Finding[]) => void;
  readonly progress: (done: number, total: number) => void;
}

export interface Audited {
  /** In the order given. */
  readonly owners: readonly AuditedOwner[];
  readonly requests: RequestCounts;
}

/** Audits owners. Throws the errors that concern all of them. */
export async function auditOwners(owners: readonly Owner[], options: AuditOptions): Promise<Audited> {
  const reader = new Reader(options.client);
  const audited = new Map<Owner, AuditedOwner>();
  const { rateLimitGroup } = options;
  let failure: unknown;
  const run = new FleetRun<Owner, AuditedOwner, Failure>({
    targets: owners,
    name: targetOf,
    rateLimitGroup: rateLimitGroup && (({ name }) => rateLimitGroup(name)),
    work: (owner) => new OwnerAudit(owner, reader.forTask(), options).result(),
    describe: async (error) => {
      failure ??= error;
      return { ...(await options.describe(error)), stops: true };
    },
    // Without rate limit groups, organizations are read one after the other.
    concurrency: rateLimitGroup ? undefined : 1,
  });
  for await (const outcome of run) if (outcome.status === 'ok') audited.set(outcome.target, outcome.result);
  if (failure !== undefined) throw failure;
  return { owners: owners.flatMap((owner) => audited.get(owner) ?? []), requests: reader.counts };
}

/** Checks with the readings that they need. */
interface Judgement {
  readonly checks: readonly Check[];
  readonly readings: readonly string[];
}

const judgementOf = (checks: readonly Check[]): Judgement => ({ checks, readings: readingsOf(checks) });

const ofRepository: Readers<RepositoryReader> = repositoryReaders;

class OwnerAudit {
  readonly #owner: Owner;
  readonly #reader: Reader;
  readonly #options: AuditOptions;
  readonly #facts: Facts;

  constructor(owner: Owner, reader: Reader, options: AuditOptions) {
    this.#owner = owner;
    this.#reader = reader;
    this.#options = options;
    const { where, describe, now } = options;
    const used = where === undefined ? [] : fieldsUsed(where);
    const readers: Readers<OwnerReader> = owner.kind === 'enterprise' ? enterpriseReaders : organizationReaders;
    const fields = used && [...new Set([...repositoryFields, ...used])].toSorted();
    const context = { reader, owner: owner.name, now, fields };
    this.#facts = new Facts({ fetch: (name, other) => readers[name]?.({ ...context, other }), describe });
  }

  async result(): Promise<AuditedOwner> {
    const name = targetOf(this.#owner);
    const unreadable = await this.#whyUnreadable();
    if (unreadable !== undefined) return { name, unreadable };
    const { shard, withRepositories } = this.#options;
    if (!shard || inShard(name, shard))
      await this.#judge(judgementOf(this.#checks(this.#owner.kind)), name, this.#facts);
    const ofRepositories = this.#checks('repository');
    if (!withRepositories || this.#owner.kind === 'enterprise' || ofRepositories.length === 0) return { name };
    const repositories = await this.#repositories(ofRepositories);
    return { name, ...(repositories && { repositories }) };
  }

  /** An organization that the caller cannot see has no findings. */
  async #whyUnreadable(): Promise<string | undefined> {
    if (this.#owner.kind === 'enterprise') return undefined;
    try {
      const organization = await this.#facts.get('organization');
      return 'unreadable' in organization ? organization.unreadable : undefined;
    } catch (error) {
      if (!isRefusedInstallation(error)) throw error;
      return error.message.replace(/\.$/, '');
    }
  }

  #checks(scope: Check['scope']): readonly Check[] {
    return this.#options.checks.filter((each) => each.scope === scope);
  }

  async #judge({ checks, readings }: Judgement, target: string, facts: Facts): Promise<void> {
    const { now, thresholds, visibilityLimits, found } = this.#options;
    const context: Context = { target, owner: this.#owner.name, now, visibilityLimits };
    const read = await facts.all(readings);
    found(
      target,
      checks.flatMap((check) => judged(check, read, context, thresholds) ?? []),
    );
  }

  async #repositories(checks: readonly Check[]): Promise<RepositoryCounts | undefined> {
    const { shard, concurrency, progress, found, describe, deep } = this.#options;
    const listed = (await this.#facts.get('repositories')) as Fact<readonly AuditedRepository[]>;
    if ('unreadable' in listed) {
      found(
        targetOf(this.#owner),
        checks.map(({ id, severity }) => unlisted(id, severity, targetOf(this.#owner), listed.unreadable)),
      );
      return undefined;
    }
    const open = listed.value.filter(({ archived }) => !archived);
    const selected = await this.#selected(open);
    const mine = shard ? selected.filter(({ full_name: name }) => inShard(name, shard)) : selected;
    // In the order of reports, for which findings then take little memory.
    const sorted = mine.toSorted(({ full_name: a }, { full_name: b }) => compareTargets(a, b));
    const judgement = judgementOf(checks);
    const audit = async (repository: AuditedRepository) => {
      const context = { reader: this.#reader.forTask(), repository, deep };
      const fetch = (name: string, other: OtherFacts) => ofRepository[name]?.({ ...context, other });
      const facts = new Facts({ fetch, describe, around: this.#facts });
      await this.#judge(judgement, repository.full_name, facts);
    };
    let done = 0;
    for await (const _ of readAll(sorted, audit, concurrency)) progress(++done, mine.length);
    return {
      audited: mine.length,
      archived: listed.value.length - open.length,
      not_selected: open.length - selected.length,
    };
  }

  async #selected(repositories: readonly AuditedRepository[]): Promise<readonly AuditedRepository[]> {
    const { where, whereTimeoutMs } = this.#options;
    if (where === undefined) return repositories;
    const filter = new RecordFilter(where, {
      timeoutMs: whereTimeoutMs,
      mask: (records) => maskSecrets(records, masked),
    });
    const indices = await filter.matching(repositories, (index) => repositories[index]?.full_name ?? '');
    return indices.flatMap((index) => repositories[index] ?? []);
  }
}

/** The finding of a check of repositories if these cannot be listed. */
const unlisted = (check: string, severity: Severity, target: string, reason: string): Finding => ({
  check,
  severity,
  target,
  status: 'unreadable',
  message: `The repositories cannot be listed: ${reason}.`,
  evidence: [],
});

/** Plans the changes that make organizations match their policies. Read-only. */
import * as v from 'valibot';
import type { Client } from '../../../client/client.ts';
import { isRefusedInstallation } from '../../../client/errors.ts';
import { getAuthenticatedUser } from '../../../platform/endpoints/accounts.ts';
import { getApp } from '../../../platform/endpoints/apps.ts';
import { getOrganization } from '../../../platform/endpoints/orgs.ts';
import type { App, AuthenticatedUser, Organization } from '../../../platform/records.ts';
import type { Given } from '../../../platform/validate.ts';
import { fieldsOf } from '../../diff.ts';
import { readAll } from '../../read-all.ts';
import { FleetRun, type TargetError } from '../../runner.ts';
import { ExpectationError } from '../errors.ts';
import type { KindDeclaration } from '../kinds/kind.ts';
import { kindNamed, kindsOf } from '../kinds/lookup.ts';
import { propertyValues } from '../kinds/properties.ts';
import { propertyDefinitions } from '../kinds/property-definitions.ts';
import { declaresProperty } from '../kinds/property-schema.ts';
import { byTarget, countOf, isRefused, isStep, type PlannedChange } from '../live/change.ts';
import { type OwnerReadings, ownerReadings } from '../live/owner-readings.ts';
import { checked, shape } from '../live/record-shapes.ts';
import { Reader, type RequestCounts } from '../live/requests.ts';
import { wantedOfOwner, wantedOfRepositories } from '../wanted/combine.ts';
import { createdBy } from '../wanted/created.ts';
import type {
  Candidate,
  ListedRepository,
  OwnerPolicy,
  Policy,
  RepositoryEntry,
  Selector,
  WantedTarget,
} from '../wanted/model.ts';
import { type Place, type Placed, PolicyError, placeText, sourceText } from '../wanted/placed.ts';
import { fieldsRead, select } from '../wanted/select.ts';
import { kindOfTarget, targetOfOwner } from '../wanted/target.ts';
import { digestOfPlan, digestOfPolicy } from './digest.ts';
import { secondsFor } from './estimate.ts';

export interface PolicyPlan {
  /** Version of the format. */
  readonly plan: 2;
  /** Base URL of the platform. */
  readonly platform: string;
  /**
   * Who planned: a login, or an app, such as app:deployer. Null without a token, and for the token of an installation that
   * was created elsewhere.
   */
  readonly identity: string | null;
  /** Logins, and enterprises as enterprise:sandbox. */
  readonly organizations: readonly string[];
  /** Digest of what the policy declares, however it is split into files. */
  readonly policy_digest: string;
  /** SHA-256 of the saved plan without this digest: equal for equal policies, live states and identities. */
  readonly digest: string;
  readonly changes: readonly PlannedChange[];
  readonly summary: PlanSummary;
  /** The repositories of organizations whose policy has selectors, sorted by organization. */
  readonly selections: readonly RepositorySelection[];
  readonly requests: RequestCounts;
  /** How long the changes take at the rate limits of the platform; absent if it announces none. */
  readonly estimated_seconds?: number;
}

export interface RepositorySelection {
  readonly organization: string;
  /** The number of repositories that selectors select, without archived ones. */
  readonly selected: number;
  /** The number of repositories that the organization has. */
  readonly of: number;
  /** The number of archived repositories that meet all other conditions of selectors; they take no changes. */
  readonly archived: number;
}

export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  /** Deletions and resets, with those of undeclared objects, which only `--prune` makes. */
  readonly delete: number;
  /** Organizations and repositories without a change. */
  readonly unchanged: number;
  /** Archived repositories, which take no changes. */
  readonly skipped: number;
  /** Objects that are left unchanged: unreadable, unresolved and ambiguous ones. */
  readonly unreadable: number;
}

export interface PlanOptions {
  readonly client: Client;
  /** The number of repositories read concurrently. */
  readonly concurrency?: number | undefined;
  /** Describes an error of an organization. */
  readonly describe: (error: unknown) => TargetError | Promise<TargetError>;
  /** Names the limits that an organization depends on; see `RunOptions.rateLimitGroup`. Absent: all depend on the same. */
  readonly rateLimitGroup?: ((target: string) => string) | undefined;
  /** In milliseconds: limit on each jq expression of the policy (default: 10 s). */
  readonly whereTimeoutMs?: number | undefined;
  /** Receives notices that are not errors, such as a pattern that matches nothing. */
  readonly warn: (text: string) => void;
}

/**
 * Returns the plan of a policy. Throws PolicyError for conflicting entries, ExpectationError, and the client's errors.
 */
export async function planPolicy(policy: Policy, options: PlanOptions): Promise<PolicyPlan> {
  const reader = new Reader(options.client);
  const identity = await identityOf(options.client, reader);
  const { changes, selections } = await changesOf(policy, reader, { ...options, identity });
  const seconds = secondsOf(changes, reader, options);
  const plan = {
    plan: 2,
    platform: options.client.platform.baseUrl,
    identity,
    organizations: policy.owners.map(targetOfOwner),
    policy_digest: digestOfPolicy(policy),
    changes,
    summary: summaryOf(changes, selections, policy.owners.length),
  } as const;
  return {
    ...plan,
    digest: digestOfPlan(plan),
    selections,
    requests: reader.counts,
    ...(seconds !== undefined && { estimated_seconds: seconds }),
  };
}

interface IdentifiedPlan extends PlanOptions, Pick<PolicyPlan, 'identity'> {}

/** Plans the organizations. Returns their changes by target, and their selections by name. Throws as `planPolicy` does. */
async function changesOf(
  policy: Policy,
  reader: Reader,
  options: IdentifiedPlan,
): Promise<Pick<PolicyPlan, 'changes' | 'selections'>> {
  const changes: PlannedChange[] = [];
  const selections: RepositorySelection[] = [];
  const { rateLimitGroup } = options;
  let failure: unknown;
  const owners = new FleetRun<OwnerPolicy, OwnerChanges, TargetError>({
    targets: policy.owners,
    name: ({ name }) => name,
    rateLimitGroup: rateLimitGroup && (({ name }) => rateLimitGroup(name)),
    work: async (owner) => {
      try {
        return await new OwnerPlan(owner, reader.forTask(), options).changes();
      } catch (error) {
        if (policy.owners.length === 1 || !isRefusedInstallation(error)) throw error;
        return { changes: [refusedOwner(owner, error)] };
      }
    },
    describe: async (error) => {
      failure ??= error;
      return { ...(await options.describe(error)), stops: true };
    },
    // Without rate limit groups, organizations are read one after the other.
    concurrency: rateLimitGroup ? undefined : 1,
  });
  for await (const outcome of owners) {
    if (outcome.status !== 'ok') continue;
    const { selection } = outcome.result;
    for (const change of outcome.result.changes) changes.push(change);
    if (selection) selections.push(selection);
  }
  if (failure !== undefined) throw failure;
  changes.sort(byTarget);
  selections.sort((a, b) => (a.organization.toLowerCase() < b.organization.toLowerCase() ? -1 : 1));
  return { changes, selections };
}

function summaryOf(
  changes: readonly PlannedChange[],
  selections: readonly RepositorySelection[],
  owners: number,
): PlanSummary {
  const sum = (of: 'selected' | 'archived') => selections.reduce((all, { [of]: number }) => all + number, 0);
  const changed = changes.filter(({ action }) => action !== 'unverified').map(({ target }) => target.toLowerCase());
  return {
    ...countOf(changes),
    unchanged: owners + sum('selected') - new Set(changed).size,
    skipped: sum('archived'),
    unreadable: changes.filter(isRefused).length,
  };
}

/** Returns how long the changes take, which is the time of the slowest rate limit group. Undefined without a quota. */
function secondsOf(
  changes: readonly PlannedChange[],
  { quota }: Reader,
  { rateLimitGroup }: PlanOptions,
): number | undefined {
  const groups = Map.groupBy(changes.filter(isStep), ({ target }) => rateLimitGroup?.(target));
  return quota && Math.max(0, ...[...groups.values()].map((steps) => secondsFor(steps, quota)));
}

const authenticatedApp = checked(getApp, shape<App>({ id: v.number(), slug: v.optional(v.string()) }));
const organization = checked(getOrganization, shape<Organization>({ id: v.number() }));
const authenticatedUser = checked(getAuthenticatedUser, shape<AuthenticatedUser>({ login: v.optional(v.string()) }));

/** Returns who the token belongs to; null if that is unknown. */
export async function identityOf({ credential }: Client, reader: Reader): Promise<string | null> {
  if (!credential) return null;
  if ('authorize' in credential) {
    const app = await reader.get(authenticatedApp, {});
    return 'value' in app ? `app:${app.value.slug ?? app.value.id}` : null;
  }
  const user = await reader.get(authenticatedUser, {});
  return 'value' in user ? (user.value.login ?? null) : null;
}

/** Returns the only line of an organization whose installation is missing or suspended. */
const refusedOwner = (owner: OwnerPolicy, { message }: Error): PlannedChange => ({
  action: 'unreadable',
  kind: (kindsOf(targetOfOwner(owner))[0] as KindDeclaration).name,
  target: targetOfOwner(owner),
  name: '',
  source: sourceText(owner.place),
  changes: [],
  reason: message.replace(/\.$/, ''),
});

interface OwnerChanges {
  readonly changes: readonly PlannedChange[];
  /** Absent without selectors. */
  readonly selection?: RepositorySelection;
}

const isOfPeople = ({ takesAccess }: KindDeclaration): boolean => takesAccess !== undefined;

/** The plan of one organization and its repositories. */
class OwnerPlan {
  readonly #owner: OwnerPolicy;
  readonly #options: IdentifiedPlan;
  readonly #readings: OwnerReadings;

  constructor(owner: OwnerPolicy, reader: Reader, options: IdentifiedPlan) {
    this.#owner = owner;
    this.#options = options;
    const fields = fieldsRead(owner.repositories.map((entry) => entry.select));
    const { identity, warn } = options;
    this.#readings = ownerReadings({ reader, owner: owner.name, identity: identity ?? undefined, fields, warn });
  }

  async changes(): Promise<OwnerChanges> {
    const own = await this.#changesOf(wantedOfOwner(this.#owner), this.#readings);
    if (this.#owner.repositories.length === 0) return { changes: own };
    const { targets, selection } = await this.#selected();
    const changes = [...own];
    const readings = () => ({ ...this.#readings, reader: this.#readings.reader.forTask() });
    const read = (wanted: WantedTarget) => this.#changesOf(wanted, readings(), own);
    for await (const planned of readAll(targets, read, this.#options.concurrency))
      for (const change of planned) changes.push(change);
    return { changes, selection };
  }

  async #changesOf(
    wanted: WantedTarget,
    readings: OwnerReadings,
    ofOwner: readonly PlannedChange[] = [],
  ): Promise<PlannedChange[]> {
    const isOwner = kindOfTarget(wanted.target) === 'organization';
    const kinds = kindsOf(wanted.target);
    const ofKinds = new Map<KindDeclaration, readonly PlannedChange[]>();
    // The rulesets of an organization name its teams.
    for (const kind of isOwner ? kinds.toSorted((a, b) => Number(isOfPeople(b)) - Number(isOfPeople(a))) : kinds) {
      const planned = await kind.plan(wanted, readings, isOwner ? [...ofKinds.values()].flat() : ofOwner);
      ofKinds.set(kind, planned);
      // Nothing can be made in a repository that cannot be created.
      if (wanted.isNew && kind.createsTarget && planned.some(isRefused)) break;
    }
    const changes = kinds.flatMap((kind) => ofKinds.get(kind) ?? []);
    if (wanted.isNew) return changes.map(ofNewRepository);
    if (isOwner) return this.#withOrganizationId(changes, readings);
    const { id } = wanted;
    return id === undefined ? changes : changes.map((change) => ({ ...change, repository_id: id }));
  }

  /** Returns changes of an organization with its ID, which is read only if they can be made; without it, none can be. */
  async #withOrganizationId(changes: PlannedChange[], { reader }: OwnerReadings): Promise<PlannedChange[]> {
    if (!changes.some((change) => isStep(change) || change.action === 'unverified')) return changes;
    const read = await reader.get(organization, { path: { org: this.#owner.name } });
    if ('value' in read) return changes.map((change) => ({ ...change, organization_id: read.value.id }));
    const reason = `${this.#owner.name} cannot be identified (${read.unreadable})`;
    return changes.map((change) => {
      const { kind, target, name, source } = change;
      return isRefused(change) ? change : { action: 'unreadable', kind, target, name, source, changes: [], reason };
    });
  }

  /** Returns the wanted state of each repository that an entry selects. */
  async #selected(): Promise<{ targets: readonly WantedTarget[]; selection: RepositorySelection }> {
    const { name, repositories: entries } = this.#owner;
    const listed = await this.#readings.repositories();
    if ('unreadable' in listed)
      throw new PolicyError(
        entries.map(({ place }) => ({
          place,
          message: `the repositories of ${name} cannot be listed (${listed.unreadable})`,
        })),
      );
    await this.#requireProperties(entries);
    const usesProperties = entries.some(({ select: { properties, where } }) => properties ?? where);
    const values = usesProperties ? await this.#readings.shared(propertyValues) : undefined;
    if (values && 'unreadable' in values && entries.some(({ select }) => select.properties))
      throw new PolicyError([
        { place: entries[0]?.place as Place, message: `properties of ${name} cannot be read (${values.unreadable})` },
      ]);
    const known = values && 'value' in values ? values.value : new Map<string, Given>();
    const propertiesOf = ({ full_name }: ListedRepository) => known.get(full_name.toLowerCase()) ?? {};
    const candidates = usesProperties
      ? listed.value.map((repository) => ({ ...repository, custom_properties: propertiesOf(repository) }))
      : listed.value;
    const wanting = new Map<Candidate, RepositoryEntry[]>();
    const skipped = new Set<Candidate>();
    const limits = { timeoutMs: this.#options.whereTimeoutMs };
    const created = createdBy(this.#owner, listed.value);
    for (const entry of entries) {
      if (entry.select.where) await this.#warnOfUndecided(entry.select, created);
      const all = entry.select.where ? candidates : [...candidates, ...created];
      const { selected, archived, unmatched } = await select(entry.select, all, limits);
      for (const repository of archived) skipped.add(repository);
      for (const { value, place } of unmatched)
        this.#options.warn(`${placeText(place)}: ${value} matches no repository of ${name}.`);
      requireExpected(name, entry.select, selected.length);
      for (const repository of selected) wanting.set(repository, [...(wanting.get(repository) ?? []), entry]);
    }
    for (const repository of wanting.keys()) skipped.delete(repository);
    const targets = wantedOfRepositories(name, wanting);
    const of = listed.value.length + created.length;
    return { targets, selection: { organization: name, selected: targets.length, of, archived: skipped.size } };
  }

  /** Warns of repositories that do not exist yet, and may meet a condition that cannot be decided before. */
  async #warnOfUndecided({ where, ...selector }: Selector, created: readonly Candidate[]): Promise<void> {
    const { selected } = await select({ ...selector, where: undefined }, created);
    for (const { full_name: name } of selected)
      this.#options.warn(
        `${placeText((where as Placed).place)}: whether where selects ${name} is known once it exists. Plan again after the apply.`,
      );
  }

  /** Throws PolicyError for properties of selectors that the organization does not have. */
  async #requireProperties(entries: readonly RepositoryEntry[]): Promise<void> {
    const named = entries.flatMap(({ select: { properties } }) => [...(properties ?? [])]);
    const [first] = named;
    if (!first) return;
    const { name: org } = this.#owner;
    const defined = await this.#readings.shared(propertyDefinitions);
    if ('unreadable' in defined) {
      const message = `properties of ${org} cannot be read (${defined.unreadable})`;
      throw new PolicyError([{ place: first[1].place, message }]);
    }
    const missing = named.filter(([name]) => !defined.value.has(name.toLowerCase()));
    const problems = missing
      .filter(([name]) => !declaresProperty(this.#owner, name))
      .map(([name, { place }]) => ({ place, message: `no property “${name}” in ${org}` }));
    if (problems.length) throw new PolicyError(problems.slice(0, mostProblems));
    for (const [name, { place }] of missing)
      this.#options.warn(
        `${placeText(place)}: property “${name}” selects no repository of ${org} until it is defined.`,
      );
  }
}

/**
 * Returns a change of a repository that the same plan creates. Other updates than of the repository itself start from whatever
 * it has, which protects nothing yet.
 */
function ofNewRepository(change: PlannedChange): PlannedChange {
  if (change.action !== 'update' || kindNamed(change.kind).createsTarget) return { ...change, new_repository: true };
  const { body, sent: _, between: __, ...rest } = change;
  return { ...rest, body, new_repository: true, changes: fieldsOf(body), effect: 'neutral', before: {} };
}

/** A conflict of two entries concerns each repository that both select. */
const mostProblems = 20;

function requireExpected(owner: string, { expect }: Selector, count: number): void {
  if (!expect || (count >= expect.least && count <= expect.most)) return;
  const { place, least, most } = expect;
  const expected = least === most ? least : `${least}..${most}`;
  const noun = most === 1 ? 'repository' : 'repositories';
  throw new ExpectationError(
    `${place.file}:${place.line} expects ${expected} ${noun} of ${owner}, and selects ${count}. Nothing was written.`,
  );
}

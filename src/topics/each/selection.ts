/** The targets that a run of `each` selects: listed, or read from a file. */

import type { Session } from '../../cli/command/session.ts';
import { GuardError } from '../../cli/errors.ts';
import { largestSnapshot, readSource, nameOf as sourceName } from '../../cli/input/sources.ts';
import { Listing } from '../../cli/result/listing.ts';
import { tellingProgress } from '../../cli/result/listing-progress.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { isSameName, refuseRename } from '../../client/moves.ts';
import { invalidResponse } from '../../client/response.ts';
import { Limiter } from '../../client/transport/limiter.ts';
import { inShard, type Shard } from '../../fleet/shard.ts';
import { isObject } from '../../json/exact-json.ts';
import { counted } from '../../output/amounts.ts';
import { listAppInstallations } from '../../platform/endpoints/apps.ts';
import { listOrganizations } from '../../platform/endpoints/orgs.ts';
import { listOrganizationRepositories } from '../../platform/endpoints/repos.ts';
import type { Given } from '../../platform/validate.ts';
import { platformFilter, type RepositoryFilters, repositoryFilter } from '../repos/filters.ts';
import type { EarlierRun } from '../runs/earlier-run.ts';
import { concernsOneInstallation, installedOn, usesEachInstallation } from '../runs/installations.ts';
import { requireSameTargets, targetsOfEarlier } from './resume.ts';
import {
  distinct,
  type ExpectedCount,
  expectedText,
  identified,
  idIn,
  idInFile,
  nameOf,
  recordsIn,
  samplesOf,
  type Target,
  targetsIn,
} from './targets.ts';

/** Organizations whose repositories are listed at the same time. */
const listsAtOnce = 8;

export type NameOf<T> = (record: T) => string | undefined;

/** Returns the records of a list that a jq expression selects. */
export type Select = <T>(list: Listing<T>, where: string, nameOf: NameOf<T>) => Promise<Listing<T>>;

interface SelectionOptions {
  readonly session: Session;
  readonly runtime: Runtime;
  readonly kind: string | undefined;
  readonly orgs: readonly string[];
  readonly flags: RepositoryFilters & {
    readonly from?: string | undefined;
    readonly where?: string | undefined;
    readonly 'all-installations': boolean;
  };
  readonly select: Select;
  /** Whether the command may change the targets. */
  readonly writes: boolean;
  /** The run to continue: nothing is listed again. */
  readonly earlier: EarlierRun | undefined;
}

export class TargetSelection {
  /** Organizations whose repositories cannot be listed, in place of these. */
  readonly unlisted = new Map<string, Error>();
  readonly #with: SelectionOptions;
  #read: readonly Target[] | undefined;
  readonly #idsRead = new Map<string, number>();
  readonly #idsListed = new Map<string, number>();
  /** Those that were read, or are in the journal to continue. */
  #known: readonly Target[] | undefined;

  constructor(options: SelectionOptions) {
    this.#with = options;
  }

  /** Reads the file with the targets, if there is one, and returns a target of each kind or a sample name. */
  async samples(): Promise<readonly string[]> {
    const { kind, orgs, flags, earlier } = this.#with;
    const { from, where } = flags;
    const read = from === undefined ? undefined : identified(await this.#targetsOf(from, where));
    if (earlier && read) requireSameTargets(earlier, read);
    this.#read = read;
    for (const { name, id } of read ?? []) if (id !== undefined) this.#idsRead.set(name, id);
    this.#known = earlier ? targetsOfEarlier(earlier, this.unlisted) : read;
    if (!this.#known) return [kind === 'orgs' ? (orgs[0] ?? 'ORG') : `${orgs[0] ?? 'ORG'}/NAME`];
    return samplesOf(this.#known.filter(({ name }) => !this.unlisted.has(name)));
  }

  /** Returns the ID that a target must have to be changed, from the journal to resume or from the file. */
  idOf(target: string): number | undefined {
    return this.#with.earlier?.state.idOf(target) ?? this.#idsRead.get(target);
  }

  /** Returns the ID that a target must have for a write to be repeated, also from a list. */
  listedIdOf(target: string): number | undefined {
    return this.idOf(target) ?? this.#idsListed.get(target);
  }

  /** Returns the number of targets of all shards, as read or as in the run to resume. */
  countOf(all: readonly Target[]): number {
    return this.#read?.length ?? this.#with.earlier?.state.totalCount ?? all.length;
  }

  /** Returns the targets of the journal or the file, or lists them and keeps some fields of their records. */
  async targets(fields: readonly string[]): Promise<readonly Target[]> {
    if (this.#known) return this.#known;
    const { kind } = this.#with;
    const listed = distinct(kind === 'orgs' ? await this.#organizations(fields) : await this.#repositories(fields));
    for (const { name, id } of listed) if (id !== undefined) this.#idsListed.set(name, id);
    return listed;
  }

  /** Returns the targets of a file; with --where, those of its records that it selects. */
  async #targetsOf(source: string, where: string | undefined): Promise<readonly Target[]> {
    const text = await readSource(source, this.#with.runtime.stdin, '--from', largestSnapshot);
    const name = source === '-' ? 'standard input' : sourceName(source, '--from');
    if (where === undefined)
      return targetsIn(text, name).map(({ name, record }) => targetOf(name, record, recordOf, idInFile));
    const records = Listing.of<unknown>(recordsIn(text, name));
    return this.#named(records, { where, nameOf, idOf: idInFile, what: 'targets', keep: recordOf });
  }

  async #organizations(fields: readonly string[]): Promise<readonly Target[]> {
    const { session, orgs, flags } = this.#with;
    if (orgs.length > 0) return orgs.map((name) => ({ name }));
    if (flags['all-installations']) return this.#installed(flags.where);
    const path = listOrganizations.template;
    const list = await session.list(listOrganizations, {}, { all: true }, {});
    const what = 'organizations';
    const options = { where: flags.where, nameOf: namedIn(path), what, keep: keeping(fields) };
    const named = await this.#named(list, options);
    if (this.#with.writes) requireListed(named, path);
    return named;
  }

  async #repositories(fields: readonly string[]): Promise<readonly Target[]> {
    const { session, orgs, flags } = this.#with;
    const isAll = flags['all-installations'];
    const several = usesEachInstallation(await session.connection()) && (isAll || orgs.length > 1);
    const what = orgs.length === 1 ? `repositories of ${orgs[0]}` : 'repositories';
    const options = { where: flags.where, what, keep: keeping(fields), together: [] };
    const query = { type: platformFilter(flags) };
    const matches = repositoryFilter(flags, this.#with.runtime.terminal.now());
    const places = new Limiter(listsAtOnce);
    const repositories = async (org: string) => {
      try {
        const list = await session.list(
          listOrganizationRepositories,
          { path: { org }, query },
          { all: true },
          { matches },
        );
        const path = `/orgs/${org}/repos`;
        const named = await this.#named(list, { ...options, nameOf: namedIn(path) });
        if (this.#with.writes) requireListed(named, path, org);
        return named;
      } catch (error) {
        if (!several || !concernsOneInstallation(error)) throw error;
        this.unlisted.set(org, error as Error);
        return [{ name: org }];
      }
    };
    const listed = isAll ? (await this.#installed(undefined)).map(({ name }) => name) : orgs;
    return (await Promise.all(listed.map((org) => places.run(() => repositories(org))))).flat();
  }

  async #installed(where: string | undefined): Promise<readonly Target[]> {
    const list = await this.#with.session.list(listAppInstallations, {}, { all: true }, {});
    return this.#named(list, { where, nameOf: installedOn, what: 'installations', keep: () => undefined });
  }

  /**
   * Returns the targets that the records of a list name, if --where selects them. The progress line counts the records of
   * all lists that are fetched together.
   */
  async #named<T>(list: Listing<T>, { where, nameOf, idOf, what, keep, together = [] }: Naming<T>): Promise<Target[]> {
    const { select, runtime } = this.#with;
    const { terminal, clock } = runtime;
    const selected = where === undefined ? list : await select(list, where, nameOf);
    together.push(selected);
    const told = {
      pages: () => selected.pages(),
      get seen() {
        return together.reduce((sum, { seen }) => sum + seen, 0);
      },
    };
    const targets: Target[] = [];
    for await (const page of tellingProgress(told, what, { terminal, clock, isPrinted: false }))
      for (const record of page) {
        const name = nameOf(record);
        if (name) targets.push(targetOf(name, record, keep, idOf));
      }
    return targets;
  }
}

/**
 * Returns a function that returns the name in a record of a list. It throws InvalidResponseError for a record without one:
 * a run would leave out its target unseen.
 */
const namedIn =
  (path: string) =>
  (record: unknown): string => {
    const name = nameOf(record);
    if (name === undefined) throw invalidResponse({ method: 'GET', path }, 'a record without a valid name');
    return name;
  };

/**
 * Checks listed targets, which a command may change. Throws InvalidResponseError for one without an ID, and RenamedError if
 * `org` is a former name of the organization that has them.
 */
function requireListed(targets: readonly Target[], path: string, org?: string): void {
  const asked = { method: 'GET', path };
  for (const { name, id } of targets) {
    const [owner = ''] = name.split('/');
    if (org !== undefined && !isSameName(owner, org)) refuseRename({ named: org, current: owner }, asked);
    if (id === undefined) throw invalidResponse(asked, 'a record without a valid id');
  }
}

interface CountFlags {
  readonly expect?: ExpectedCount | undefined;
  readonly shard?: Shard | undefined;
  /** The number of targets of all shards. */
  readonly total: number;
}

/** Returns the targets of the shard. Throws GuardError unless there are as many targets as expected, of all shards. */
export function targetsOfRun(all: readonly Target[], { expect, shard, total }: CountFlags): readonly Target[] {
  if (expect && (total < expect.least || total > expect.most))
    throw new GuardError(
      `Found ${counted(total, 'target')}, but --expect allows ${expectedText(expect)}. Nothing was sent.`,
    );
  return shard ? all.filter(({ name }) => inShard(name, shard)) : all;
}

interface Naming<T> {
  readonly where: string | undefined;
  readonly nameOf: NameOf<T>;
  readonly idOf?: typeof idIn | undefined;
  /** The name of the records, for the progress line. */
  readonly what: string;
  readonly keep: (record: T) => Given | undefined;
  readonly together?: Listing<unknown>[];
}

const targetOf = <T>(name: string, record: T, keep: (record: T) => Given | undefined, idOf = idIn): Target => ({
  name,
  id: idOf(record),
  record: keep(record),
});

const recordOf = (record: unknown): Given | undefined => (isObject(record) ? record : undefined);

/** Returns a function that keeps only some fields of a record: there may be many thousands. */
const keeping =
  (fields: readonly string[]) =>
  (record: unknown): Given | undefined =>
    isObject(record)
      ? Object.fromEntries(fields.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])))
      : undefined;

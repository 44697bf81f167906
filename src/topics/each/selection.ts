/** The targets that a run of `each` selects: listed, or read from a file. */

import type { Session } from '../../cli/command/session.ts';
import { GuardError } from '../../cli/errors.ts';
import { largestSnapshot, readSource, nameOf as sourceName } from '../../cli/input/sources.ts';
import { Listing } from '../../cli/result/listing.ts';
import { tellingProgress } from '../../cli/result/listing-progress.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { Limiter } from '../../client/transport/limiter.ts';
import { inShard, type Shard } from '../../fleet/shard.ts';
import { isObject } from '../../json/exact-json.ts';
import { counted } from '../../output/amounts.ts';
import { listAppInstallations } from '../../platform/endpoints/apps.ts';
import { listOrganizations } from '../../platform/endpoints/orgs.ts';
import { listOrganizationRepositories } from '../../platform/endpoints/repos.ts';
import type { Given } from '../../platform/validate.ts';
import {
  distinct,
  type ExpectedCount,
  nameOf,
  recordsIn,
  repositoryIn,
  samplesOf,
  targetsIn,
} from '../each-targets.ts';
import { concernsOneInstallation, installedOn, usesEachInstallation } from '../installations.ts';
import { platformFilter, type RepositoryFilters, repositoryFilter } from '../repository-filters.ts';

/** Organizations whose repositories are listed at the same time. */
const listsAtOnce = 8;

/** A target, and what is known of it. */
export interface Target {
  readonly name: string;
  /** The ID of a repository, if it is known. */
  readonly id?: number | undefined;
  /** The kept fields of its record; absent for one that is only a name. */
  readonly record?: Given | undefined;
}

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
}

export class TargetSelection {
  /** Organizations whose repositories cannot be listed, in place of these. */
  readonly unlisted = new Map<string, Error>();
  readonly #with: SelectionOptions;
  #inFile: readonly Target[] | undefined;

  constructor(options: SelectionOptions) {
    this.#with = options;
  }

  /** Reads the file with the targets, if there is one, and returns a target of each kind or a name that stands for it. */
  async samples(): Promise<readonly string[]> {
    const { kind, orgs, flags } = this.#with;
    if (flags.from === undefined) return [kind === 'orgs' ? (orgs[0] ?? 'ORG') : `${orgs[0] ?? 'ORG'}/NAME`];
    this.#inFile = distinct(await this.#targetsOf(flags.from, flags.where));
    return samplesOf(this.#inFile);
  }

  /**
   * Returns the targets of the file or the named organizations, or lists them and keeps some fields of their records. `earlier` are those of an earlier
   * run: a deleted or archived repository may no longer be listed.
   */
  async targets(fields: readonly string[], earlier: readonly string[]): Promise<readonly Target[]> {
    if (this.#inFile) return this.#inFile;
    const listed = this.#with.kind === 'orgs' ? await this.#organizations(fields) : await this.#repositories(fields);
    return distinct([...listed, ...earlier.map((name) => ({ name }))]);
  }

  /** Returns the targets of a file; with --where, those of its records that it selects. */
  async #targetsOf(source: string, where: string | undefined): Promise<readonly Target[]> {
    const text = await readSource(source, this.#with.runtime.stdin, '--from', largestSnapshot);
    const name = source === '-' ? 'standard input' : sourceName(source, '--from');
    if (where === undefined) return targetsIn(text, name).map(({ name, record }) => targetOf(name, record, recordOf));
    const records = Listing.of<unknown>(recordsIn(text, name));
    return this.#named(records, { where, nameOf, what: 'targets', keep: recordOf });
  }

  async #organizations(fields: readonly string[]): Promise<readonly Target[]> {
    const { session, orgs, flags } = this.#with;
    if (orgs.length > 0) return orgs.map((name) => ({ name }));
    if (flags['all-installations']) return this.#installed(flags.where);
    const list = await session.list(listOrganizations, {}, { all: true }, {});
    return this.#named(list, { where: flags.where, nameOf, what: 'organizations', keep: keeping(fields) });
  }

  async #repositories(fields: readonly string[]): Promise<readonly Target[]> {
    const { session, orgs, flags } = this.#with;
    const isAll = flags['all-installations'];
    const several = usesEachInstallation(await session.connection()) && (isAll || orgs.length > 1);
    const what = orgs.length === 1 ? `repositories of ${orgs[0]}` : 'repositories';
    const options = { where: flags.where, nameOf, what, keep: keeping(fields), together: [] };
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
        return await this.#named(list, options);
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
  async #named<T>(list: Listing<T>, { where, nameOf, what, keep, together = [] }: Naming<T>): Promise<Target[]> {
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
        if (name) targets.push(targetOf(name, record, keep));
      }
    return targets;
  }
}

/** Returns the targets of the shard. Throws GuardError unless there are as many targets as expected. */
export function targetsOfRun(
  all: readonly Target[],
  { expect, shard }: { readonly expect?: ExpectedCount | undefined; readonly shard?: Shard | undefined },
): readonly Target[] {
  if (expect && (all.length < expect.least || all.length > expect.most))
    throw new GuardError(`${counted(all.length, 'target')} found, which --expect does not allow. Nothing was sent.`);
  return shard ? all.filter(({ name }) => inShard(name, shard)) : all;
}

interface Naming<T> {
  readonly where: string | undefined;
  readonly nameOf: NameOf<T>;
  /** The name of the records, for the progress line. */
  readonly what: string;
  readonly keep: (record: T) => Given | undefined;
  readonly together?: Listing<unknown>[];
}

const targetOf = <T>(name: string, record: T, keep: (record: T) => Given | undefined): Target => ({
  name,
  id: repositoryIn(record)?.id,
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

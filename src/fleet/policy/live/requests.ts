/** The read requests of plans: counted, with the missing permission of refused ones. */
import type { ApiResponse, Client } from '../../../client/client.ts';
import {
  type ApiError,
  type ClientError,
  InstallationRefusedError,
  NotFoundError,
  PermissionError,
  type RequestSummary,
} from '../../../client/errors.ts';
import { refuseRename } from '../../../client/moves.ts';
import type { Platform } from '../../../client/platform.ts';
import { containsKnownSecret } from '../../../client/redact.ts';
import { type Quota, quotaIn } from '../../../client/transport/limits.ts';
import type { RequestWatch } from '../../../client/transport/transport.ts';
import type { InputOf, PagedEndpoint, RecordOf } from '../../../platform/endpoint.ts';
import { type Checked, requireShape } from './record-shapes.ts';

/** A value, or why the caller may not read it. 404 also hides existing objects, so it never means absence. */
export type Reading<T> = { readonly value: T } | Unreadable;

export interface Unreadable {
  readonly unreadable: string;
  /** True for a 404 of a self-managed platform at an endpoint that is documented only for other editions. */
  readonly isElsewhere?: true;
  /** True for a 404. */
  readonly isNotFound?: true;
  /** What the platform says. */
  readonly message?: string;
}

export interface RequestCounts {
  readonly sent: number;
  /** Responses unchanged since an earlier run. */
  readonly not_modified: number;
}

/** What a list says about a record. */
export interface Listed<R> {
  /** When the record was updated last. */
  readonly updatedAt: string;
  /** Whether a cached record is complete, and of that time. */
  readonly matches: (cached: R) => boolean;
}

interface GetOptions<R> {
  readonly listed?: Listed<R> | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** What the requests of a run have in common. */
interface Requests {
  sent: number;
  not_modified: number;
  /** Scopes of the token according to the last response. */
  scopes: string | undefined;
  quota?: Quota | undefined;
}

/**
 * Reads with a client. All methods throw the client's errors, except 403 and 404, and RenamedError for a target whose name
 * redirects to another.
 */
export class Reader {
  readonly #client: Client;
  readonly #requests: Requests;

  constructor(client: Client, requests: Requests = { sent: 0, not_modified: 0, scopes: undefined }) {
    this.#client = client.onRename(refuseRename);
    this.#requests = requests;
  }

  get counts(): RequestCounts {
    const { sent, not_modified } = this.#requests;
    return { sent, not_modified };
  }

  /** True for a token with scopes, which are not limited to permissions. */
  get hasScopes(): boolean {
    return this.#requests.scopes !== undefined;
  }

  /** The quota of the token according to the last response; undefined if the platform announces no rate limits. */
  get quota(): Quota | undefined {
    return this.#requests.quota;
  }

  /** Returns a reader for one of many targets, with its own wait budget. */
  forTask(): Reader {
    return new Reader(this.#client.forTask(), this.#requests);
  }

  /**
   * Reads a record; only some of its fields if they are named. With `listed`, uses the response of an earlier run without a
   * request if the list shows that it is current.
   */
  get<E extends Checked>(
    endpoint: E,
    input: InputOf<E>,
    { listed, fields }: GetOptions<RecordOf<E>> = {},
  ): Promise<Reading<RecordOf<E>>> {
    return this.#reading(async () => {
      const plan = this.#client.plan(endpoint, input);
      const isCurrent =
        listed && ((cached: ApiResponse<unknown>) => this.#isCurrent(cached as ApiResponse<RecordOf<E>>, listed));
      const { data } = await this.#client.send(plan, { watch: this.#watch, isCurrent, fields });
      requireShape(endpoint, data, plan.asked);
      return [data as RecordOf<E>, plan.asked];
    });
  }

  /**
   * Reads a record of which 404 shows that it does not exist, for a token that has read a list of such records; returns
   * undefined then.
   */
  async find<E extends Checked>(endpoint: E, input: InputOf<E>): Promise<Reading<RecordOf<E> | undefined>> {
    const read = await this.get(endpoint, input);
    return 'unreadable' in read && read.isNotFound ? { value: undefined } : read;
  }

  /** Reads all records of a list; only some fields of each if they are named. */
  list<E extends Checked<PagedEndpoint>>(
    endpoint: E,
    input: InputOf<E>,
    fields?: readonly string[],
  ): Promise<Reading<readonly RecordOf<E>[]>> {
    return this.#reading(async () => {
      const all: RecordOf<E>[] = [];
      const ids = new Set<unknown>();
      const options = { perPage: 100, concurrency: pagesAtOnce, fields, watch: this.#watch };
      for await (const { items } of this.#client.pages(endpoint, input, options))
        for (const record of items as Iterable<RecordOf<E>>) {
          // A record that moves to the next page while pages are read is on both.
          const { id } = record as { readonly id?: unknown };
          if (id !== undefined && ids.has(id)) continue;
          ids.add(id);
          all.push(record);
        }
      const { asked } = this.#client.plan(endpoint, input);
      requireShape(endpoint, all, asked);
      return [all, asked];
    });
  }

  readonly #watch: RequestWatch = {
    sending: () => {
      this.#requests.sent++;
    },
    received: (status, headers) => {
      if (status === 304) this.#requests.not_modified++;
      this.#requests.scopes = headers?.['x-oauth-scopes'];
      this.#requests.quota = headers && quotaIn({ headers }, Date.now());
    },
  };

  /** Returns the first record of a list, for which it reads no more than that; undefined for an empty list. */
  first<E extends Checked<PagedEndpoint>>(endpoint: E, input: InputOf<E>): Promise<Reading<RecordOf<E> | undefined>> {
    return this.#reading(async () => {
      const { asked } = this.#client.plan(endpoint, input);
      for await (const { items } of this.#client.pages(endpoint, input, { perPage: 1, watch: this.#watch })) {
        const [record] = [...(items as Iterable<RecordOf<E>>)];
        if (record !== undefined) requireShape(endpoint, [record], asked);
        return [record, asked];
      }
      return [undefined, asked];
    });
  }

  async #reading<T>(read: () => Promise<readonly [value: T, asked: RequestSummary]>): Promise<Reading<T>> {
    try {
      const [value, { method, path }] = await read();
      // Plans, journals and exports contain what was read.
      return containsKnownSecret(value) ? { unreadable: `${method} ${path} returned a secret of this run` } : { value };
    } catch (error) {
      // No object of the organization can be read.
      if (error instanceof InstallationRefusedError) throw error;
      if (!(error instanceof NotFoundError || error instanceof PermissionError)) throw error;
      const editions = error.asked.endpoint?.editions;
      const isNotFound = error instanceof NotFoundError;
      const isElsewhere =
        isNotFound && isSelfManaged(this.#client.platform) && editions?.includes('self-managed') === false;
      return {
        unreadable: whyRefused(error),
        message: error.refusal.message,
        ...(isNotFound && { isNotFound }),
        ...(isElsewhere && { isElsewhere }),
      };
    }
  }

  /** A cached record is current if it was read with the same scopes, and late enough after its update to have no other. */
  #isCurrent<R>({ data, headers }: ApiResponse<R>, { updatedAt, matches }: Listed<R>): boolean {
    const age = Date.parse(headers.date ?? '') - Date.parse(updatedAt);
    return age > settlingMs && headers['x-oauth-scopes'] === this.#requests.scopes && matches(data);
  }
}

/** Public platform, “Using the REST API”: only self-managed platforms have the path. Headers with a version may be removed by proxies. */
const isSelfManaged = ({ baseUrl }: Platform): boolean => /\/api\/v3\/?$/.test(baseUrl);

/** More take longer to parse than to arrive, and their bodies up to a megabyte each. */
const pagesAtOnce = 20;

/** In milliseconds: how long after an update of a record another may have the same time. */
const settlingMs = 2000;

const whyRefused = (error: ApiError): string =>
  `${error.asked.method} ${error.asked.path} returned ${error.refusal.status}${accessText(error)}`;

/** Returns “: needs administration (write)” for a request that was refused; empty if the permission is not known. */
export const accessText = ({ asked }: ClientError): string => permissionText(asked.endpoint?.permission);

/** Returns the permissions of a declaration as text that follows a statement; empty without one. */
export function permissionText(permission: string | undefined): string {
  if (!permission) return '';
  const alternatives = permission.replaceAll(/(\w+)=(\w+)/g, '$1 ($2)').replaceAll(',', ' and ');
  return `: needs ${alternatives.replaceAll('; ', ' or ')}`;
}

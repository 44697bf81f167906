/** The read requests of plans: counted, with the missing permission of refused ones. */
import type { Client } from '../../client/client.ts';
import { type ApiError, type ClientError, NotFoundError, PermissionError } from '../../client/errors.ts';
import type { Endpoint, InputOf, PagedEndpoint, RecordOf } from '../../platform/endpoint.ts';

/** A value, or why the caller may not read it. 404 also hides existing objects, so it never means absence. */
export type Reading<T> = { readonly value: T } | { readonly unreadable: string };

export interface RequestCounts {
  readonly sent: number;
  /** Responses unchanged since an earlier run. */
  readonly notModified: number;
}

/** Reads with a client. All methods throw the client's errors, except 403 and 404. */
export class Reader {
  readonly #client: Client;
  readonly #counts: { sent: number; notModified: number };

  constructor(client: Client, counts = { sent: 0, notModified: 0 }) {
    this.#client = client;
    this.#counts = counts;
  }

  get counts(): RequestCounts {
    return this.#counts;
  }

  /** Returns a reader for one of many targets, with its own wait budget. */
  forTask(): Reader {
    return new Reader(this.#client.forTask(), this.#counts);
  }

  get<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Reading<RecordOf<E>>> {
    return reading(async () => {
      const watch = {
        sending: () => {
          this.#counts.sent++;
        },
        received: (status: number) => {
          if (status === 304) this.#counts.notModified++;
        },
      };
      const { data } = await this.#client.send(this.#client.plan(endpoint, input), { watch });
      return data as RecordOf<E>;
    });
  }

  list<E extends PagedEndpoint>(endpoint: E, input: InputOf<E>): Promise<Reading<readonly RecordOf<E>[]>> {
    return reading(async () => {
      const all: RecordOf<E>[] = [];
      for await (const { items } of this.#client.pages(endpoint, input, { perPage: 100 })) {
        this.#counts.sent++;
        all.push(...(items as Iterable<RecordOf<E>>));
      }
      return all;
    });
  }
}

async function reading<T>(read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof PermissionError) return { unreadable: whyRefused(error) };
    throw error;
  }
}

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

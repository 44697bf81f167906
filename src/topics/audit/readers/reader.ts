/** The functions that fetch facts. Each returns the reason for a fact that cannot be read; other errors are thrown. */
import type { Reader } from '../../../fleet/policy/live/requests.ts';
import type { Fact } from '../../../foresight/audit/check.ts';
import type { AuditedRepository, ReadingDeclaration } from '../../../foresight/audit/readings.ts';
import type { OtherFacts } from '../facts.ts';

export interface OwnerReader {
  readonly reader: Reader;
  /** The login of the organization, or the slug of the enterprise. */
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The fields of listed repositories that are needed; undefined for all. */
  readonly fields: readonly string[] | undefined;
  /** Returns another fact about the owner, which is fetched once. */
  readonly other: OtherFacts;
}

export interface RepositoryReader {
  readonly reader: Reader;
  readonly repository: AuditedRepository;
  /** True if the repository may take more than 5 requests. */
  readonly deep: boolean;
  /** Returns another fact about the repository, or its organization, which is fetched once. */
  readonly other: OtherFacts;
}

/** A function for each reading of a scope. */
export type ReadersOf<D, C> = {
  readonly [K in keyof D]: D[K] extends ReadingDeclaration<infer T> ? (context: C) => Promise<Fact<T>> : never;
};

export type Readers<C> = Readonly<Record<string, (context: C) => Promise<Fact<unknown>>>>;

/** Returns the parameters of paths to a repository. */
export function pathOf({ full_name: name }: AuditedRepository): { readonly owner: string; readonly repo: string } {
  const [owner = '', repo = ''] = name.split('/');
  return { owner, repo };
}

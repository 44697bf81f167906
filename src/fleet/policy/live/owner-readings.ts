/** The records that plans and exports read once for all targets of an owner. */
import type { ListedRepository } from '../wanted/model.ts';
import { Names } from './names.ts';
import { listRepositories } from './repositories.ts';
import type { Reader, Reading } from './requests.ts';

export interface OwnerReadings {
  /** Reads records of a single target. */
  readonly reader: Reader;
  /** The login of the token’s owner; undefined if it is not known. */
  readonly identity?: string | undefined;
  readonly names: Names;
  readonly repositories: () => Promise<Reading<readonly ListedRepository[]>>;
  /** Returns the result of a function that reads from the owner; each function is called once, when it is first needed. */
  readonly shared: <T>(read: (reader: Reader, owner: string) => Promise<T>) => Promise<T>;
  /** Receives notices that are not errors, such as a part that cannot be exported. */
  readonly warn: (text: string) => void;
}

interface ReadingOptions {
  readonly reader: Reader;
  readonly owner: string;
  readonly identity?: string | undefined;
  /** The fields of listed repositories that are needed; undefined for all. */
  readonly fields: readonly string[] | undefined;
  readonly warn: (text: string) => void;
}

export function ownerReadings({ reader, owner, identity, fields, warn }: ReadingOptions): OwnerReadings {
  const made = new Map<unknown, Promise<unknown>>();
  const shared = <T>(read: (reader: Reader, owner: string) => Promise<T>): Promise<T> => {
    const known = (made.get(read) as Promise<T> | undefined) ?? read(reader, owner);
    made.set(read, known);
    return known;
  };
  const list = () => listRepositories(reader, owner, fields);
  const repositories = () => shared(list);
  return { reader, identity, names: new Names(reader, owner, repositories), repositories, shared, warn };
}

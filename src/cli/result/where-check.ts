/** Finds fields in `--where` that no record has: jq takes them for null, so that a misspelled one selects all or nothing. */
import { fieldPaths } from '../../jq/field-paths.ts';
import { fieldsIn, type UnknownField, unknownFields, unknownFieldText } from '../../platform/unknown-field.ts';
import { UsageError } from '../errors.ts';
import { fieldsPrinted } from './field-list.ts';

export class WhereCheck {
  readonly #paths: readonly (readonly string[])[];
  readonly #maxDepth: number;
  readonly #known: readonly string[] | undefined;

  /** Of records whose fields are only those that occur. */
  constructor(where: string, known?: (maxDepth: number) => readonly string[]) {
    this.#paths = fieldPaths(where);
    this.#maxDepth = Math.max(0, ...this.#paths.map(({ length }) => length));
    this.#known = this.#maxDepth > 0 ? known?.(this.#maxDepth) : [];
  }

  /** Of the records that a command prints, by its ID; undefined if only the platform knows them. */
  static of(where: string, id: string, root: string): WhereCheck | undefined {
    const known = (maxDepth: number) => fieldsPrinted(id, root, maxDepth).map(({ field }) => field);
    return known(1).length === 0 ? undefined : new WhereCheck(where, known);
  }

  /** Throws UsageError for misspelled fields, before any request. */
  refuseMisspelled(): void {
    if (this.#known) refuse(unknownFields(this.#paths, this.#known).filter(({ isMisspelled }) => isMisspelled));
  }

  /** Throws UsageError for fields that are not known and occur in none of the records. */
  refuseUnknown(records: readonly unknown[]): void {
    const unknown = this.#known ? unknownFields(this.#paths, this.#known).map(({ path }) => path) : undefined;
    if (records.length === 0 || unknown?.length === 0) return;
    const occurring = fieldsIn(records, this.#maxDepth);
    const all = unknownFields(this.#paths, [...(this.#known ?? []), ...occurring]);
    refuse(all.filter(({ path }) => unknown?.includes(path) ?? true));
  }
}

function refuse([first]: readonly UnknownField[]): void {
  if (first) throw new UsageError(unknownFieldText('--where', first));
}

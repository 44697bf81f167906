/** What formats read, and what they hand over to be written as policy files. */
import type { Place, Placed } from '../../../fleet/policy/wanted/placed.ts';
import type { Commented, Item, Lose, Refuse } from './source.ts';

/** A file of another tool, with the position of every value. */
export interface SourceFile {
  /** As given on the command line. */
  readonly file: string;
  readonly root: Placed;
}

/** Repositories that an entry of a policy selects or creates, with what is wanted of them. */
export interface EntryDraft {
  /** The members of the selector, or of the creation. */
  readonly head: readonly ['select' | 'create', Commented];
  readonly isOverride: boolean;
  readonly items: readonly Item[];
}

export interface OrganizationDraft {
  readonly organization: string;
  /** The position of its name, or of the file that is about it. */
  readonly place: Place;
  /** The parts of the organization itself. */
  readonly items: readonly Item[];
  readonly entries: readonly EntryDraft[];
}

export interface ReadContext {
  /** The value of --organization. */
  readonly organization: string | undefined;
  /** The value of --repository. */
  readonly repository: string | undefined;
  /** Reports every leaf of a part as lost. */
  readonly lose: Lose;
  readonly refuse: Refuse;
}

/** A key of a source in the table of its format. */
export interface KeyTranslation {
  /** The path in the source; `*` stands for any name, and `[]` for any element of a list. */
  readonly key: string;
  /** The values that the row is about (default: all). */
  readonly value?: string;
  /** The path in a policy; absent for what policies lack. */
  readonly policy?: string;
  /** How values differ, or what policies lack. */
  readonly note?: string;
}

/** A tool whose files can be imported. */
export interface Format {
  readonly name: string;
  /** The files, as the help describes them. */
  readonly source: string;
  readonly keys: readonly KeyTranslation[];
  read(files: readonly SourceFile[], context: ReadContext): readonly OrganizationDraft[];
}

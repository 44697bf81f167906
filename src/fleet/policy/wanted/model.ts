/** The merged content of policy files: the wanted state of each organization and enterprise, with its positions. */
import type { Section } from '../kinds/names.ts';
import type { Place, Placed } from './placed.ts';
import type { SecretLocation } from './secret-sources.ts';

/** All documents merged. Owners are sorted by kind and lower-case name, regardless of the order of files. */
export interface Policy {
  readonly owners: readonly OwnerPolicy[];
}

/** A declaration of a kind: an object, or a field of its owner. Kinds add further fields. */
export interface Wanted {
  /** The body for the endpoint, with references in place of IDs. Absent fields are not managed. */
  readonly body: Placed;
  /** The earlier names of an object to rename: the first that exists counts. */
  readonly was?: readonly string[] | undefined;
}

/** An object to delete, with its key. */
export type Absent<K extends object = object> = K & { readonly kind: Section; readonly place: Place };

/** The declarations for an owner, or of an entry of `repositories`. */
export interface Declarations {
  readonly wanted: ReadonlyMap<Section, readonly Wanted[]>;
  readonly absent: readonly Absent[];
  /** The kinds whose undeclared objects are deleted or reset, with the position of that declaration. */
  readonly managed: ReadonlyMap<Section, Place>;
}

/** Returns the declarations of a section. */
export const wantedOf = <W extends Wanted>({ wanted }: Pick<Declarations, 'wanted'>, section: Section): readonly W[] =>
  (wanted.get(section) ?? []) as readonly W[];

/** Returns the objects of a section to delete. */
export const absentOf = <K extends object>(
  { absent }: Pick<Declarations, 'absent'>,
  section: Section,
): readonly Absent<K>[] => absent.filter((each): each is Absent<K> => each.kind === section);

/** The wanted state of an organization, or of an enterprise, which has only budgets. */
export interface OwnerPolicy extends Declarations {
  readonly kind: 'organization' | 'enterprise';
  /** The login or slug as first written. */
  readonly name: string;
  /** The first document that names the owner. */
  readonly place: Place;
  readonly repositories: readonly RepositoryEntry[];
}

/** The merged wanted state of an organization, an enterprise or a repository. */
export interface WantedTarget extends Declarations {
  /** acme, acme/site, or enterprise:sandbox. */
  readonly target: string;
  /** The ID of a repository. */
  readonly id?: number;
  /** True for a repository that the policy creates: it cannot be read before. */
  readonly isNew?: true;
}

/** The source of a secret, read when it is sent. */
export type SecretSource = SecretLocation & { readonly place: Place };

/** The source of a secret in a plan, with the line of the policy that names it. */
export type SecretReference = SecretLocation & { readonly source: string };

/** The wanted state of the repositories that an entry selects. */
export interface RepositoryEntry extends Declarations {
  readonly place: Place;
  readonly select: Selector;
  /** The name of the repository that is created if it does not exist; `select` then selects it by name. */
  readonly creates?: string;
  /** True if the entry wins over those without it that select the same repositories. */
  readonly override?: true;
  /** With `override`, the kinds whose undeclared objects are kept even if other entries delete them. */
  readonly unmanaged?: ReadonlyMap<Section, Place>;
}

/** Selects repositories that meet every given condition. */
export interface Selector {
  readonly place: Place;
  /** Patterns of names, `!` excludes; the last one that matches decides. */
  readonly names: readonly Placed<string>[] | undefined;
  readonly visibility: readonly string[] | undefined;
  readonly archived: boolean;
  /** All of these. */
  readonly topics: readonly string[] | undefined;
  /** For each property, any of these values. */
  readonly properties: ReadonlyMap<string, { readonly place: Place; readonly values: readonly string[] }> | undefined;
  /** A jq expression that is true for a repository. */
  readonly where: Placed<string> | undefined;
  /** How many repositories must match, both ends included. */
  readonly expect: { readonly least: number; readonly most: number; readonly place: Place } | undefined;
}

/** The fields of a repository's record that selectors read. */
export interface SelectableRepository {
  readonly name: string;
  readonly archived?: boolean;
  readonly visibility?: string;
  readonly private?: boolean;
  readonly topics?: readonly string[];
  readonly custom_properties?: Readonly<Record<string, unknown>>;
}

/** A repository that entries may select. */
export interface Candidate extends SelectableRepository {
  /** Absent for a repository that does not exist yet. */
  readonly id?: number;
  readonly full_name: string;
}

/** What plans keep of a listed repository. */
export interface ListedRepository extends Candidate {
  readonly id: number;
}

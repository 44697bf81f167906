/** The merged content of policy files: the wanted state of each organization and enterprise, with its positions. */
import type { Given } from '../../../platform/validate.ts';
import type { Place, Placed } from './placed.ts';
import type { SecretLocation } from './secret-sources.ts';

/** All documents merged. Owners are sorted by kind and lower-case name, regardless of the order of files. */
export interface Policy {
  readonly owners: readonly OwnerPolicy[];
}

/** The wanted state of an organization, or of an enterprise, which has only budgets. */
export interface OwnerPolicy {
  readonly kind: 'organization' | 'enterprise';
  /** The login or slug as first written. */
  readonly name: string;
  /** The first document that names the owner. */
  readonly place: Place;
  /** Fields of the organization by name. */
  readonly settings: ReadonlyMap<string, Placed>;
  readonly rulesets: readonly WantedRuleset[];
  readonly registries: readonly WantedRegistry[];
  readonly budgets: readonly WantedBudget[];
  readonly hooks: readonly WantedHook[];
  readonly absent: readonly Absent[];
  /** The kinds of which everything undeclared is to be deleted, or unset for hooks, with where that is written. */
  readonly managed: ReadonlyMap<ManagedKind, Place>;
  readonly repositories: readonly RepositoryEntry[];
}

/** The kinds that `manage` and `absent` name; hooks cannot be absent. */
export const managedKinds = ['rulesets', 'registries', 'budgets', 'hooks'] as const;
export type ManagedKind = (typeof managedKinds)[number];

/**
 * A ruleset. The body is that of the endpoint that creates it, with references such as `team:release` in place of IDs;
 * short forms of bypass actors are expanded. Fields that are absent are not managed.
 */
export interface WantedRuleset {
  readonly name: string;
  /** The earlier name of a ruleset to rename. */
  readonly was: string | undefined;
  readonly body: Placed<Given>;
}

/** A private registry. The body has neither `name` nor `repositories` nor `secret`. */
export interface WantedRegistry {
  readonly registryType: string;
  readonly url: string;
  /** Selects one of several live registries with the same type and URL. */
  readonly name: string | undefined;
  readonly body: Placed<Given>;
  /** Patterns of names of the repositories that may use it. */
  readonly repositories: Placed<readonly string[]> | undefined;
  readonly secret: SecretSource | undefined;
}

/** The source of a secret, read when it is sent. */
export type SecretSource = SecretLocation & { readonly place: Place };

/** The source of a secret in a plan, with the line of the policy that names it. */
export type SecretReference = SecretLocation & { readonly source: string };

/** A budget; the body is that of the endpoint that creates it. */
export interface WantedBudget {
  readonly key: BudgetKey;
  readonly body: Placed<Given>;
  /** True if the policy names an entity of another organization, so that the one in the key may not exist. */
  readonly isRenamed?: true;
}

/** The fields that identify a budget among those of its owner. Absent fields are empty. */
export interface BudgetKey {
  readonly budget_scope: string;
  readonly budget_entity_name: string;
  readonly budget_type: string;
  readonly budget_product_sku: string;
  readonly user: string;
}

/** Returns what identifies a registry as text, such as npm_registry https://npm.example.com. */
export const registryName = ({
  registryType,
  url,
  name,
}: Pick<WantedRegistry, 'registryType' | 'url' | 'name'>): string =>
  `${registryType} ${url}${name === undefined ? '' : ` (${name})`}`;

/** Returns what identifies a budget as text, such as organization acme ProductPricing actions. */
export const budgetName = (key: BudgetKey): string => Object.values(key).filter(Boolean).join(' ');

/** The setting of a pre-receive hook. */
export interface WantedHook {
  readonly name: string;
  /** True if the owner's own setting is to be removed (`enforcement: inherit`); the body is then empty. */
  readonly inherits: boolean;
  /** The body of the endpoint that sets the hook, without the name. */
  readonly body: Placed<Given>;
}

/** An object to delete. */
export type Absent = { readonly place: Place } & (
  | { readonly kind: 'rulesets'; readonly name: string }
  | {
      readonly kind: 'registries';
      readonly registryType: string;
      readonly url: string;
      readonly name: string | undefined;
    }
  | { readonly kind: 'budgets'; readonly key: BudgetKey }
);

/** The wanted state of the repositories that an entry selects. */
export interface RepositoryEntry {
  readonly place: Place;
  readonly select: Selector;
  /** Fields of the repository by name. */
  readonly settings: ReadonlyMap<string, Placed>;
  /** Custom property values by name; null unsets a property. */
  readonly properties: ReadonlyMap<string, Placed<string | readonly string[] | null>>;
  readonly rulesets: readonly WantedRuleset[];
  readonly hooks: readonly WantedHook[];
  readonly absent: readonly Absent[];
  readonly managed: ReadonlyMap<ManagedKind, Place>;
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

/** What plans keep of a listed repository. */
export interface ListedRepository extends SelectableRepository {
  readonly id: number;
  readonly full_name: string;
}

/** Repositories: computed from the seed, with changes on top. */
import { joined, type Listing, listing } from '../paging.ts';
import { between, type Chance, pick } from '../seed/chance.ts';
import { isStrict } from '../seed/postures.ts';
import { descriptions, languages, repositoryTopics, wideDescription } from '../seed/words.ts';
import type { Store } from '../store.ts';
import { type Account, type Accounts, isoSeconds, type OrganizationState, type Scale } from './accounts.ts';
import { repositoryName, repositoryPlace } from './names.ts';

/** Stored data of a repository, with the record's names where possible. */
export interface RepositoryState {
  readonly id: number;
  readonly owner_id: number;
  readonly name: string;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly language: string | null;
  readonly visibility: 'public' | 'private' | 'internal';
  readonly parent_id: number | null;
  /** ID of the template that it was created from. */
  readonly template_id?: number;
  readonly archived: boolean;
  readonly is_template: boolean;
  readonly has_issues: boolean;
  readonly has_projects: boolean;
  readonly has_wiki: boolean;
  readonly has_pages: boolean;
  readonly has_downloads: boolean;
  readonly has_discussions: boolean;
  readonly allow_squash_merge: boolean;
  readonly allow_merge_commit: boolean;
  readonly allow_rebase_merge: boolean;
  readonly allow_auto_merge: boolean;
  readonly delete_branch_on_merge: boolean;
  readonly allow_update_branch?: boolean;
  /** Absent: follows the owner's policy. */
  readonly allow_forking?: boolean;
  /** Absent: follows the owner's policy. */
  readonly web_commit_signoff_required?: boolean;
  readonly has_pull_requests?: boolean;
  readonly pull_request_creation_policy?: string;
  readonly use_squash_pr_title_as_default: boolean;
  readonly squash_merge_commit_title: string;
  readonly squash_merge_commit_message: string;
  readonly merge_commit_title: string;
  readonly merge_commit_message: string;
  readonly custom_properties: Readonly<Record<string, unknown>>;
  readonly stargazers_count: number;
  /** In kilobytes; 0 without commits. */
  readonly size: number;
  readonly open_issues_count: number;
  readonly default_branch: string;
  readonly topics: readonly string[];
  readonly license: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly pushed_at: string;
  /** Id of the user who created it, and is its administrator. */
  readonly creator_id?: number;
  /** When its git objects are complete: forks are copied shortly after their creation. */
  readonly ready_at?: string;
  /** Security features at its creation; absent: derived from the seed. */
  readonly security_features?: readonly string[];
  /** Security features changed in this repository alone, by their names in the record. */
  readonly security_and_analysis?: Readonly<Record<string, boolean>>;
  /** Whether it is a fork with only the default branch. */
  readonly default_branch_only?: boolean;
}

/** An organization or a repository, as the owner of rulesets and settings. */
export type SettingsOwner =
  | { readonly organization: OrganizationState; readonly repository?: undefined }
  | { readonly repository: RepositoryState; readonly organization?: undefined };

const firstUserRepositoryId = 1001;
const repositoriesPerUser = 2;
const firstOrganizationRepositoryId = 100_001;
const day = 24 * 60 * 60 * 1000;

export class Repositories {
  readonly #chance: Chance;
  readonly #epoch: number;
  readonly #started: number;
  readonly #scale: Scale;
  readonly #accounts: Accounts;
  readonly #store: Store;

  constructor(
    chance: Chance,
    { epoch, started }: { readonly epoch: number; readonly started: number },
    scale: Scale,
    accounts: Accounts,
    store: Store,
  ) {
    this.#chance = chance;
    this.#epoch = epoch;
    this.#started = started;
    this.#scale = scale;
    this.#accounts = accounts;
    this.#store = store;
  }

  find(owner: Account, name: string): RepositoryState | undefined {
    const key = name.toLowerCase();
    const kept = this.#kept(owner.id).get(key);
    if (kept) return kept;
    const seeded = this.#seededNamed(owner, key);
    return seeded && this.#departed(owner.id).get(seeded.id) === undefined ? seeded : undefined;
  }

  #seededNamed(owner: Account, key: string): RepositoryState | undefined {
    if (owner.type === 'User') return this.#seededOfUser(owner.id).find((repository) => repository.name === key);
    const place = repositoryPlace(this.#chance, owner.index, key);
    return place === undefined || place >= this.#reposOf(owner) ? undefined : this.#seeded(owner, place);
  }

  byId(id: number): RepositoryState | undefined {
    const [ownerId, name] = this.#placesById().get(id) ?? this.#seededPlace(id) ?? [];
    const owner = ownerId === undefined ? undefined : this.#accounts.accountById(ownerId);
    const found = owner && name !== undefined ? this.find(owner, name) : undefined;
    // The name of a deleted repository may have been reused.
    return found?.id === id ? found : undefined;
  }

  /**
   * Returns the repository that had this name before a rename or transfer, unless it was deleted or the name is in use.
   */
  formerly(owner: Account, name: string): RepositoryState | undefined {
    if (this.find(owner, name)) return undefined;
    const id = this.#formerNames(owner.id).get(name.toLowerCase());
    return id === undefined ? undefined : this.byId(id);
  }

  /**
   * Returns the repositories of an account, newest first. The cost of a page does not depend on its position, until a
   * seeded repository is renamed, transferred or deleted.
   */
  of(owner: Account): Listing<RepositoryState> {
    const added = this.#kept(owner.id)
      .values()
      .filter(({ id }) => this.#placesById().get(id) !== undefined)
      .reverse();
    const seeded = owner.type === 'User' ? this.#userListing(owner.id) : this.#organizationListing(owner);
    const departed = this.#departed(owner.id).values();
    if (departed.length === 0 && added.every(({ id }) => id >= this.#firstCreatedId))
      return joined(listing(added), seeded);
    const elsewhere = new Set([...departed, ...added.map(({ id }) => id)]);
    const left = seeded.slice(0, seeded.total).filter(({ id }) => !elsewhere.has(id));
    return listing([...added, ...left].sort(newestFirst));
  }

  all(owner: Account): RepositoryState[] {
    const repositories = this.of(owner);
    return repositories.slice(0, repositories.total);
  }

  /** Adds a repository; the caller has checked that the name is available. */
  create(fields: Omit<RepositoryState, 'id'>): RepositoryState {
    const repository = { ...fields, id: this.#store.next('repositories', this.#firstCreatedId) };
    this.#kept(repository.owner_id).set(repository.name.toLowerCase(), repository);
    this.#placesById().set(repository.id, [repository.owner_id, repository.name]);
    if (repository.parent_id !== null) this.#createdForks(repository.parent_id).set(repository.id, repository.id);
    return repository;
  }

  /** Changes a repository. A new name or owner leaves a redirect; the caller has checked that the name is available. */
  change(repository: RepositoryState, fields: Partial<Omit<RepositoryState, 'id'>>, now: Date): RepositoryState {
    const changed = { ...repository, ...fields, updated_at: isoSeconds(now) };
    const [oldKey, key] = [repository.name.toLowerCase(), changed.name.toLowerCase()];
    if (changed.owner_id !== repository.owner_id || key !== oldKey) {
      this.#leave(repository);
      this.#placesById().set(changed.id, [changed.owner_id, changed.name]);
      this.#formerNames(repository.owner_id).set(oldKey, changed.id);
    }
    this.#kept(changed.owner_id).set(key, changed);
    return changed;
  }

  /** Deletes a repository; its name becomes available, and its forks stay. */
  delete(repository: RepositoryState): void {
    this.#leave(repository);
    this.#placesById().delete(repository.id);
    if (repository.parent_id !== null) this.#createdForks(repository.parent_id).delete(repository.id);
  }

  /** Removes a repository from the index. */
  #leave({ id, owner_id, name }: RepositoryState): void {
    this.#kept(owner_id).delete(name.toLowerCase());
    const isAtHome = id < this.#firstCreatedId && this.#placesById().get(id) === undefined;
    if (isAtHome) this.#departed(owner_id).set(id, id);
  }

  forksOf(parent: RepositoryState): RepositoryState[] {
    const created = this.#createdForks(parent.id).values();
    return [...this.#seededForkIds(parent), ...created].flatMap((id) => this.byId(id) ?? []);
  }

  /** Created and changed repositories of an owner, by lower-case name. */
  #kept(ownerId: number) {
    return this.#store.collection<RepositoryState>('repositories', ownerId);
  }

  /** Index of created, renamed and transferred repositories. */
  #placesById() {
    return this.#store.collection<readonly [ownerId: number, name: string]>('repositories by id');
  }

  /** Ids of seeded repositories that have been moved or deleted. */
  #departed(ownerId: number) {
    return this.#store.collection<number>('departed repositories', ownerId);
  }

  /** Ids of repositories by their former lower-case names. */
  #formerNames(ownerId: number) {
    return this.#store.collection<number>('former repository names', ownerId);
  }

  #createdForks(parentId: number) {
    return this.#store.collection<number>('forks', parentId);
  }

  get #firstCreatedId(): number {
    return firstOrganizationRepositoryId + this.#scale.orgs * this.#scale.repos;
  }

  #seededPlace(id: number): [ownerId: number, name: string] | undefined {
    if (id < firstOrganizationRepositoryId) {
      const userId = Math.floor((id - firstUserRepositoryId) / repositoriesPerUser) + 1;
      const own = this.#seededOfUser(userId).find((repository) => repository.id === id);
      return own && [userId, own.name];
    }
    const index = id - firstOrganizationRepositoryId;
    if (index >= this.#scale.orgs * this.#scale.repos) return undefined;
    const organization = this.#accounts.organizationAt(Math.floor(index / this.#scale.repos));
    return [organization.id, repositoryName(this.#chance, organization.index, index % this.#scale.repos)];
  }

  #reposOf(owner: OrganizationState): number {
    return owner.isEmpty ? 0 : this.#scale.repos;
  }

  #organizationListing(owner: OrganizationState): Listing<RepositoryState> {
    const total = this.#reposOf(owner);
    const kept = this.#kept(owner.id);
    const at = (place: number) =>
      kept.get(repositoryName(this.#chance, owner.index, place)) ?? this.#seeded(owner, place);
    return {
      total,
      slice: (start, end) => range(start, Math.min(end, total)).map((position) => at(total - 1 - position)),
    };
  }

  #userListing(userId: number): Listing<RepositoryState> {
    const kept = this.#kept(userId);
    const all = this.#seededOfUser(userId).map((repository) => kept.get(repository.name) ?? repository);
    return { total: all.length, slice: (start, end) => all.slice(start, end) };
  }

  /** The administrator has two repositories; the next five people each have a fork of the first organization's `site`. */
  #seededOfUser(userId: number): RepositoryState[] {
    const user = this.#accounts.userById(userId);
    if (!user || userId > 6) return [];
    const id = firstUserRepositoryId + (userId - 1) * repositoriesPerUser;
    const common = { owner_id: userId, created: this.#epoch - (200 + userId) * day };
    if (!user.site_admin) {
      const site = this.#seeded(this.#accounts.organizationAt(0), 0);
      return [{ ...this.#describe({ ...common, id, name: 'site', place: 0 }), parent_id: site.id, has_issues: false }];
    }
    return ['notes', 'dotfiles'].map((name, place) => ({
      ...this.#describe({ ...common, id: id + place, name, place }),
      visibility: name === 'notes' ? 'private' : 'public',
    }));
  }

  #seeded(owner: OrganizationState, place: number): RepositoryState {
    // From five years to one month before the epoch, in the order of their positions.
    const created = this.#epoch - (5 * 365 - (place * (5 * 365 - 30)) / this.#scale.repos) * day;
    const id = firstOrganizationRepositoryId + owner.index * this.#scale.repos + place;
    const name = repositoryName(this.#chance, owner.index, place);
    const repository = this.#describe({ id, owner_id: owner.id, name, place, created });
    const seeded = { ...repository, parent_id: this.#seededParentId(owner, place) };
    return isStrict(owner) ? this.#inUse(seeded) : seeded;
  }

  /** Pushed to in the last weeks. A fork in the next organization makes its parent public. */
  #inUse(repository: RepositoryState): RepositoryState {
    const pushed_at = isoSeconds(this.#started - this.#chance('pushed', 'repository', repository.id) * 30 * day);
    const isForked = this.#seededForkIds(repository).length > 0;
    return { ...repository, pushed_at, updated_at: pushed_at, ...(isForked && { visibility: 'public' }) };
  }

  /** Every eighth repository is a fork of the previous one, in the previous organization. */
  #seededParentId(owner: OrganizationState, place: number): number | null {
    if (place % 8 !== 5 || this.#scale.orgs < 2) return null;
    const organization = (owner.index + this.#scale.orgs - 1) % this.#scale.orgs;
    return firstOrganizationRepositoryId + organization * this.#scale.repos + place - 1;
  }

  #seededForkIds(parent: RepositoryState): number[] {
    const index = parent.id - firstOrganizationRepositoryId;
    if (index === 0) return [2, 3, 4, 5, 6].map((user) => firstUserRepositoryId + (user - 1) * repositoriesPerUser);
    const place = (index % this.#scale.repos) + 1;
    if (index < 0 || parent.id >= this.#firstCreatedId || place % 8 !== 5 || place >= this.#scale.repos) return [];
    if (this.#scale.orgs < 2) return [];
    const organization = (Math.floor(index / this.#scale.repos) + 1) % this.#scale.orgs;
    return [firstOrganizationRepositoryId + organization * this.#scale.repos + place];
  }

  /** Properties independent of the owner. The position determines the kinds that every sandbox needs. */
  #describe(given: { id: number; owner_id: number; name: string; place: number; created: number }): RepositoryState {
    const { id, owner_id, name, place, created } = given;
    const chance = (label: string) => this.#chance(label, 'repository', id);
    const empty = place % 50 === 4;
    const pushed = empty ? created : created + chance('pushed') * (this.#epoch - created);
    return {
      id,
      owner_id,
      name,
      description: place % 10 === 2 ? wideDescription : place % 10 === 9 ? null : pick(descriptions, chance('about')),
      homepage: chance('homepage') < 0.3 ? `https://${name}.example` : null,
      language: empty ? null : pick(languages, chance('language')),
      visibility: place % 8 === 6 ? 'internal' : place % 8 === 2 || place % 8 === 4 ? 'private' : 'public',
      parent_id: null,
      archived: place % 8 === 7,
      is_template: place % 16 === 3,
      has_issues: true,
      has_projects: chance('projects') < 0.5,
      has_wiki: chance('wiki') < 0.5,
      has_pages: chance('pages') < 0.2,
      has_downloads: true,
      has_discussions: chance('discussions') < 0.2,
      allow_squash_merge: true,
      allow_merge_commit: chance('merge') < 0.7,
      allow_rebase_merge: chance('rebase') < 0.7,
      allow_auto_merge: false,
      delete_branch_on_merge: chance('delete') < 0.5,
      use_squash_pr_title_as_default: false,
      squash_merge_commit_title: 'COMMIT_OR_PR_TITLE',
      squash_merge_commit_message: 'COMMIT_MESSAGES',
      merge_commit_title: 'MERGE_MESSAGE',
      merge_commit_message: 'PR_TITLE',
      custom_properties: {},
      stargazers_count: Math.floor(chance('stars') ** 3 * 500),
      size: empty ? 0 : between(12, 90_000, chance('size') ** 2),
      open_issues_count: Math.floor(chance('issues') * 40),
      default_branch: chance('branch') < 0.1 && place > 0 ? 'trunk' : 'main',
      topics: chance('topics') < 0.6 ? [pick(repositoryTopics, chance('topic'))] : [],
      license: empty ? null : pick([null, 'mit', 'apache-2.0', null], chance('license')),
      created_at: isoSeconds(created),
      updated_at: isoSeconds(Math.max(pushed, created + chance('updated') * (this.#epoch - created))),
      pushed_at: isoSeconds(pushed),
    };
  }
}

const newestFirst = (a: RepositoryState, b: RepositoryState): number =>
  b.created_at.localeCompare(a.created_at) || b.id - a.id;

/** Whether the git objects of a fork have been copied; true for all other repositories. */
export const isReady = ({ clock }: { readonly clock: () => Date }, { ready_at: ready }: RepositoryState): boolean =>
  ready === undefined || Date.parse(ready) <= clock().getTime();

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

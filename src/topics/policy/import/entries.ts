/** The repositories of sources that name each one: an entry of a policy for each. */
import { isPossibleName } from '../../../fleet/policy/file-names.ts';
import type { Placed } from '../../../fleet/policy/wanted/placed.ts';
import type { EntryDraft, ReadContext } from './model.ts';
import { type Item, mappingAt, placedAt } from './source.ts';

interface Collected {
  readonly name: string;
  /** The first part that names the repository. */
  readonly part: Placed;
  /** The members of `create` beside the name; undefined for a repository that the source does not create. */
  creation?: { readonly part: Placed; readonly members: readonly [string, Placed][] };
  readonly items: Item[];
  comment?: string;
}

/** Collects what a source declares of each repository, in the order in which it names them. */
export class Repositories {
  readonly #context: Pick<ReadContext, 'lose'>;
  readonly #all = new Map<string, Collected>();

  constructor(context: Pick<ReadContext, 'lose'>) {
    this.#context = context;
  }

  /** Adds a part of a repository, whose name ignores case. */
  add(name: string, part: Placed, item: Item): void {
    this.#repository(name, part)?.items.push(item);
  }

  /** Declares that a repository is created if it does not exist. */
  create(name: string, part: Placed, members: readonly [string, Placed][]): void {
    const repository = this.#repository(name, part);
    if (!repository) return;
    if (repository.creation) for (const [, member] of members) this.#context.lose(member, 'is declared twice');
    else repository.creation = { part, members };
  }

  /** Adds a comment to the entry of a repository. */
  comment(name: string, part: Placed, comment: string): void {
    const repository = this.#repository(name, part);
    if (repository) repository.comment = comment;
  }

  entries(): readonly EntryDraft[] {
    return [...this.#all.values()].map(({ name, part, creation, items, comment }): EntryDraft => {
      const select = { ...placedAt({ names: [name] }, part.place), comment };
      if (!creation) return { head: ['select', select], isOverride: false, items };
      const { place } = creation.part;
      const create = mappingAt(place, [['name', placedAt(name, place)], ...creation.members]);
      return { head: ['create', { ...create, comment }], isOverride: false, items };
    });
  }

  #repository(name: string, part: Placed): Collected | undefined {
    if (!isPossibleName(name)) {
      this.#context.lose(part, 'Repository names consist of letters, digits, hyphens, underscores and dots');
      return undefined;
    }
    const known = this.#all.get(name.toLowerCase()) ?? { name, part, items: [] };
    this.#all.set(name.toLowerCase(), known);
    return known;
  }
}

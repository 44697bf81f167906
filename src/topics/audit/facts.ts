/** Facts by name, each fetched once, when it is first needed. */
import type { Failure } from '../../cli/report/report.ts';
import { ApiError, InvalidResponseError, RenamedError } from '../../client/errors.ts';
import type { Fact } from '../../foresight/audit/check.ts';

export type OtherFacts = (name: string) => Promise<Fact<unknown>>;

interface FactsOptions {
  /** Fetches a fact; undefined for one about the owner. */
  readonly fetch: (name: string, other: OtherFacts) => Promise<Fact<unknown>> | undefined;
  readonly describe: (error: unknown) => Promise<Failure>;
  /** The facts about the owner of a repository. */
  readonly around?: Facts;
}

export class Facts {
  readonly #options: FactsOptions;
  readonly #fetched = new Map<string, Promise<Fact<unknown>>>();

  constructor(options: FactsOptions) {
    this.#options = options;
  }

  /** Throws errors that all targets would get; others are the reason why a fact is unreadable. */
  get(name: string): Promise<Fact<unknown>> {
    const known = this.#fetched.get(name);
    if (known) return known;
    const { fetch, around } = this.#options;
    const fetched = fetch(name, (other) => this.get(other));
    if (!fetched) return (around as Facts).get(name);
    const fact = fetched.catch((error: unknown) => this.#whyUnreadable(error));
    this.#fetched.set(name, fact);
    return fact;
  }

  async all(names: readonly string[]): Promise<Readonly<Record<string, Fact<unknown>>>> {
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await this.get(name)] as const)));
  }

  async #whyUnreadable(error: unknown): Promise<Fact<unknown>> {
    const isOfTarget = [ApiError, RenamedError, InvalidResponseError].some((type) => error instanceof type);
    const { stops, message } = await this.#options.describe(error);
    if (stops || !isOfTarget) throw error;
    // Messages of servers may have several lines.
    return { unreadable: message.replaceAll(/\s+/g, ' ').replace(/\.$/, '') };
  }
}

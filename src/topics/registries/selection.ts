/** Selects the repositories that may use a private registry by name. */
import * as Flags from '@oclif/core/flags';
import type { Session } from '../../cli/command/session.ts';
import { namesOf, type ProblemCollector, type RepoName, readRepoName } from '../../cli/input/args.ts';
import { BadValue } from '../../cli/input/values.ts';
import { type Given, invalid, type Problem } from '../../platform/validate.ts';
import { namedRepository } from '../repos/named.ts';

export const selectionFlags = {
  'selected-repositories': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'OWNER/NAME,…',
    helpGroup: 'BODY',
    description: 'Repositories that may use the registry, with --visibility selected; forgectl looks up their IDs',
    parse: async (text, context) => namesOf('--selected-repositories', text, context as unknown as ProblemCollector),
  }),
};

interface SelectionFlags {
  readonly 'selected-repositories'?: readonly string[] | undefined;
  readonly 'selected-repository-ids'?: unknown;
}

/** A placeholder in the body, so that everything else is validated before the IDs are looked up. */
const pendingSelection: Given = { selected_repository_ids: [0] };

/** Repositories as given on the command line. */
export class RepositorySelection {
  readonly #names: readonly RepoName[] | undefined;

  /** Reports invalid repository names, and IDs given along with names. */
  constructor(flags: SelectionFlags, problems: Problem[]) {
    const typed = flags['selected-repositories'];
    if (typed && flags['selected-repository-ids'] !== undefined)
      problems.push(invalid('--selected-repositories and --selected-repository-ids', 'cannot be used together'));
    this.#names = typed?.flatMap((words) => words.split(',')).flatMap((word) => read(word.trim(), problems));
  }

  /** Returns the placeholder for the body; nothing without names. */
  get pending(): Given {
    return this.#names ? pendingSelection : {};
  }

  /** Returns the IDs for the body. Throws the client's errors, such as NotFoundError. */
  async body(session: Session): Promise<{ selected_repository_ids?: number[] }> {
    if (!this.#names) return {};
    const ids: number[] = [];
    for (const path of this.#names) ids.push((await namedRepository(session, path)).id);
    return { selected_repository_ids: ids };
  }
}

function read(word: string, problems: Problem[]): RepoName[] {
  try {
    return [readRepoName(word)];
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    problems.push(invalid('--selected-repositories', error.message));
    return [];
  }
}

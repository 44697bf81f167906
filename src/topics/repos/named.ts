/** Changes to the identity of a repository. It must have the given name, not one that redirects to it. */
import { ForgectlCommand } from '../../cli/command/command.ts';
import type { Session } from '../../cli/command/session.ts';
import type { RepoName } from '../../cli/input/args.ts';
import { requireSameRecord } from '../../cli/input/same-record.ts';
import { InvalidResponseError, RenamedError } from '../../client/errors.ts';
import { isSameName } from '../../client/moves.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { contentColumns } from './columns.ts';

/** Reads a repository. Throws RenamedError if it has another name, with or without a redirect. */
export async function namedRepository(session: Session, { owner, repo }: RepoName): Promise<Repository> {
  const { data, asked } = await session.read(getRepository, { path: { owner, repo } });
  const [named, current] = [`${owner}/${repo}`, data.full_name];
  if (typeof current !== 'string')
    throw new InvalidResponseError(asked, `GET ${asked.path} returned a repository without a name.`);
  if (!isSameName(named, current)) throw new RenamedError(asked, { named, current });
  return data;
}

/** The base of the commands that change the name, owner, visibility or existence of a repository. */
export abstract class NamedRepositoryCommand<T> extends ForgectlCommand<T> {
  /** Returns a function that reads a repository once, as `namedRepository` does. */
  protected reading(repo: () => RepoName): () => Promise<Repository> {
    let found: Promise<Repository> | undefined;
    return () => {
      found ??= namedRepository(this.session, repo());
      return found;
    };
  }

  /** Asks for confirmation, then requires the name, also with `--yes`, and after a prompt the ID that was shown. */
  protected async confirmNamed(repo: RepoName, effect: string, { 'dry-run': dryRun }: { 'dry-run': boolean }) {
    const name = `${repo.owner}/${repo.repo}`;
    let shown: Repository | undefined;
    const preview = async () => {
      shown = await namedRepository(this.session, repo);
      return { record: shown, columns: contentColumns };
    };
    await this.input.confirm(name, effect, preview);
    if (!dryRun) requireSameRecord(name, shown, await namedRepository(this.session, repo));
  }
}

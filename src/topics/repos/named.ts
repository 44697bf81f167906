/** Changes to the identity of a repository. It must have the given name, not one that redirects to it. */
import { ForgectlCommand } from '../../cli/command/command.ts';
import type { Session } from '../../cli/command/session.ts';
import type { RepoName } from '../../cli/input/args.ts';
import { RenamedError } from '../../client/errors.ts';
import { isSameName } from '../../client/moves.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import type { Given } from '../../platform/validate.ts';
import { requireFields } from '../required-fields.ts';
import { contentColumns } from './columns.ts';

/** Reads a repository. Throws RenamedError if it has another name, with or without a redirect. */
export async function namedRepository(session: Session, { owner, repo }: RepoName): Promise<Repository> {
  const { data, asked } = await session.read(getRepository, { path: { owner, repo } });
  requireFields(data, asked, { full_name: 'text', id: 'id' });
  const [named, current] = [`${owner}/${repo}`, data.full_name];
  if (!isSameName(named, current)) throw new RenamedError(asked, { named, current });
  return data;
}

/** Returns whether an update requires the name of the repository: it changes who can see it or write to it. */
export const requiresName = (body: Given): boolean =>
  ['visibility', 'private', 'archived'].some((name) => name in body);

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

  /** Asks for confirmation, and requires the name, also with `--yes`. */
  protected async confirmNamed(repo: RepoName, effect: string, { 'dry-run': dryRun }: { 'dry-run': boolean }) {
    const name = `${repo.owner}/${repo.repo}`;
    const read = this.reading(() => repo);
    await this.input.confirm(name, effect, async () => ({ record: await read(), columns: contentColumns }));
    if (!dryRun) await read();
  }
}

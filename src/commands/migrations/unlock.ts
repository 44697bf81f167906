import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import type { PickList } from '../../cli/command/picking.ts';
import { SomeFailedError } from '../../cli/errors.ts';
import { idArg, optionalRepoNameArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { Listing } from '../../cli/result/listing.ts';
import { NotFoundError } from '../../client/errors.ts';
import { PlannedRequest } from '../../client/request.ts';
import type { Column } from '../../output/table/columns.ts';
import {
  getMigration,
  listMigrationRepositories,
  unlockMigrationRepository,
} from '../../platform/endpoints/migrations.ts';
import type { Repository } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { migrationColumns, ownMigrations } from '../../topics/migration-columns.ts';
import { requireFields } from '../../topics/required-fields.ts';

/** The result for a repository with `--all`. */
interface Unlocking {
  repository: string;
  /** `not_locked` if the migration held no lock. */
  result: 'unlocked' | 'not_locked' | 'failed';
}

const unlockingColumns: readonly Column<Unlocking>[] = [
  { header: 'Repository', get: 'repository', as: 'name' },
  { header: 'Result', get: 'result', as: 'state' },
];

/** The repositories of a migration to choose from. */
const repositoriesOf = ({ id: migration_id }: { readonly id: number }): PickList<Repository> => ({
  question: 'Which repository?',
  list: (session, cut) => session.list(listMigrationRepositories, { path: { migration_id } }, cut, {}),
  choice: ({ name, full_name }) => ({ name: full_name, value: name }),
});

export default class MigrationsUnlock extends ForgectlCommand<Record<string, never> | Listing<Unlocking>> {
  static override summary = 'Unlock repositories locked by a migration';
  static override description =
    `Allows pushes again to a repository locked with --lock-repositories. Run it once the migration is exported, or delete
the repository if you no longer need it. --all unlocks every repository of the migration; those that are not locked
stay unchanged.`;
  static override examples = examples({
    'Preview the request': 'forgectl migrations unlock 78 site --dry-run',
    'Preview unlocking all repositories': 'forgectl migrations unlock 78 --all --yes --dry-run',
  });
  static override requests = [unlockMigrationRepository.route, listMigrationRepositories.route];
  static override args = {
    id: idArg('ID', 'Migration ID'),
    repo_name: optionalRepoNameArg(),
  };
  static override flags = {
    all: Flags.boolean({ description: 'Unlock all repositories of the migration' }),
    ...confirmedWriteFlags,
  };

  protected override readonly picks = { id: ownMigrations, repo_name: repositoriesOf };

  protected override columns: readonly Column<Unlocking>[] = [];
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'repository';

  async run() {
    const { args, flags } = await this.collect(MigrationsUnlock);
    if (flags.all && args.repo_name !== undefined)
      this.problems.push(invalid('REPO_NAME and --all', 'cannot be used together'));
    if (flags.all) return this.unlockAll(this.valid(args).id);
    const { id, repo_name } = this.valid({
      id: args.id,
      repo_name: args.repo_name ?? (await this.input.missingArgument<string>('repo_name', { given: args })),
    });
    const effect = `unlocks ${repo_name} and allows pushes to it again`;
    await this.input.confirm(repo_name, effect, this.migration(id));
    return this.unlock(id, repo_name);
  }

  private migration(migration_id: number) {
    return async () => ({
      record: await this.call(getMigration, { path: { migration_id } }),
      columns: migrationColumns,
    });
  }

  private unlock(migration_id: number, repo_name: string) {
    const verifyCommand = `forgectl migrations repos ${migration_id}`;
    const done = `Unlocked ${repo_name}. Pushes are allowed again.`;
    return this.write(unlockMigrationRepository, { path: { migration_id, repo_name } }, { verifyCommand, done });
  }

  private async unlockAll(migration_id: number): Promise<Listing<Unlocking> | readonly PlannedRequest[]> {
    const effect = `unlocks all repositories of migration ${migration_id} and allows pushes to them again`;
    await this.input.confirm(String(migration_id), effect, this.migration(migration_id));
    const { list } = repositoriesOf({ id: migration_id });
    const repositories = await (await list(this.session, { all: true })).records();
    const asked = { method: 'GET', path: `/user/migrations/${migration_id}/repositories` };
    for (const each of repositories) requireFields(each, asked, { name: 'text', full_name: 'text' });
    const unlocked: Unlocking[] = [];
    const planned: PlannedRequest[] = [];
    try {
      for (const { name, full_name: repository } of repositories) {
        const result = await this.tryUnlock(migration_id, name);
        if (result instanceof PlannedRequest) planned.push(result);
        else unlocked.push({ repository, result });
      }
    } catch (error) {
      this.failAfter([...unlocked, ...planned], error);
    }
    if (planned.length > 0) return planned;
    const failed = unlocked.filter(({ result }) => result === 'failed').length;
    if (failed > 0)
      this.failure ??= new SomeFailedError(`${failed} of ${unlocked.length} repositories could not be unlocked.`);
    this.columns = unlockingColumns;
    return Listing.of(unlocked);
  }

  /** Treats a missing lock as success; other errors concern only this repository, so the rest continue. */
  private async tryUnlock(migration_id: number, name: string): Promise<Unlocking['result'] | PlannedRequest> {
    try {
      const answer = await this.unlock(migration_id, name);
      return answer instanceof PlannedRequest ? answer : 'unlocked';
    } catch (error) {
      if (error instanceof NotFoundError) return 'not_locked';
      await this.reportRefusal(error);
      return 'failed';
    }
  }
}

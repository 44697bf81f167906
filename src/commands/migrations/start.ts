import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { invalidArgument, isRepo, type RepoName, reposArg, targetName } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { PlannedRequest } from '../../client/request.ts';
import { asText } from '../../json/exact-json.ts';
import { startMigration } from '../../platform/endpoints/migrations.ts';
import type { Migration } from '../../platform/records.ts';
import { migrations } from '../../platform/resources/migrations.ts';
import { type Given, invalid, type Problem } from '../../platform/validate.ts';
import { migrationColumns } from '../../topics/migration-columns.ts';

const { repositories: _fromArguments, ...fields } = startMigration.body.entries;

export default class MigrationsStart extends ForgectlCommand<Migration> {
  static override summary = 'Start a migration that archives repositories';
  static override description =
    `Starts an export of repositories to an archive. Wait for it with “migrations wait”, then download it with
“migrations download”. With --lock-repositories nobody can push until you unlock each repository with “migrations
unlock”. --org-metadata-only takes no repositories. Requires a classic or OAuth app token.`;
  static override examples = examples({
    'Export and lock two repositories, without releases':
      'forgectl migrations start acme/site acme/fleet-api --lock-repositories --exclude-releases --dry-run',
    'Export only the organization’s metadata': 'forgectl migrations start --org-metadata-only',
  });
  static override requests = [startMigration.route];
  static override args = { repos: reposArg() };
  static override flags = { ...fieldFlags(fields), ...inputFlags, ...writeFlags };

  protected override readonly columns = migrationColumns;
  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.collect(MigrationsStart);
    const needed =
      !args.repos?.length && !flags['org-metadata-only'] && flags.input === undefined && this.input.canPrompt();
    const repos = needed ? await this.input.missingArgument<RepoName[]>('repos') : (args.repos ?? []);
    const named = repos?.every(isRepo) ? repos.map(targetName) : invalidArgument;
    const { body } = await this.inputFor(startMigration, flags, {
      resource: migrations,
      rules: [repositoryNames],
      body: (input) =>
        named === invalidArgument || named.length > 0 || input.repositories === undefined
          ? { repositories: named }
          : {},
    });
    const ignored = ignoredFields(body);
    if (ignored.length) this.notice(`With --org-metadata-only the platform ignores ${ignored.join(', ')}.`);
    const ownerless = body.repositories.filter((name) => !name.includes('/'));
    if (ownerless.length)
      this.notice(`No owner given for ${ownerless.join(', ')}: the platform uses your own repositories.`);
    const migration = await this.write(startMigration, { body }, { verifyCommand: 'forgectl migrations list' });
    if (migration instanceof PlannedRequest) return migration;
    const id = asText(migration.id);
    if (body.lock_repositories && body.repositories.length)
      this.notice(
        `Locked until you unlock them with “forgectl migrations unlock ${id} NAME”: ${body.repositories.join(', ')}.`,
      );
    this.notice(
      `Migration ${id} has started. Wait for it with “forgectl migrations wait ${id}”; once it is exported, its archive can be downloaded for seven days.`,
    );
    return migration;
  }
}

/**
 * Checks that each repository is given once, as OWNER/NAME or, for the token owner's repositories, as NAME; the
 * platform compares names case-insensitively.
 */
function repositoryNames({ repositories }: Given): Problem[] {
  if (!Array.isArray(repositories)) return [];
  const named = new Set<string>();
  return repositories.flatMap((name: unknown, index) => {
    if (typeof name !== 'string' || name === '') return [];
    if (!/^[^/\s]+(?:\/[^/\s]+)?$/.test(name))
      return [invalid(`repositories[${index}]`, 'must have the form OWNER/NAME')];
    if (named.has(name.toLowerCase())) return [invalid(`repositories[${index}]`, `repeats ${name}`)];
    named.add(name.toLowerCase());
    return [];
  });
}

/** Returns the flags that the platform ignores with org_metadata_only. Specification, POST /user/migrations. */
function ignoredFields({ org_metadata_only: metadataOnly, ...body }: Given): string[] {
  if (!metadataOnly) return [];
  return Object.keys(body).filter((name) => body[name] === true && name in fields);
}

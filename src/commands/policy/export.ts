import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { SomeFailedError } from '../../cli/errors.ts';
import { type InvalidArgument, orgsArg } from '../../cli/input/args.ts';
import { textFlag, valueFlag } from '../../cli/input/flags.ts';
import { plainName, wholeNumber } from '../../cli/input/values.ts';
import { isFolderName } from '../../fleet/policy/file-names.ts';
import { Reader } from '../../fleet/policy/live/requests.ts';
import { exportOwner } from '../../fleet/policy/planning/export.ts';
import { identityOf } from '../../fleet/policy/planning/plan.ts';
import { FleetRun, type TargetError } from '../../fleet/runner.ts';
import { counted } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import { getAuthenticatedUser } from '../../platform/endpoints/accounts.ts';
import { getApp, listAppInstallations } from '../../platform/endpoints/apps.ts';
import { invalid } from '../../platform/validate.ts';
import { distinct } from '../../topics/each/targets.ts';
import {
  filesToReplace,
  incompleteness,
  leftFilesNotice,
  writePolicyFiles,
  writeSchema,
} from '../../topics/policy/export.ts';
import { folderOf, installedOrganizations, type Owner, requireOwnFolders } from '../../topics/policy/export-owners.ts';
import { folderToWrite } from '../../topics/policy/files.ts';
import { requestsText } from '../../topics/policy/rendering/counts.ts';
import { policyReads } from '../../topics/policy/requests.ts';
import {
  allInstallationsFlag,
  concernsOneInstallation,
  rateLimitGroupOf,
  useEachInstallation,
} from '../../topics/runs/installations.ts';

/** A file that was written: a policy of an organization or an enterprise, or the JSON Schema of all. */
interface WrittenFile {
  readonly file: string;
  readonly organization?: string;
  readonly enterprise?: string;
}

export default class PolicyExport extends ForgectlCommand<WrittenFile[]> {
  static override summary = 'Export organizations as policy files';
  static override description =
    `Writes the settings, rulesets, registries, budgets and pre-receive hooks of organizations as policy files, in one folder for each organization,
with a file for each ruleset. With --repositories, adds a file for each repository, with its settings, rulesets, hooks and custom
property values. With --enterprise, writes the budgets of an enterprise. IDs of teams, apps, roles and repositories become names. profile.yaml says who
the organization is (name, addresses, description). Secrets of registries are not exported, but the names of
environment variables for them. Only pre-receive hooks that the organization or repository sets itself are exported.
policy.schema.json, beside the folders, is the JSON Schema that the files name for editors. Parts that the token cannot read are listed, and
the exit code is 9. Nothing is changed.`;
  static override examples = examples({
    'Export an organization to ./policy/acme': 'forgectl policy export acme',
    'Export two organizations with their repositories': 'forgectl policy export acme globex --dir fleet --repositories',
    'Export the budgets of an enterprise': 'forgectl policy export --enterprise sandbox',
  });
  static override requests = [...policyReads, getAuthenticatedUser.route, getApp.route, listAppInstallations.route];
  static override args = { org: orgsArg() };
  static override flags = {
    enterprise: valueFlag('--enterprise', plainName, {
      helpValue: 'SLUG',
      description: 'Enterprise to export; this or ORG is required',
    }),
    dir: textFlag('--dir', { helpValue: 'DIR', description: 'Folder to write to (default: policy)' }),
    repositories: Flags.boolean({ description: 'Export the repositories too' }),
    ...allInstallationsFlag,
    force: Flags.boolean({ description: 'Write to folders that have files already' }),
    concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
      helpValue: 'NUMBER',
      description: 'Repositories to read in parallel, 1 to 100 (default: 8)',
    }),
  };

  protected override readonly readings = true;
  protected override readonly columns: readonly Column<WrittenFile>[] = [
    { header: 'File', get: 'file', as: 'name', priority: 1 },
  ];
  protected override readonly recordsName = 'files';
  protected override readonly idField = 'file';
  protected override readonly emptyText = 'Nothing to export.';

  async run() {
    const { args, flags } = await this.collect(PolicyExport);
    const { enterprise, repositories, force, concurrency, 'all-installations': all } = flags;
    const dir = folderToWrite(flags.dir);
    const owners = await this.#owners(args.org ?? [], enterprise, all);
    requireOwnFolders(owners, dir);
    const earlier: string[] = [];
    for (const owner of owners) earlier.push(...(await filesToReplace(dir, folderOf(owner), force)));
    const client = await this.session.client();
    const reader = new Reader(client);
    const identity = await identityOf(client, reader);
    const rateLimitGroup = rateLimitGroupOf(await this.session.connection());
    const warn = (text: string) => this.notice(text);
    const run = new FleetRun<Owner, WrittenFile[], TargetError>({
      targets: owners,
      name: ({ name }) => name,
      rateLimitGroup: rateLimitGroup && (({ name }) => rateLimitGroup(name)),
      // Without rate limit groups, owners are exported one after the other.
      concurrency: rateLimitGroup ? undefined : 1,
      work: async (owner) => {
        const lacks = (text: string) => {
          warn(text);
          partial.add(owner.name);
        };
        const files = await exportOwner({
          ...{ reader: reader.forTask(), owner, identity },
          repositories,
          concurrency,
          warn,
          lacks,
        });
        if (files.length === 0 && (owner.kind === 'organization' || partial.has(owner.name)))
          unreadable.add(owner.name);
        const paths = await writePolicyFiles(dir, folderOf(owner), files, force);
        return paths.map((file) => ({ file, [owner.kind]: owner.name }));
      },
      describe: async (error) => {
        if (owners.length === 1 || !rateLimitGroup || !concernsOneInstallation(error)) failure ??= error;
        return { ...(await this.describe(error)), stops: true };
      },
    });
    let failure: unknown;
    let failed = 0;
    /** Those of which files lack something. */
    const partial = new Set<string>();
    /** Those without files: every organization has settings. */
    const unreadable = new Set<string>();
    const written: WrittenFile[] = [];
    for await (const outcome of run) {
      if (outcome.status === 'ok') written.push(...outcome.result);
      if (!('error' in outcome) || failure !== undefined) continue;
      failed++;
      this.notice(`${outcome.target.name} was not exported: ${outcome.error.message.replace(/\.$/, '')}.`);
    }
    if (failure !== undefined) throw failure;
    if (failed) this.failure = new SomeFailedError(`${failed} of ${counted(owners.length, 'organization')} failed.`);
    this.failure ??= incompleteness(partial, unreadable);
    written.sort((a, b) => (a.file < b.file ? -1 : 1));
    const left = leftFilesNotice(
      earlier,
      written.map(({ file }) => file),
    );
    if (left !== undefined) this.notice(left);
    if (written.length) written.push({ file: await writeSchema(dir, force) });
    this.notice(`${counted(written.length, 'file')}, ${requestsText(reader.counts)}.`);
    return written;
  }

  /** Returns the named organizations, or all with an installation, and the enterprise. Throws ValidationError. */
  async #owners(
    given: readonly (string | InvalidArgument)[],
    enterprise: string | undefined,
    all: boolean,
  ): Promise<readonly Owner[]> {
    if (all && given.length) this.problems.push(invalid('--all-installations', 'cannot be used with ORG'));
    const missing = given.length === 0 && enterprise === undefined && !all;
    const asked = missing
      ? await this.input.missingArgument<string>('org', { problem: 'or --enterprise is required' })
      : [];
    const names = [...given, asked].flat() as readonly string[];
    for (const [field, name] of [...names.map((each) => ['ORG', each]), ['--enterprise', enterprise]])
      if (field && name && !isFolderName(name)) this.problems.push(invalid(field, `“${name}” cannot name a folder`));
    const { named } = this.valid({ named: names });
    if (all) await useEachInstallation(this.session);
    const orgs = all ? await installedOrganizations(this.session) : distinct(named);
    return [
      ...orgs.map((name) => ({ kind: 'organization', name }) as const),
      ...(enterprise === undefined ? [] : [{ kind: 'enterprise', name: enterprise } as const]),
    ];
  }
}

import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, targetArg } from '../../cli/input/args.ts';
import { listFlags, valueFlag } from '../../cli/input/flags.ts';
import { wholeNumber } from '../../cli/input/values.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { unlessHidden } from '../../client/errors.ts';
import type { Column } from '../../output/table/columns.ts';
import { getUserById } from '../../platform/endpoints/accounts.ts';
import type { RulesetVersion, RulesetVersionState } from '../../platform/records.ts';
import { rulesetVersions } from '../../platform/resources/rulesets.ts';
import { ownRulesets } from '../../topics/rulesets/columns.ts';

const versionColumn: Column<RulesetVersion> = { header: 'Version', get: 'version_id', priority: 1 };
const updatedColumn: Column<RulesetVersion> = { header: 'Updated', get: 'updated_at', as: 'age' };

export default class RulesetsHistory extends ForgectlCommand<Listing<RulesetVersion> | RulesetVersionState> {
  static override summary = 'List or show the versions of a ruleset';
  static override description =
    `Lists the changes to a ruleset with their time and actor; --version shows the ruleset as of that version. To restore a
version, pass its state to rulesets update with --input.`;
  static override examples = examples({
    'List the versions': 'forgectl rulesets history acme/site 21000010',
    'Print the state of a version': 'forgectl rulesets history acme/site 21000010 --version 210000101 --jq .state',
  });
  static override requests = [...rulesetVersions.routes('list'), ...rulesetVersions.routes('get')];
  static override args = { target: targetArg(), id: idArg('ID', 'Ruleset ID') };
  static override flags = {
    version: valueFlag('--version', wholeNumber(1), {
      helpValue: 'NUMBER',
      description: 'ID of a version to show, with the ruleset’s state',
    }),
    ...listFlags('.actor.type == "User"'),
  };

  protected override columns: readonly Column<RulesetVersion>[] = [
    versionColumn,
    updatedColumn,
    { header: 'Actor', get: 'actor.type' },
    { header: 'Actor ID', get: 'actor.id' },
  ];
  protected override readonly recordsName = 'versions';
  protected override readonly idField = 'version_id';

  protected override readonly picks = { id: ownRulesets };

  async run() {
    const { args, flags } = await this.parse(RulesetsHistory);
    const { target, id: ruleset_id } = args;
    const { list, get } = rulesetVersions.of(target);
    if (flags.version !== undefined) {
      this.columns = [];
      return this.call(get, { path: { ...target, ruleset_id, version_id: flags.version } });
    }
    const versions = await this.list(list, { path: { ...target, ruleset_id } }, flags);
    return this.output.showsColumns ? this.withLogins(versions) : versions;
  }

  /** Adds user logins to a table. Versions contain only IDs, so each login is looked up once. */
  private withLogins(versions: Listing<RulesetVersion>): Listing<RulesetVersion> {
    const logins = new Map<number, string | undefined>();
    this.columns = [
      versionColumn,
      updatedColumn,
      { header: 'Actor', get: ({ actor: { id, type } }) => logins.get(id ?? 0) ?? `${type} ${id ?? ''}`.trimEnd() },
    ];
    return versions.preparedBy(async (records) => {
      const ids = new Set([...records].map(userIdOf).filter((id) => id !== undefined && !logins.has(id)));
      await Promise.all([...ids].map(async (id) => id && logins.set(id, await this.loginOf(id))));
    });
  }

  /** Returns the login of a user; undefined for one who was deleted or is hidden from this token. */
  private async loginOf(account_id: number): Promise<string | undefined> {
    const user = await unlessHidden(this.call(getUserById, { path: { account_id } }));
    // Not part of the listed record, whose secrets are masked.
    return typeof user?.login === 'string' ? this.masked(user.login) : undefined;
  }
}

/** Returns the ID of the user who created a version; undefined for an app or the platform itself. */
const userIdOf = ({ actor }: RulesetVersion): number | undefined => (actor?.type === 'User' ? actor.id : undefined);

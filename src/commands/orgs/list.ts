import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, valueFlag } from '../../cli/input/flags.ts';
import { plainName } from '../../cli/input/values.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listOrganizations, listOwnOrganizations, listUserOrganizations } from '../../platform/endpoints/orgs.ts';
import type { OrganizationSummary } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';

export default class OrgsList extends ForgectlCommand<Listing<OrganizationSummary>> {
  static override summary = 'List organizations';
  static override description =
    `Lists all organizations of the platform, oldest first; with --mine, those of the token’s owner; with --user, a user’s
public memberships. --mine requires a classic or OAuth token: the platform returns an empty list for fine-grained
tokens.`;
  static override examples = examples({
    'List all organizations': 'forgectl orgs list --all',
    'Print the names of your organizations': "forgectl orgs list --mine --jq '.[].login'",
  });
  static override requests = [listOrganizations.route, listOwnOrganizations.route, listUserOrganizations.route];
  static override flags = {
    ...queryFlags(listOrganizations.query),
    mine: Flags.boolean({ description: 'List only the organizations of the token’s owner' }),
    user: valueFlag('--user', plainName, {
      helpValue: 'LOGIN',
      description: 'Login of a user; lists only their public memberships',
    }),
    ...listFlags('.description == null'),
  };

  protected override readonly columns: readonly Column<OrganizationSummary>[] = [
    { header: 'Login', get: 'login', as: 'name', priority: 1 },
    { header: 'ID', get: 'id', priority: 1 },
    { header: 'Description', get: 'description', as: 'text', priority: 3 },
  ];
  protected override readonly recordsName = 'organizations';
  protected override readonly idField = 'login';

  async run() {
    const { flags } = await this.collect(OrgsList);
    const given = [
      flags.mine && '--mine',
      flags.user !== undefined && '--user',
      flags.since !== undefined && '--since',
    ];
    const exclusive = given.filter((name) => name !== false && name !== undefined);
    if (exclusive.length > 1) this.problems.push(invalid(exclusive.join(' and '), 'cannot be used together'));
    const input = await this.inputFor(listOrganizations, flags);
    const list = flags.mine
      ? await this.listMine(flags)
      : flags.user === undefined
        ? await this.list(listOrganizations, input, flags)
        : await this.list(listUserOrganizations, { path: { username: flags.user } }, flags);
    return list.preparedBy(async (records) => {
      if (this.runtime.terminal.stderrIsTTY) this.noteOrganizations([...records].map(({ login }) => login));
    });
  }

  private async listMine(flags: Parameters<typeof this.list>[2]) {
    const { tokenKind } = await this.session.connection();
    if (tokenKind && tokenKind !== 'classic' && tokenKind !== 'oauth')
      this.notice(
        'The platform returns an empty list for fine-grained and app tokens: use a classic token with the scope read:org.',
      );
    return this.list(listOwnOrganizations, {}, flags);
  }
}

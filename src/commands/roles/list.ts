import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { whereFlag } from '../../cli/input/flags.ts';
import type { Column } from '../../output/table/columns.ts';
import { listCustomRepositoryRoles } from '../../platform/endpoints/orgs.ts';
import type { CustomRepositoryRole } from '../../platform/records.ts';

export default class RolesList extends ForgectlCommand<CustomRepositoryRole[]> {
  static override summary = 'List the custom repository roles of an organization';
  static override description =
    'Lists an organization’s custom repository roles with their base role and additional permissions.';
  static override examples = examples({
    'List all custom roles': 'forgectl roles list acme',
    'List the roles with a permission': `forgectl roles list acme --jq '.[] | select(.permissions | index("edit_repo_metadata")) | .name'`,
  });
  static override requests = [listCustomRepositoryRoles.route];
  static override args = { org: orgArg() };
  static override flags = whereFlag('.base_role == "write"');

  protected override readonly columns: readonly Column<CustomRepositoryRole>[] = [
    { header: 'ID', get: 'id', priority: 1 },
    { header: 'Name', get: 'name', as: 'name', priority: 1 },
    { header: 'Base role', get: 'base_role', priority: 1 },
    { header: 'Permissions', get: ({ permissions }) => permissions.join(', '), as: 'text' },
    { header: 'Updated', get: 'updated_at', as: 'age', priority: 3 },
    { header: 'Description', get: 'description', as: 'text', priority: 3 },
  ];
  protected override readonly recordsName = 'roles';
  protected override readonly idField = 'id';

  async run() {
    const { args } = await this.parse(RolesList);
    return this.call(listCustomRepositoryRoles, { path: { org: args.org } });
  }
}

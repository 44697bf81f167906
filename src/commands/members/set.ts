import * as Flags from '@oclif/core/flags';
import { examples } from '../../cli/command/command.ts';
import { loginArg, orgArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { NotFoundError } from '../../client/errors.ts';
import { getAuthenticatedUser } from '../../platform/endpoints/accounts.ts';
import { getMembership, setMembership } from '../../platform/endpoints/members.ts';
import { listOrganizationMembers } from '../../platform/endpoints/orgs.ts';
import type { OrganizationMembership } from '../../platform/records.ts';
import { memberships } from '../../platform/resources/members.ts';
import { MembershipCommand, membershipColumns } from '../../topics/memberships.ts';

export default class MembersSet extends MembershipCommand<OrganizationMembership> {
  static override summary = 'Invite a person, or change a member’s role';
  static override description =
    `Invites a person to an organization, or changes the role of a member. An invitation is pending until the person
accepts it. Refuses to demote the last owner, and with --role member the token’s owner unless --allow-self is given.`;
  static override examples = examples({
    'Invite a person': 'forgectl members set globex paperfox --role member',
    'Make a member an owner': 'forgectl members set acme paperfox --role admin',
  });
  static override requests = [
    getMembership.route,
    getAuthenticatedUser.route,
    listOrganizationMembers.route,
    setMembership.route,
  ];
  static override args = { org: orgArg(), login: loginArg() };
  static override flags = {
    ...fieldFlags(setMembership.body.entries),
    'allow-self': Flags.boolean({ description: 'Allow the demotion of the token’s owner' }),
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly columns = membershipColumns;
  protected override readonly idField = 'user.login';

  async run() {
    const { args, flags } = await this.collect(MembersSet);
    const path = () => {
      const { org, login: username } = this.valid(args);
      return { org, username };
    };
    const current = () => unlessAbsent(this.call(getMembership, { path: path() }));
    const { body } = await this.inputFor(setMembership, flags, { resource: memberships, current });
    const { org, username } = path();
    // Any other role, which only a newer platform knows, may end that of an owner.
    const before = body.role === 'admin' ? undefined : await unlessAbsent(this.membership({ org, username }));
    if (before && before.role !== 'member')
      await this.guard({ org, username }, before, 'Demoting', flags['allow-self']);
    const verifyCommand = `forgectl members get ${org} ${username}`;
    return this.write(setMembership, { path: { org, username }, body }, { verifyCommand });
  }
}

/** Returns a membership; undefined for someone without one. Throws for a membership that the token may not read. */
async function unlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

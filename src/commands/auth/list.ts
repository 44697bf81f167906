import { readSettings } from '../../cli/account/settings.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { whereFlag } from '../../cli/input/flags.ts';
import type { Column } from '../../output/table/columns.ts';

interface ListedProfile {
  profile: string;
  active: boolean;
  base_url: string | null;
  login: string | null;
  token_kind: string | null;
  /** Null for a profile without a login. */
  storage: string | null;
  expires_at: string | null;
}

export default class AuthList extends ForgectlCommand<ListedProfile[]> {
  static override summary = 'List the profiles';
  static override description =
    `Lists all profiles with their platform and login, and marks the active one. Sends no requests, so it does not verify
tokens; use “auth status” for that.`;
  static override examples = examples({
    'List all profiles': 'forgectl auth list',
    'Print the name of the active profile': "forgectl auth list --jq '.[] | select(.active).profile'",
  });
  static override flags = whereFlag('.active');

  protected override readonly columns: readonly Column<ListedProfile>[] = [
    { header: 'Profile', get: 'profile', as: 'name', priority: 1 },
    { header: 'Active', get: 'active', priority: 1 },
    { header: 'Base URL', get: 'base_url', as: 'text', priority: 1 },
    { header: 'Login', get: 'login' },
    { header: 'Token kind', get: 'token_kind' },
    { header: 'Storage', get: 'storage', priority: 3 },
    { header: 'Expires', get: 'expires_at' },
  ];

  protected override readonly emptyText = 'No profiles yet. Create one with “forgectl auth login --base-url URL”.';
  protected override readonly idField = 'profile';

  async run() {
    const { flags } = await this.parse(AuthList);
    const { env } = this.runtime;
    const { active, profiles } = readSettings(this.settingsDirectory);
    const inUse = flags.profile ?? (env.FORGECTL_PROFILE || active);
    return [...profiles].map(([profile, { 'base-url': baseUrl, token }]) => ({
      profile,
      active: profile === inUse,
      base_url: baseUrl ?? null,
      login: token?.login ?? null,
      token_kind: token?.kind ?? null,
      storage: token?.storage ?? null,
      expires_at: token?.['expires-at'] ?? null,
    }));
  }
}

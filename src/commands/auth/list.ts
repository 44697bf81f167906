import { readSettings } from '../../cli/account/settings.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import type { Column } from '../../output/table/columns.ts';

interface ListedProfile {
  profile: string;
  active: boolean;
  base_url: string | null;
  login: string | null;
  token_kind: string | null;
  /** Null for a profile that is not logged in. */
  storage: string | null;
  expires_at: string | null;
}

export default class AuthList extends ForgectlCommand<ListedProfile[]> {
  static override summary = 'List the profiles';
  static override description =
    `Lists all profiles: which one is in use, its platform, and who is logged in there. Nothing is sent, so it does not say whether a token
still works; “auth status” does.`;
  static override examples = [
    { description: 'All of them', command: '<%= config.bin %> auth list' },
    { description: 'The one in use', command: "<%= config.bin %> auth list --jq '.[] | select(.active).profile'" },
  ];

  protected override readonly columns: readonly Column<ListedProfile>[] = [
    { header: 'Profile', get: 'profile', as: 'name', priority: 1 },
    { header: 'In use', get: 'active', priority: 1 },
    { header: 'Base URL', get: 'base_url', as: 'text', priority: 1 },
    { header: 'Login', get: 'login' },
    { header: 'Token kind', get: 'token_kind' },
    { header: 'Kept in', get: 'storage', priority: 3 },
    { header: 'Expires', get: 'expires_at' },
  ];

  protected override readonly emptyText = 'There is no profile yet. “forgectl auth login --base-url URL” makes one.';
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

import type { Actor, AuthenticatedUser, User as PublicUser } from '../../platform/records.ts';
import type { SandboxPlatform } from '../platform.ts';
import type { Account, User } from '../state/accounts.ts';
import type { Bot } from '../state/pushes/history.ts';
import type { RepositoryState } from '../state/repositories.ts';

/** Id of a record in the graph API: its type and id in base64. */
export const nodeId = (type: string, id: number | string): string =>
  Buffer.from(`0${type.length}:${type}${id}`).toString('base64');

/** Specification, Actor. */
export function actorView(platform: SandboxPlatform, account: Account | Bot): Actor {
  const url = `${platform.baseUrl}/users/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    avatar_url: avatarUrl(platform, account),
    gravatar_id: '',
    url,
    html_url: `${platform.origin}/${account.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    site_admin: account.type === 'User' && account.site_admin,
  };
}

export const avatarUrl = ({ origin }: SandboxPlatform, { id }: Pick<Account, 'id'>): string =>
  `${origin}/avatars/u/${id}?v=4`;

/** The public profile of a user or an organization, without the email address. */
export function userView(platform: SandboxPlatform, account: Account): PublicUser {
  return {
    ...actorView(platform, account),
    name: account.type === 'User' ? account.name : account.settings.name,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: repositoriesOf(platform, account).filter(isPublic).length,
    public_gists: 0,
    followers: 3,
    following: 1,
    created_at: '2019-02-11T09:30:00Z',
    updated_at: '2024-11-05T16:20:00Z',
  } as PublicUser;
}

const repositoriesOf = (platform: SandboxPlatform, account: Account) =>
  platform.repositories.of(account).slice(0, 1000);
const isPublic = ({ visibility }: RepositoryState) => visibility === 'public';

/** The token's owner, with the fields that the public platform shows only to them. */
export function authenticatedUserView(platform: SandboxPlatform, user: User): AuthenticatedUser {
  const repositories = repositoriesOf(platform, user);
  const privateRepositories = repositories.filter((repository) => !isPublic(repository)).length;
  return {
    ...userView(platform, user),
    email: `${user.login}@sandbox.example`,
    private_gists: 0,
    total_private_repos: privateRepositories,
    owned_private_repos: privateRepositories,
    disk_usage: repositories.reduce((sum, { size }) => sum + size, 0),
    collaborators: 0,
    two_factor_authentication: true,
    plan: { name: 'enterprise', space: 976562499, collaborators: 0, private_repos: 999999 },
  } as AuthenticatedUser;
}

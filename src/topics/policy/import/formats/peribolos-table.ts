/** The keys of peribolos, with those of policies. */
import { firstCommitKeys } from '../creation.ts';
import { mergeMethodKeys } from '../merge-methods.ts';
import type { KeyTranslation } from '../model.ts';
import { byName, keysAt } from '../source.ts';

/** Keys of an organization that are settings of the same name. */
export const organizationSettings = [
  'billing_email',
  'company',
  'email',
  'name',
  'description',
  'location',
  'has_organization_projects',
  'has_repository_projects',
  'default_repository_permission',
  'members_can_create_repositories',
];

/** Keys of a repository with the settings of policies. */
export const repositorySettings = byName<string>(
  Object.fromEntries(
    [
      'description',
      'homepage',
      'has_issues',
      'has_projects',
      'has_wiki',
      'allow_squash_merge',
      'allow_merge_commit',
      'allow_rebase_merge',
      'squash_merge_commit_title',
      'squash_merge_commit_message',
      'default_branch',
      'archived',
    ].map((key) => [key, key]),
  ),
);

/** Keys of an organization with its people, and the lists of policies. */
export const people = byName<string>({ admins: 'owners', members: 'members' });

/** What policies lack, by the key of a repository. */
export const lacking = byName<string>({ previously: 'Policies cannot rename repositories' });

export const peribolosKeys: readonly KeyTranslation[] = [
  ...organizationSettings.map((key) => ({ key, policy: `settings.${key}` })),
  { key: 'admins[]', policy: 'members.owners[]' },
  { key: 'members[]', policy: 'members.members[]' },
  { key: 'teams.*.description', policy: 'teams[*].description' },
  { key: 'teams.*.privacy', policy: 'teams[*].privacy' },
  { key: 'teams.*.maintainers[]', policy: 'teams[*].maintainers[]' },
  { key: 'teams.*.members[]', policy: 'teams[*].members[]' },
  { key: 'teams.*.previously[]', policy: 'teams[*].was' },
  { key: 'teams.*.teams.*', policy: 'teams[*].parent', note: 'The team is the parent' },
  { key: 'teams.*.repos.*', policy: 'repositories[*].access.teams.*', note: 'By repository; the slug of the team' },
  { key: 'teams.*.repos.*', value: 'none', policy: 'repositories[*].absent.access.teams[]' },
  ...Object.entries(repositorySettings).map(([key, setting]) => ({
    key: `repos.*.${key}`,
    policy: `repositories[*].settings.${setting}`,
  })),
  ...mergeMethodKeys('repos.*.'),
  { key: 'repos.*.private', value: 'true', policy: 'repositories[*].create.visibility', note: 'private' },
  { key: 'repos.*.private', value: 'false', policy: 'repositories[*].create.visibility', note: 'public' },
  ...firstCommitKeys.map((key) => ({ key: `repos.*.on_create.${key}`, policy: `repositories[*].create.${key}` })),
  ...Object.entries(lacking).map(([key, note]) => ({ key: `repos.*.${key}`, note })),
];

/** The keys of each level, of which null unsets those that are known. */
export const known = {
  organization: keysAt('', peribolosKeys),
  team: keysAt('teams.*.', peribolosKeys),
  repository: keysAt('repos.*.', peribolosKeys),
};

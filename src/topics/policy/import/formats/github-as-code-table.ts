/** The keys of github-as-code, with those of policies. */
import { firstCommitKeys } from '../creation.ts';
import { mergeMethodKeys } from '../merge-methods.ts';
import type { KeyTranslation } from '../model.ts';
import { protectionKeys } from '../protection/table.ts';
import { byName, keysAt } from '../source.ts';

/** Keys of `members` and of the members of a team, with the lists of policies. */
export const organizationRoles = byName<string>({ admin: 'owners', member: 'members' });
export const teamRoles = byName<string>({ maintainer: 'maintainers', member: 'members' });

/** Keys of a repository with the settings of policies. */
export const settings = byName<string>({
  ...Object.fromEntries(
    [
      'description',
      'has_issues',
      'has_projects',
      'has_wiki',
      'has_discussions',
      'has_downloads',
      'is_template',
      'default_branch',
      'allow_squash_merge',
      'allow_merge_commit',
      'allow_rebase_merge',
      'allow_auto_merge',
      'allow_update_branch',
      'allow_forking',
      'delete_branch_on_merge',
      'squash_merge_commit_title',
      'squash_merge_commit_message',
      'merge_commit_title',
      'merge_commit_message',
      'web_commit_signoff_required',
      'archived',
    ].map((key) => [key, key]),
  ),
  homepage_url: 'homepage',
});

/** Keys of a repository that are switches of `security_and_analysis`. */
export const securityFeatures = ['advanced_security', 'secret_scanning', 'secret_scanning_push_protection'];

/** What policies lack, by the key of a repository. */
export const lacking = byName<string>({
  files: 'Policies have no files of repositories',
  pages: 'Policies have no settings of pages',
});

/** Keys that say how Terraform, which github-as-code runs, works. */
export const ownKeys: readonly string[] = ['archive_on_destroy', 'ignore_vulnerability_alerts_during_read'];

export const githubAsCodeKeys: readonly KeyTranslation[] = [
  { key: 'members.admin[]', policy: 'members.owners[]' },
  { key: 'members.member[]', policy: 'members.members[]' },
  { key: 'teams.*.description', policy: 'teams[*].description' },
  { key: 'teams.*.privacy', policy: 'teams[*].privacy' },
  { key: 'teams.*.parent_team_id', policy: 'teams[*].parent', note: 'The name of the parent' },
  { key: 'teams.*.members.maintainer[]', policy: 'teams[*].maintainers[]' },
  { key: 'teams.*.members.member[]', policy: 'teams[*].members[]' },
  { key: 'teams.*.create_default_maintainer', value: 'false', policy: 'teams[*]', note: 'Always so' },
  {
    key: 'teams.*.create_default_maintainer',
    value: 'true',
    note: 'Policies add no default maintainers',
  },
  ...Object.entries(settings).map(([key, setting]) => ({
    key: `repositories.*.${key}`,
    policy: `repositories[*].settings.${setting}`,
  })),
  ...securityFeatures.map((key) => ({
    key: `repositories.*.${key}`,
    policy: `repositories[*].settings.security_and_analysis.${key}.status`,
    note: 'enabled or disabled',
  })),
  ...mergeMethodKeys('repositories.*.'),
  { key: 'repositories.*.visibility', policy: 'repositories[*].create.visibility' },
  ...firstCommitKeys.map((key) => ({ key: `repositories.*.${key}`, policy: `repositories[*].create.${key}` })),
  {
    key: 'repositories.*.auto_init',
    value: 'false',
    policy: 'repositories[*].create.template',
    note: 'With a template, which has commits',
  },
  { key: 'repositories.*.template', policy: 'repositories[*].create.template', note: 'OWNER/NAME' },
  { key: 'repositories.*.topics[]', policy: 'repositories[*].topics[]' },
  { key: 'repositories.*.vulnerability_alerts', policy: 'repositories[*].alerts.vulnerability' },
  { key: 'repositories.*.collaborators.*[]', policy: 'repositories[*].access.users.*', note: 'The key is the role' },
  { key: 'repositories.*.teams.*[]', policy: 'repositories[*].access.teams.*', note: 'The slug of the team' },
  { key: 'repositories.*.labels.*.color', policy: 'repositories[*].labels[*].color' },
  { key: 'repositories.*.labels.*.description', policy: 'repositories[*].labels[*].description' },
  ...protectionKeys('repositories.*.branch_protection.*.', 'terraform'),
  ...ownKeys.map((key) => ({ key: `repositories.*.${key}`, note: 'Says how Terraform works; not imported' })),
  ...Object.entries(lacking).map(([key, note]) => ({ key: `repositories.*.${key}`, note })),
];

/** The keys of each level, of which null unsets those that are known. */
export const known = {
  team: keysAt('teams.*.', githubAsCodeKeys),
  repository: keysAt('repositories.*.', githubAsCodeKeys),
  label: keysAt('repositories.*.labels.*.', githubAsCodeKeys),
};

/** The resources and attributes of Terraform’s provider, with the keys of policies. */
import { updateOrganization } from '../../../../../platform/endpoints/orgs.ts';
import { settingKeys } from '../../app-table.ts';
import { firstCommitKeys } from '../../creation.ts';
import type { KeyTranslation } from '../../model.ts';
import { protectionKeys } from '../../protection/table.ts';
import { rulesetKeys } from '../../ruleset-files.ts';
import { byName } from '../../source.ts';

export const unknownAttribute = 'Policies have no counterpart for this attribute';

/** Attributes that the provider computes. */
export const readOnlyAttributes: readonly string[] = [
  'id',
  'etag',
  'node_id',
  'repo_id',
  'full_name',
  'html_url',
  'ssh_clone_url',
  'http_clone_url',
  'git_clone_url',
  'svn_url',
  'primary_language',
  'slug',
  'members_count',
  'parent_team_read_id',
  'parent_team_read_slug',
  'invitation_id',
  'invitation_ids',
  'ruleset_id',
  'repository_id',
  'url',
];

/** Attributes that only say how Terraform works. */
export const ownAttributes: readonly string[] = [
  'archive_on_destroy',
  'ignore_vulnerability_alerts_during_read',
  'permission_diff_suppression',
  'downgrade_on_destroy',
  'create_default_maintainer',
  'timeouts',
];

/** What policies lack, by type and attribute; a value that is false or empty is no loss. */
export const lackingAttributes = byName<string>({
  'github_repository.pages': 'Policies have no pages',
  'github_repository.fork': 'Policies create no forks',
  'github_repository.source_owner': 'Policies create no forks',
  'github_repository.source_repo': 'Policies create no forks',
  'github_branch_default.rename': 'Policies cannot rename branches',
  'github_team.ldap_dn': 'Policies cannot connect teams with groups of a directory',
  'github_repository_collaborators.ignore_team':
    'Policies have no teams to ignore; undeclared access is kept unless manage.access is all',
});

/** What policies lack, by the beginning of the type of a resource. */
export const lackingTypes: readonly (readonly [type: string, reason: string])[] = [
  ['github_actions_', 'Policies have no Actions secrets, variables, runners or permissions'],
  ['github_dependabot_', 'Policies have no secrets'],
  ['github_codespaces_', 'Policies have no secrets'],
  ['github_repository_webhook', 'Policies have no webhooks'],
  ['github_organization_webhook', 'Policies have no webhooks'],
  ['github_repository_environment', 'Policies have no environments'],
  ['github_repository_deployment', 'Policies have no environments'],
  ['github_repository_deploy_key', 'Policies have no deploy keys'],
  ['github_repository_file', 'Policies have no files'],
  ['github_repository_pages', 'Policies have no pages'],
  ['github_repository_milestone', 'Policies have no milestones'],
  ['github_repository_autolink_reference', 'Policies have no autolinks'],
  ['github_branch', 'Policies have no branches'],
  ['github_team_settings', 'Policies have no review assignment of teams'],
  ['github_team_sync_group_mapping', 'Policies cannot connect teams with groups of an identity provider'],
  ['github_organization_block', 'Policies have no blocked users'],
  ['github_app_installation', 'Policies have no installations of apps'],
  ['github_enterprise_', 'Policies have only budgets of enterprises'],
  ['github_', 'Policies have no counterpart for this resource'],
  ['', 'Not a resource of this platform'],
];

/** Attributes of custom properties, with the keys of policies. */
export const propertyKeys = byName<string>({
  property_name: 'name',
  value_type: 'type',
  allowed_values: 'allowed',
  default_value: 'default',
  required: 'required',
  description: 'description',
  values_editable_by: 'editable_by',
});

/** Settings of a repository that have another name in the provider. */
export const renamedSettings = byName<string>({ homepage_url: 'homepage' });

const ofTeam = { note: 'The slug of the team' };
const roles = { note: 'pull is read, push is write' };
const repositories = 'repositories[*]';

/** Keys are types of resources with their attributes. */
export const terraformKeys: readonly KeyTranslation[] = [
  { key: 'github_repository.name', policy: `${repositories}.create.name` },
  { key: 'github_repository.visibility', policy: `${repositories}.create.visibility` },
  { key: 'github_repository.private', policy: `${repositories}.create.visibility`, note: 'Without visibility' },
  { key: 'github_repository.template', policy: `${repositories}.create.template`, note: 'OWNER/NAME' },
  ...firstCommitKeys.map((key) => ({ key: `github_repository.${key}`, policy: `${repositories}.create.${key}` })),
  ...settingKeys
    .filter((key) => key !== 'visibility')
    .map((key) => {
      const renamed = Object.entries(renamedSettings).find(([, policy]) => policy === key)?.[0];
      return { key: `github_repository.${renamed ?? key}`, policy: `${repositories}.settings.${key}` };
    }),
  { key: 'github_repository.topics', policy: `${repositories}.topics` },
  { key: 'github_repository.vulnerability_alerts', policy: `${repositories}.alerts.vulnerability` },
  { key: 'github_repository_topics.topics', policy: `${repositories}.topics` },
  { key: 'github_branch_default.branch', policy: `${repositories}.settings.default_branch` },
  { key: 'github_repository_vulnerability_alerts.enabled', policy: `${repositories}.alerts.vulnerability` },
  { key: 'github_repository_dependabot_security_updates.enabled', policy: `${repositories}.alerts.fixes` },
  { key: 'github_repository_collaborator.username', policy: `${repositories}.access.users.*` },
  { key: 'github_repository_collaborator.permission', policy: `${repositories}.access.users.*`, ...roles },
  { key: 'github_repository_collaborators.user[]', policy: `${repositories}.access.users.*`, ...roles },
  { key: 'github_repository_collaborators.team[]', policy: `${repositories}.access.teams.*`, ...roles },
  { key: 'github_team_repository.team_id', policy: `${repositories}.access.teams.*`, ...ofTeam },
  { key: 'github_team_repository.permission', policy: `${repositories}.access.teams.*`, ...roles },
  { key: 'github_membership.username', value: 'with role admin', policy: 'members.owners[]' },
  { key: 'github_membership.username', value: 'with role member', policy: 'members.members[]' },
  { key: 'github_team.name', policy: 'teams[*].name' },
  { key: 'github_team.description', policy: 'teams[*].description' },
  { key: 'github_team.privacy', policy: 'teams[*].privacy' },
  { key: 'github_team.parent_team_id', policy: 'teams[*].parent', note: 'The name of the parent' },
  { key: 'github_team.notification_setting', policy: 'teams[*].notifications', note: 'true for notifications_enabled' },
  { key: 'github_team_membership.username', value: 'with role maintainer', policy: 'teams[*].maintainers[]' },
  { key: 'github_team_membership.username', value: 'with role member', policy: 'teams[*].members[]' },
  { key: 'github_team_members.members[].username', value: 'with role maintainer', policy: 'teams[*].maintainers[]' },
  { key: 'github_team_members.members[].username', value: 'with role member', policy: 'teams[*].members[]' },
  ...['name', 'color', 'description'].flatMap((key) => [
    { key: `github_issue_label.${key}`, policy: `${repositories}.labels[*].${key}` },
    { key: `github_issue_labels.label[].${key}`, policy: `${repositories}.labels[*].${key}` },
  ]),
  ...Object.keys(updateOrganization.body.entries).map((key) => ({
    key: `github_organization_settings.${key}`,
    policy: `settings.${key}`,
  })),
  ...Object.entries(propertyKeys).map(([key, policy]) => ({
    key: `github_organization_custom_properties.${key}`,
    policy: `property_schema[*].${policy}`,
  })),
  { key: 'github_repository_custom_property.property_value', policy: `${repositories}.properties.*` },
  { key: 'github_repository_custom_properties.property[].value', policy: `${repositories}.properties.*` },
  ...rulesetKeys.flatMap((name) => [
    { key: `github_organization_ruleset.${name}`, policy: `rulesets[*].${name}` },
    { key: `github_repository_ruleset.${name}`, policy: `${repositories}.rulesets[*].${name}` },
  ]),
  {
    key: 'github_branch_protection.pattern',
    policy: 'repositories[*].rulesets[*].conditions.ref_name.include[]',
    note: 'refs/heads/PATTERN',
  },
  ...protectionKeys('github_branch_protection.', 'terraform'),
  {
    key: 'github_branch_protection_v3.branch',
    policy: 'repositories[*].rulesets[*].conditions.ref_name.include[]',
    note: 'refs/heads/NAME',
  },
  {
    key: 'github_branch_protection_v3',
    policy: 'repositories[*].rulesets[*]',
    note: 'The same attributes as github_branch_protection',
  },
  ...readOnlyAttributes.map((key) => ({ key: `*.${key}`, note: 'Computed by the provider; not imported' })),
  ...ownAttributes.map((key) => ({ key: `*.${key}`, note: 'Says how Terraform works; not imported' })),
  ...Object.entries(lackingAttributes).map(([key, note]) => ({ key, note })),
  ...lackingTypes.flatMap(([key, note]) => (key === '' ? [] : [{ key: `${key}*`, note }])),
];

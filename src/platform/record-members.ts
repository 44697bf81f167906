/** How the records that the platform answers differ from the bodies that make and change them. */
import * as v from 'valibot';
import type { Declaration, RecordMembers } from './endpoint.ts';
import type { Given } from './validate.ts';

/** Ids, links, times and counts. */
const isSetEverywhere = (name: string): boolean => /^(?:id|node_id|url|_links|.+_(?:url|at|count))$/.test(name);

export const organizationMembers: RecordMembers = {
  readOnly: [
    'login',
    'is_verified',
    'public_repos',
    'public_gists',
    'private_gists',
    'followers',
    'following',
    'type',
    'total_private_repos',
    'owned_private_repos',
    'disk_usage',
    'collaborators',
    'plan',
    'default_repository_branch',
    'members_can_delete_repositories',
    'members_can_change_repo_visibility',
    'members_can_invite_outside_collaborators',
    'members_can_delete_issues',
    'members_can_create_teams',
    'members_can_view_dependency_insights',
    'display_commenter_full_name_setting_enabled',
    'readers_can_create_discussions',
    'two_factor_requirement_enabled',
  ],
  nullable: [
    'billing_email',
    'default_repository_permission',
    'members_can_create_repositories',
    'members_can_fork_private_repositories',
  ],
};

export const repositoryMembers: RecordMembers = {
  readOnly: [
    'full_name',
    'owner',
    'language',
    'fork',
    'archived',
    'disabled',
    'has_pages',
    'has_discussions',
    'allow_forking',
    'forks',
    'watchers',
    'size',
    'open_issues',
    'default_branch',
    'topics',
    'permissions',
    'temp_clone_token',
    'license',
    'organization',
    'parent',
    'source',
    'template_repository',
    'security_and_analysis',
    'allow_update_branch',
    'web_commit_signoff_required',
    'custom_properties_values',
    'code_of_conduct',
    'role_name',
  ],
};

export const rulesetMembers: RecordMembers = {
  readOnly: ['source_type', 'source', 'current_user_can_bypass'],
  nullable: ['conditions'],
};

export const budgetMembers: RecordMembers = {
  readOnly: ['budget_product_skus', 'consumed_amount', 'effective_budget'],
};

/** The name follows from the type of a registry; the platform makes it. */
export const registryMembers: RecordMembers = { readOnly: ['name'] };

export const commentMembers: RecordMembers = {
  readOnly: [
    'body_text',
    'body_html',
    'path',
    'position',
    'line',
    'commit_id',
    'user',
    'author_association',
    'reactions',
  ],
  nullable: ['path', 'position', 'line'],
};

export const hookMembers: RecordMembers = {
  readOnly: ['name', 'allow_downstream_configuration', 'script', 'script_repository', 'environment'],
};

export const migrationMembers: RecordMembers = { readOnly: ['owner', 'guid', 'state'] };

export const viewMembers: RecordMembers = { readOnly: ['number', 'creator'] };

/**
 * Takes the body of an endpoint out of a record as the platform answers it: without what only the platform sets, and
 * without the null that stands for none there. What is a body already stays as it is. `ignored` names the members left out.
 */
export function bodyOfRecord(
  { route, body, recordMembers }: Pick<Declaration, 'route' | 'body' | 'recordMembers'>,
  record: Given,
): { readonly body: Given; readonly ignored: readonly string[] } {
  if (!recordMembers) return { body: record, ignored: [] };
  const { readOnly, nullable = [] } = recordMembers;
  const fields = new Map(Object.entries((body?.entries ?? {}) as Readonly<Record<string, v.GenericSchema>>));
  const ignored: string[] = [];
  const members = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const schema = fields.get(name);
    const isCleared = value === null && schema !== undefined && !v.is(schema, null) && v.is(schema, '');
    if (isCleared) return route.startsWith('POST ') ? [] : [[name, '']];
    const isIgnored = schema
      ? value === null && nullable.includes(name)
      : readOnly.includes(name) || isSetEverywhere(name);
    if (!isIgnored) return [[name, value]];
    ignored.push(name);
    return [];
  });
  // fromEntries defines members, so that one named `__proto__` stays a member.
  return { body: Object.fromEntries(members), ignored };
}

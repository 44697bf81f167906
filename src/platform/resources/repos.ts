import { createOrganizationRepository, getRepository, listOrganizationRepositories } from '../endpoints/repos.ts';
import { resource } from '../resource.ts';

export const repositories = resource({
  key: ['name'],
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
    'code_of_conduct',
    'role_name',
  ],
  owners: {
    organization: { list: listOrganizationRepositories, create: createOrganizationRepository },
    repository: { get: getRepository },
  },
});

import * as endpoints from '../endpoints/repos.ts';
import { resource } from '../resource.ts';

export const repositories = resource({
  key: ['name'],
  readOnly: [
    'full_name',
    'owner',
    'language',
    'fork',
    'disabled',
    'has_pages',
    'forks',
    'watchers',
    'size',
    'open_issues',
    'topics',
    'permissions',
    'temp_clone_token',
    'license',
    'organization',
    'parent',
    'source',
    'template_repository',
    'code_of_conduct',
    'role_name',
  ],
  owners: {
    organization: { list: endpoints.listOrganizationRepositories, create: endpoints.createOrganizationRepository },
    repository: {
      get: endpoints.getRepository,
      update: endpoints.updateRepository,
      delete: endpoints.deleteRepository,
    },
  },
});

/** All topics of a repository, which are replaced together. */
export const repositoryTopics = resource({
  sets: ['names'],
  owners: { repository: { get: endpoints.getTopics, update: endpoints.replaceTopics } },
});

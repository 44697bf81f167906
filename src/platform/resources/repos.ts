import {
  createOrganizationRepository,
  deleteRepository,
  getRepository,
  getTopics,
  listOrganizationRepositories,
  replaceTopics,
  updateRepository,
} from '../endpoints/repos.ts';
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
    'has_discussions',
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
    organization: { list: listOrganizationRepositories, create: createOrganizationRepository },
    repository: { get: getRepository, update: updateRepository, delete: deleteRepository },
  },
});

/** All topics of a repository, which are replaced together. */
export const repositoryTopics = resource({
  sets: ['names'],
  owners: { repository: { get: getTopics, update: replaceTopics } },
});

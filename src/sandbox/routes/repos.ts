import * as endpoints from '../../platform/endpoints/repos.ts';
import { listing, mapped } from '../paging.ts';
import { found } from '../refusals.ts';
import { Reply } from '../replies.ts';
import { userOf } from '../roles.ts';
import { type App, route } from '../route.ts';
import { authors, languageBytes, requireObjects } from '../state/git.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { teamsOfRepository } from '../state/teams.ts';
import { actorView } from '../views/actor.ts';
import { repositoryView } from '../views/repository.ts';
import { teamView } from '../views/team.ts';
import { activityPage } from './repos/activity.ts';
import { codeownersErrors } from './repos/codeowners.ts';
import { collaborators, collaboratorView, permissionOfPerson } from './repos/collaborators.ts';
import { createRepository } from './repos/create.ts';
import { dispatch, listRepositoryEvents, repositoryEvents } from './repos/dispatch.ts';
import { generateRepository } from './repos/generate.ts';
import { organizationRepositories } from './repos/list.ts';
import { transferRepository } from './repos/transfer.ts';
import { changeRepository, deleteRepository } from './repos/update.ts';

export function mountRepositories(app: App): void {
  mountSettings(app);
  mountPeople(app);
  mountContents(app);
}

/** Lists of repositories, and each repository with its settings. */
function mountSettings(app: App): void {
  route(app, endpoints.listOrganizationRepositories, ({ platform, organization, caller, query }) =>
    mapped(organizationRepositories(platform, organization, caller, query), (repository) =>
      repositoryView(platform, repository, caller),
    ),
  );

  route(app, endpoints.createOrganizationRepository, ({ platform, organization, caller, body }) =>
    repositoryView(platform, createRepository(platform, organization, caller, body), caller),
  );

  route(app, endpoints.generateRepository, ({ platform, caller, path, body }) =>
    repositoryView(platform, generateRepository(platform, caller, path, body), caller),
  );

  route(app, endpoints.getRepository, ({ platform, repository, caller }) =>
    repositoryView(platform, repository, caller),
  );

  route(
    app,
    endpoints.updateRepository,
    ({ platform, repository, caller, body }) =>
      repositoryView(platform, changeRepository(platform, repository, caller, body), caller),
    { readOnlyToo: true },
  );

  route(
    app,
    endpoints.deleteRepository,
    ({ platform, repository, caller }) => deleteRepository(platform, repository, caller),
    { readOnlyToo: true },
  );

  route(app, endpoints.transferRepository, ({ platform, repository, caller, body }) => {
    // The response has the former owner and name.
    const before = repositoryView(platform, repository, caller);
    transferRepository(platform, repository, caller, body);
    return before;
  });

  route(app, endpoints.getTopics, ({ repository }) => ({ names: [...repository.topics] }));

  route(app, endpoints.replaceTopics, ({ platform, repository, body }) => {
    const topics = [...new Set(body.names.map((name) => name.toLowerCase()))];
    platform.repositories.change(repository, { topics }, platform.clock());
    return { names: topics };
  });

  route(app, endpoints.listCacheReplicas, ({ repository }) => cacheReplicas(repository));
}

/** Who has access to a repository, and who contributes to it. */
function mountPeople(app: App): void {
  route(app, endpoints.listCollaborators, ({ platform, repository, query }) =>
    mapped(listing(collaborators(platform, repository, query)), (collaborator) =>
      collaboratorView(platform, collaborator),
    ),
  );

  route(app, endpoints.getCollaboratorPermission, ({ platform, repository, path }) => {
    const user = found(platform.accounts.user(path.username));
    return permissionOfPerson(platform, repository, user);
  });

  route(app, endpoints.listRepositoryTeams, ({ platform, repository }) =>
    mapped(listing(teamsOfRepository(platform, repository)), ({ team, permission }) =>
      teamView(platform, team, permission),
    ),
  );

  route(app, endpoints.listContributors, ({ platform, repository, query }) => {
    requireObjects(platform, repository);
    // Specification, Errors, 5: an empty repository has no contributors.
    if (repository.size === 0) return new Reply(204);
    const anonymousToo = query.anon === '1' || query.anon === 'true';
    const shown = authors(platform, repository).filter((author) => 'user' in author || anonymousToo);
    return mapped(listing(shown), (author) =>
      'user' in author
        ? { ...actorView(platform, author.user), contributions: author.contributions }
        : { email: author.email, name: author.name, type: 'Anonymous', contributions: author.contributions },
    );
  });
}

/** What is in a repository, and what happens in it. */
function mountContents(app: App): void {
  route(app, endpoints.listRepositoryActivity, ({ platform, repository, query, page }) => {
    requireObjects(platform, repository);
    return activityPage(platform, repository, query, page.perPage);
  });

  route(app, endpoints.getLanguages, ({ platform, repository }) => {
    requireObjects(platform, repository);
    return languageBytes(platform, repository);
  });

  route(app, endpoints.listCodeownersErrors, ({ platform, repository, query }) => {
    requireObjects(platform, repository);
    return codeownersErrors(platform, repository, query.ref);
  });

  route(app, endpoints.dispatchRepositoryEvent, ({ platform, repository, caller, body }) => {
    dispatch(platform, repository, { ...body, actor_id: userOf(platform, caller)?.id ?? null });
  });

  route(app, listRepositoryEvents, ({ platform, repository }) => repositoryEvents(platform, repository));
}

const caches = [
  ['cache-eu.sandbox.example', 'eu-west'],
  ['cache-us.sandbox.example', 'us-east'],
  ['cache-jp.sandbox.example', 'ap-tokyo'],
] as const;

/** Each replica is in another state, so that a few repositories show all states. */
function cacheReplicas(repository: RepositoryState) {
  const states = ['in_sync', 'not_in_sync', 'inactive', 'offline'] as const;
  return caches.map(([host, location], index) => {
    const status = states[(repository.id + index) % states.length] as string;
    const last = status === 'inactive' ? repository.created_at : repository.pushed_at;
    return { host, location, git: { sync_status: status, last_sync: last } };
  });
}

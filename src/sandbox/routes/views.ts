import type * as v from 'valibot';
import * as endpoints from '../../platform/endpoints/views.ts';
import type { ProjectView } from '../../platform/records.ts';
import { invalid, type Problem } from '../../platform/validate.ts';
import type { Caller } from '../callers.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found, notFound, validationFailed } from '../refusals.ts';
import { type App, route } from '../route.ts';
import { type Account, isoSeconds } from '../state/accounts.ts';
import { actorView, nodeId } from '../views/actor.ts';

type Body = v.InferInput<(typeof endpoints.createOrganizationView)['body']>;

/** Number of projects per account, numbered from 1. */
const projects = 3;

/** Fields of every project by id, and whether they support grouping. */
const projectFields: Readonly<Record<number, { readonly name: string; readonly groups: boolean }>> = {
  1: { name: 'Title', groups: false },
  2: { name: 'Assignees', groups: true },
  3: { name: 'Status', groups: true },
  4: { name: 'Priority', groups: true },
  5: { name: 'Iteration', groups: true },
  6: { name: 'Estimate', groups: false },
};

export function mountViews(app: App): void {
  const { platform } = app;

  route(app, endpoints.createOrganizationView, ({ organization, path, body, caller }) => ({
    value: create(platform, organization, path.project_number, body, caller),
  }));

  route(app, endpoints.createUserView, ({ path, body, caller }) => {
    const { accounts } = platform;
    const user = found(accounts.user(path.user_id) ?? accounts.userById(Number(path.user_id)));
    if (user.login !== caller.login) throw forbidden('Must have admin access to the project.');
    return { value: create(platform, user, path.project_number, body, caller) };
  });
}

function create(platform: SandboxPlatform, owner: Account, project: number, body: Body, caller: Caller): ProjectView {
  if (project > projects) throw notFound();
  const problems = fieldProblems(body);
  if (problems.length) throw validationFailed('ProjectView', problems);
  // Each project starts with one view.
  const number = platform.store.next(`views of ${owner.id}/${project}`, 2);
  const id = platform.store.next('views', 6001);
  const path = owner.type === 'Organization' ? `orgs/${owner.login}` : `users/${owner.login}`;
  const creator = platform.accounts.user(caller.login ?? '') ?? owner;
  const now = isoSeconds(platform.clock());
  return {
    id,
    number,
    name: body.name,
    layout: body.layout,
    node_id: nodeId('ProjectV2View', id),
    project_url: `${platform.baseUrl}/${path}/projectsV2/${project}`,
    html_url: `${platform.origin}/${path}/projects/${project}/views/${number}`,
    creator: actorView(platform, creator),
    created_at: now,
    updated_at: now,
    filter: body.filter ?? null,
    visible_fields: body.visible_fields ?? (body.layout === 'roadmap' ? [] : [1, 2, 3]),
    sort_by: (body.sort_by ?? []) as [number, string][],
    group_by: body.group_by ?? [],
    vertical_group_by: body.vertical_group_by ?? (body.layout === 'board' ? [3] : []),
  };
}

/** Fields must belong to the project, and support grouping where used for it. Roadmaps show no fields. */
function fieldProblems(body: Body): Problem[] {
  const { layout, visible_fields = [], sort_by = [], group_by = [], vertical_group_by = [] } = body;
  const sorted = sort_by.map(([id]) => Number(id));
  const problems = Object.entries({ visible_fields, sort_by: sorted, group_by, vertical_group_by }).flatMap(
    ([field, ids]) =>
      ids.filter((id) => !projectFields[id]).map((id) => invalid(field, `${id} is not a field of the project`)),
  );
  for (const [field, ids] of Object.entries({ group_by, vertical_group_by }))
    for (const { name, groups } of ids.flatMap((id) => projectFields[id] ?? []))
      if (!groups) problems.push(invalid(field, `the field ${name} does not support grouping`));
  if (layout === 'roadmap' && visible_fields.length > 0)
    problems.push(invalid('visible_fields', 'a roadmap has no visible fields'));
  return problems;
}

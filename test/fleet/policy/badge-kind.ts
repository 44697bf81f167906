/** A kind that forgectl does not have, in one file as kinds are: the badges of repositories. */
import * as v from 'valibot';
import { objectKind } from '../../../src/fleet/policy/kinds/objects.ts';
import { checked, shape } from '../../../src/fleet/policy/live/record-shapes.ts';
import { list } from '../../../src/fleet/policy/wanted/schema-parts.ts';
import { pathOf } from '../../../src/fleet/policy/wanted/target.ts';
import { endpoint, list as listOf, nothing, record } from '../../../src/platform/endpoint.ts';
import { resource } from '../../../src/platform/resource.ts';
import { fields, optional, string, strings } from '../../../src/platform/schema.ts';

interface Badge {
  readonly name: string;
  readonly color: string;
}

const body = fields({ name: string('Name'), color: string('Color') });
const listBadges = endpoint({
  route: 'GET /repos/{owner}/{repo}/badges',
  summary: 'List badges',
  paging: 'page',
  status: 200,
  answer: listOf<Badge>(),
});
const resourceOfBadges = resource({
  owners: {
    repository: {
      list: listBadges,
      create: endpoint({
        route: 'POST /repos/{owner}/{repo}/badges',
        summary: 'Create a badge',
        body,
        status: 201,
        answer: record<Badge>(),
      }),
      update: endpoint({
        route: 'PATCH /repos/{owner}/{repo}/badges/{name}',
        summary: 'Update a badge',
        body: fields({ color: optional(string('Color')) }),
        status: 200,
        answer: record<Badge>(),
      }),
      delete: endpoint({
        route: 'DELETE /repos/{owner}/{repo}/badges/{name}',
        summary: 'Delete a badge',
        status: 204,
        answer: nothing(),
      }),
    },
  },
});
const allBadges = checked(listBadges, shape<Badge>({ name: v.string(), color: v.string() }));

export const badges = objectKind({
  name: 'badge' as never,
  targets: ['repository'],
  schema: { repository: list(body, 'Badges of the repositories') },
  absentSchema: { repository: optional(strings('Names of badges')) },
  parseKey: ({ value }) => (typeof value === 'string' ? { name: value } : undefined),
  checkedAs: {},
  resource: resourceOfBadges,
  idParameter: 'name',
  async list(target, reader) {
    const path = pathOf(target) as { readonly owner: string; readonly repo: string };
    const listed = await reader.list(allBadges, { path });
    return 'unreadable' in listed ? listed : { value: listed.value.map((badge) => ({ ...badge, id: badge.name })) };
  },
  bodyOf: ({ name, color }) => ({ name, color }),
});

/** A kind that forgectl does not have, in one file as kinds are: the labels of repositories. */
import * as v from 'valibot';
import { objectKind } from '../../../src/fleet/policy/kinds/objects.ts';
import { checked, shape } from '../../../src/fleet/policy/live/record-shapes.ts';
import { list } from '../../../src/fleet/policy/wanted/schema-parts.ts';
import { pathOf } from '../../../src/fleet/policy/wanted/target.ts';
import { endpoint, list as listOf, nothing, record } from '../../../src/platform/endpoint.ts';
import { resource } from '../../../src/platform/resource.ts';
import { fields, optional, string, strings } from '../../../src/platform/schema.ts';

interface Label {
  readonly name: string;
  readonly color: string;
}

const body = fields({ name: string('Name'), color: string('Color') });
const listLabels = endpoint({
  route: 'GET /repos/{owner}/{repo}/labels',
  summary: 'List labels',
  paging: 'page',
  status: 200,
  answer: listOf<Label>(),
});
const resourceOfLabels = resource({
  owners: {
    repository: {
      list: listLabels,
      create: endpoint({
        route: 'POST /repos/{owner}/{repo}/labels',
        summary: 'Create a label',
        body,
        status: 201,
        answer: record<Label>(),
      }),
      update: endpoint({
        route: 'PATCH /repos/{owner}/{repo}/labels/{name}',
        summary: 'Update a label',
        body: fields({ color: optional(string('Color')) }),
        status: 200,
        answer: record<Label>(),
      }),
      delete: endpoint({
        route: 'DELETE /repos/{owner}/{repo}/labels/{name}',
        summary: 'Delete a label',
        status: 204,
        answer: nothing(),
      }),
    },
  },
});
const allLabels = checked(listLabels, shape<Label>({ name: v.string(), color: v.string() }));

export const labels = objectKind({
  name: 'label' as never,
  targets: ['repository'],
  schema: { repository: list(body, 'Labels of the repositories') },
  absentSchema: { repository: optional(strings('Names of labels')) },
  parseKey: ({ value }) => (typeof value === 'string' ? { name: value } : undefined),
  checkedAs: {},
  resource: resourceOfLabels,
  idParameter: 'name',
  async list(target, reader) {
    const path = pathOf(target) as { readonly owner: string; readonly repo: string };
    const listed = await reader.list(allLabels, { path });
    return 'unreadable' in listed ? listed : { value: listed.value.map((label) => ({ ...label, id: label.name })) };
  },
  bodyOf: ({ name, color }) => ({ name, color }),
});

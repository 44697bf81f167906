/** The labels of a repository. */
import * as v from 'valibot';
import { asText } from '../../../../json/exact-json.ts';
import { createLabel } from '../../../../platform/endpoints/labels.ts';
import type { Label } from '../../../../platform/records.ts';
import { labels as declared } from '../../../../platform/resources/labels.ts';
import { fields, optional, strings } from '../../../../platform/schema.ts';
import type { Given } from '../../../../platform/validate.ts';
import { effectRows } from '../../live/effects.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import { earlierNames, earlierNamesOf } from '../../wanted/earlier-names.ts';
import type { Wanted } from '../../wanted/model.ts';
import { type Placed, textOf, withParts } from '../../wanted/placed.ts';
import { list } from '../../wanted/schema-parts.ts';
import { pathOf } from '../../wanted/target.ts';
import { type FieldUpdate, fieldUpdate } from '../field-update.ts';
import { namesItself } from '../kind.ts';
import { objectKind } from '../objects.ts';

interface LabelName {
  readonly name: string;
}

interface WantedLabel extends LabelName, Wanted {
  readonly body: Placed<Given>;
}

interface LiveLabel extends LabelName {
  readonly id: number;
  readonly body: Given;
}

/** YAML reads some colors as numbers. */
const color = v.pipe(
  v.string('must be text: put it in quotes, as in "000000"'),
  v.description('Color, as six hexadecimal digits without #; YAML needs quotes around those that look like numbers'),
);

const repositoryLabels = declared.owners.repository;
const labelsOf = checked(
  repositoryLabels.list,
  shape<Label>({
    id: v.number(),
    name: v.string(),
    color: v.string(),
    description: v.optional(v.nullable(v.string())),
  }),
);

export const labels = objectKind<WantedLabel, LabelName, LiveLabel>({
  name: 'label',
  targets: ['repository'],
  schema: {
    repository: list(
      fields({
        ...createLabel.body.entries,
        color: optional(color),
        was: earlierNames('label'),
      }),
      'Labels of the repositories',
    ),
  },
  absentSchema: { repository: optional(strings('Names of labels')) },
  checkedAs: { repository: createLabel },
  unmanageable: [[/\.labels\[\d+\]\.new_name$/, 'is not supported; use name, and was for the earlier name']],
  ignoresCase: true,
  returnsId: true,
  parseObject: (label) => {
    const name = textOf(label, 'name');
    if (name === undefined) return undefined;
    const parts = [...label.parts].filter(([field]) => field !== 'was').map(inLowerCase);
    return { name, was: earlierNamesOf(label), body: withParts<Given>(label, parts) };
  },
  parseKey: ({ value }) => (typeof value === 'string' ? { name: value } : undefined),
  resource: declared,
  idParameter: 'name',
  numericIds: true,
  isNamed: (change) => namesItself(change) && !Object.hasOwn(change.body ?? {}, 'new_name'),
  // A label keeps its ID when it is renamed, and endpoints find it by its name.
  idValue: ({ name, before }) => asText(before?.name ?? name),
  sentBody({ action, body = {} }) {
    const { name, ...others } = body;
    return action === 'create' || name === undefined ? body : { ...others, new_name: name };
  },
  async list(target, reader) {
    const path = pathOf(target) as { readonly owner: string; readonly repo: string };
    const listed = await reader.list(labelsOf, { path });
    if ('unreadable' in listed) return listed;
    return { value: listed.value.map((label) => ({ id: label.id, name: label.name, body: bodyOf(label) })) };
  },
  bodyOf: ({ body }) => body,
  isMeant: ({ name, before, body }, live) => [name, before?.name, body?.name].some((each) => isNamed(live, each)),
  updateOf({ name, body }, live): FieldUpdate | undefined {
    const { name: _, ...others } = body.value;
    return fieldUpdate(isNamed(live, name) ? others : body.value, live.body, labels);
  },
  stored: (_change, { color, ...others }) => ({
    ...others,
    color: typeof color === 'string' ? color.toLowerCase() : color,
  }),
  effects: effectRows({
    neutral: {
      color: 'The hexadecimal color code for the label, without the leading `#`.',
      description: 'A short description of the label. Must be 100 characters or fewer.',
      name: 'The name of the label.',
    },
  }),
  creation: () => 'neutral',
  lostWith: 'deleted labels on issues and pull requests',
  deletion: 'neutral',
});

const isNamed = ({ name }: LabelName, other: unknown): boolean => name.toLowerCase() === asText(other).toLowerCase();

const inLowerCase = ([field, part]: [string | number, Placed]): [string | number, Placed] => [
  field,
  field === 'color' && typeof part.value === 'string' ? { ...part, value: part.value.toLowerCase() } : part,
];

/** Returns the part of a label that a body can set. */
const bodyOf = ({ name, color, description }: Label): Given => ({
  name,
  color: color.toLowerCase(),
  description: description ?? '',
});

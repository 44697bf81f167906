/** The topics of a repository. */
import * as v from 'valibot';
import {
  getTopics,
  mostTopics,
  replaceTopics,
  topicForm,
  topicFormText,
} from '../../../../platform/endpoints/repos.ts';
import type { RepositoryTopics } from '../../../../platform/records.ts';
import { nested, optional } from '../../../../platform/schema.ts';
import type { PlannedChange } from '../../live/change.ts';
import { effectRows } from '../../live/effects.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import { type WantedTarget, wantedOf } from '../../wanted/model.ts';
import { type Placed, sourceText, withParts } from '../../wanted/placed.ts';
import { pathOf } from '../../wanted/target.ts';
import { fieldUpdate, updateOfNew } from '../field-update.ts';
import { fieldsKind, type WantedField } from '../fields.ts';

const comparison = { sets: ['topics'] };

export const topics = fieldsKind({
  name: 'topics',
  targets: ['repository'],
  schema: {
    repository: optional(
      nested(
        v.pipe(
          v.array(v.pipe(v.string('must be a string'), v.regex(topicForm, topicFormText)), 'must be a list'),
          v.maxLength(mostTopics, `must have at most ${mostTopics} topics`),
        ),
        'Topics that the repositories have, and no others',
      ),
    ),
  },
  bodies: () => [],
  parse: (list) => (Array.isArray(list.value) ? [{ name: 'topics', body: inLowerCase(list) }] : []),
  labelOf: () => 'topics',
  bodyComparison: { sets: [''] },
  reads: [getTopics.route],
  writes: [replaceTopics.route],
  plan: planTopics,
  async live({ target }, reader) {
    const live = await readTopics(target, reader);
    return 'unreadable' in live ? live : { value: { topics: live.value } };
  },
  request: ({ target, body }) => ({
    endpoint: replaceTopics,
    input: { path: pathOf(target), body: { names: body?.topics } },
  }),
  kept: (_change, { names }) => ({ topics: names }),
  comparison: () => comparison,
  effects: effectRows({ neutral: { 'topics[]': 'An array of topics to add to the repository.' } }),
  async export(target, readings) {
    const live = await topicsOf(target, readings);
    if ('value' in live) return live.value.toSorted();
    readings.notExported('topics', target, live);
    return [];
  },
});

const topicsOfOne = checked(getTopics, shape<RepositoryTopics>({ names: v.array(v.string()) }));

async function readTopics(target: string, reader: Reader): Promise<Reading<readonly string[]>> {
  const read = await reader.get(topicsOfOne, { path: pathOf(target) as { owner: string; repo: string } });
  return 'unreadable' in read ? read : { value: read.value.names };
}

/** Returns the topics of a repository, which its record in the list of the organization has. */
async function topicsOf(target: string, { reader, repositories }: OwnerReadings): Promise<Reading<readonly string[]>> {
  const listed = await repositories();
  const found = 'value' in listed ? listed.value.find(({ full_name: name }) => name === target) : undefined;
  return found?.topics ? { value: found.topics } : readTopics(target, reader);
}

async function planTopics(wanted: WantedTarget, readings: OwnerReadings): Promise<PlannedChange[]> {
  const { target } = wanted;
  const [declared] = wantedOf<WantedField>(wanted, 'topics');
  if (!declared) return [];
  const source = sourceText(declared.body.place);
  const common = { kind: 'topics', target, name: '', source } as const;
  const wantedTopics = { topics: declared.body.value };
  if (wanted.isNew) return [{ action: 'update', ...common, ...updateOfNew(wantedTopics, comparison) }];
  const live = await topicsOf(target, readings);
  if ('unreadable' in live) return [{ action: 'unreadable', ...common, changes: [], reason: live.unreadable }];
  const update = fieldUpdate(wantedTopics, { topics: live.value }, topics, comparison);
  return update ? [{ action: 'update', ...common, ...update }] : [];
}

/** The platform stores topics in lower case. */
const inLowerCase = (list: Placed): Placed =>
  withParts(
    list,
    [...list.parts].map(([index, part]) => [
      index,
      typeof part.value === 'string' ? { ...part, value: part.value.toLowerCase() } : part,
    ]),
  );

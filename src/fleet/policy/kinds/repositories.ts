/** Repositories that a policy creates, with what only a creation decides. */
import { isDeepStrictEqual } from 'node:util';
import { RenamedError } from '../../../client/errors.ts';
import { asText } from '../../../json/exact-json.ts';
import {
  createOrganizationRepository,
  generateRepository,
  getRepository,
  updateRepository,
} from '../../../platform/endpoints/repos.ts';
import type { Repository } from '../../../platform/records.ts';
import { nested, oneOf, optional, string } from '../../../platform/schema.ts';
import { checkValue, type Given, invalid, type Problem } from '../../../platform/validate.ts';
import { fieldsOf } from '../../diff.ts';
import { isPossibleName } from '../file-names.ts';
import type { PlannedChange } from '../live/change.ts';
import type { Effect } from '../live/effects.ts';
import type { OwnerReadings } from '../live/owner-readings.ts';
import { checked, shape } from '../live/record-shapes.ts';
import type { Reader } from '../live/requests.ts';
import { type WantedTarget, wantedOf } from '../wanted/model.ts';
import { member, type Placed, withParts } from '../wanted/placed.ts';
import { mapping, optionalText } from '../wanted/schema-parts.ts';
import { ownerOf, pathOf } from '../wanted/target.ts';
import { keptFields } from './field-update.ts';
import { fieldsKind, sourceOf, type WantedField } from './fields.ts';
import type { Live, StepRequest } from './kind.ts';
import { visibilityIn } from './settings.ts';

const { auto_init, gitignore_template, license_template } = createOrganizationRepository.body.entries;
const { include_all_branches } = generateRepository.body.entries;

/** Fields that only one way of creating a repository has. */
const ofTemplates = ['include_all_branches'];
const ofOthers = ['auto_init', 'gitignore_template', 'license_template'];

/** The visibility of a new repository, if none is declared. */
export const firstVisibility = 'private';

const creation = mapping({
  name: string('Name of the repository'),
  visibility: optional(
    oneOf(['public', 'private', 'internal'], 'Visibility, also of a repository that exists', {
      default: `${firstVisibility} for a new repository`,
    }),
  ),
  template: optionalText('Template to create it from, as OWNER/NAME'),
  include_all_branches,
  auto_init,
  gitignore_template,
  license_template,
});

export const repositories = fieldsKind({
  name: 'repository',
  targets: ['repository'],
  schema: {
    repository: optional(nested(creation, 'Repository to create if it does not exist, instead of select')),
  },
  rules: creationRules,
  expandOwner: withVisibility,
  createsTarget: true,
  isNamed,
  actions: ['create', 'update'],
  reads: [getRepository.route],
  writes: [createOrganizationRepository.route, generateRepository.route, updateRepository.route],
  plan: planCreation,
  live: liveRepository,
  request,
  kept: ({ body = {} }, data) => keptFields(seen({ ...data } as Partial<Repository>, body), body),
  creation: ({ visibility }): Effect => (visibility === 'public' ? 'loosens' : 'neutral'),
  guardedCreation: ({ visibility }) => (visibility === 'public' ? 'visibility' : undefined),
  notUndone: 'is not deleted by an undo; to delete it, use “forgectl repos delete”',
  // What a repository was created from is not part of its state.
  export: async () => ({}),
});

/**
 * Returns whether a change creates the repository that its target names, as a policy can, or makes it internal after that. Only
 * changes of settings, which have effects and guards, may update a repository that exists.
 */
function isNamed({ action, name, target, body = {}, new_repository }: PlannedChange): boolean {
  if (name !== '') return false;
  if (action === 'update') return new_repository === true && isDeepStrictEqual(body, { visibility: 'internal' });
  const { problems, unknown } = checkValue(creation, body);
  // Without a visibility, the platform would choose it.
  return (
    target === `${ownerOf(target)}/${asText(body.name)}` &&
    typeof body.visibility === 'string' &&
    [...problems, ...unknown, ...creationRules(body)].length === 0
  );
}

function creationRules({ name, template, ...fields }: Given): readonly Problem[] {
  const wrongName =
    typeof name === 'string' && (!isPossibleName(name) || name.length > longestName || /\.git$/i.test(name));
  const wrongTemplate = typeof template === 'string' && !/^[\w.-]+\/[\w.-]+$/.test(template);
  const others = template === undefined ? ofTemplates : ofOthers;
  const how = template === undefined ? 'requires a template' : 'cannot be combined with template';
  return [
    ...(wrongName
      ? [
          invalid(
            'name',
            `must have at most ${longestName} letters, digits, hyphens, underscores and dots, and not end in .git`,
          ),
        ]
      : []),
    ...(wrongTemplate ? [invalid('template', 'must be OWNER/NAME')] : []),
    ...others.filter((field) => field in fields).map((field) => invalid(field, how)),
  ];
}

/** Public platform, Repositories: in characters. */
const longestName = 100;

/** Returns an entry with the visibility of its repository among the settings, which keep it. */
function withVisibility(entry: Placed, refuse: (part: Placed, field: string, message: string) => void): Placed {
  const create = member(entry, 'create');
  const visibility = member(create, 'visibility');
  if (!create || !visibility) return entry;
  const settings = member(entry, 'settings') ?? { value: {}, place: create.place, parts: new Map() };
  const own = member(settings, 'visibility') ?? member(settings, 'private');
  if (own) refuse(own, 'settings.visibility', 'cannot be combined with create, which has the visibility');
  return withParts(entry, [
    ...entry.parts,
    ['settings', withParts(settings, [...settings.parts, ['visibility', visibility]])],
  ]);
}

const repository = checked(getRepository, shape<Repository>({}));

/** Returns the creation of a repository, and the change to a visibility that the creation cannot give it. */
async function planCreation(wanted: WantedTarget, { reader, warn }: OwnerReadings): Promise<PlannedChange[]> {
  const { target } = wanted;
  const fields = wantedOf<WantedField>(wanted, 'create');
  const source = sourceOf(fields);
  if (!wanted.isNew || source === undefined) return [];
  const common = { kind: 'repository', target, name: '', source } as const;
  const declared = Object.fromEntries(fields.map(({ name, body }) => [name, body.value])) as Given;
  const settings = wantedOf<WantedField>(wanted, 'settings');
  const visibility = visibilityIn(settings) ?? firstVisibility;
  const template = declared.template as string | undefined;
  const refused = (await whyTaken(target, reader, warn)) ?? (template && (await whyNoTemplate(template, reader)));
  if (refused) return [{ ...common, changes: [], ...refused }];
  const first = template !== undefined && visibility === 'internal' ? 'private' : visibility;
  const body = { ...declared, visibility: first };
  const effect = repositories.creation(body);
  const creation = { action: 'create', ...common, changes: fieldsOf(body), ...(effect && { effect }), body } as const;
  if (first === visibility) return [creation];
  const [before, after] = [{ visibility: first }, { visibility }];
  const changes = [{ path: 'visibility', from: first, to: visibility }];
  return [creation, { action: 'update', ...common, changes, effect: 'neutral', before, body: after }];
}

type Refused = Pick<PlannedChange & { readonly reason: string }, 'reason'> & {
  readonly action: 'unreadable' | 'unresolved';
};

/** Returns why no repository can have a name that is not listed; undefined if one can. */
async function whyTaken(target: string, reader: Reader, warn: (text: string) => void): Promise<Refused | undefined> {
  try {
    const read = await reader.get(repository, { path: pathOf(target) as { owner: string; repo: string } });
    if ('value' in read)
      return { action: 'unresolved', reason: `${target} exists, but is not among the listed repositories` };
    return read.isNotFound ? undefined : { action: 'unreadable', reason: read.unreadable };
  } catch (error) {
    if (!(error instanceof RenamedError)) throw error;
    warn(`${target} is a former name of ${error.current}. Creating a repository with this name ends its redirect.`);
    return undefined;
  }
}

async function whyNoTemplate(template: string, reader: Reader): Promise<Refused | undefined> {
  try {
    const read = await reader.get(repository, { path: pathOf(template) as { owner: string; repo: string } });
    if ('unreadable' in read)
      return { action: 'unreadable', reason: `${template} cannot be read (${read.unreadable})` };
    return read.value.is_template ? undefined : { action: 'unresolved', reason: `${template} is not a template` };
  } catch (error) {
    if (!(error instanceof RenamedError)) throw error;
    return { action: 'unresolved', reason: `the template ${template} is now ${error.current}` };
  }
}

/**
 * Reads the repository of a change. A creation starts without one: a former name that redirects is free, and the platform
 * refuses the name of a repository that the token cannot see.
 */
async function liveRepository({ action, target, body = {} }: PlannedChange, reader: Reader): Promise<Live> {
  const path = pathOf(target) as { owner: string; repo: string };
  try {
    const read = await reader.get(repository, { path });
    if ('value' in read) return { value: seen(read.value, body) };
    return action === 'create' && read.isNotFound ? { value: undefined } : read;
  } catch (error) {
    if (action === 'create' && error instanceof RenamedError) return { value: undefined };
    throw error;
  }
}

/** Returns the fields of a body as a repository has them. Those that only its creation had are taken as given. */
function seen(record: Partial<Repository>, body: Given): Given {
  const { name, visibility = record.private === undefined ? undefined : record.private ? 'private' : 'public' } =
    record;
  const template = record.template_repository?.full_name;
  const isSame = (text: unknown, other: string) => asText(text).toLowerCase() === other.toLowerCase();
  return {
    ...body,
    ...(visibility !== undefined && { visibility }),
    ...(name !== undefined && 'name' in body && !isSame(body.name, name) && { name }),
    ...(template !== undefined && 'template' in body && !isSame(body.template, template) && { template }),
  };
}

function request({ action, target, body = {} }: PlannedChange): StepRequest {
  if (action === 'update') return { endpoint: updateRepository, input: { path: pathOf(target), body } };
  const { template, visibility, ...fields } = body;
  const owner = ownerOf(target);
  if (template === undefined)
    return { endpoint: createOrganizationRepository, input: { path: { org: owner }, body: { ...fields, visibility } } };
  const [template_owner = '', template_repo = ''] = asText(template).split('/');
  return {
    endpoint: generateRepository,
    input: { path: { template_owner, template_repo }, body: { owner, ...fields, private: visibility !== 'public' } },
  };
}

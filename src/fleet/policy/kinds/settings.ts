/** The settings of an organization or repository. */
import type { GenericSchema } from 'valibot';
import { shortened } from '../../../client/redact.ts';
import { invalidResponse } from '../../../client/response.ts';
import { asText, isObject } from '../../../json/exact-json.ts';
import { askingChanges } from '../../../platform/asking.ts';
import type { Endpoint } from '../../../platform/endpoint.ts';
import { getBranch } from '../../../platform/endpoints/branches.ts';
import { getOrganization, updateOrganization } from '../../../platform/endpoints/orgs.ts';
import { getRepository, updateRepository } from '../../../platform/endpoints/repos.ts';
import type { Branch, Organization, Repository } from '../../../platform/records.ts';
import { bodyOfRecord, type ResourceDeclaration } from '../../../platform/resource.ts';
import { organizationSettings } from '../../../platform/resources/orgs.ts';
import { repositories } from '../../../platform/resources/repos.ts';
import { nested, optional, optionalFields } from '../../../platform/schema.ts';
import { checkValue, type Given } from '../../../platform/validate.ts';
import { isPossibleName } from '../file-names.ts';
import type { PlannedChange } from '../live/change.ts';
import type { OwnerReadings } from '../live/owner-readings.ts';
import { checked, shape } from '../live/record-shapes.ts';
import { permissionText, type Reader, type Reading } from '../live/requests.ts';
import { type WantedTarget, wantedOf } from '../wanted/model.ts';
import { sourceText } from '../wanted/placed.ts';
import { pathOf } from '../wanted/target.ts';
import { fieldUpdate, keptFields, liveFields, touchedFields, updateOfNew } from './field-update.ts';
import { fieldsKind, sourceOf, type WantedField } from './fields.ts';
import type { ExportReadings } from './kind.ts';
import { settingEffects } from './setting-effects.ts';

const { name: _renamed, ...repositoryFields } = updateRepository.body.entries;

export const settings = fieldsKind({
  name: 'settings',
  targets: ['organization', 'repository'],
  schema: {
    organization: optional(nested(optionalFields(updateOrganization.body.entries), 'Settings of the organizations')),
    repository: optional(nested(optionalFields(repositoryFields), 'Settings of the repositories')),
  },
  isInEveryDigest: true,
  selectable(declared) {
    const visibility = visibilityIn(declared);
    return visibility === undefined ? {} : { visibility };
  },
  checkedAs: { repository: updateRepository },
  openPaths: 'settings',
  unmanageable: [
    [
      /^repositories\[\d+\]\.settings\.name$/,
      'cannot be managed by a policy; rename with “forgectl repos update --name”',
    ],
  ],
  isNamed,
  reads: [getOrganization.route, getRepository.route, getBranch.route],
  writes: [updateOrganization.route, updateRepository.route],
  plan: planSettings,
  async live(change, reader) {
    const read = await readSettings(reader, change.target);
    return 'unreadable' in read ? read : { value: touchedFields(read.value, change) };
  },
  request: ({ target, body = {} }) => ({ endpoint: updateOf(target), input: { path: pathOf(target), body } }),
  kept: ({ body = {} }, data) => keptFields(liveFields(data, body), body),
  effects: settingEffects,
  irreversible: (field, earlier, target) =>
    earlier === null && cleared(field, target) === undefined ? 'the platform does not accept it' : undefined,
  cleared,
  confirmedFields: (body, before) => askingChanges(body, before).map(({ path }) => path),
  // Going private detaches forks and loses stars.
  opensTarget: ({ body = {}, new_repository }) => body.archived === false && !new_repository,
  closesTarget: ({ body = {} }) => body.archived === true,
  guardedFields: new Map([
    ['archived', 'archived'],
    ['visibility', 'visibility'],
    ['private', 'visibility'],
  ]),
  export: exportSettings,
  files(exported) {
    const part = (isPart: (name: string) => boolean) =>
      Object.fromEntries(Object.entries(exported).filter(([name]) => isPart(name)));
    return [
      ['profile.yaml', part((name) => profileFields.includes(name))],
      ['settings.yaml', part((name) => !profileFields.includes(name))],
    ];
  },
});

/**
 * Returns whether a change has only fields that policies have: they rename no repository, the creation of one sets its
 * visibility, and what cannot be read is not changed.
 */
function isNamed({ name, target, before = {}, body = {}, new_repository }: PlannedChange): boolean {
  const refused = isRepository(target) ? ['name', ...(new_repository ? ofVisibility : [])] : [];
  const isAllowed = (field: string) =>
    !refused.includes(field) && (new_repository === true || Object.hasOwn(before, field));
  return name === '' && Object.keys(body).every(isAllowed);
}

const organization = checked(getOrganization, shape<Organization>({}, updateOrganization));
const repository = checked(getRepository, shape<Repository>({}, updateRepository));

async function readSettings(reader: Reader, target: string): Promise<Reading<Given>> {
  const path = pathOf(target);
  if ('repo' in path) return (await reader.get(repository, { path })) as Reading<object> as Reading<Given>;
  const read = await reader.get(organization, { path: { org: target } });
  if ('value' in read) requirePossibleLogin(target, read.value);
  return read as Reading<object> as Reading<Given>;
}

/** Throws InvalidResponseError for the record of an organization whose login no organization can have. */
function requirePossibleLogin(org: string, { login }: { readonly login?: unknown }): void {
  if (login === undefined || (typeof login === 'string' && isPossibleName(login))) return;
  const asked = { method: 'GET', path: `/orgs/${org}`, endpoint: getOrganization } as const;
  throw invalidResponse(asked, `an organization with the invalid login ${shortened(JSON.stringify(login), 80)}`);
}

const isRepository = (target: string): boolean => 'repo' in pathOf(target);

const updateOf = (target: string): Endpoint => (isRepository(target) ? updateRepository : updateOrganization);

async function planSettings(wanted: WantedTarget, readings: OwnerReadings): Promise<PlannedChange[]> {
  const { reader } = readings;
  const { target } = wanted;
  const declared = wantedOf<WantedField>(wanted, 'settings');
  const [first] = declared;
  if (!first) return [];
  const common = { kind: 'settings', target, name: '' } as const;
  if (wanted.isNew) {
    if (declared.some(({ name }) => name === 'default_branch')) {
      const report = await readings.shared(reportOfNew);
      report.onceTo(readings.warn);
    }
    return settingsOfNew(declared, common);
  }
  const read = await readSettings(reader, target);
  if ('unreadable' in read) {
    const source = sourceText(first.body.place);
    return [{ action: 'unreadable', ...common, source, changes: [], reason: read.unreadable }];
  }
  const fields = await withoutBranchToCome(wanted, read.value, readings);
  const all = valuesOf(fields);
  const live = liveFields(read.value, all);
  const { permission, body: accepted } = updateOf(target);
  const hidden = fields.filter(({ name }) => live[name] === undefined);
  const unreadable = hidden.map(({ name, body }): PlannedChange => {
    const change = { ...common, name, source: sourceText(body.place), changes: [] };
    return Object.hasOwn(accepted?.entries ?? {}, name)
      ? { ...change, action: 'unreadable', reason: `${name} cannot be read${permissionText(permission)}` }
      : { ...change, action: 'unresolved', reason: `${target} has no such field` };
  });
  const update = fieldUpdate(valuesOf(fields.filter((field) => !hidden.includes(field))), live, settings);
  if (!update) return unreadable;
  const source = sourceOf(fields.filter(({ name }) => name in update.body)) ?? sourceText(first.body.place);
  const titles = titlesFor(update.body, read.value);
  const before = { ...titles, ...update.before };
  return [
    { action: 'update', ...common, source, ...update, before, body: { ...titles, ...update.body } },
    ...unreadable,
  ];
}

const branch = checked(getBranch, shape<Branch>({}));

/** Returns the declared settings, without the default branch of a repository that has no branches: a push makes the first. */
async function withoutBranchToCome(
  wanted: WantedTarget,
  { default_branch: live, size }: Given,
  { reader, shared, warn }: OwnerReadings,
): Promise<readonly WantedField[]> {
  const { target } = wanted;
  const fields = wantedOf<WantedField>(wanted, 'settings');
  const path = pathOf(target);
  const field = fields.find(({ name }) => name === 'default_branch');
  if (!field || field.body.value === live || typeof live !== 'string' || size !== 0 || !('repo' in path)) return fields;
  const found = await reader.find(branch, { path: { ...path, branch: live } });
  if ('unreadable' in found || found.value) return fields;
  const report = await shared(reportOfEmpty);
  report.onceTo(warn);
  return fields.filter((each) => each !== field);
}

/** Returns a function that makes a notice for all repositories of an owner. */
const onceForAll = (text: (owner: string) => string) => async (_reader: Reader, owner: string) => {
  let isReported = false;
  return {
    onceTo(warn: (text: string) => void) {
      if (!isReported) warn(text(owner));
      isReported = true;
    },
  };
};

const reportOfEmpty = onceForAll(
  (owner) => `${owner}: repositories without branches keep their default branch until the first push.`,
);

const reportOfNew = onceForAll(
  (owner) => `${owner}: the default branch of new repositories is compared once they exist, by the next plan.`,
);

/** Returns the update of a repository that does not exist yet. Its creation sets the visibility, and its branches are not known. */
function settingsOfNew(
  fields: readonly WantedField[],
  common: Pick<PlannedChange, 'kind' | 'target' | 'name'>,
): PlannedChange[] {
  const others = fields.filter(({ name }) => !ofVisibility.includes(name) && name !== 'default_branch');
  const source = sourceOf(others);
  if (source === undefined) return [];
  return [{ action: 'update', ...common, source, ...updateOfNew(valuesOf(others)) }];
}

/** The fields of which either sets the visibility. */
const ofVisibility = ['visibility', 'private'];

/** Returns the visibility that the settings of a repository declare, by either field; undefined if they declare none. */
export function visibilityIn(fields: readonly WantedField[]): string | undefined {
  const { visibility, private: isPrivate } = valuesOf(fields);
  if (typeof visibility === 'string') return visibility;
  return typeof isPrivate === 'boolean' ? (isPrivate ? 'private' : 'public') : undefined;
}

const valuesOf = (fields: readonly WantedField[]): Given =>
  Object.fromEntries(fields.map(({ name, body: { value } }) => [name, value]));

/** Returns the value that clears a field: null if the platform accepts it, or empty text; undefined if neither. */
function cleared(field: string, target: string): unknown {
  return [null, ''].find((value) => {
    const { problems, unknown } = checkedValue(field, value, target);
    return problems.length + unknown.length === 0;
  });
}

function checkedValue(field: string, value: unknown, target: string): ReturnType<typeof checkValue> {
  const { entries = {} } = updateOf(target).body ?? {};
  const schema = (entries as Readonly<Record<string, GenericSchema>>)[field];
  return schema ? checkValue(schema, value) : { problems: [], unknown: [] };
}

/** A commit message setting requires the matching title setting in the same request. */
function titlesFor(body: Given, live: Given): Given {
  const needed = ['squash_merge_commit', 'merge_commit'].filter((kind) => body[`${kind}_message`] !== undefined);
  return liveFields(live, Object.fromEntries(needed.map((kind) => [`${kind}_title`, undefined])));
}

/** The identity of the organization, which plans for another organization omit. */
const profileFields = [
  'billing_email',
  'blog',
  'company',
  'description',
  'email',
  'location',
  'name',
  'twitter_username',
];

/** Fields derived from others, or part of the identity of a repository. */
const derivedFields = [
  'members_allowed_repository_creation_type',
  'use_squash_pr_title_as_default',
  'name',
  'private',
  'visibility',
  'archived',
];

/** Returns whether a field is part of the identity of an organization. */
const isProfile = (name: string, target: string): boolean => !isRepository(target) && profileFields.includes(name);

/** Returns the settings of a target that a policy can set, and that the caller can see. */
async function exportSettings(target: string, { reader, notExported, warn }: ExportReadings): Promise<Given> {
  const read = await readSettings(reader, target);
  if ('unreadable' in read) {
    notExported('settings', target, read);
    return {};
  }
  const resource: ResourceDeclaration = isRepository(target) ? repositories : organizationSettings;
  const update = updateOf(target);
  const entries = (update.body?.entries ?? {}) as Given;
  const { body } = bodyOfRecord(resource, update, read.value);
  const known = Object.keys(body)
    .filter((name) => Object.hasOwn(entries, name) && body[name] !== undefined && body[name] !== null)
    .filter((name) => !derivedFields.includes(name) || isProfile(name, target))
    .toSorted();
  const exported = known.map((name) => [name, name === 'security_and_analysis' ? statuses(body[name]) : body[name]]);
  const isAccepted = ([name, value]: readonly unknown[]) =>
    checkedValue(asText(name), value, target).problems.length === 0;
  for (const field of exported.filter((each) => !isAccepted(each)))
    warn(`The ${asText(field[0])} of ${target} was not exported: policies do not accept its value.`);
  return Object.fromEntries(exported.filter(isAccepted));
}

/** The switches that an update accepts. */
function statuses(value: unknown): unknown {
  const known = [
    'advanced_security',
    'code_security',
    'secret_scanning',
    'secret_scanning_push_protection',
    'secret_scanning_non_provider_patterns',
  ];
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => known.includes(name))) : value;
}

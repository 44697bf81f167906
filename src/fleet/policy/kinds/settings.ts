/** The settings of an organization or repository. */
import type { GenericSchema } from 'valibot';
import { isObject } from '../../../json/exact-json.ts';
import type { Endpoint } from '../../../platform/endpoint.ts';
import { getOrganization, updateOrganization } from '../../../platform/endpoints/orgs.ts';
import { getRepository, updateRepository } from '../../../platform/endpoints/repos.ts';
import { bodyOfRecord, type ResourceDeclaration } from '../../../platform/resource.ts';
import { organizationSettings } from '../../../platform/resources/orgs.ts';
import { repositories } from '../../../platform/resources/repos.ts';
import { checkValue, type Given } from '../../../platform/validate.ts';
import type { FieldChange } from '../../diff.ts';
import type { PlannedChange } from '../live/change.ts';
import { combined, type Effect, ranked } from '../live/effects.ts';
import { permissionText, type Reader, type Reading } from '../live/requests.ts';
import { sourceText } from '../wanted/placed.ts';
import { pathOf, type TargetPath, type WantedTarget } from '../wanted/target.ts';
import { fieldUpdate, keptFields, liveFields, sourceOf, touchedFields, valuesOf } from './field-update.ts';
import type { ExportReadings, KindDeclaration, OwnerReadings } from './kind.ts';

export const settings: KindDeclaration = {
  section: 'settings',
  targets: ['organization', 'repository'],
  actions: ['update'],
  hasId: false,
  isNamed: ({ name }) => name === '',
  plan: planSettings,
  async live(change, reader) {
    const read = await readSettings(reader, pathOf(change.target));
    return 'unreadable' in read ? read : { value: touchedFields(read.value, change) };
  },
  request({ target, body = {} }) {
    const path = pathOf(target);
    return { endpoint: 'repo' in path ? updateRepository : updateOrganization, input: { path, body } };
  },
  kept: ({ body = {} }, data) => keptFields(liveFields(data, body), body),
  comparison: () => ({}),
  effect: (changes) => combined(changes.map(settingEffect)),
  creation: () => undefined,
  deletion: 'loosens',
  irreversible: (field, earlier, target) =>
    earlier === null && cleared(field, target) === undefined ? 'the platform does not accept it' : undefined,
  cleared,
  export: exportSettings,
  files(exported) {
    const part = (isPart: (name: string) => boolean) =>
      Object.fromEntries(Object.entries(exported).filter(([name]) => isPart(name)));
    return [
      ['profile.yaml', part((name) => profileFields.includes(name))],
      ['settings.yaml', part((name) => !profileFields.includes(name))],
    ];
  },
};

function readSettings(reader: Reader, path: TargetPath): Promise<Reading<Given>> {
  const read = 'repo' in path ? reader.get(getRepository, { path }) : reader.get(getOrganization, { path });
  return read as Promise<Reading<object>> as Promise<Reading<Given>>;
}

async function planSettings(wanted: WantedTarget, { reader }: OwnerReadings): Promise<PlannedChange[]> {
  const { target, settings: fields } = wanted;
  const path = pathOf(target);
  const [first] = fields.values();
  if (!first) return [];
  const common = { kind: 'settings', target, name: '' } as const;
  const read = await readSettings(reader, path);
  if ('unreadable' in read)
    return [{ action: 'unreadable', ...common, source: sourceText(first.place), changes: [], reason: read.unreadable }];
  const all = valuesOf(fields);
  const live = liveFields(read.value, all);
  const hidden = Object.keys(all).filter((name) => live[name] === undefined);
  const { permission, body } = 'repo' in path ? updateRepository : updateOrganization;
  const unreadable = hidden.map((name): PlannedChange => {
    const change = { ...common, name, source: sourceText(fields.get(name)?.place ?? first.place), changes: [] };
    return name in (body?.entries ?? {})
      ? { ...change, action: 'unreadable', reason: `${name} cannot be read${permissionText(permission)}` }
      : { ...change, action: 'unresolved', reason: `${target} has no such field` };
  });
  const readable = Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.includes(name)));
  const update = fieldUpdate(readable, live, settings.effect);
  if (!update) return unreadable;
  const source = sourceOf(Object.keys(update.body), fields) ?? sourceText(first.place);
  const titles = titlesFor(update.body, read.value);
  const before = { ...titles, ...update.before };
  return [
    { action: 'update', ...common, source, ...update, before, body: { ...titles, ...update.body } },
    ...unreadable,
  ];
}

/** Returns the value that clears a field: null if the platform accepts it, or empty text; undefined if neither. */
function cleared(field: string, target: string): unknown {
  const { body } = 'repo' in pathOf(target) ? updateRepository : updateOrganization;
  const schema = (body.entries as Readonly<Record<string, GenericSchema>>)[field];
  const accepts = (value: unknown) => {
    const { problems, unknown } = schema ? checkValue(schema, value) : { problems: [], unknown: [] };
    return problems.length + unknown.length === 0;
  };
  return [null, ''].find(accepts);
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
const isProfile = (name: string, path: TargetPath): boolean => !('repo' in path) && profileFields.includes(name);

/** Returns the settings of a target that a policy can set, and that the caller can see. */
async function exportSettings(target: string, { reader, notExported }: ExportReadings): Promise<Given> {
  const path = pathOf(target);
  const read = await readSettings(reader, path);
  if ('unreadable' in read) {
    notExported('settings', target, read);
    return {};
  }
  const [resource, update]: [ResourceDeclaration, Endpoint] =
    'repo' in path ? [repositories, updateRepository] : [organizationSettings, updateOrganization];
  const entries = (update.body?.entries ?? {}) as Given;
  const { body } = bodyOfRecord(resource, update, read.value);
  const known = Object.keys(body)
    .filter((name) => name in entries && body[name] !== undefined && body[name] !== null)
    .filter((name) => !derivedFields.includes(name) || isProfile(name, path))
    .toSorted();
  return Object.fromEntries(
    known.map((name) => [name, name === 'security_and_analysis' ? statuses(body[name]) : body[name]]),
  );
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

/** Settings that grant something when true. */
const grants = /^(?:members_can_|deploy_keys_enabled_for_repositories$|allow_forking$)/;

/** Settings that protect when true. */
const protects =
  /^(?:web_commit_signoff_required$|.*_enabled_for_new_repositories$|secret_scanning_validity_checks_enabled$)/;

function settingEffect(change: FieldChange): Effect | undefined {
  const { path } = change;
  if (path === 'default_repository_permission') return ranked(['admin', 'write', 'read', 'none'], change);
  if (path === 'visibility') return ranked(['public', 'internal', 'private'], change);
  if (grants.test(path)) return ranked([true, false], change);
  if (protects.test(path)) return ranked([false, true], change);
  if (/^security_and_analysis\.\w+\.status$/.test(path)) return ranked(['disabled', 'enabled'], change);
  return undefined;
}

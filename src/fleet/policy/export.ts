/** Exports the live state of an organization as policy documents. Applying them changes nothing. */
import { isObject } from '../../json/exact-json.ts';
import type { Endpoint } from '../../platform/endpoint.ts';
import { updateOrganization } from '../../platform/endpoints/orgs.ts';
import { listOrganizationRepositories, updateRepository } from '../../platform/endpoints/repos.ts';
import { bodyOfRecord, type ResourceDeclaration } from '../../platform/resource.ts';
import { organizationSettings } from '../../platform/resources/orgs.ts';
import { repositories } from '../../platform/resources/repos.ts';
import type { Given } from '../../platform/validate.ts';
import { hookBody, isOwnSetting, listHooks } from './hooks.ts';
import { Names } from './names.ts';
import { propertyValues } from './plan.ts';
import type { Reader, Reading } from './requests.ts';
import { ownRulesets, readRuleset, rulesetBody } from './rulesets.ts';
import { readSettings } from './settings.ts';
import type { TargetPath } from './target.ts';

/** A policy file. */
export interface ExportedFile {
  /** Below the folder of the organization, with `/`. */
  readonly path: string;
  readonly document: Given;
}

export interface ExportOptions {
  readonly reader: Reader;
  readonly org: string;
  /** Exports the repositories too. */
  readonly repositories: boolean;
  /** Receives a notice for each part that cannot be exported. */
  readonly warn: (text: string) => void;
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

/** Returns the files of an organization, sorted by path. Throws what the client throws. */
export async function exportOrganization(options: ExportOptions): Promise<readonly ExportedFile[]> {
  const { org, reader, warn } = options;
  const path = { org };
  const organizations = [org];
  const listed = once(() => reader.list(listOrganizationRepositories, { path }));
  const names = new Names(reader, org, listed);
  const files: ExportedFile[] = [];
  const settings = await fieldsOf(options, path);
  const isProfile = ([name]: [string, unknown]) => profileFields.includes(name);
  const add = (file: string, members: readonly [string, unknown][]) => {
    if (members.length) files.push({ path: file, document: { organizations, settings: Object.fromEntries(members) } });
  };
  add('profile.yaml', Object.entries(settings).filter(isProfile));
  add(
    'settings.yaml',
    Object.entries(settings).filter((member) => !isProfile(member) && !derivedFields.includes(member[0])),
  );
  const rulesets = await rulesetsOf(options, org, path, names);
  for (const [file, ruleset] of fileNames(rulesets))
    files.push({ path: `rulesets/${file}.yaml`, document: { organizations, rulesets: [ruleset] } });
  const hooks = await hooksOf(options, org, path);
  if (hooks.length) files.push({ path: 'hooks.yaml', document: { organizations, hooks } });
  if (!options.repositories) return files;
  const all = await listed();
  if ('unreadable' in all) {
    warn(`The repositories of ${org} were not exported: ${all.unreadable}.`);
    return files;
  }
  const values = await propertyValues(reader, org);
  if ('unreadable' in values) warn(`The property values of ${org} were not exported: ${values.unreadable}.`);
  const archived = all.value.filter((repository) => repository.archived).length;
  if (archived) warn(`${archived} archived ${archived === 1 ? 'repository' : 'repositories'} of ${org} skipped.`);
  for (const { name, full_name: fullName, owner, archived } of all.value) {
    if (archived) continue;
    const at = { owner: owner.login, repo: name };
    const properties = 'value' in values ? values.value.get(fullName.toLowerCase()) : undefined;
    const entry = {
      select: { names: [name] },
      ...filled(
        'settings',
        Object.fromEntries(
          Object.entries(await fieldsOf(options, at)).filter(([field]) => !derivedFields.includes(field)),
        ),
      ),
      ...filled(
        'properties',
        Object.fromEntries(Object.entries(properties ?? {}).filter(([, value]) => value !== null)),
      ),
      ...filled('rulesets', await rulesetsOf(options, fullName, at, names)),
      ...filled('hooks', await hooksOf(options, fullName, at)),
    };
    if (Object.keys(entry).length > 1)
      files.push({ path: `repositories/${name}.yaml`, document: { organizations, repositories: [entry] } });
  }
  return files;
}

const filled = (name: string, value: object): Given => (Object.keys(value).length ? { [name]: value } : {});

function once<T>(fetch: () => Promise<T>): () => Promise<T> {
  let fetched: Promise<T> | undefined;
  return () => {
    fetched ??= fetch();
    return fetched;
  };
}

/** Returns the settings of a target that a policy can set, and that the caller can see. */
async function fieldsOf({ reader, warn }: ExportOptions, path: TargetPath): Promise<Given> {
  const read = await readSettings(reader, path);
  const target = 'repo' in path ? `${path.owner}/${path.repo}` : path.org;
  if ('unreadable' in read) {
    warn(`The settings of ${target} were not exported: ${read.unreadable}.`);
    return {};
  }
  const [resource, update]: [ResourceDeclaration, Endpoint] =
    'repo' in path ? [repositories, updateRepository] : [organizationSettings, updateOrganization];
  const entries = (update.body?.entries ?? {}) as Given;
  const { body } = bodyOfRecord(resource, update, read.value);
  const known = Object.keys(body)
    .filter((name) => name in entries && body[name] !== undefined && body[name] !== null)
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

/** Returns the rulesets of a target in the form of policies, sorted by name. */
async function rulesetsOf(
  { reader, warn }: ExportOptions,
  target: string,
  path: TargetPath,
  names: Names,
): Promise<readonly Given[]> {
  const listed = await ownRulesets(reader, path);
  const leave = (what: string, why: string) => warn(`${what} of ${target} not exported: ${why}.`);
  if ('unreadable' in listed) {
    leave('Rulesets', listed.unreadable);
    return [];
  }
  const rulesets: Given[] = [];
  for (const { id, name } of listed.value) {
    const twins = listed.value.filter((each) => each.name === name).length;
    const read: Reading<object> =
      twins > 1 ? { unreadable: `${twins} rulesets have this name` } : await readRuleset(reader, path, id);
    if ('unreadable' in read) {
      leave(`Ruleset ${name}`, read.unreadable);
      continue;
    }
    const body = rulesetBody(read.value as Given);
    if (body.bypass_actors === undefined) leave(`Bypass actors of ruleset ${name}`, 'the token cannot read them');
    rulesets.push(await inNames(body, names));
  }
  return rulesets.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
}

/** Returns a ruleset with the name first, and with names in place of the IDs that have one. */
async function inNames({ name, ...body }: Given, names: Names): Promise<Given> {
  const actors: unknown[] = [];
  for (const actor of Array.isArray(body.bypass_actors) ? body.bypass_actors : []) {
    const { actor_type: type, actor_id: id, bypass_mode: mode } = actor as Given;
    const reference = await names.nameOf(String(type), id);
    if (reference === undefined) actors.push(actor);
    else actors.push(mode === 'always' || mode === undefined ? reference : { actor: reference, mode });
  }
  return { name, ...body, ...(body.bypass_actors !== undefined && { bypass_actors: actors }) };
}

async function hooksOf({ reader, warn }: ExportOptions, target: string, path: TargetPath): Promise<readonly Given[]> {
  const listed = await listHooks(reader, path);
  if ('unreadable' in listed) {
    warn(`The hooks of ${target} were not exported: ${listed.unreadable}.`);
    return [];
  }
  return listed.value
    .filter((hook) => isOwnSetting(hook, path))
    .map((hook) => ({ name: hook.name, ...hookBody(hook) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns a file name for each ruleset: its own in lower case, and a number where two would be the same. */
function fileNames(rulesets: readonly Given[]): readonly (readonly [string, Given])[] {
  const taken = new Set<string>();
  return rulesets.map((ruleset) => {
    const plain =
      String(ruleset.name)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '') || 'ruleset';
    let file = plain;
    for (let number = 2; taken.has(file); number++) file = `${plain}-${number}`;
    taken.add(file);
    return [file, ruleset] as const;
  });
}

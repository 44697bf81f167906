/** The state of Terraform’s provider for the platform, as `terraform show -json` prints it. */
import { isDeepStrictEqual } from 'node:util';
import { isPossibleName } from '../../../../fleet/policy/file-names.ts';
import { slugOfTeam } from '../../../../fleet/policy/kinds/people/team-names.ts';
import {
  elements,
  member,
  type Place,
  type Placed,
  textOf,
  without,
  withParts,
} from '../../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../../json/exact-json.ts';
import { updateOrganization } from '../../../../platform/endpoints/orgs.ts';
import { roleOf } from '../../../../platform/repository-roles.ts';
import { settingKeys } from '../app-table.ts';
import { labelColor } from '../labels.ts';
import type { EntryDraft, Format, KeyTranslation, OrganizationDraft } from '../model.ts';
import { protectionKeys } from '../protection/table.ts';
import { terraformProtectionItems } from '../protection/terraform.ts';
import { rulesetItem, rulesetKeys } from '../ruleset-files.ts';
import { byName, type Item, type Lose, placedAt } from '../source.ts';
import { apiRuleset, blockOf } from './terraform-rulesets.ts';
import { withoutSensitive } from './terraform-sensitive.ts';

const unknownAttribute = 'Policies have no counterpart of this attribute';

/** A resource of a state. */
interface Resource {
  readonly type: string;
  readonly mode: string;
  readonly values: Placed;
  readonly resource: Placed;
}

/** Attributes that the provider computes. */
const readOnlyAttributes: readonly string[] = [
  'id',
  'etag',
  'node_id',
  'repo_id',
  'full_name',
  'html_url',
  'ssh_clone_url',
  'http_clone_url',
  'git_clone_url',
  'svn_url',
  'primary_language',
  'slug',
  'members_count',
  'parent_team_read_id',
  'parent_team_read_slug',
  'invitation_id',
  'invitation_ids',
  'ruleset_id',
  'repository_id',
  'url',
];

/** Attributes that only say how Terraform works. */
const ownAttributes: readonly string[] = [
  'archive_on_destroy',
  'ignore_vulnerability_alerts_during_read',
  'permission_diff_suppression',
  'downgrade_on_destroy',
  'create_default_maintainer',
  'timeouts',
];

/** Attributes that only a creation has. */
const creationFlags = ['auto_init', 'gitignore_template', 'license_template'];

/** What policies lack, by type and attribute; a value that is false or empty is no loss. */
const lackingAttributes = byName<string>({
  'github_repository.pages': 'Policies have no pages',
  'github_repository.fork': 'Policies create no forks',
  'github_repository.source_owner': 'Policies create no forks',
  'github_repository.source_repo': 'Policies create no forks',
  'github_branch_default.rename': 'Policies do not rename branches',
  'github_team.ldap_dn': 'Policies do not connect teams with groups of a directory',
  'github_repository_collaborators.ignore_team':
    'Policies have no teams to ignore; undeclared access is kept unless manage.access is all',
});

/** What policies lack, by the beginning of the type of a resource. */
const lackingTypes: readonly (readonly [type: string, reason: string])[] = [
  ['github_actions_', 'Policies have no Actions secrets, variables, runners or permissions'],
  ['github_dependabot_', 'Policies have no secrets'],
  ['github_codespaces_', 'Policies have no secrets'],
  ['github_repository_webhook', 'Policies have no webhooks'],
  ['github_organization_webhook', 'Policies have no webhooks'],
  ['github_repository_environment', 'Policies have no environments'],
  ['github_repository_deployment', 'Policies have no environments'],
  ['github_repository_deploy_key', 'Policies have no deploy keys'],
  ['github_repository_file', 'Policies have no files'],
  ['github_repository_pages', 'Policies have no pages'],
  ['github_repository_milestone', 'Policies have no milestones'],
  ['github_repository_autolink_reference', 'Policies have no autolinks'],
  ['github_branch', 'Policies have no branches'],
  ['github_team_settings', 'Policies have no review assignment of teams'],
  ['github_team_sync_group_mapping', 'Policies do not connect teams with groups of an identity provider'],
  ['github_organization_block', 'Policies have no blocked users'],
  ['github_app_installation', 'Policies have no installations of apps'],
  ['github_enterprise_', 'Policies have only budgets of enterprises'],
  ['github_', 'Policies have no counterpart of this resource'],
  ['', 'Policies have only resources of this platform'],
];

/** Attributes of custom properties, with the keys of policies. */
const propertyKeys = byName<string>({
  property_name: 'name',
  value_type: 'type',
  allowed_values: 'allowed',
  default_value: 'default',
  required: 'required',
  description: 'description',
  values_editable_by: 'editable_by',
});

/** Settings of a repository that have another name in the provider. */
const renamedSettings = byName<string>({ homepage_url: 'homepage' });

const ofTeam = { note: 'The slug of the team' };
const roles = { note: 'pull is read, push is write' };
const repositories = 'repositories[*]';

/** Keys are types of resources with their attributes. */
const terraformKeys: readonly KeyTranslation[] = [
  { key: 'github_repository.name', policy: `${repositories}.create.name` },
  { key: 'github_repository.visibility', policy: `${repositories}.create.visibility` },
  { key: 'github_repository.private', policy: `${repositories}.create.visibility`, note: 'Without visibility' },
  { key: 'github_repository.template', policy: `${repositories}.create.template`, note: 'OWNER/NAME' },
  ...creationFlags.map((key) => ({ key: `github_repository.${key}`, policy: `${repositories}.create.${key}` })),
  ...settingKeys
    .filter((key) => key !== 'visibility')
    .map((key) => {
      const renamed = Object.entries(renamedSettings).find(([, policy]) => policy === key)?.[0];
      return { key: `github_repository.${renamed ?? key}`, policy: `${repositories}.settings.${key}` };
    }),
  { key: 'github_repository.topics', policy: `${repositories}.topics` },
  { key: 'github_repository.vulnerability_alerts', policy: `${repositories}.alerts.vulnerability` },
  { key: 'github_repository_topics.topics', policy: `${repositories}.topics` },
  { key: 'github_branch_default.branch', policy: `${repositories}.settings.default_branch` },
  { key: 'github_repository_vulnerability_alerts.enabled', policy: `${repositories}.alerts.vulnerability` },
  { key: 'github_repository_dependabot_security_updates.enabled', policy: `${repositories}.alerts.fixes` },
  { key: 'github_repository_collaborator.username', policy: `${repositories}.access.users.*` },
  { key: 'github_repository_collaborator.permission', policy: `${repositories}.access.users.*`, ...roles },
  { key: 'github_repository_collaborators.user[]', policy: `${repositories}.access.users.*`, ...roles },
  { key: 'github_repository_collaborators.team[]', policy: `${repositories}.access.teams.*`, ...roles },
  { key: 'github_team_repository.team_id', policy: `${repositories}.access.teams.*`, ...ofTeam },
  { key: 'github_team_repository.permission', policy: `${repositories}.access.teams.*`, ...roles },
  { key: 'github_membership.username', value: 'with role admin', policy: 'members.owners[]' },
  { key: 'github_membership.username', value: 'with role member', policy: 'members.members[]' },
  { key: 'github_team.name', policy: 'teams[*].name' },
  { key: 'github_team.description', policy: 'teams[*].description' },
  { key: 'github_team.privacy', policy: 'teams[*].privacy' },
  { key: 'github_team.parent_team_id', policy: 'teams[*].parent', note: 'The name of the parent' },
  { key: 'github_team.notification_setting', policy: 'teams[*].notifications', note: 'true for notifications_enabled' },
  { key: 'github_team_membership.username', value: 'with role maintainer', policy: 'teams[*].maintainers[]' },
  { key: 'github_team_membership.username', value: 'with role member', policy: 'teams[*].members[]' },
  { key: 'github_team_members.members[].username', value: 'with role maintainer', policy: 'teams[*].maintainers[]' },
  { key: 'github_team_members.members[].username', value: 'with role member', policy: 'teams[*].members[]' },
  ...['name', 'color', 'description'].flatMap((key) => [
    { key: `github_issue_label.${key}`, policy: `${repositories}.labels[*].${key}` },
    { key: `github_issue_labels.label[].${key}`, policy: `${repositories}.labels[*].${key}` },
  ]),
  ...Object.keys(updateOrganization.body.entries).map((key) => ({
    key: `github_organization_settings.${key}`,
    policy: `settings.${key}`,
  })),
  ...Object.entries(propertyKeys).map(([key, policy]) => ({
    key: `github_organization_custom_properties.${key}`,
    policy: `property_schema[*].${policy}`,
  })),
  { key: 'github_repository_custom_property.property_value', policy: `${repositories}.properties.*` },
  { key: 'github_repository_custom_properties.property[].value', policy: `${repositories}.properties.*` },
  ...rulesetKeys.flatMap((name) => [
    { key: `github_organization_ruleset.${name}`, policy: `rulesets[*].${name}` },
    { key: `github_repository_ruleset.${name}`, policy: `${repositories}.rulesets[*].${name}` },
  ]),
  {
    key: 'github_branch_protection.pattern',
    policy: 'repositories[*].rulesets[*].conditions.ref_name.include[]',
    note: 'refs/heads/PATTERN',
  },
  ...protectionKeys('github_branch_protection.', 'terraform'),
  {
    key: 'github_branch_protection_v3.branch',
    policy: 'repositories[*].rulesets[*].conditions.ref_name.include[]',
    note: 'refs/heads/NAME',
  },
  {
    key: 'github_branch_protection_v3',
    policy: 'repositories[*].rulesets[*]',
    note: 'The same attributes as github_branch_protection',
  },
  ...readOnlyAttributes.map((key) => ({ key: `*.${key}`, note: 'Computed by the provider; not imported' })),
  ...ownAttributes.map((key) => ({ key: `*.${key}`, note: 'Says how Terraform works; not imported' })),
  ...Object.entries(lackingAttributes).map(([key, note]) => ({ key, note })),
  ...lackingTypes.flatMap(([key, note]) => (key === '' ? [] : [{ key: `${key}*`, note }])),
];

export const terraform: Format = {
  name: 'terraform',
  source: 'The state of the platform’s Terraform provider, as “terraform show -json” prints it',
  keys: terraformKeys,
  read(files, { organization, lose, refuse }) {
    return files.flatMap(({ root }): OrganizationDraft[] => {
      if (member(root, 'format_version') === undefined || member(root, 'planned_values')) {
        refuse(root, 'is not a state: save the output of “terraform show -json”');
        return [];
      }
      const module = member(member(root, 'values'), 'root_module');
      for (const part of [...unknownIn(root), ...(module ? malformedIn(module) : [])])
        lose(part, 'is not a resource of a state', 'not shown');
      const resources = resourcesOf(root);
      const owners = ownersIn(resources);
      const [owner = organization] = owners;
      const isOther =
        organization !== undefined && owners.some((each) => each.toLowerCase() !== organization.toLowerCase());
      if (isOther) refuse(root, `is of ${owners.join(', ')}, not of --organization ${organization}`);
      else if (owners.length > 1) refuse(root, `has repositories of several organizations: ${owners.join(', ')}`);
      else if (owner === undefined) refuse(root, 'does not specify an organization: add --organization ORG');
      else return [{ ...new State(resources, owner, lose).draft(), place: root.place }];
      return [];
    });
  },
};

const resourcesOf = (root: Placed): readonly Resource[] => {
  const module = member(member(root, 'values'), 'root_module');
  return module ? resourcesIn(module) : [];
};

/** Returns the organizations of the repositories of a state. */
const ownersIn = (resources: readonly Resource[]): readonly string[] => [
  ...new Set(
    resources
      .filter(({ type, mode }) => type === 'github_repository' && mode === 'managed')
      .flatMap(({ values }) => /^([^/]+)\//.exec(textOf(values, 'full_name') ?? '')?.[1] ?? []),
  ),
];

/** The keys of a state and of its modules. Outputs and checks are results of Terraform, and say nothing about the platform. */
const stateKeys: readonly (readonly [path: readonly string[], keys: readonly string[]])[] = [
  [[], ['format_version', 'terraform_version', 'values', 'checks', 'timestamp']],
  [['values'], ['outputs', 'root_module']],
];
const moduleKeys = ['address', 'resources', 'child_modules'];

/** Returns the parts of a state, outside of its resources, that states do not have. */
const unknownIn = (root: Placed): readonly Placed[] =>
  stateKeys.flatMap(([path, keys]) => {
    const part = path.reduce<Placed | undefined>(member, root);
    return part ? [...without(part, keys).parts.values()] : [];
  });

/** Returns the parts of a module that are not as in a state. */
function malformedIn(module: Placed): readonly Placed[] {
  const lists = ['resources', 'child_modules'].flatMap((key) => member(module, key) ?? []);
  const resources = elements(member(module, 'resources'));
  return [
    ...without(module, moduleKeys).parts.values(),
    ...lists.filter(({ value }) => value !== null && !Array.isArray(value)),
    ...resources.filter((resource) => {
      const [type, mode] = [textOf(resource, 'type'), textOf(resource, 'mode')];
      return type === undefined || mode === undefined || !isObject(member(resource, 'values')?.value);
    }),
    ...elements(member(module, 'child_modules')).flatMap((inner) =>
      isObject(inner.value) ? malformedIn(inner) : [inner],
    ),
  ];
}

function resourcesIn(module: Placed): readonly Resource[] {
  const own = elements(member(module, 'resources')).flatMap((resource): Resource[] => {
    const values = member(resource, 'values');
    const [type, mode] = [textOf(resource, 'type'), textOf(resource, 'mode')];
    return values && type !== undefined && mode !== undefined ? [{ type, mode, values, resource }] : [];
  });
  return [...own, ...elements(member(module, 'child_modules')).flatMap(resourcesIn)];
}

interface Team {
  readonly name: string;
  readonly slug: string;
}

/** What resources declare for a team, beside the team itself. */
type TeamMembers = Record<'maintainers' | 'members', Placed[]>;

class State {
  readonly #resources: readonly Resource[];
  readonly #organization: string;
  readonly #lose: Lose;
  readonly #teams = new Map<string, Team>();
  readonly #people = new Map<string, string>();
  readonly #repositories = new Map<string, string>();
  readonly #items: Item[] = [];
  readonly #members: Record<'owners' | 'members', Placed[]> = { owners: [], members: [] };
  readonly #membersOfTeams = new Map<string, TeamMembers>();
  readonly #declaredTeams = new Map<string, Placed>();
  readonly #namesOfTeams = new Map<string, Placed>();
  readonly #entries = new Map<string, Entry>();
  readonly #patterns = new Map<string, string[]>();
  /** The number of values that resources have had so far, imported or lost. */
  #found = 0;

  constructor(resources: readonly Resource[], organization: string, lose: Lose) {
    this.#resources = resources.map((each) => (readers[each.type] ? withoutSensitive(each, lose) : each));
    this.#organization = organization;
    this.#lose = lose;
    for (const { type, values } of this.#resources) this.#index(type, values);
    for (const { type, values } of this.#resources) if (type === 'github_branch_protection') this.#addPattern(values);
  }

  draft(): Omit<OrganizationDraft, 'place'> {
    for (const resource of this.#resources) if (resource.mode === 'managed') this.#read(resource);
    const teams = this.#allTeams();
    const lists = Object.entries(this.#members).filter(([, people]) => people.length > 0);
    const members = lists.map(([key, people]): Item => ({ path: ['members', key], value: listOf(people) }));
    const items = [...members, ...teams, ...this.#items];
    return { organization: this.#organization, items, entries: this.#allEntries() };
  }

  /** Remembers what IDs stand for. Data sources are read for that alone. */
  #index(type: string, values: Placed): void {
    const ids = ['id', 'node_id', 'slug', 'repo_id', 'team_id'].flatMap((key) => {
      const { value } = values.parts.get(key) ?? {};
      return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
    });
    const name = textOf(values, 'name');
    if (type === 'github_team' && name !== undefined)
      for (const id of [...ids, name]) this.#teams.set(id, { name, slug: textOf(values, 'slug') ?? slugOfTeam(name) });
    if (type === 'github_repository' && name !== undefined) for (const id of ids) this.#repositories.set(id, name);
    const login = textOf(values, 'login') ?? textOf(values, 'username');
    if (type === 'github_user' && login !== undefined) for (const id of ids) this.#people.set(id, login);
  }

  #addPattern(values: Placed): void {
    const repository = (this.repositoryOf(values.parts.get('repository_id')?.value) ?? '').toLowerCase();
    this.#patterns.set(repository, [...(this.#patterns.get(repository) ?? []), textOf(values, 'pattern') ?? '']);
  }

  #read({ type, values, resource }: Resource): void {
    const read = readers[type];
    if (!read) {
      const reason = lackingTypes.find(([beginning]) => type.startsWith(beginning))?.[1] ?? unknownAttribute;
      // Its values may be secret.
      this.#lose(values, reason, textOf(resource, 'address'));
      return;
    }
    const attributes = new Attributes(type, values, this.#lose);
    const before = this.#found;
    read(this, attributes);
    if (this.#found === before) attributes.loseAll();
    else attributes.finish();
  }

  lose(part: Placed, reason: string): void {
    this.#found += 1;
    this.#lose(part, reason);
  }

  addToOrganization(path: readonly string[], value: Placed): void {
    this.#found += 1;
    this.#items.push({ path, value });
  }

  addPerson(role: 'owners' | 'members', login: Placed): void {
    this.#found += 1;
    this.#members[role].push(login);
  }

  addTeam(slug: string, team: Placed): void {
    this.#found += 1;
    this.#declaredTeams.set(slug, team);
  }

  addToTeam(slug: string, name: string, role: 'maintainers' | 'members', login: Placed): void {
    this.#found += 1;
    const team = this.#membersOfTeams.get(slug) ?? { maintainers: [], members: [] };
    this.#membersOfTeams.set(slug, team);
    team[role].push(login);
    if (!this.#declaredTeams.has(slug)) this.#namesOfTeams.set(slug, placedAt(name, login.place));
  }

  /** Adds a part of a repository; parts of other resources take precedence over those of the repository itself. */
  add(repository: string, path: readonly string[], value: Placed): void {
    const entry = this.#entryOf(repository, value.place);
    const key = path.join('.');
    const earlier = entry.items.get(key);
    if (earlier && !isDeepStrictEqual(earlier.value.value, value.value))
      this.#lose(value, 'Another resource declares another value, which policies cannot have at once');
    else entry.items.set(key, { path, value });
  }

  create(repository: string, create: Placed): void {
    this.#entryOf(repository, create.place).create = create;
  }

  #entryOf(repository: string, place: Place): Entry {
    this.#found += 1;
    const key = repository.toLowerCase();
    const entry = this.#entries.get(key) ?? { name: repository, place, items: new Map() };
    this.#entries.set(key, entry);
    return entry;
  }

  teamOf(id: unknown): Team | undefined {
    return this.#teams.get(String(id));
  }

  /** Returns the name of a repository, which resources name by name, by owner and name, or by ID. */
  repositoryOf(id: unknown): string | undefined {
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    const name = this.#repositories.get(String(id)) ?? String(id).replace(/^[^/]*\//, '');
    return nodeId.test(name) || !isPossibleName(name) ? undefined : name;
  }

  /** Returns actors of classic protection with names for IDs. */
  named(list: Placed): Placed {
    const each = elements(list).map((actor, index): [number, Placed] => {
      const id = String(actor.value);
      const team = id.includes('/') ? undefined : this.#teams.get(id);
      const login = this.#people.get(id);
      const name = team ? `${this.#organization}/${team.slug}` : login === undefined ? id : `/${login}`;
      return [index, { ...actor, value: name }];
    });
    return withParts(list, each);
  }

  otherPatterns(repository: string): readonly string[] {
    return this.#patterns.get(repository.toLowerCase()) ?? [];
  }

  #allTeams(): readonly Item[] {
    const slugs = [...new Set([...this.#declaredTeams.keys(), ...this.#membersOfTeams.keys()])];
    return slugs.map((slug): Item => {
      const named = this.#namesOfTeams.get(slug);
      const team =
        this.#declaredTeams.get(slug) ??
        withParts(placedAt({}, named?.place ?? nowhere), [['name', named ?? placedAt(slug, nowhere)]]);
      const lists = Object.entries(this.#membersOfTeams.get(slug) ?? {})
        .filter(([, people]) => people.length > 0)
        .map(([role, people]): [string, Placed] => [role, listOf(people)]);
      return { path: ['teams', slug], value: withParts(team, [...team.parts, ...lists]) };
    });
  }

  #allEntries(): readonly EntryDraft[] {
    return [...this.#entries.values()].map(
      ({ name, place, create, items }): EntryDraft => ({
        head: create ? ['create', create] : ['select', placedAt({ names: [name] }, place)],
        isOverride: false,
        items: [...items.values()],
      }),
    );
  }
}

/** IDs of repositories in the GraphQL API, which the state does not explain. */
// cspell:ignore Rvcnk
const nodeId = /^(?:R_kg|MDEwOlJlcG9zaXRvcnk)/;

const nowhere: Place = { file: '', line: 1, column: 1 };

interface Entry {
  readonly name: string;
  readonly place: Place;
  create?: Placed;
  readonly items: Map<string, Item>;
}

const listOf = (parts: readonly Placed[]): Placed =>
  withParts({ value: [], place: parts[0]?.place ?? nowhere, parts: new Map() }, parts.entries());

/** The attributes of a resource, of which all that nobody takes are reported. */
class Attributes {
  readonly all: Placed;
  readonly #type: string;
  readonly #lose: Lose;
  readonly #taken = new Set<string>();

  constructor(type: string, all: Placed, lose: Lose) {
    this.#type = type;
    this.all = all;
    this.#lose = lose;
  }

  /** Returns an attribute; undefined if it is unset, for which states have null, or a value that is empty. */
  take(name: string): Placed | undefined {
    this.#taken.add(name);
    const part = this.all.parts.get(name);
    return part && !isUnset(part) ? part : undefined;
  }

  text(name: string): string | undefined {
    const { value } = this.take(name) ?? {};
    return typeof value === 'string' ? value : undefined;
  }

  /** Reports a resource that lacks what policies need: its repository, for one. */
  loseAll(): void {
    for (const [key, part] of this.all.parts)
      if (!readOnlyAttributes.includes(String(key)) && !isUnset(part))
        this.#lose(part, `Policies need more of ${this.#type} than the state has`);
  }

  finish(): void {
    for (const [key, part] of this.all.parts) {
      const name = String(key);
      const isIgnored = readOnlyAttributes.includes(name) || ownAttributes.includes(name);
      if (this.#taken.has(name) || isIgnored || isUnset(part)) continue;
      const lacking = lackingAttributes[`${this.#type}.${name}`];
      if (lacking === undefined || ![false, 'false'].includes(part.value as never))
        this.#lose(part, lacking ?? unknownAttribute);
    }
  }
}

const isUnset = ({ value, parts }: Placed): boolean =>
  value === null || value === '' || (typeof value === 'object' && parts.size === 0);

type Reader = (state: State, attributes: Attributes) => void;

const ruleset =
  (isOfRepository: boolean): Reader =>
  (state, attributes) => {
    const repository = isOfRepository ? state.repositoryOf(attributes.take('repository')?.value) : undefined;
    const members = [...attributes.all.parts].filter(([key, part]) => {
      attributes.take(String(key));
      return !isUnset(part) && !readOnlyAttributes.includes(String(key)) && !(isOfRepository && key === 'repository');
    });
    const body = apiRuleset(withParts(attributes.all, members), (id) => state.teamOf(id)?.slug);
    const { path, value } = rulesetItem(body, (part, reason) => state.lose(part, reason));
    if (repository === undefined) state.addToOrganization(path, value);
    else state.add(repository, path, value);
  };

/** A switch of a repository. */
const enabled =
  (...path: string[]): Reader =>
  (state, attributes) => {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    const value = attributes.take('enabled');
    if (repository !== undefined && value) state.add(repository, path, value);
  };

const label = (state: State, repository: string | undefined, block: Placed): void => {
  const color = block.parts.get('color');
  const six = color && labelColor(color);
  if (color && six === undefined) state.lose(color, 'Colors of policies have six hexadecimal digits');
  const members = (['name', 'description'] as const).flatMap((key): [string, Placed][] => {
    const part = block.parts.get(key);
    return part && !isUnset(part) ? [[key, part]] : [];
  });
  const colors: [string, Placed][] = color && six !== undefined ? [['color', { ...color, value: six }]] : [];
  if (repository !== undefined)
    state.add(
      repository,
      ['labels', String(textOf(block, 'name'))],
      withParts({ ...block, value: {} }, [...members, ...colors]),
    );
};

const propertyValue = (value: Placed, type: string | undefined): Placed =>
  type !== 'multi_select' && value.parts.size === 1 ? (value.parts.get(0) ?? value) : value;

function protection(repositoryKey: string, patternKey: string): Reader {
  return (state, attributes) => {
    const repository = state.repositoryOf(attributes.take(repositoryKey)?.value);
    const pattern = attributes.text(patternKey);
    const members = [...attributes.all.parts].filter(([key]) => {
      attributes.take(String(key));
      return ![repositoryKey, patternKey].includes(String(key)) && !readOnlyAttributes.includes(String(key));
    });
    if (repository === undefined || pattern === undefined) return;
    const block = withActors(withParts(attributes.all, members), (list) => state.named(list));
    const others = patternKey === 'pattern' ? state.otherPatterns(repository) : [];
    for (const { path, value } of terraformProtectionItems(pattern, block, others, (part, reason) =>
      state.lose(part, reason),
    ))
      state.add(repository, path, value);
  };
}

const actorKeys = [
  'push_restrictions',
  'push_allowances',
  'force_push_bypassers',
  'dismissal_restrictions',
  'pull_request_bypassers',
];

/** Returns protection with other lists of actors. */
function withActors(part: Placed, named: (list: Placed) => Placed): Placed {
  const each = [...part.parts].map(([key, inner]): [string | number, Placed] => [
    key,
    actorKeys.includes(String(key)) && Array.isArray(inner.value) ? named(inner) : withActors(inner, named),
  ]);
  return part.parts.size > 0 ? withParts(part, each) : part;
}

const readers = byName<Reader>({
  github_repository(state, attributes) {
    const name = attributes.take('name');
    if (!name || typeof name.value !== 'string') return;
    const repository = name.value;
    const isPrivate = attributes.take('private');
    const visibility =
      attributes.take('visibility') ??
      (isPrivate && { ...isPrivate, value: isPrivate.value === true ? 'private' : 'public' });
    const template = blockOf(attributes.take('template'));
    const from = template && placedAt(`${textOf(template, 'owner')}/${textOf(template, 'repository')}`, template.place);
    const branches = template?.parts.get('include_all_branches');
    const others = creationFlags.flatMap((key): [string, Placed][] => {
      const part = attributes.take(key);
      return part && part.value !== false && !template ? [[key, part]] : [];
    });
    state.create(
      repository,
      withParts(placedAt({}, name.place), [
        ['name', name],
        ['visibility', visibility ?? placedAt('public', name.place)],
        ...(from ? [['template', from] as [string, Placed]] : []),
        ...(branches?.value === true ? [['include_all_branches', branches] as [string, Placed]] : []),
        ...others,
      ]),
    );
    for (const key of [...settingKeys, ...Object.keys(renamedSettings)]) {
      if (key === 'visibility') continue;
      const part = attributes.take(key);
      if (part)
        state.add(
          repository,
          ['settings', renamedSettings[key] ?? key],
          key === 'security_and_analysis' ? blocks(part) : part,
        );
    }
    const topics = attributes.take('topics');
    if (topics) state.add(repository, ['topics'], topics);
    const alerts = attributes.take('vulnerability_alerts');
    if (alerts) state.add(repository, ['alerts', 'vulnerability'], alerts);
  },
  github_repository_topics(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    const topics = attributes.take('topics');
    if (repository !== undefined && topics) state.add(repository, ['topics'], topics);
  },
  github_branch_default(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    const branch = attributes.take('branch');
    if (repository !== undefined && branch) state.add(repository, ['settings', 'default_branch'], branch);
  },
  github_repository_vulnerability_alerts: enabled('alerts', 'vulnerability'),
  github_repository_dependabot_security_updates: enabled('alerts', 'fixes'),
  github_repository_collaborator(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    const login = attributes.text('username');
    const role = attributes.take('permission') ?? placedAt('push', attributes.all.place);
    if (repository !== undefined && login !== undefined)
      state.add(repository, ['access', 'users', login], asRole(role));
  },
  github_team_repository(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    const role = attributes.take('permission') ?? placedAt('pull', attributes.all.place);
    withTeam(
      state,
      attributes.take('team_id'),
      ({ slug }) => {
        if (repository !== undefined) state.add(repository, ['access', 'teams', slug], asRole(role));
      },
      [attributes.take('permission')],
    );
  },
  github_repository_collaborators(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    if (repository === undefined) return;
    for (const user of blocksOf(state, attributes.take('user'), 'username', ['permission'])) {
      const role = user.parts.get('permission') ?? placedAt('push', user.place);
      state.add(repository, ['access', 'users', String(textOf(user, 'username'))], asRole(role));
    }
    for (const team of blocksOf(state, attributes.take('team'), 'team_id', ['permission'])) {
      const role = team.parts.get('permission') ?? placedAt('push', team.place);
      withTeam(state, team.parts.get('team_id'), ({ slug }) =>
        state.add(repository, ['access', 'teams', slug], asRole(role)),
      );
    }
  },
  github_membership(state, attributes) {
    const login = attributes.take('username');
    const role = roleIn(state, attributes.take('role'), 'admin');
    if (login) state.addPerson(role === 'admin' ? 'owners' : 'members', login);
  },
  github_team(state, attributes) {
    const name = attributes.take('name');
    if (!name || typeof name.value !== 'string') return;
    const members: [string, Placed][] = [['name', name]];
    for (const key of ['description', 'privacy']) {
      const part = attributes.take(key);
      if (part) members.push([key, part]);
    }
    withTeam(state, attributes.take('parent_team_id'), (parent, id) =>
      members.push(['parent', { ...id, value: parent.name }]),
    );
    const notifications = attributes.take('notification_setting');
    if (notifications && !/^notifications_(?:en|dis)abled$/.test(String(notifications.value)))
      state.lose(notifications, 'must be notifications_enabled or notifications_disabled');
    else if (notifications)
      members.push(['notifications', { ...notifications, value: notifications.value === 'notifications_enabled' }]);
    state.addTeam(slugOfTeam(name.value), withParts({ ...attributes.all, value: {} }, members));
  },
  github_team_membership(state, attributes) {
    const login = attributes.take('username');
    const role = roleIn(state, attributes.take('role'), 'maintainer') === 'maintainer' ? 'maintainers' : 'members';
    const add = ({ slug, name }: Team) => login && state.addToTeam(slug, name, role, login);
    withTeam(state, attributes.take('team_id'), add, [login, attributes.take('role')]);
  },
  github_team_members(state, attributes) {
    const members = blocksOf(state, attributes.take('members'), 'username', ['role']);
    withTeam(
      state,
      attributes.take('team_id'),
      ({ slug, name }) => {
        for (const member of members) {
          const login = member.parts.get('username');
          const role =
            roleIn(state, member.parts.get('role'), 'maintainer') === 'maintainer' ? 'maintainers' : 'members';
          if (login) state.addToTeam(slug, name, role, login);
        }
      },
      members,
    );
  },
  github_issue_label(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    for (const key of ['name', 'color', 'description']) attributes.take(key);
    label(state, repository, attributes.all);
  },
  github_issue_labels(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    for (const block of blocksOf(state, attributes.take('label'), 'name', ['color', 'description', 'url']))
      label(state, repository, block);
  },
  github_organization_settings(state, attributes) {
    for (const key of Object.keys(updateOrganization.body.entries)) {
      const part = attributes.take(key);
      if (part) state.addToOrganization(['settings', key], part);
    }
  },
  github_organization_ruleset: ruleset(false),
  github_repository_ruleset: ruleset(true),
  github_branch_protection: protection('repository_id', 'pattern'),
  github_branch_protection_v3: protection('repository', 'branch'),
  github_organization_custom_properties(state, attributes) {
    const members = Object.entries(propertyKeys).flatMap(([from, to]): [string, Placed][] => {
      const part = attributes.take(from);
      return part ? [[to, part]] : [];
    });
    const name = textOf(attributes.all, 'property_name');
    state.addToOrganization(['property_schema', String(name)], withParts({ ...attributes.all, value: {} }, members));
  },
  github_repository_custom_property(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    const name = attributes.text('property_name');
    const type = attributes.text('property_type');
    const value = attributes.take('property_value');
    if (repository !== undefined && name !== undefined && value)
      state.add(repository, ['properties', name], propertyValue(value, type));
  },
  github_repository_custom_properties(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    if (repository === undefined) return;
    for (const property of blocksOf(state, attributes.take('property'), 'name', ['value'])) {
      const value = property.parts.get('value');
      if (value)
        state.add(repository, ['properties', String(textOf(property, 'name'))], propertyValue(value, undefined));
    }
  },
});

/** Returns blocks that have a name, and reports the others, and keys that are not known. */
function blocksOf(state: State, list: Placed | undefined, name: string, keys: readonly string[]): readonly Placed[] {
  return elements(list).filter((block) => {
    const given = block.parts.get(name);
    if (!given || isUnset(given)) state.lose(block, `must have a ${name}`);
    else
      for (const [, part] of without(block, [name, ...keys]).parts)
        if (!isUnset(part)) state.lose(part, unknownAttribute);
    return given !== undefined && !isUnset(given);
  });
}

/** Returns a role: the higher one, or member, which is also that of a role that policies do not have. */
function roleIn(state: State, role: Placed | undefined, higher: string): string {
  if (role?.value === higher) return higher;
  if (role && !isUnset(role) && role.value !== 'member') state.lose(role, `must be member or ${higher}`);
  return 'member';
}

/** Runs `use` with the team of an ID, a slug or a name; reports a team that the state does not have. */
function withTeam(
  state: State,
  id: Placed | undefined,
  use: (team: Team, id: Placed) => void,
  others: readonly (Placed | undefined)[] = [],
): void {
  if (!id) return;
  const value = String(id.value);
  const team = state.teamOf(value) ?? (/^\d+$/.test(value) ? undefined : { name: value, slug: slugOfTeam(value) });
  if (team) use(team, id);
  else
    for (const part of [id, ...others])
      if (part) state.lose(part, 'Policies name teams, and the state has no team with this ID');
}

const asRole = (part: Placed): Placed =>
  typeof part.value === 'string' ? { ...part, value: roleOf(part.value) } : part;

/** Returns nested blocks, which are lists of one, as mappings. */
function blocks(part: Placed): Placed {
  const block = blockOf(part) ?? part;
  const members = [...block.parts]
    .filter(([, each]) => !isUnset(each))
    .map(([key, each]): [string | number, Placed] => [key, Array.isArray(each.value) ? blocks(each) : each]);
  return withParts(block, members);
}

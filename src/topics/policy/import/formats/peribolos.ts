/** org.yaml of Kubernetes’ peribolos: organizations with their settings, people, teams and repositories. */
import { slugOfTeam } from '../../../../fleet/policy/kinds/people/team-names.ts';
import { member, members, type Placed } from '../../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../../json/exact-json.ts';
import { isBaseRole, roleOf } from '../../../../platform/repository-roles.ts';
import { Repositories } from '../entries.ts';
import { hasNoMergeMethod, mergeMethodKeys, mergeMethods, noMergeMethod } from '../merge-methods.ts';
import type { Format, KeyTranslation, OrganizationDraft, ReadContext, SourceFile } from '../model.ts';
import { logins, teamItem } from '../people.ts';
import { byName, type Item, keysAt, placedAt, unknownKey } from '../source.ts';

/** Keys of an organization that are settings of the same name. */
const organizationSettings = [
  'billing_email',
  'company',
  'email',
  'name',
  'description',
  'location',
  'has_organization_projects',
  'has_repository_projects',
  'default_repository_permission',
  'members_can_create_repositories',
];

/** Keys of a repository with the settings of policies. */
const repositorySettings = byName<string>(
  Object.fromEntries(
    [
      'description',
      'homepage',
      'has_issues',
      'has_projects',
      'has_wiki',
      'allow_squash_merge',
      'allow_merge_commit',
      'allow_rebase_merge',
      'squash_merge_commit_title',
      'squash_merge_commit_message',
      'default_branch',
      'archived',
    ].map((key) => [key, key]),
  ),
);

/** Keys of `on_create`, which only new repositories have. */
const creationKeys = ['auto_init', 'gitignore_template', 'license_template'];

/** Keys of an organization with its people, and the lists of policies. */
const people = byName<string>({ admins: 'owners', members: 'members' });

/** What policies lack, by the key of a repository. */
const lacking = byName<string>({ previously: 'Policies do not rename repositories' });

const keys: readonly KeyTranslation[] = [
  ...organizationSettings.map((key) => ({ key, policy: `settings.${key}` })),
  { key: 'admins[]', policy: 'members.owners[]' },
  { key: 'members[]', policy: 'members.members[]' },
  { key: 'teams.*.description', policy: 'teams[*].description' },
  { key: 'teams.*.privacy', policy: 'teams[*].privacy' },
  { key: 'teams.*.maintainers[]', policy: 'teams[*].maintainers[]' },
  { key: 'teams.*.members[]', policy: 'teams[*].members[]' },
  { key: 'teams.*.previously[]', policy: 'teams[*].was[]' },
  { key: 'teams.*.teams.*', policy: 'teams[*].parent', note: 'The team is the parent' },
  { key: 'teams.*.repos.*', policy: 'repositories[*].access.teams.*', note: 'By repository; the slug of the team' },
  { key: 'teams.*.repos.*', value: 'none', policy: 'repositories[*].absent.access.teams[]' },
  ...Object.entries(repositorySettings).map(([key, setting]) => ({
    key: `repos.*.${key}`,
    policy: `repositories[*].settings.${setting}`,
  })),
  ...mergeMethodKeys('repos.*.'),
  { key: 'repos.*.private', value: 'true', policy: 'repositories[*].create.visibility', note: 'private' },
  { key: 'repos.*.private', value: 'false', policy: 'repositories[*].create.visibility', note: 'public' },
  ...creationKeys.map((key) => ({ key: `repos.*.on_create.${key}`, policy: `repositories[*].create.${key}` })),
  ...Object.entries(lacking).map(([key, note]) => ({ key: `repos.*.${key}`, note })),
];

/** The keys of each level, of which null unsets those that are known. */
const known = {
  organization: keysAt('', keys),
  team: keysAt('teams.*.', keys),
  repository: keysAt('repos.*.', keys),
};

export const peribolos: Format = {
  name: 'peribolos',
  source: 'org.yaml of peribolos: one organization, or several under orgs',
  keys,
  read: (files, context) => files.flatMap((file) => organizationsIn(file, context)),
};

/** Returns the organizations of a file: those under `orgs`, or the one that the whole file is about. */
function organizationsIn({ root }: SourceFile, context: ReadContext): readonly OrganizationDraft[] {
  const orgs = member(root, 'orgs');
  if (!orgs) {
    if (context.organization === undefined) {
      context.refuse(root, 'does not specify an organization: add --organization ORG');
      return [];
    }
    return [new Organization(context.organization, context).read(root)];
  }
  for (const [key, part] of members(root)) if (key !== 'orgs') context.lose(part, unknownKey);
  if (!isObject(orgs.value)) context.refuse(orgs, 'orgs must be a mapping of organizations');
  const named = members(orgs);
  const other = named.find(([name]) => context.organization?.toLowerCase() !== name.toLowerCase());
  if (context.organization !== undefined && other)
    context.refuse(other[1], `is the organization ${other[0]}, not --organization ${context.organization}`);
  return named.map(([name, organization]) => new Organization(name, context).read(organization));
}

class Organization {
  readonly #name: string;
  readonly #context: ReadContext;
  readonly #items: Item[] = [];
  readonly #teams: Item[] = [];
  readonly #repositories: Repositories;

  constructor(name: string, context: ReadContext) {
    this.#name = name;
    this.#context = context;
    this.#repositories = new Repositories(context);
  }

  read(organization: Placed): OrganizationDraft {
    if (!isObject(organization.value)) this.#context.refuse(organization, 'must be a mapping');
    for (const [key, part] of members(organization)) this.#section(key, part);
    return {
      organization: this.#name,
      place: organization.place,
      items: [...this.#items, ...this.#teams],
      entries: this.#repositories.entries(),
    };
  }

  #section(key: string, part: Placed): void {
    if (part.value === null && known.organization.has(key)) return;
    if (organizationSettings.includes(key)) this.#items.push({ path: ['settings', key], value: part });
    else if (people[key]) this.#items.push({ path: ['members', people[key]], value: logins(part) });
    else if (key === 'teams') this.#teamsOf(part, undefined);
    else if (key === 'repos') for (const [name, repository] of this.#members(part)) this.#repository(name, repository);
    else this.#context.lose(part, unknownKey);
  }

  #teamsOf(teams: Placed, parent: string | undefined): void {
    for (const [name, team] of this.#members(teams)) this.#team(name, team, parent);
  }

  #team(name: string, team: Placed, parent: string | undefined): void {
    const body = new Map<string, Placed>();
    if (parent !== undefined) body.set('parent', placedAt(parent, team.place));
    const at = this.#teams.push(teamItem(name, team, body)) - 1;
    for (const [key, part] of this.#members(team)) {
      if (part.value === null && known.team.has(key)) continue;
      if (key === 'description' || key === 'privacy') body.set(key, part);
      else if (key === 'maintainers' || key === 'members') body.set(key, logins(part));
      else if (key === 'previously' && Array.isArray(part.value)) body.set('was', part);
      else if (key === 'teams') this.#teamsOf(part, name);
      else if (key === 'repos') this.#grants(slugOfTeam(name), part);
      else this.#context.lose(part, unknownKey);
    }
    this.#teams[at] = teamItem(name, team, body);
  }

  #grants(team: string, repositories: Placed): void {
    for (const [name, role] of this.#members(repositories)) {
      if (typeof role.value !== 'string') this.#context.lose(role, 'The permission must be a role');
      else if (role.value.toLowerCase() === 'none')
        this.#repositories.add(name, role, {
          path: ['absent', 'access', 'teams', team],
          value: { ...role, value: team },
        });
      else
        this.#repositories.add(name, role, {
          path: ['access', 'teams', team],
          value: { ...role, value: roleNamed(role.value) },
        });
    }
  }

  #repository(name: string, repository: Placed): void {
    const creation: [string, Placed][] = [];
    const isUnmergeable = hasNoMergeMethod(repository);
    if (isUnmergeable) this.#repositories.comment(name, repository, noMergeMethod);
    for (const [key, part] of this.#members(repository)) {
      if ((part.value === null && known.repository.has(key)) || (isUnmergeable && mergeMethods.includes(key))) continue;
      const setting = repositorySettings[key];
      if (setting !== undefined) this.#repositories.add(name, repository, { path: ['settings', setting], value: part });
      else if (key === 'private' && typeof part.value !== 'boolean')
        this.#context.lose(part, 'must be true or false; without it, the repository is private');
      else if (key === 'private') creation.push(['visibility', { ...part, value: part.value ? 'private' : 'public' }]);
      else if (key === 'on_create') creation.push(...this.#creation(part));
      else this.#context.lose(part, lacking[key] ?? unknownKey);
    }
    this.#repositories.create(name, repository, creation);
  }

  #creation(part: Placed): [string, Placed][] {
    return this.#members(part).flatMap(([key, each]) => {
      if (creationKeys.includes(key)) return [[key, each] as [string, Placed]];
      this.#context.lose(each, unknownKey);
      return [];
    });
  }

  #members(mapping: Placed): readonly (readonly [string, Placed])[] {
    if (mapping.value !== null && !isObject(mapping.value)) this.#context.refuse(mapping, 'must be a mapping');
    return members(mapping);
  }
}

/** Roles are those of the platform, whatever their case. */
const roleNamed = (role: string): string => (isBaseRole(role.toLowerCase()) ? role.toLowerCase() : roleOf(role));

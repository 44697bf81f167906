/** org.yaml of Kubernetes’ peribolos: organizations with their settings, people, teams and repositories. */
import { slugOfTeam } from '../../../../fleet/policy/kinds/people/team-names.ts';
import { member, members, type Placed } from '../../../../fleet/policy/wanted/placed.ts';
import { isObject, ownMember } from '../../../../json/exact-json.ts';
import { isBaseRole, roleOf } from '../../../../platform/repository-roles.ts';
import { firstCommitKeys } from '../creation.ts';
import { Repositories } from '../entries.ts';
import { hasNoMergeMethod, mergeMethods, noMergeMethod } from '../merge-methods.ts';
import type { Format, OrganizationDraft, ReadContext, SourceFile } from '../model.ts';
import { logins, teamItem } from '../people.ts';
import { type Item, noOrganization, placedAt, requiredMembers, unknownKey } from '../source.ts';
import { known, lacking, organizationSettings, people, peribolosKeys, repositorySettings } from './peribolos-table.ts';

export const peribolos: Format = {
  name: 'peribolos',
  source: 'org.yaml of peribolos: one organization, or several under orgs',
  keys: peribolosKeys,
  read: (files, context) => files.flatMap((file) => organizationsIn(file, context)),
};

/** Returns the organizations of a file: those under `orgs`, or the one that the whole file is about. */
function organizationsIn({ root }: SourceFile, context: ReadContext): readonly OrganizationDraft[] {
  const orgs = member(root, 'orgs');
  if (!orgs) {
    if (context.organization === undefined) {
      context.refuse(root, noOrganization);
      return [];
    }
    return [new Organization(context.organization, context).read(root)];
  }
  for (const [key, part] of members(root)) if (key !== 'orgs') context.lose(part, unknownKey);
  if (!isObject(orgs.value)) context.refuse(orgs, 'orgs must be a mapping of organizations');
  const named = members(orgs);
  for (const [name, part] of named)
    if (!/^[\w-]+$/.test(name)) context.refuse(part, 'is not the name of an organization');
  const other = named.find(([name]) => context.organization?.toLowerCase() !== name.toLowerCase());
  if (context.organization !== undefined && other)
    context.refuse(other[1], `is the organization ${other[0]}, but --organization is ${context.organization}`);
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
    const list = ownMember(people, key);
    if (organizationSettings.includes(key)) this.#items.push({ path: ['settings', key], value: part });
    else if (list !== undefined) this.#items.push({ path: ['members', list], value: logins(part) });
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
      const setting = ownMember(repositorySettings, key);
      if (setting !== undefined) this.#repositories.add(name, repository, { path: ['settings', setting], value: part });
      else if (key === 'private' && typeof part.value !== 'boolean')
        this.#context.lose(part, 'must be true or false; without it, the repository is private');
      else if (key === 'private') creation.push(['visibility', { ...part, value: part.value ? 'private' : 'public' }]);
      else if (key === 'on_create') creation.push(...this.#creation(part));
      else this.#context.lose(part, ownMember(lacking, key) ?? unknownKey);
    }
    this.#repositories.create(name, repository, creation);
  }

  #creation(part: Placed): [string, Placed][] {
    return this.#members(part).flatMap(([key, each]) => {
      if (firstCommitKeys.includes(key)) return [[key, each] as [string, Placed]];
      this.#context.lose(each, unknownKey);
      return [];
    });
  }

  readonly #members = (mapping: Placed) => requiredMembers(mapping, this.#context.refuse);
}

/** Roles are those of the platform, whatever their case. */
const roleNamed = (role: string): string => (isBaseRole(role.toLowerCase()) ? role.toLowerCase() : roleOf(role));

/** github-as-code: one YAML file with the people, teams and repositories of an organization. */
import { slugOfTeam } from '../../../../fleet/policy/kinds/people/team-names.ts';
import { elements, type Placed, textOf } from '../../../../fleet/policy/wanted/placed.ts';
import { ownMember } from '../../../../json/exact-json.ts';
import { baseRoles, permissionOf, roleOf } from '../../../../platform/repository-roles.ts';
import { creationMembers, firstCommitKeys } from '../creation.ts';
import { Repositories } from '../entries.ts';
import { labelColor } from '../labels.ts';
import { hasNoMergeMethod, mergeMethods, noMergeMethod } from '../merge-methods.ts';
import type { Format, OrganizationDraft, ReadContext, SourceFile } from '../model.ts';
import { logins, teamItem } from '../people.ts';
import { terraformProtectionItems } from '../protection/terraform.ts';
import { blockIn, type Item, mappingAt, noOrganization, placedAt, requiredMembers, unknownKey } from '../source.ts';
import {
  githubAsCodeKeys,
  known,
  lacking,
  organizationRoles,
  ownKeys,
  securityFeatures,
  settings,
  teamRoles,
} from './github-as-code-table.ts';

export const githubAsCode: Format = {
  name: 'github-as-code',
  source: 'ORG.yml of github-as-code',
  keys: githubAsCodeKeys,
  read: (files, context) => {
    if (context.organization === undefined) {
      for (const { root } of files) context.refuse(root, noOrganization);
      return [];
    }
    return files.map((file) => new Organization(context.organization ?? '', context).read(file));
  },
};

class Organization {
  readonly #name: string;
  readonly #context: ReadContext;
  readonly #items: Item[] = [];
  readonly #repositories: Repositories;

  constructor(name: string, context: ReadContext) {
    this.#name = name;
    this.#context = context;
    this.#repositories = new Repositories(context);
  }

  read({ root }: SourceFile): OrganizationDraft {
    for (const [key, part] of this.#members(root)) {
      if (key === 'members') this.#people(part);
      else if (key === 'teams') for (const [name, team] of this.#members(part)) this.#team(name, team);
      else if (key === 'repositories')
        for (const [name, repository] of this.#members(part)) this.#repository(name, repository);
      else this.#context.lose(part, unknownKey);
    }
    return { organization: this.#name, place: root.place, items: this.#items, entries: this.#repositories.entries() };
  }

  #people(people: Placed): void {
    for (const [role, part] of this.#members(people)) {
      const list = ownMember(organizationRoles, role);
      if (list === undefined) this.#context.lose(part, unknownKey);
      else this.#items.push({ path: ['members', list], value: logins(part) });
    }
  }

  #team(name: string, team: Placed): void {
    const body = new Map<string, Placed>();
    for (const [key, part] of this.#members(team)) {
      if (part.value === null && known.team.has(key)) continue;
      if (key === 'description' || key === 'privacy') body.set(key, part);
      else if (key === 'parent_team_id') body.set('parent', part);
      else if (key === 'members') this.#teamMembers(part, body);
      else if (key !== 'create_default_maintainer') this.#context.lose(part, unknownKey);
      else if (part.value !== false) this.#context.lose(part, 'Policies add no default maintainers');
    }
    this.#items.push(teamItem(name, team, body));
  }

  #teamMembers(people: Placed, body: Map<string, Placed>): void {
    for (const [role, part] of this.#members(people)) {
      const list = ownMember(teamRoles, role);
      if (list === undefined) this.#context.lose(part, unknownKey);
      else body.set(list, logins(part));
    }
  }

  #repository(name: string, repository: Placed): void {
    const add = (path: readonly string[], value: Placed) => this.#repositories.add(name, repository, { path, value });
    const creation: [string, Placed][] = [];
    const security: [string, Placed][] = [];
    const isUnmergeable = hasNoMergeMethod(repository);
    if (isUnmergeable) this.#repositories.comment(name, repository, noMergeMethod);
    for (const [key, part] of this.#members(repository)) {
      const setting = ownMember(settings, key);
      if ((part.value === null && known.repository.has(key)) || (isUnmergeable && mergeMethods.includes(key))) continue;
      if (setting !== undefined) add(['settings', setting], part);
      else if (securityFeatures.includes(key)) security.push([key, statusOf(part)]);
      else if (key === 'visibility' || firstCommitKeys.includes(key)) creation.push([key, part]);
      else if (key === 'template') creation.push(...this.#template(part));
      else if (key === 'topics') add(['topics'], part);
      else if (key === 'vulnerability_alerts') add(['alerts', 'vulnerability'], part);
      else if (key === 'collaborators') this.#access(part, (login) => login, 'users', add);
      else if (key === 'teams') this.#access(part, slugOfTeam, 'teams', add);
      else if (key === 'labels') for (const each of this.#members(part)) this.#label(each, add);
      else if (key === 'branch_protection') this.#protection(part, add);
      else if (!ownKeys.includes(key)) this.#context.lose(part, ownMember(lacking, key) ?? unknownKey);
    }
    const [first] = security;
    if (first) add(['settings', 'security_and_analysis'], mappingAt({ ...first[1].place }, security));
    this.#repositories.create(name, repository, creationMembers(creation, this.#context.lose));
  }

  #template(part: Placed): [string, Placed][] {
    const [owner, name] = [textOf(part, 'owner'), textOf(part, 'repository')];
    if (owner === undefined || name === undefined) {
      this.#context.lose(part, 'must have an owner and a repository');
      return [];
    }
    for (const [key, each] of this.#members(part))
      if (key !== 'owner' && key !== 'repository') this.#context.lose(each, unknownKey);
    return [['template', placedAt(`${owner}/${name}`, part.place)]];
  }

  /** The highest role of those that the source gives somebody counts; the others are lost. */
  #access(
    roles: Placed,
    nameOf: (name: string) => string,
    kind: 'users' | 'teams',
    add: (path: readonly string[], value: Placed) => void,
  ): void {
    const given = this.#members(roles).toSorted(([a], [b]) => rankOf(b) - rankOf(a));
    for (const [role, list] of given) {
      if (list.value !== null && !Array.isArray(list.value)) this.#context.lose(list, 'must be a list');
      for (const each of elements(list)) {
        const isName = typeof each.value === 'string' || typeof each.value === 'number';
        const name = isName ? nameOf(String(each.value)) : '';
        if (name === '') this.#context.lose(each, 'The name must contain a letter or a digit');
        else add(['access', kind, name], { ...each, value: roleOf(role), parts: new Map() });
      }
    }
  }

  #label([name, label]: readonly [string, Placed], add: (path: readonly string[], value: Placed) => void): void {
    const body: [string, Placed][] = [['name', placedAt(name, label.place)]];
    for (const [key, part] of this.#members(label)) {
      if (part.value === null && known.label.has(key)) continue;
      const color = key === 'color' ? labelColor(part, this.#context.lose) : undefined;
      if (key === 'description') body.push([key, part]);
      else if (color) body.push([key, color]);
      else if (key !== 'color') this.#context.lose(part, unknownKey);
    }
    add(['labels', name], mappingAt(label.place, body));
  }

  #protection(branches: Placed, add: (path: readonly string[], value: Placed) => void): void {
    const patterns = this.#members(branches).map(([pattern]) => pattern);
    for (const [pattern, part] of this.#members(branches)) {
      const block = blockIn(part, this.#context.lose);
      if (!block) continue;
      const others = patterns.filter((other) => other !== pattern);
      for (const { path, value } of terraformProtectionItems(pattern, block, others, this.#context.lose))
        add(path, value);
    }
  }

  readonly #members = (mapping: Placed) => requiredMembers(mapping, this.#context.refuse);
}

const statusOf = (part: Placed): Placed => {
  const value = typeof part.value === 'boolean' ? (part.value ? 'enabled' : 'disabled') : part.value;
  return mappingAt(part.place, [['status', { ...part, value, parts: new Map() }]]);
};

const rankOf = (role: string): number =>
  baseRoles.findIndex((each) => [each, permissionOf[each]].includes(role as never));

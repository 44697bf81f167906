/** The settings of a repository as safe-settings and the repository-settings app declare them: bodies of the platform's API. */
import { slugOfTeam } from '../../../fleet/policy/kinds/people/team-names.ts';
import { elements, member, type Placed, textOf, without, withParts } from '../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../json/exact-json.ts';
import { roleOf } from '../../../platform/repository-roles.ts';
import {
  appKeys,
  creationKeys,
  type Dialect,
  lackingKeys,
  movedKeys,
  safeSettingsKeys,
  settingKeys,
} from './app-table.ts';
import { labelColor } from './labels.ts';
import { hasNoMergeMethod, mergeMethods, noMergeMethod } from './merge-methods.ts';
import { type ClassicProtection, protectionItems } from './protection/protection.ts';
import { withEarlierNames } from './renames.ts';
import { rulesetItem } from './ruleset-files.ts';
import { type Item, keysAt, type Lose, placedAt, unknownKey } from './source.ts';

/** A part that only some of the repositories have. */
export interface FilteredItem extends Item {
  readonly only?: RepositoryFilter;
}

export interface RepositoryFilter {
  readonly include: readonly string[] | undefined;
  readonly exclude: readonly string[];
}

export interface AppSettings {
  readonly items: readonly FilteredItem[];
  /** What a creation of the repository has, by key of `create`. */
  readonly creation: ReadonlyMap<string, Placed>;
  /** What has no effect, for the entry. */
  readonly comment: string | undefined;
}

/** Returns the parts of a policy for the repositories that the settings apply to. */
export function readAppSettings(settings: Placed, dialect: Dialect, lose: Lose): AppSettings {
  const reader = new Reader(dialect, lose);
  for (const [key, part] of settings.parts) reader.section(String(key), part);
  return { items: reader.items, creation: reader.creation, comment: reader.comment };
}

const isListOfText = ({ value }: Placed): boolean =>
  Array.isArray(value) && value.every((each: unknown) => typeof each === 'string');

const namesIn = (list: Placed | undefined): readonly string[] => elements(list).map(({ value }) => String(value));

class Reader {
  readonly items: FilteredItem[] = [];
  readonly creation = new Map<string, Placed>();
  comment: string | undefined;
  readonly #dialect: Dialect;
  readonly #lose: Lose;

  constructor(dialect: Dialect, lose: Lose) {
    this.#dialect = dialect;
    this.#lose = lose;
  }

  section(key: string, part: Placed): void {
    if (part.value === null && this.#known('').has(key)) return;
    if (key === 'repository') this.#repository(part);
    else if (key === 'labels') this.#labels(part);
    else if (key === 'collaborators') this.#access('users', 'username', part);
    else if (key === 'teams') this.#access('teams', 'name', part);
    else if (key === 'branches') this.#branches(part);
    else if (key === 'rulesets') this.#rulesets(part);
    else if (key === 'custom_properties') this.#properties(part);
    else this.#lose(part, lackingKeys[key] ?? unknownKey);
  }

  #repository(repository: Placed): void {
    if (!isObject(repository.value)) {
      this.#lose(repository, 'must be a mapping');
      return;
    }
    const { visibility } = repository.value;
    const isUnmergeable = hasNoMergeMethod(repository);
    if (isUnmergeable) this.comment = noMergeMethod;
    for (const [name, part] of repository.parts) {
      const key = String(name);
      if (part.value === null && key !== 'security_and_analysis' && this.#known('repository.').has(key)) continue;
      if (isUnmergeable && mergeMethods.includes(key)) continue;
      if (settingKeys.includes(key)) this.#add(['settings', key], part);
      else if (key === 'private') this.#private(part, visibility);
      else if (key === 'topics') this.#topics(part);
      else if (key === 'security' && isObject(part.value)) this.#security(part);
      else if (movedKeys[key]) this.#add(movedKeys[key], part);
      else if (creationKeys.includes(key)) this.creation.set(key, part);
      else this.#lose(part, lackingKeys[`repository.${key}`] ?? unknownKey);
    }
  }

  /** Visibility takes precedence over it. */
  #private(part: Placed, visibility: unknown): void {
    if (typeof part.value !== 'boolean') this.#lose(part, 'must be true or false');
    else if (typeof visibility !== 'string')
      this.#add(['settings', 'visibility'], { ...part, value: part.value ? 'private' : 'public' });
    else if (part.value !== (visibility !== 'public'))
      this.#lose(part, `Policies have one visibility, and ${visibility} takes precedence`);
  }

  #security(security: Placed): void {
    for (const [name, part] of security.parts) {
      const path = movedKeys[`security.${name}`];
      if (path) this.#add(path, part);
      else this.#lose(part, unknownKey);
    }
  }

  /** Topics are a list, or one text with commas. */
  #topics(part: Placed): void {
    if (typeof part.value !== 'string') {
      this.#add(['topics'], part);
      return;
    }
    const names = part.value.split(',').flatMap((name) => name.trim() || []);
    this.#add(['topics'], placedAt(names, part.place));
  }

  #labels(part: Placed): void {
    const isList = Array.isArray(part.value);
    if (!isList && !isObject(part.value)) this.#lose(part, 'must be a list');
    const list = isList ? part : part.parts.get('include');
    // The labels that exclude names are kept, as all are that a policy does not declare.
    for (const [key, each] of isList ? [] : part.parts)
      if (key !== 'include' && !(key === 'exclude' && this.#dialect.isOfOrganization)) this.#lose(each, unknownKey);
    for (const label of this.#objects(list, 'name')) this.#label(label);
  }

  /** A label is renamed from its `oldname` and `aliases`, or to its `new_name`. */
  #label(label: Placed): void {
    const members: [string, Placed][] = [];
    const earlier: Placed[] = [];
    for (const [name, part] of label.parts) {
      const key = String(name);
      if (part.value === null && this.#known('labels[].').has(key)) continue;
      if (key === 'oldname' || (key === 'name' && label.parts.has('new_name'))) earlier.push(part);
      else if (key === 'aliases' && Array.isArray(part.value)) earlier.push(...elements(part));
      else if (key === 'name' || key === 'new_name') members.push(['name', part]);
      else if (key === 'color') this.#color(part, members);
      else if (key === 'description') members.push([key, part]);
      else this.#lose(part, lackingKeys[`labels[].${key}`] ?? unknownKey);
    }
    const body = withEarlierNames(withParts(label, members), earlier);
    this.#add(['labels', String(textOf(body, 'name'))], body);
  }

  #color(part: Placed, members: [string, Placed][]): void {
    const color = labelColor(part);
    if (color === undefined) this.#lose(part, 'Colors of policies have six hexadecimal digits, in quotes');
    else members.push(['color', { ...part, value: color }]);
  }

  #access(kind: 'users' | 'teams', key: string, list: Placed): void {
    for (const grantee of this.#objects(list, key)) {
      const name = String(textOf(grantee, key));
      const called = kind === 'teams' ? slugOfTeam(name) : name;
      if (called === '') {
        this.#lose(grantee, 'The name must contain a letter or a digit');
        continue;
      }
      const permission = grantee.parts.get('permission') ?? { ...grantee, value: 'push', parts: new Map() };
      const filters = this.#dialect.hasFilters ? ['include', 'exclude'] : [];
      for (const [, part] of without(grantee, [key, 'permission', ...filters]).parts) this.#lose(part, unknownKey);
      const [include, exclude] = filters.map((each) => member(grantee, each));
      if (![include, exclude].every((list) => list === undefined || isListOfText(list))) {
        this.#lose(grantee, 'include and exclude must be lists of repositories');
        continue;
      }
      if (typeof permission.value !== 'string' || permission.value.trim() === '') {
        this.#lose(grantee, 'The permission must be a role');
        continue;
      }
      const value = roleOf(permission.value);
      const path = ['access', kind, called];
      const only = (include || exclude) && { include: include && namesIn(include), exclude: namesIn(exclude) };
      this.items.push({ path, value: { ...permission, value }, ...(only && { only }) });
    }
  }

  #properties(list: Placed): void {
    for (const property of this.#objects(list, 'name')) {
      const value = property.parts.get('value') ?? { ...property, value: null, parts: new Map() };
      const texts = Array.isArray(value.value) ? elements(value) : [value];
      if (!texts.every((text) => text.value === null || typeof text.value === 'string')) {
        this.#lose(property, 'Values of properties are text, or lists of text');
        continue;
      }
      for (const [, part] of without(property, ['name', 'value']).parts) this.#lose(part, unknownKey);
      this.#add(['properties', String(textOf(property, 'name'))], value);
    }
  }

  #branches(list: Placed): void {
    const branches = this.#objects(list, 'name').flatMap((branch): ClassicProtection[] => {
      for (const [, part] of without(branch, ['name', 'protection']).parts) this.#lose(part, unknownKey);
      const name = textOf(branch, 'name');
      const protection = branch.parts.get('protection');
      if (protection && isObject(protection.value) && protection.parts.size > 0)
        return [{ pattern: name === this.#dialect.defaultBranch ? undefined : name, protection }];
      this.#lose(branch, 'Policies do not remove classic protection');
      return [];
    });
    for (const branch of branches) this.items.push(...protectionItems(branch, [], this.#lose));
  }

  #rulesets(list: Placed): void {
    for (const ruleset of this.#objects(list, 'name')) this.items.push(rulesetItem(ruleset, this.#lose));
  }

  /** Returns the elements of a list that are mappings with a name. */
  #objects(list: Placed | undefined, key: string): readonly Placed[] {
    if (!list || list.value === null) return [];
    if (!Array.isArray(list.value)) {
      this.#lose(list, 'must be a list');
      return [];
    }
    return elements(list).filter((element) => {
      const name = textOf(element, key);
      if (name !== undefined && name !== '') return true;
      this.#lose(element, `must have a ${key}`);
      return false;
    });
  }

  /** Returns the keys at a path, of which null unsets those that are known. */
  #known(path: string): ReadonlySet<string> {
    return keysAt(
      path,
      this.#dialect.isOfOrganization ? [...appKeys(this.#dialect), ...safeSettingsKeys] : appKeys(this.#dialect),
    );
  }

  #add(path: readonly string[], value: Placed): void {
    this.items.push({ path, value });
  }
}

/** The settings of a repository as safe-settings and the repository-settings app declare them: bodies of the platform's API. */
import { elements, type Placed, textOf, without } from '../../../fleet/policy/wanted/placed.ts';
import { isObject, ownMember } from '../../../json/exact-json.ts';
import { accessItems, type FilteredItem } from './app-access.ts';
import { labelItems } from './app-labels.ts';
import { type AppTool, creationKeys, knownKeys, lackingKeys, movedKeys, settingKeys } from './app-table.ts';
import { hasNoMergeMethod, mergeMethods, noMergeMethod } from './merge-methods.ts';
import { type ClassicProtection, protectionItems } from './protection/protection.ts';
import { rulesetItem } from './ruleset-files.ts';
import { type Lose, namedIn, placedAt, unknownKey } from './source.ts';

export interface AppSettings {
  readonly items: readonly FilteredItem[];
  /** What a creation of the repository has, by key of `create`. */
  readonly creation: ReadonlyMap<string, Placed>;
  /** What has no effect, for the entry. */
  readonly comment: string | undefined;
}

/** Returns the parts of a policy for the repositories that the settings apply to. */
export function readAppSettings(settings: Placed, tool: AppTool, lose: Lose): AppSettings {
  const reader = new Reader(tool, lose);
  for (const [key, part] of settings.parts) reader.section(String(key), part);
  return { items: reader.items, creation: reader.creation, comment: reader.comment };
}

const visibilities: readonly unknown[] = ['public', 'private', 'internal'];

class Reader {
  readonly items: FilteredItem[] = [];
  readonly creation = new Map<string, Placed>();
  comment: string | undefined;
  readonly #tool: AppTool;
  readonly #lose: Lose;
  /** The keys of sections and of `repository`, of which null unsets those that are known. */
  readonly #sections: ReadonlySet<string>;
  readonly #fields: ReadonlySet<string>;

  constructor(tool: AppTool, lose: Lose) {
    this.#tool = tool;
    this.#lose = lose;
    this.#sections = knownKeys('', tool);
    this.#fields = knownKeys('repository.', tool);
  }

  section(key: string, part: Placed): void {
    if (part.value === null && this.#sections.has(key)) return;
    if (key === 'repository') this.#repository(part);
    else if (key === 'labels') this.items.push(...labelItems(part, this.#tool, this.#lose));
    else if (key === 'collaborators' || key === 'teams')
      this.items.push(...accessItems(key, part, this.#tool, this.#lose));
    else if (key === 'branches') this.#branches(part);
    else if (key === 'rulesets') this.#rulesets(part);
    else if (key === 'custom_properties' && this.#tool === 'safe-settings') this.#properties(part);
    else this.#lose(part, ownMember(lackingKeys, key) ?? unknownKey);
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
      const moved = ownMember(movedKeys, key);
      if (part.value === null && key !== 'security_and_analysis' && this.#fields.has(key)) continue;
      if (isUnmergeable && mergeMethods.includes(key)) continue;
      if (settingKeys.includes(key)) this.#add(['settings', key], part);
      else if (key === 'private') this.#private(part, visibility);
      else if (key === 'topics') this.#topics(part);
      else if (key === 'security' && isObject(part.value)) this.#security(part);
      else if (moved) this.#add(moved, part);
      else if (creationKeys.includes(key) || (key === 'force_create' && this.#tool === 'safe-settings'))
        this.creation.set(key, part);
      else this.#lose(part, ownMember(lackingKeys, `repository.${key}`) ?? unknownKey);
    }
  }

  /** Visibility takes precedence over it. A repository for which it is invalid is created as a private one. */
  #private(part: Placed, visibility: unknown): void {
    if (typeof part.value !== 'boolean') {
      this.#lose(part, 'must be true or false');
      if (!visibilities.includes(visibility))
        this.creation.set('visibility', { ...part, value: 'private', parts: new Map() });
    } else if (!visibilities.includes(visibility))
      this.#add(['settings', 'visibility'], { ...part, value: part.value ? 'private' : 'public' });
    else if (part.value !== (visibility !== 'public')) this.#lose(part, 'visibility takes precedence');
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

  #properties(list: Placed): void {
    for (const property of namedIn(list, 'name', this.#lose)) {
      const value = property.parts.get('value') ?? { ...property, value: null, parts: new Map() };
      const texts = Array.isArray(value.value) ? elements(value) : [value];
      if (!texts.every((text) => text.value === null || typeof text.value === 'string')) {
        this.#lose(property, 'Property values must be text or lists of text');
        continue;
      }
      for (const [, part] of without(property, ['name', 'value']).parts) this.#lose(part, unknownKey);
      this.#add(['properties', String(textOf(property, 'name'))], { ...value, place: property.place });
    }
  }

  #branches(list: Placed): void {
    const branches = namedIn(list, 'name', this.#lose).flatMap((branch): ClassicProtection[] => {
      for (const [, part] of without(branch, ['name', 'protection']).parts) this.#lose(part, unknownKey);
      const name = textOf(branch, 'name');
      const isDefault = this.#tool === 'safe-settings' && name === 'default';
      const protection = branch.parts.get('protection');
      if (protection && isObject(protection.value) && protection.parts.size > 0) {
        // Whatever rejects all of the protection rejects the name, too.
        const whole = { ...protection, place: branch.place };
        return [{ pattern: isDefault ? undefined : name, protection: whole }];
      }
      this.#lose(branch, 'Policies cannot remove classic protection');
      return [];
    });
    for (const branch of branches) {
      const items = protectionItems(branch, [], this.#lose);
      if (items.length === 0) this.#lose(branch.protection, 'Nothing of the protection can be imported');
      this.items.push(...items);
    }
  }

  #rulesets(list: Placed): void {
    for (const ruleset of namedIn(list, 'name', this.#lose)) this.items.push(rulesetItem(ruleset, this.#lose));
  }

  #add(path: readonly string[], value: Placed): void {
    this.items.push({ path, value });
  }
}

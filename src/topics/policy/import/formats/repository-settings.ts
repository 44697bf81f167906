/** The repository-settings app: .github/settings.yml of a repository. */
import { isPossibleName } from '../../../../fleet/policy/file-names.ts';
import { member, type Placed, textOf, without, withParts } from '../../../../fleet/policy/wanted/placed.ts';
import { asText, isObject } from '../../../../json/exact-json.ts';
import { readAppSettings } from '../app-settings.ts';
import { appKeys } from '../app-table.ts';
import type { EntryDraft, Format } from '../model.ts';
import { type Lose, listAt, mappingAt, noOrganization, placedAt } from '../source.ts';

export const repositorySettings: Format = {
  name: 'repository-settings',
  source: '.github/settings.yml of the repository-settings app',
  keys: [{ key: 'repository.name', policy: 'repositories[*].select.names[]' }, ...appKeys('repository-settings')],
  read(files, { organization, repository, lose, refuse }) {
    const entries = files.flatMap(({ root }): EntryDraft[] => {
      if (!isObject(root.value)) refuse(root, 'must be a mapping');
      if (organization === undefined) refuse(root, noOrganization);
      const name = repository ?? nameIn(root);
      if (name !== undefined && isPossibleName(name)) return [readSettings(root, name, lose)];
      const given = name === undefined ? undefined : member(member(root, 'repository') ?? root, 'name');
      if (given) refuse(given, 'cannot be the name of a repository: add --repository NAME');
      else refuse(root, 'does not specify a repository: add --repository NAME');
      return [];
    });
    const [first] = files;
    return organization === undefined || !first ? [] : [{ organization, place: first.root.place, items: [], entries }];
  },
};

/** Returns the name of the repository that settings name; undefined if they name none. */
const nameIn = (root: Placed): string | undefined => textOf(member(root, 'repository') ?? root, 'name');

function readSettings(root: Placed, repository: string, lose: Lose): EntryDraft {
  const section = member(root, 'repository');
  const name = member(section, 'name');
  if (name && asText(name.value).toLowerCase() !== repository.toLowerCase())
    lose(name, 'Policies cannot rename repositories; use repos update --name');
  const settings =
    section && name ? withParts(root, [...root.parts, ['repository', without(section, ['name'])]]) : root;
  const { items, creation, comment } = readAppSettings(settings, 'repository-settings', lose);
  for (const part of creation.values()) lose(part, 'repository-settings does not create repositories');
  const names = [name ? { ...name, value: repository } : placedAt(repository, root.place)];
  const select = { ...mappingAt(root.place, [['names', listAt(root.place, names)]]), comment };
  return { head: ['select', select], isOverride: false, items };
}

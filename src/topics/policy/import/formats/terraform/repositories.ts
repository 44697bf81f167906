/** Readers of the resources of repositories, and of the settings and properties of organizations. */
import { isPossibleName } from '../../../../../fleet/policy/file-names.ts';
import { member, type Placed, textOf, without, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import { updateOrganization } from '../../../../../platform/endpoints/orgs.ts';
import { settingKeys } from '../../app-table.ts';
import { creationMembers, firstCommitKeys, isDefault } from '../../creation.ts';
import { labelColor } from '../../labels.ts';
import { blockIn, type Lose, mappingAt, placedAt } from '../../source.ts';
import { isUnset } from './attributes.ts';
import { blocksOf } from './blocks.ts';
import type { Reader, Readers, State } from './state.ts';
import { propertyKeys, renamedSettings, unknownAttribute } from './table.ts';

/** A switch of a repository. */
const enabled =
  (...path: string[]): Reader =>
  (state, attributes) => {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    const value = attributes.take('enabled');
    if (repository !== undefined && value) state.add(repository, path, value);
  };

const label = (state: State, repository: string | undefined, block: Placed): void => {
  const given = block.parts.get('color');
  const color = given && labelColor(given, (part, reason) => state.lose(part, reason));
  const members = (['name', 'description'] as const).flatMap((key): [string, Placed][] => {
    const part = block.parts.get(key);
    return part && !isUnset(part) ? [[key, part]] : [];
  });
  const colors: [string, Placed][] = color ? [['color', color]] : [];
  if (repository !== undefined)
    state.add(repository, ['labels', String(textOf(block, 'name'))], mappingAt(block.place, [...members, ...colors]));
};

const propertyValue = (value: Placed, type: string | undefined): Placed =>
  type !== 'multi_select' && value.parts.size === 1 ? (value.parts.get(0) ?? value) : value;

/** Returns nested blocks, which are lists of one, as mappings. */
function blocks(part: Placed, lose: Lose): Placed | undefined {
  const block = blockIn(part, lose);
  const members = [...(block?.parts ?? [])].flatMap(([key, each]): [string | number, Placed][] => {
    const inner = Array.isArray(each.value) ? blocks(each, lose) : each;
    return inner && !isUnset(inner) ? [[key, inner]] : [];
  });
  return block && withParts(block, members);
}

/** Returns the template of a repository as `OWNER/NAME`, and whether all of its branches are copied. */
function templateOf(list: Placed | undefined, lose: Lose): readonly [string, Placed][] {
  const block = blockIn(list, lose);
  if (!block) return [];
  const [owner, name] = [textOf(block, 'owner'), textOf(block, 'repository')];
  if (!owner || !name) {
    lose(block, 'Templates of policies are OWNER/NAME');
    return [];
  }
  for (const [, part] of without(block, ['owner', 'repository', 'include_all_branches']).parts)
    if (!isUnset(part)) lose(part, unknownAttribute);
  const branches = member(block, 'include_all_branches');
  const isGiven = branches && branches.value !== null && branches.value !== false;
  return [
    ['template', placedAt(`${owner}/${name}`, block.place)],
    ...(isGiven ? [['include_all_branches', branches] as [string, Placed]] : []),
  ];
}

export const repositoryReaders: Readers = {
  github_repository(state, attributes) {
    const name = attributes.take('name');
    if (!name || typeof name.value !== 'string') return;
    const repository = name.value;
    if (!isPossibleName(repository)) {
      attributes.loseAll('Repository names have only letters, digits, hyphens, underscores and dots');
      return;
    }
    const lose: Lose = (part, reason) => state.lose(part, reason);
    const isPrivate = attributes.take('private');
    if (isPrivate && typeof isPrivate.value !== 'boolean') lose(isPrivate, 'must be true or false');
    const given = attributes.take('visibility');
    const isValid = ['public', 'private', 'internal'].includes(given?.value as never);
    if (given && !isValid) lose(given, 'must be one of public, private, internal');
    if (isPrivate && isValid && isPrivate.value !== (given?.value !== 'public'))
      lose(isPrivate, 'visibility takes precedence');
    const visibility = isValid
      ? given
      : isPrivate && { ...isPrivate, value: isPrivate.value === false ? 'public' : 'private' };
    const seeds = firstCommitKeys.flatMap((key): [string, Placed][] => {
      const part = attributes.take(key);
      return part && !isDefault(key, part) ? [[key, part]] : [];
    });
    const members: readonly [string, Placed][] = [
      ['name', name],
      ['visibility', visibility ?? placedAt(given ? 'private' : 'public', name.place)],
      ...templateOf(attributes.take('template'), lose),
      ...seeds,
    ];
    const creation = creationMembers(members, lose);
    if (!state.create(repository, mappingAt(name.place, creation))) {
      attributes.loseAll('Another resource declares this repository');
      return;
    }
    for (const key of [...settingKeys, ...Object.keys(renamedSettings)]) {
      if (key === 'visibility') continue;
      const taken = attributes.take(key);
      const part = taken && key === 'security_and_analysis' ? blocks(taken, lose) : taken;
      if (part) state.add(repository, ['settings', renamedSettings[key] ?? key], part);
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
  github_organization_custom_properties(state, attributes) {
    const members = Object.entries(propertyKeys).flatMap(([from, to]): [string, Placed][] => {
      const part = attributes.take(from);
      return part ? [[to, part]] : [];
    });
    const name = textOf(attributes.all, 'property_name');
    state.addToOrganization(['property_schema', String(name)], mappingAt(attributes.all.place, members));
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
};

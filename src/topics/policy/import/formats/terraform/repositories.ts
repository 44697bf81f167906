/** Readers of the resources of repositories, and of the settings and properties of organizations. */
import { type Placed, textOf, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import { updateOrganization } from '../../../../../platform/endpoints/orgs.ts';
import { settingKeys } from '../../app-table.ts';
import { creationMembers, firstCommitKeys } from '../../creation.ts';
import { labelColor } from '../../labels.ts';
import { mappingAt, placedAt } from '../../source.ts';
import { isUnset } from './attributes.ts';
import { blocksOf } from './blocks.ts';
import { blockOf } from './rulesets.ts';
import type { Reader, Readers, State } from './state.ts';
import { propertyKeys, renamedSettings } from './table.ts';

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
function blocks(part: Placed): Placed {
  const block = blockOf(part) ?? part;
  const members = [...block.parts]
    .filter(([, each]) => !isUnset(each))
    .map(([key, each]): [string | number, Placed] => [key, Array.isArray(each.value) ? blocks(each) : each]);
  return withParts(block, members);
}

export const repositoryReaders: Readers = {
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
    const seeds = firstCommitKeys.flatMap((key): [string, Placed][] => {
      const part = attributes.take(key);
      return part && part.value !== false ? [[key, part]] : [];
    });
    const members: readonly [string, Placed][] = [
      ['name', name],
      ['visibility', visibility ?? placedAt('public', name.place)],
      ...(from ? [['template', from] as [string, Placed]] : []),
      ...(branches?.value === true ? [['include_all_branches', branches] as [string, Placed]] : []),
      ...seeds,
    ];
    const creation = creationMembers(members, (part, reason) => state.lose(part, reason));
    state.create(repository, mappingAt(name.place, creation));
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

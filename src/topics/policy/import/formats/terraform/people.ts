/** Readers of the resources of people, teams and their access. */
import { slugOfTeam } from '../../../../../fleet/policy/kinds/people/team-names.ts';
import { member, type Placed } from '../../../../../fleet/policy/wanted/placed.ts';
import { asText } from '../../../../../json/exact-json.ts';
import { mappingAt, placedAt } from '../../source.ts';
import { blocksOf, roleAt, roleIn, withTeam } from './blocks.ts';
import type { Team } from './ids.ts';
import type { Readers } from './state.ts';

export const peopleReaders: Readers = {
  github_repository_collaborator(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    const login = attributes.text('username');
    const role = attributes.take('permission') ?? placedAt('push', attributes.all.place);
    if (repository !== undefined && login !== undefined)
      state.add(repository, ['access', 'users', login], roleAt(role, attributes.all));
  },
  github_team_repository(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    const role = attributes.take('permission') ?? placedAt('pull', attributes.all.place);
    withTeam(
      state,
      attributes.take('team_id'),
      ({ slug }) => {
        if (repository !== undefined) state.add(repository, ['access', 'teams', slug], roleAt(role, attributes.all));
      },
      [attributes.take('permission')],
    );
  },
  github_repository_collaborators(state, attributes) {
    const repository = state.repositoryOf(attributes.take('repository')?.value);
    if (repository === undefined) return;
    for (const user of blocksOf(state, attributes.take('user'), 'username', ['permission'])) {
      const role = user.parts.get('permission') ?? placedAt('push', user.place);
      state.add(repository, ['access', 'users', asText(member(user, 'username')?.value)], roleAt(role, user));
    }
    for (const team of blocksOf(state, attributes.take('team'), 'team_id', ['permission'])) {
      const role = team.parts.get('permission') ?? placedAt('push', team.place);
      withTeam(state, team.parts.get('team_id'), ({ slug }) =>
        state.add(repository, ['access', 'teams', slug], roleAt(role, team)),
      );
    }
  },
  github_membership(state, attributes) {
    const login = attributes.take('username');
    const role = roleIn(state, attributes.take('role'), 'admin');
    if (login) state.addPerson(role === 'admin' ? 'owners' : 'members', { ...login, place: attributes.all.place });
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
    if (notifications && !/^notifications_(?:en|dis)abled$/.test(asText(notifications.value)))
      state.lose(notifications, 'must be notifications_enabled or notifications_disabled');
    else if (notifications)
      members.push(['notifications', { ...notifications, value: notifications.value === 'notifications_enabled' }]);
    state.addTeam(attributes.text('slug') ?? slugOfTeam(name.value), mappingAt(attributes.all.place, members));
  },
  github_team_membership(state, attributes) {
    const login = attributes.take('username');
    const role = roleIn(state, attributes.take('role'), 'maintainer') === 'maintainer' ? 'maintainers' : 'members';
    const add = ({ slug, name }: Team) =>
      login && state.addToTeam(slug, name, role, { ...login, place: attributes.all.place });
    withTeam(state, attributes.take('team_id'), add, [login, attributes.take('role')]);
  },
  github_team_members(state, attributes) {
    const members = blocksOf(state, attributes.take('members'), 'username', ['role']);
    withTeam(
      state,
      attributes.take('team_id'),
      ({ slug, name }) => {
        for (const each of members) {
          const login = each.parts.get('username');
          const role = roleIn(state, each.parts.get('role'), 'maintainer') === 'maintainer' ? 'maintainers' : 'members';
          if (login) state.addToTeam(slug, name, role, { ...login, place: each.place });
        }
      },
      members,
    );
  },
};

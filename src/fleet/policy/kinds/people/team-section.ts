/** How policy files declare a team. */
import { asText } from '../../../../json/exact-json.ts';
import { boolean, nullable, oneOf, optional, string } from '../../../../platform/schema.ts';
import { type Given, invalid, type Problem } from '../../../../platform/validate.ts';
import { earlierNames, earlierNamesOf } from '../../wanted/earlier-names.ts';
import { elements, member, type Placed, textOf, without } from '../../wanted/placed.ts';
import { logins, mapping } from '../../wanted/schema-parts.ts';
import { rolesInTeam, type WantedTeam, type WantedTeammate } from './team-list.ts';
import { slugOfTeam } from './team-names.ts';

export const teamSchema = mapping({
  name: string('Team name; its slug identifies the team'),
  was: earlierNames('team'),
  description: optional(string('Description of the team', { mayBeEmpty: true })),
  privacy: optional(
    oneOf(['closed', 'secret'], 'Who sees the team: all members of the organization (closed), or its own and owners'),
  ),
  parent: optional(nullable(string('Name of the parent team; null for none'))),
  notifications: optional(boolean('Whether members are notified when the team is mentioned')),
  maintainers: optional(logins('Logins of the maintainers')),
  members: optional(logins('Logins of the other members')),
});

/** The fields of a team itself. Its people are changes of their own. */
export const ownFields: ReadonlySet<string> = new Set(
  Object.keys(teamSchema.entries).filter((key) => key !== 'was' && !Object.hasOwn(rolesInTeam, key)),
);

/** Parses a team; undefined for one without a name. */
export function parseTeam(object: Placed): WantedTeam | undefined {
  const name = textOf(object, 'name');
  if (name === undefined) return undefined;
  const isDeclared = Object.keys(rolesInTeam).some((key) => member(object, key));
  const people = Object.entries(rolesInTeam).flatMap(([key, role]) =>
    elements(member(object, key)).flatMap(({ value, place }): readonly WantedTeammate[] =>
      typeof value === 'string' ? [{ name: value, role, place }] : [],
    ),
  );
  const body = without<Given>(object, ['was', ...Object.keys(rolesInTeam)]);
  return { name, was: earlierNamesOf(object), body, people: isDeclared ? people : undefined };
}

/** Public platform, Teams: teams with a parent are closed. */
export function teamRules({ name, privacy, parent, maintainers, members }: Given): Problem[] {
  const lists = Object.entries({ maintainers, members }).map(
    ([key, people]) => [key, Array.isArray(people) ? people.map((login) => asText(login).toLowerCase()) : []] as const,
  );
  const [maintaining = []] = lists.map(([, people]) => people);
  const repeated = lists.flatMap(([key, people]) =>
    people.flatMap((login, index) => {
      if (people.indexOf(login) < index) return [invalid(`${key}[${index}]`, 'is listed twice')];
      const isBoth = people !== maintaining && maintaining.includes(login);
      return isBoth ? [invalid(`${key}[${index}]`, 'is one of the maintainers, too')] : [];
    }),
  );
  return [
    ...(typeof name === 'string' && slugOfTeam(name) === ''
      ? [invalid('name', 'must contain a letter or a digit')]
      : []),
    ...(privacy === 'secret' && typeof parent === 'string'
      ? [invalid('privacy', 'must be closed for a team with a parent')]
      : []),
    ...repeated,
  ];
}

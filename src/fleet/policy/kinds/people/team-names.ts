/** Names of teams. The slug of the name identifies a team in its organization. */

/**
 * Returns the slug of a name. Public platform, Teams: “special characters in the `name` string” are replaced, “all words” changed
 * “to lowercase”, and “spaces with a `-` separator”.
 */
export const slugOfTeam = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\w]+/g, '-')
    .replaceAll(/^-|-$/g, '');

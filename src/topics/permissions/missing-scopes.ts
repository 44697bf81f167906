/** The scopes that commands require and a token lacks. */
import type { NamedCommand } from '../../cli/lookup/command-words.ts';
import { requirementsFor } from '../../platform/permissions.ts';
import { holdsScope } from '../../platform/scopes.ts';

/** Returns the scopes that a token needs so that no command lacks one, in alphabetical order. */
export function missingScopes(commands: readonly Pick<NamedCommand, 'requests'>[], held: readonly string[]): string[] {
  const wanted = commands.flatMap(({ requests }) =>
    requests.flatMap((route) => {
      const { scopes, anonymous } = requirementsFor(...(route.split(' ') as [string, string])) ?? {};
      return scopes && !anonymous ? [scopes] : [];
    }),
  );
  const added: string[] = [];
  // Requests with one scope first, as it may also satisfy those with several.
  for (const scopes of wanted.toSorted((one, other) => one.length - other.length)) {
    const [first] = scopes;
    if (first !== undefined && !scopes.some((scope) => holdsScope([...held, ...added], scope))) added.push(first);
  }
  return added.filter((scope) => !added.some((other) => other !== scope && holdsScope([other], scope))).sort();
}

/** Suggests the nearest registry after a 404. */
import type { Session } from '../../cli/command/session.ts';
import { NotFoundError } from '../../client/errors.ts';
import { listRegistries } from '../../platform/endpoints/registries.ts';
import { closest } from '../../platform/suggest.ts';

/** Sends a request for a registry. If there is none of this name, the error says which name is the nearest. */
export async function orNearestRegistry<T>(
  session: Session,
  { org, secret_name }: { readonly org: string; readonly secret_name: string },
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof NotFoundError) error.nearest = nearest(secret_name, await namesIn(session, org));
    throw error;
  }
}

/** Returns no names if they cannot be listed: the first error is the one to report. Names that are not text are left out. */
async function namesIn(session: Session, org: string): Promise<string[]> {
  try {
    const list = await session.list(listRegistries, { path: { org } }, { all: true }, {});
    return (await list.records()).map(({ name }) => name).filter((name) => typeof name === 'string');
  } catch {
    return [];
  }
}

/** Returns the only name that begins with the given one, or else the nearest. */
function nearest(given: string, names: readonly string[]): string | undefined {
  const name = given.toUpperCase();
  // It exists, but the token may not change it.
  if (names.includes(name)) return undefined;
  const [only, ...others] = names.filter((each) => each.startsWith(name));
  return others.length === 0 && only !== undefined ? only : closest(name, names);
}

/** A repository or organization that was read before a prompt must still be the same after it: names are reused. */
import { GuardError } from '../errors.ts';

/** Throws GuardError if a record has another ID than the one that was shown. Records without IDs are not compared. */
export function requireSameRecord(name: string, shown: object | undefined, current: object): void {
  const { id: before }: { readonly id?: unknown } = shown ?? {};
  const { id }: { readonly id?: unknown } = current;
  if (before === undefined || id === before) return;
  const kind = name.includes('/') ? 'repository' : 'organization';
  throw new GuardError(
    `${name} is now a different ${kind}: its ID is ${JSON.stringify(id)}, not ${JSON.stringify(before)}. Nothing was sent.`,
  );
}

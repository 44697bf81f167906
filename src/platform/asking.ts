/**
 * Values of repositories and organizations that require confirmation: they publish, freeze or widen access. One list
 * for all commands and for policies.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject, ownMember } from '../json/exact-json.ts';
import type { Given } from './validate.ts';

/** A change that requires confirmation. */
export interface AskingChange {
  /** As `security_and_analysis.secret_scanning`. */
  readonly path: string;
  /** Absent if unknown. */
  readonly from?: unknown;
  readonly to: unknown;
}

/** Accepts all other values: a platform may read an unknown one, such as null or `FALSE`, as any of its own. */
const unless =
  (...harmless: readonly unknown[]) =>
  (value: unknown) =>
    !harmless.includes(value);
// The fields of `api -f` are text, and some platforms take numbers for switches.
const turnsOn = unless(false, 'false', 0, '0');
const turnsOff = unless(true, 'true', 1, '1');

const asking: Readonly<Record<string, (value: unknown) => boolean>> = {
  visibility: unless(),
  private: turnsOff,
  archived: unless(),
  default_repository_permission: unless('none', 'read'),
  members_can_create_public_pages: turnsOn,
  members_can_create_public_repositories: turnsOn,
  members_can_delete_repositories: turnsOn,
  members_can_change_repo_visibility: turnsOn,
  members_can_fork_private_repositories: turnsOn,
  members_allowed_repository_creation_type: unless('none', 'private'),
  secret_scanning_validity_checks_enabled: turnsOff,
};

const forNewRepositories = /_enabled_for_new_repositories$/;

/** Returns the changes of an update that require confirmation, without those that a known record has already. */
export function askingChanges(body: Given, before: Given = {}): readonly AskingChange[] {
  return Object.entries(body).flatMap(([path, to]): readonly AskingChange[] => {
    const from = before[path];
    if (path === 'security_and_analysis') return disabledSwitches(to, from);
    const asks = forNewRepositories.test(path) ? turnsOff(to) : ownMember(asking, path)?.(to);
    return asks && !isDeepStrictEqual(from, to) ? [change(path, from, to)] : [];
  });
}

function disabledSwitches(body: unknown, before: unknown): readonly AskingChange[] {
  if (!isObject(body)) return isDeepStrictEqual(before, body) ? [] : [change('security_and_analysis', undefined, body)];
  const statusOf = (found: unknown) => (isObject(found) ? found.status : found);
  return Object.keys(body).flatMap((name) => {
    const [from, to] = [isObject(before) ? statusOf(before[name]) : undefined, statusOf(body[name])];
    return to !== undefined && to !== 'enabled' && from !== to
      ? [change(`security_and_analysis.${name}`, from, to)]
      : [];
  });
}

const change = (path: string, from: unknown, to: unknown): AskingChange => ({
  path,
  ...(from !== undefined && { from }),
  to,
});

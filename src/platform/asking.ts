/**
 * Values of repositories and organizations that require confirmation: they publish, freeze or widen access. One list
 * for all commands and for policies.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../json/exact-json.ts';
import type { Given } from './validate.ts';

/** A change that requires confirmation. */
export interface AskingChange {
  /** As `security_and_analysis.secret_scanning`. */
  readonly path: string;
  /** Absent if unknown. */
  readonly from?: unknown;
  readonly to: unknown;
}

const anyValue = () => true;
// The fields of `api -f` are text, and some platforms take numbers for switches.
const isTrue = (value: unknown) => [true, 'true', 1, '1'].some((each) => each === value);
const isFalse = (value: unknown) => [false, 'false', 0, '0'].some((each) => each === value);

const asking: Readonly<Record<string, (value: unknown) => boolean>> = {
  visibility: anyValue,
  private: isFalse,
  archived: anyValue,
  default_repository_permission: (value) => value === 'write' || value === 'admin',
  members_can_create_public_pages: isTrue,
  members_can_create_public_repositories: isTrue,
  members_can_delete_repositories: isTrue,
  members_can_change_repo_visibility: isTrue,
  members_can_fork_private_repositories: isTrue,
  members_allowed_repository_creation_type: (value) => value === 'all',
  secret_scanning_validity_checks_enabled: isFalse,
};

const forNewRepositories = /_enabled_for_new_repositories$/;

/** Returns the changes of an update that require confirmation, without those that a known record has already. */
export function askingChanges(body: Given, before: Given = {}): readonly AskingChange[] {
  return Object.entries(body).flatMap(([path, to]): readonly AskingChange[] => {
    const from = before[path];
    if (path === 'security_and_analysis') return disabledSwitches(to, from);
    const asks = forNewRepositories.test(path) ? isFalse(to) : Object.hasOwn(asking, path) && asking[path]?.(to);
    return asks && !isDeepStrictEqual(from, to) ? [change(path, from, to)] : [];
  });
}

function disabledSwitches(body: unknown, before: unknown): readonly AskingChange[] {
  const statusOf = (switches: unknown, name: string) => {
    const found = isObject(switches) ? switches[name] : undefined;
    return isObject(found) ? found.status : undefined;
  };
  return Object.keys(isObject(body) ? body : {}).flatMap((name) => {
    const [from, to] = [statusOf(before, name), statusOf(body, name)];
    return to === 'disabled' && from !== to ? [change(`security_and_analysis.${name}`, from, to)] : [];
  });
}

const change = (path: string, from: unknown, to: unknown): AskingChange => ({
  path,
  ...(from !== undefined && { from }),
  to,
});

import { describe, expect, test } from 'vitest';
import { askingChanges } from '../../src/platform/asking.ts';
import type { Given } from '../../src/platform/validate.ts';

describe('values that require confirmation', () => {
  test.each([
    [{ visibility: 'private' }, 'visibility', 'private'],
    [{ visibility: 'public' }, 'visibility', 'public'],
    [{ private: false }, 'private', false],
    [{ archived: true }, 'archived', true],
    [{ archived: false }, 'archived', false],
    [{ default_repository_permission: 'write' }, 'default_repository_permission', 'write'],
    [{ default_repository_permission: 'admin' }, 'default_repository_permission', 'admin'],
    [{ members_can_create_public_repositories: true }, 'members_can_create_public_repositories', true],
    [{ members_can_create_public_pages: true }, 'members_can_create_public_pages', true],
    [{ secret_scanning_validity_checks_enabled: false }, 'secret_scanning_validity_checks_enabled', false],
    [{ members_can_create_public_pages: null }, 'members_can_create_public_pages', null],
    [{ members_can_delete_repositories: true }, 'members_can_delete_repositories', true],
    [{ members_can_change_repo_visibility: true }, 'members_can_change_repo_visibility', true],
    [{ members_can_fork_private_repositories: true }, 'members_can_fork_private_repositories', true],
    [{ members_allowed_repository_creation_type: 'all' }, 'members_allowed_repository_creation_type', 'all'],
    [{ secret_scanning_enabled_for_new_repositories: false }, 'secret_scanning_enabled_for_new_repositories', false],
    [
      { security_and_analysis: { secret_scanning: { status: 'disabled' }, advanced_security: { status: 'enabled' } } },
      'security_and_analysis.secret_scanning',
      'disabled',
    ],
    [{ security_and_analysis: null }, 'security_and_analysis', null],
  ])('%j', (body, path, to) => {
    expect(askingChanges(body)).toEqual([{ path, to }]);
  });

  test.each<Given>([
    { private: true },
    { default_repository_permission: 'read' },
    { default_repository_permission: 'none' },
    { members_can_create_public_repositories: false },
    { members_allowed_repository_creation_type: 'private' },
    { secret_scanning_validity_checks_enabled: true },
    { secret_scanning_enabled_for_new_repositories: true },
    { security_and_analysis: { secret_scanning: { status: 'enabled' } } },
    { description: 'D', has_wiki: false, constructor: true },
  ])('%j requires none', (body) => {
    expect(askingChanges(body)).toEqual([]);
  });

  test('are compared with the record', () => {
    const before = { visibility: 'private', archived: false, security_and_analysis: { a: { status: 'disabled' } } };
    const body = { visibility: 'public', archived: false, security_and_analysis: { a: { status: 'disabled' } } };
    expect(askingChanges(body, before)).toEqual([{ path: 'visibility', from: 'private', to: 'public' }]);
  });
});

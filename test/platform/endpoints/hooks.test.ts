import { expect, test } from 'vitest';
import * as endpoints from '../../../src/platform/endpoints/hooks.ts';
import { checkBody } from '../../../src/platform/validate.ts';

test('every hook endpoint accepts only classic tokens: “accept authentication only with a classic personal access token”', () => {
  for (const endpoint of Object.values(endpoints)) expect(endpoint.tokens).toEqual(['classic']);
});

test('a repository sets the enforcement of a hook: enabled, disabled or testing', () => {
  const check = (body: Record<string, unknown>) => checkBody(endpoints.setRepositoryHook, body);
  for (const enforcement of ['enabled', 'disabled', 'testing'])
    expect(check({ enforcement })).toEqual({ problems: [], unknown: [] });
  expect(check({}).problems).toEqual([{ field: 'enforcement', message: 'is required', code: 'missing_field' }]);
  expect(check({ enforcement: 'on' }).unknown).toEqual([
    { field: 'enforcement', message: 'must be one of enabled, disabled, testing', code: 'unknown_word' },
  ]);
});

test('an organization may set only whether its repositories may override the hook', () => {
  expect(checkBody(endpoints.setOrganizationHook, { allow_downstream_configuration: true })).toEqual({
    problems: [],
    unknown: [],
  });
  expect(
    checkBody(endpoints.setRepositoryHook, { enforcement: 'enabled', allow_downstream_configuration: true }).unknown,
  ).toEqual([
    {
      field: 'allow_downstream_configuration',
      message: 'is not a known field',
      code: 'unknown_field',
    },
  ]);
});

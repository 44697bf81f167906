import { describe, expect, test } from 'vitest';
import * as endpoints from '../../../src/platform/endpoints/migrations.ts';
import { checkBody } from '../../../src/platform/validate.ts';

const started = (body: Record<string, unknown>) =>
  checkBody(endpoints.startMigration, body).problems.map(({ field, message }) => `${field} ${message}`);

describe('a new migration', () => {
  test('requires repositories: “array of strings (required)”', () => {
    expect(started({})).toEqual(['repositories is required']);
    expect(started({ repositories: [] })).toEqual([
      'repositories must contain at least one, unless org_metadata_only is true',
    ]);
    expect(started({ repositories: ['acme/site'] })).toEqual([]);
    expect(started({ repositories: 'acme/site' })).toEqual(['repositories must be a list']);
  });

  test('has no repositories if it is metadata only: “when true the repositories array should be empty”', () => {
    expect(started({ repositories: [], org_metadata_only: true })).toEqual([]);
    expect(started({ repositories: ['acme/site'], org_metadata_only: true })).toEqual([
      'repositories must be empty when org_metadata_only is true',
    ]);
  });
});

test('no migration endpoint works with fine-grained or app tokens: “not usable with app tokens or fine-grained tokens”', () => {
  for (const endpoint of Object.values(endpoints)) expect(endpoint.tokens).toEqual(['classic', 'oauth']);
});

import { describe, expect, test } from 'vitest';
import { dispatchRepositoryEvent } from '../../../src/platform/endpoints/repos.ts';
import { checkBody } from '../../../src/platform/validate.ts';

/** What is wrong with an event of this payload. */
const dispatched = (client_payload: object) =>
  checkBody(dispatchRepositoryEvent, { event_type: 'deploy', client_payload }).problems.map(({ message }) => message);

describe('the payload of an event, “max 10 top-level properties, total size under 64 KB”', () => {
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, place) => [`p${place}`, 1]));

  test('allows 10 properties, but not 11', () => {
    expect(dispatched(properties(10))).toEqual([]);
    expect(dispatched(properties(11))).toEqual(['must have at most 10 top-level properties (has 11)']);
  });

  /** A payload of so many bytes of JSON, of which 11 are not its text. */
  const ofBytes = (bytes: number, filledWith = 'x') => ({
    text: filledWith.repeat((bytes - 11) / Buffer.byteLength(filledWith)),
  });

  test('allows 65,535 bytes, but not 65,536', () => {
    expect(dispatched(ofBytes(65_535))).toEqual([]);
    expect(dispatched(ofBytes(65_536))).toEqual(['must be smaller than 64 KB (65,536 bytes; has 65536)']);
  });

  test('is measured in bytes, not in characters', () => {
    expect(dispatched(ofBytes(65_535, 'ä'))).toEqual([]);
    expect(dispatched(ofBytes(65_537, 'ä'))).toEqual(['must be smaller than 64 KB (65,536 bytes; has 65537)']);
  });
});

import { describe, expect, it } from 'vitest';
import { fieldUpdate, liveFields } from '../../../../src/fleet/policy/kinds/field-update.ts';

const update = (wanted: object, live: object, sets: readonly string[] = []) =>
  fieldUpdate({ ...wanted }, { ...live }, { effects: [] }, { sets });

describe('an update of fields', () => {
  it('ignores the order of sets', () => {
    expect(update({ region: ['us', 'eu'] }, { region: ['eu', 'us'] }, ['region'])).toBeUndefined();
    const live = { alerting: { recipients: ['b', 'a'] } };
    expect(update({ alerting: { recipients: ['a', 'b'] } }, live, ['alerting.recipients'])).toBeUndefined();
    expect(update({ region: ['us', 'eu'] }, { region: ['eu', 'us'] })).toBeDefined();
  });

  it('is the same for any order of sets', () => {
    expect(
      update({ region: ['us', 'eu'], tier: 'gold' }, { tier: 'gold', region: ['us', 'asia'] }, ['region']),
    ).toEqual({
      changes: [
        { path: 'region[asia]', from: 'asia' },
        { path: 'region[eu]', to: 'eu' },
      ],
      before: { region: ['asia', 'us'] },
      body: { region: ['eu', 'us'] },
    });
  });
});

describe('live fields', () => {
  it('are those that a policy declares, also within objects', () => {
    const record = { a: 1, b: { c: { status: 'on' }, d: { status: 'off' } }, e: null, f: null };
    expect(liveFields(record, { b: { c: { status: 'off' } }, e: '', f: 'x', g: 1 })).toEqual({
      b: { c: { status: 'on' } },
      e: '',
      f: null,
      g: undefined,
    });
  });
});

import { describe, expect, it } from 'vitest';
import { Baseline } from '../../../src/foresight/audit/baseline.ts';
import { expiredFindings, suppressionOf } from '../../../src/foresight/audit/suppressions.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const suppression = { check: 'base-permission', reason: 'Accepted.', until: '2026-03-01' };

describe('a suppression', () => {
  it.each([
    ['acme', 'acme', true],
    ['ACME/Site', 'acme/site', true],
    ['acme', 'acme/site', false],
    ['acme/legacy-*', 'acme/legacy-api', true],
    ['acme/*-api', 'acme/legacy-api', true],
    ['acme/a*a', 'acme/a', false],
    ['acme/*a*k*', 'acme/back', true],
    ['acme/*k*a*', 'acme/back', false],
    ['*', 'acme/site', false],
    ['*/site', 'acme/site', true],
    ['enterprise:*', 'enterprise:sandbox', true],
    ['acme/.*', 'acme/xsite', false],
  ])('of %s holds for %s: %s', (target, name, holds) => {
    const found = suppressionOf({ check: 'base-permission', target: name }, [{ ...suppression, target }], now);
    expect(found !== undefined).toBe(holds);
  });

  it('holds on its last day in UTC, for its check alone', () => {
    const all = [{ ...suppression, target: 'acme' }];
    expect(suppressionOf({ check: 'base-permission', target: 'acme' }, all, Date.parse('2026-03-01T23:59:59Z'))).toBe(
      all[0],
    );
    expect(
      suppressionOf({ check: 'base-permission', target: 'acme' }, all, Date.parse('2026-03-02T00:00:00Z')),
    ).toBeUndefined();
    expect(suppressionOf({ check: 'owner-count', target: 'acme' }, all, now)).toBeUndefined();
  });

  it('is a finding once it has ended', () => {
    const all = [
      { ...suppression, target: 'acme' },
      { ...suppression, target: 'globex', until: '2026-02-28' },
    ];
    expect(expiredFindings(all, now)).toMatchObject([
      {
        check: 'suppression-expired',
        target: 'globex',
        status: 'fail',
        object: 'base-permission',
        message: 'The suppression of base-permission ended on 2026-02-28.',
      },
    ]);
  });
});

describe('a baseline', () => {
  const finding = (check: string, target: string, status: 'fail' | 'pass' | 'unreadable' | 'suppressed') => ({
    check,
    target,
    status,
  });
  const earlier = [
    finding('a', 'acme', 'fail'),
    finding('b', 'acme', 'fail'),
    finding('c', 'acme', 'fail'),
    finding('d', 'acme', 'suppressed'),
    finding('a', 'acme/site', 'fail'),
    finding('e', 'acme', 'pass'),
  ];

  it('tells new findings, and those that were judged and are gone', () => {
    const baseline = new Baseline();
    expect(earlier.map((each) => baseline.add(each))).toEqual([true, true, true, true, true, false]);
    expect(baseline.add(finding('a', 'ACME', 'fail'))).toBe(false);
    const found = [finding('a', 'acme', 'fail'), finding('c', 'acme', 'unreadable'), finding('e', 'acme', 'fail')];
    baseline.take('acme', ['a', 'b', 'c', 'd', 'e'], found);
    expect(found.map((each) => baseline.changeOf(each))).toEqual(['same', undefined, 'new']);
    // What cannot be read now, and repositories that were not audited, are not gone.
    expect(earlier.map((each) => baseline.isGone(each))).toEqual([false, true, false, true, false, false]);
  });
});

import { expect, it } from 'vitest';
import { FindingStore } from '../../../src/topics/audit/finding-store.ts';
import type { OpenFinding } from '../../../src/topics/audit/report.ts';

const finding = (target: string, others: Partial<OpenFinding> = {}): OpenFinding => ({
  ...{ check: 'push-protection', severity: 'medium', target, status: 'fail', message: 'Off.' },
  ...{ evidence: [], evidence_total: 0, since: null, fix: null },
  ...others,
});

it('returns findings in the order of reports, whatever the order in which they were added', () => {
  const store = new FindingStore();
  const others = [
    finding('acme/b', { status: 'pass' }),
    finding('acme/z', { severity: 'high' }),
    finding('acme/b', { object: 'two' }),
    finding('ACME/a', { check: 'alerts' }),
    finding('acme/b', { object: 'one' }),
    finding('acme/B'),
  ];
  for (const each of others) store.add(each);
  expect([...store.list()]).toEqual([others[1], others[3], others[5], others[4], others[2], others[0]]);
  expect(store.list().length).toBe(6);
});

it('sorts findings of many pieces, and one that is longer than a piece', () => {
  const store = new FindingStore();
  const names = Array.from({ length: 800 }, (_, at) => `acme/r${String((at * 331) % 800).padStart(3, '0')}`);
  const lengthOf = (name: string) => (name === 'acme/r400' ? 100_000 : 500);
  for (const name of names) store.add(finding(name, { message: 'é'.repeat(lengthOf(name)) }));
  const listed = [...store.list()];
  expect(listed.map(({ target }) => target)).toEqual(names.toSorted());
  expect(listed.every(({ target, message }) => message === 'é'.repeat(lengthOf(target)))).toBe(true);
  // A list can be read again.
  expect([...store.list()]).toEqual(listed);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, type FieldChange, merge } from '../../src/fleet/diff.ts';
import { kindNamed } from '../../src/fleet/policy/kinds/lookup.ts';

const rulesetComparison = kindNamed('ruleset').comparison({});

const checks = (...contexts: object[]) => [
  { type: 'required_status_checks', parameters: { required_status_checks: contexts } },
];

describe('merge', () => {
  it('finds hundreds of thousands of changes', () => {
    const wanted = { a: Object.fromEntries(Array.from({ length: 130_000 }, (_, at) => [`f${at}`, at])) };
    expect(merge(wanted, { a: {} }, rulesetComparison).changes).toHaveLength(130_000);
  });

  it.each<[what: string, wanted: object, live: object, changes: FieldChange[]]>([
    ['fields that are not wanted', { a: 1 }, { a: 1, b: 2 }, []],
    ['the order of a set', { rules: [{ type: 'x' }, { type: 'y' }] }, { rules: [{ type: 'y' }, { type: 'x' }] }, []],
    [
      'an ID that the platform adds to a check',
      { rules: checks({ context: 't' }) },
      { rules: checks({ context: 't', integration_id: 7 }) },
      [],
    ],
    ['a rule of an unknown type', { rules: [] }, { rules: [{ type: 'tomorrow' }] }, []],
    ['a changed value', { a: 1 }, { a: 2 }, [{ path: 'a', from: 2, to: 1 }]],
    ['an added value', { a: 1 }, {}, [{ path: 'a', to: 1 }]],
    ['a value called like a member of all objects', { constructor: 1 }, {}, [{ path: 'constructor', to: 1 }]],
    [
      'a removed rule',
      { rules: [] },
      { rules: [{ type: 'deletion' }] },
      [{ path: 'rules[deletion]', from: { type: 'deletion' } }],
    ],
    [
      'an added check',
      { rules: checks({ context: 'a' }, { context: 'b' }) },
      { rules: checks({ context: 'a', integration_id: 1 }) },
      [{ path: 'rules[required_status_checks].parameters.required_status_checks[b]', to: { context: 'b' } }],
    ],
    [
      'another way to name repositories',
      { conditions: { repository_id: { repository_ids: [1] } } },
      { conditions: { repository_name: { include: ['x'] } } },
      [
        { path: 'conditions.repository_id', to: { repository_ids: [1] } },
        { path: 'conditions.repository_name', from: { include: ['x'] } },
      ],
    ],
  ])('compares %s', (_what, wanted, live, changes) => {
    expect(merge(wanted, live, rulesetComparison).changes).toEqual(changes);
  });

  it('keeps what is not declared, including rules of unknown types', () => {
    const live = {
      enforcement: 'active',
      rules: [{ type: 'tomorrow', parameters: { n: 1 } }, { type: 'deletion' }],
      later: 7,
    };
    expect(merge({ rules: [{ type: 'creation' }] }, live, rulesetComparison).value).toEqual({
      enforcement: 'active',
      rules: [{ parameters: { n: 1 }, type: 'tomorrow' }, { type: 'creation' }],
      later: 7,
    });
  });

  const comparison = { sets: ['s'], identity: { s: ['k'] } };
  const element = fc.record({ k: fc.nat(3), v: fc.nat(2), w: fc.nat(2) }, { requiredKeys: ['k'] });
  const set = fc.uniqueArray(element, { selector: ({ k }) => k });
  const object = fc.record(
    { s: set, l: fc.array(fc.nat(3)), o: fc.dictionary(fc.constantFrom('a', 'b'), fc.nat(2)) },
    { requiredKeys: [] },
  );

  it('leaves nothing to change, and does not change a value that already matches', () => {
    fc.assert(
      fc.property(object, object, (wanted, live) => {
        const { value } = merge(wanted, live, comparison);
        expect(merge(wanted, value, comparison).changes).toEqual([]);
        expect(merge(live, live, comparison)).toEqual({ value: canonical(live, comparison), changes: [] });
      }),
    );
  });

  it('does not depend on the order of sets', () => {
    fc.assert(
      fc.property(object, object, (wanted, live) => {
        const turned = (value: typeof wanted) => ({ ...value, ...(value.s && { s: value.s.toReversed() }) });
        expect(merge(turned(wanted), turned(live), comparison)).toEqual(merge(wanted, live, comparison));
      }),
    );
  });
});

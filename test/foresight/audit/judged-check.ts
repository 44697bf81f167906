/** Runs checks on facts that tests write out. */
import { describe, expect, it } from 'vitest';
import type { Check, Fix } from '../../../src/foresight/audit/check.ts';
import { judged } from '../../../src/foresight/audit/evaluate.ts';
import type { Finding } from '../../../src/foresight/audit/finding.ts';
import { isObject } from '../../../src/json/exact-json.ts';

export type FactValues = Readonly<Record<string, unknown>>;

export interface CheckTest {
  /** Facts by reading that pass. */
  readonly passes: FactValues;
  /** The facts that differ in one that fails. */
  readonly fails: FactValues;
  /** The object of the target and the message of the failure. */
  readonly says: string | readonly [object: string, message: string];
  /** A command line without `forgectl`, the fields of a policy without its owner, or a part of the hint. */
  readonly fix: { readonly command?: string; readonly policy?: object; readonly hint?: string };
  /** The facts that lack a field, and a part of the reason why nothing can be said. */
  readonly lacks?: readonly [FactValues, string];
  /** The facts to which the check does not apply. */
  readonly ignores?: FactValues;
}

export const now = Date.parse('2026-03-01T12:00:00Z');

const targets = { organization: 'acme', repository: 'acme/site', enterprise: 'enterprise:sandbox' };

function findings(check: Check, values: FactValues, others: FactValues = {}): readonly Finding[] | undefined {
  const facts = Object.fromEntries(
    [...check.reads, ...check.mayRead].map((name) => [
      name,
      others[name] ?? (name in values ? { value: values[name] } : { unreadable: `${name} is no part of the test` }),
    ]),
  );
  const owner = check.scope === 'enterprise' ? 'sandbox' : 'acme';
  return judged(check, facts as Parameters<typeof judged>[1], { target: targets[check.scope], owner, now });
}

const statusesOf = (found: readonly Finding[] | undefined): string[] => [
  ...new Set(found?.map(({ status }) => status)),
];

function expectFix(fix: Fix | undefined, { command, policy, hint }: CheckTest['fix']): void {
  if (command !== undefined) expect(fix?.command?.join(' ')).toBe(command);
  if (policy !== undefined) expect(fix?.policy).toMatchObject(policy);
  if (hint !== undefined) expect(fix?.hint).toContain(hint);
  expect(fix?.command ?? fix?.hint, 'every failure can be mended').toBeDefined();
}

/** Fields without which the readers of facts reject a response, and those that are data. */
const required =
  /\.(?:login|enforcement|type|id|state|visibility|repository_name|permissions\.\w+)$|^protection\.rulesets\.\d+\.value\.bypass_actors$/;

/** Returns the values with each of their fields left out, by its path. */
function withoutEachField(values: FactValues): [path: string, values: FactValues][] {
  return Object.entries(values).flatMap(([name, value]) =>
    variantsOf(value).map(([path, variant]): [string, FactValues] => [
      `${name}${path}`,
      { ...values, [name]: variant },
    ]),
  );
}

function variantsOf(value: unknown): [path: string, variant: unknown][] {
  if (value instanceof Map)
    return [...value].flatMap(([key, each]) =>
      variantsOf(each).map(([path, variant]): [string, unknown] => [
        `.${key}${path}`,
        new Map([...value, [key, variant]]),
      ]),
    );
  if (Array.isArray(value))
    return value.flatMap((each, at) =>
      variantsOf(each).map(([path, variant]): [string, unknown] => [`.${at}${path}`, value.with(at, variant)]),
    );
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const { [name]: _, ...others } = value;
    const below = variantsOf(each).map(([path, variant]): [string, unknown] => [
      `.${name}${path}`,
      { ...value, [name]: variant },
    ]);
    return [[`.${name}`, others], ...below];
  });
}

/** Tests checks one by one. `tests` has each by its ID. */
export function describeChecks(checks: readonly Check[], tests: Readonly<Record<string, CheckTest>>): void {
  it('every check has a test', () => {
    expect(Object.keys(tests).toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
  });

  describe.each(checks.map((check) => [check.id, check] as const))('%s', (id, check) => {
    const { passes, fails, says, fix, lacks, ignores } = tests[id] as CheckTest;

    it('passes', () => expect(statusesOf(findings(check, passes))).toEqual(['pass']));

    it('fails, with a message and a way to mend it', () => {
      const failures = findings(check, { ...passes, ...fails })?.filter(({ status }) => status === 'fail');
      const [first] = failures ?? [];
      expect(typeof says === 'string' ? first?.message : [first?.object, first?.message]).toEqual(says);
      expect(first?.evidence.length).toBeGreaterThan(0);
      expectFix(first?.fix, fix);
    });

    const named = check.reads.length > 0 ? check.reads : check.mayRead;
    it.each(named.flatMap((name) => [403, 404].map((status) => [name, status] as const)))(
      'says nothing if the response for %s is %i',
      (name, status) => {
        const reason = `GET /example returned ${status}: needs administration (read)`;
        const found = findings(check, passes, { [name]: { unreadable: reason } });
        const [first] = found?.filter((each) => each.status === 'unreadable') ?? [];
        expect(first?.message).toBe(`Cannot be read: ${reason}.`);
        if (check.reads.length > 0) expect(statusesOf(found)).toEqual(['unreadable']);
      },
    );

    it('never passes because a field is left out', () => {
      const passing = withoutEachField({ ...passes, ...fails }).flatMap(([path, facts]) => {
        const statuses = statusesOf(findings(check, facts));
        return statuses.includes('fail') || statuses.includes('unreadable') ? [] : [path];
      });
      expect(passing.filter((path) => !required.test(path))).toEqual([]);
    });

    if (lacks)
      it('says nothing if a field is left out', () => {
        const found = findings(check, { ...passes, ...lacks[0] })?.filter(({ status }) => status !== 'pass');
        expect(statusesOf(found)).toEqual(['unreadable']);
        expect(found?.[0]?.message).toContain(lacks[1]);
      });

    if (ignores) it('ignores', () => expect(findings(check, { ...passes, ...ignores })).toBeUndefined());
  });
}

/** What holds of plans whatever the policies and the live state are, against the embedded platform. */
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { derivePlan } from '../../../src/fleet/policy/applying/derive.ts';
import type { OptionalChanges } from '../../../src/fleet/policy/applying/optional-changes.ts';
import { stepName } from '../../../src/fleet/policy/applying/steps.ts';
import type { PlannedChange } from '../../../src/fleet/policy/live/change.ts';
import type { PolicyPlan } from '../../../src/fleet/policy/planning/plan.ts';
import { parsePlan, planText, type SavedPlan } from '../../../src/fleet/policy/planning/plan-file.ts';
import { policySchema } from '../../../src/fleet/policy/wanted/json-schema.ts';
import { embeddedPlatform } from '../../support/embedded-platform.ts';
import { unmetIn } from './declared-state.ts';
import { embeddedPolicies, policyOf, stepsFor, undoOf } from './embedded-policies.ts';
import { declaredRulesets, documentsOf, emptyPolicy, policy, type RandomPolicy } from './random-policies.ts';
import { fieldsOf, keyOf, protection, type Stored, storedObjects } from './stored-state.ts';

/** `POLICY_CASES=10000` and another `POLICY_SEED` are for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 60);
const seed = Number(process.env.POLICY_SEED ?? 1);

/** In milliseconds, for a busy machine. */
const longestCase = 1000;
vi.setConfig({ testTimeout: 60_000 + numRuns * longestCase });

const embedded = embeddedPlatform({ orgs: 2 });
const { client, platform } = embedded;

const { planOf, apply, exported } = embeddedPolicies(embedded);

/** Checks a document as editors do. */
const isAccepted = new Ajv({ strict: true }).compile(policySchema());

/** Returns the changes of a plan other than write-only fields, which cannot be compared. */
const differencesOf = ({ changes }: PolicyPlan) => changes.filter(({ action }) => action !== 'unverified');

const objects = () => storedObjects(platform);

/** The documents of a random policy for the objects that exist now. */
const documentsNow = (random: RandomPolicy) => {
  const live = objects();
  const holds = (fields: Readonly<Record<string, unknown>>, key: object) =>
    Object.entries(key).every(([name, value]) => String(fields[name]).toLowerCase() === value);
  return documentsOf(random, (target, key) =>
    live.some((object) => object.target === target && holds(object.fields, key)),
  );
};

/** Returns the fields that changed although a plan does not list them. */
function unplannedIn({ changes }: SavedPlan, before: readonly Stored[], after: readonly Stored[]): readonly string[] {
  const planned = changes.flatMap((change) => {
    const { target, kind, action, inherited } = change;
    const keys = namesOf(change).map((name) => keyOf({ target, kind, name }));
    if (action !== 'update' || inherited || keys.length > 1) return keys.map((key) => `${key} `);
    // A repository without a value has the default.
    const defaults = kind === 'property' && change.changes.some(({ path }) => path === 'default');
    return [
      ...change.changes.map(({ path }) => `${keys[0]} ${path.split(/[.[]/, 1)[0]}`),
      ...(defaults
        ? [`${keyOf({ target: 'acme/site', kind: 'properties', name: '' })} ${change.name.toLowerCase()}`]
        : []),
    ];
  });
  const [earlier, later] = [fieldsOf(before), fieldsOf(after)];
  const changed = Object.keys({ ...earlier, ...later }).filter(
    (field) => !isDeepStrictEqual(earlier[field], later[field]),
  );
  return changed.filter(
    (field) => !planned.some((each) => field === each || (each.endsWith(' ') && field.startsWith(each))),
  );
}

/** Returns the name of the object of a change, and the earlier one if it is renamed. */
const namesOf = ({ kind, name, before }: PlannedChange): readonly string[] =>
  isRenamable(kind) && before?.name !== undefined && before.name !== name ? [name, String(before.name)] : [name];

const isRenamable = (kind: PlannedChange['kind']): boolean => kind === 'ruleset' || kind === 'label';

/** Returns whether objects that a change reads or writes have changed: fields that it leaves alone do not count. */
function isTouched(change: PlannedChange, before: readonly Stored[], after: readonly Stored[]): boolean {
  const { action, kind, target, before: from = {} } = change;
  const isPart = (action === 'update' || action === 'resend') && kind !== 'ruleset' && kind !== 'property';
  const part = (all: readonly Stored[], named: string) => {
    const found = all.find((object) => keyOf(object) === keyOf({ target, kind, name: named }));
    if (!found || !isPart) return found;
    const { id, fields, effective = fields } = found;
    return { id, fields: Object.keys(from).map((field) => effective[field]) };
  };
  return namesOf(change).some((named) => !isDeepStrictEqual(part(before, named), part(after, named)));
}

/** Returns whether a change of a repository starts from what a change of its organization makes. */
const followsOwner = ({ target, inherited, id, between }: PlannedChange, { changes }: SavedPlan): boolean =>
  target !== 'acme' &&
  (between !== undefined ||
    (inherited === true && changes.some((each) => each.target === 'acme' && each.kind === 'hook' && each.id === id)));

/** Returns what is unknown to this version in a ruleset, by condition and rule. */
function unknownIn({ rules = [], conditions = {} }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const parsed = (rules as readonly (string | object)[]).map((rule) =>
    typeof rule === 'string' ? JSON.parse(rule) : rule,
  );
  const unknown = parsed.flatMap(({ type, parameters = {} }) => {
    const { strength, parameter_of_tomorrow = strength } = parameters;
    return parameter_of_tomorrow === undefined ? [] : [[type, parameter_of_tomorrow] as const];
  });
  const { condition_of_tomorrow: condition } = conditions as Record<string, unknown>;
  return { ...Object.fromEntries(unknown), ...(condition !== undefined && { condition: JSON.stringify(condition) }) };
}

/** Returns what is unknown in each declared ruleset after a policy: everything declared, and what was in rules that stay. */
function unknownAfter({ rulesets, site }: RandomPolicy): readonly Record<string, unknown>[] {
  const declared = [
    ...declaredRulesets(rulesets).map((ruleset) => ({ target: 'acme', ruleset })),
    ...declaredRulesets(site.rulesets).map((ruleset) => ({ target: 'acme/site', ruleset })),
  ];
  const live = objects();
  return declared.map(({ target, ruleset }) => {
    const { name, was, rules } = ruleset as { name: string; was?: string; rules?: readonly { type: string }[] };
    const find = (each?: string) =>
      live.find((object) => object.target === target && object.kind === 'ruleset' && object.name === each);
    const kept = Object.entries(unknownIn((find(name) ?? find(was))?.fields ?? {}));
    const stays = (part: string) =>
      ['condition', 'rule_of_tomorrow'].includes(part) || !rules || rules.some(({ type }) => type === part);
    return { ...Object.fromEntries(kept.filter(([part]) => stays(part))), ...unknownIn(ruleset) };
  });
}

const secretTypes: readonly unknown[] = ['token', 'username_password'];

interface Lost {
  readonly name: string;
  readonly reason: string;
  /** Absent if the whole registry is lost. */
  readonly field?: 'visibility';
}

/** Returns the registries, or fields of them, that an undo does not restore, because the platform does not return them. */
function lostIn(plan: SavedPlan, before: readonly Stored[]): readonly Lost[] {
  return before.flatMap(({ kind, name, fields }): readonly Lost[] => {
    if (kind !== 'registry') return [];
    const change = plan.changes.find((each) => each.kind === 'registry' && each.name === name);
    const hidden = [
      ...(secretTypes.includes(fields.auth_type) ? ['secret'] : []),
      ...(fields.visibility === 'selected' ? ['repositories'] : []),
    ];
    if (change?.action === 'delete' && hidden.length)
      return [{ name, reason: `cannot be created: its ${hidden.join(' and ')} cannot be read` }];
    const reason = 'visibility cannot be changed back to selected: its repositories cannot be read';
    const isOpened = change?.changes.some(({ path, from }) => path === 'visibility' && from === 'selected');
    return isOpened ? [{ name, reason, field: 'visibility' }] : [];
  });
}

/** Returns the objects after an undo: all from before, other than what was lost. */
function restoredFrom(before: readonly Stored[], after: readonly Stored[], lost: readonly Lost[]): readonly Stored[] {
  return before.flatMap((object) => {
    const its = lost.find(({ name }) => object.kind === 'registry' && object.name === name);
    if (!its) return [object];
    const left = after.find((each) => keyOf(each) === keyOf(object));
    if (!left) return [];
    return its.field ? [{ ...object, fields: { ...object.fields, visibility: left.fields.visibility } }] : [object];
  });
}

/** Returns the write-only fields that policies declare, by registry: plans always list them. */
function writeOnlyOf(documents: Readonly<Record<string, object>>): readonly object[] {
  const { registries = [] } = (documents['registries.yaml'] ?? {}) as { registries?: Record<string, unknown>[] };
  return registries
    .map(({ registry_type: type, url, ...fields }) => ({
      name: `${type} ${url}`,
      paths: ['repositories', 'secret'].filter((field) => field in fields),
    }))
    .filter(({ paths }) => paths.length > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns how many secrets an apply sends: those of new registries, and on request those of existing ones. */
function secretsOf({ changes }: SavedPlan, { rotates }: OptionalChanges): number {
  return changes.filter(({ secret, action }) => secret && (action === 'create' || (action === 'unverified' && rotates)))
    .length;
}

/** Runs an apply, and returns what protected acme/site before and after it, but not all the time. */
async function gapsIn<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly gaps: readonly string[] }> {
  const first = protection(platform);
  const moments: ReadonlySet<string>[] = [];
  const ignore = embedded.afterWrite(() => moments.push(protection(platform)));
  const result = await work();
  ignore();
  const last = protection(platform);
  const always = [...first].filter((fact) => last.has(fact));
  return { result, gaps: always.filter((fact) => moments.some((moment) => !moment.has(fact))) };
}

/** Returns a value with its lists reversed: what policies read of nearly all of them are sets. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (typeof value !== 'object' || value === null) return value;
  const isOrdered = (name: string) => name === 'allowed_values';
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isOrdered(name) ? member : reversed(member)]),
  );
}

/** Returns documents in reverse order, with the parts of each ruleset and the organizations in reverse order too. */
function inReverse(documents: Readonly<Record<string, object>>): Record<string, object> {
  // Lists of objects keep their order, so that the lines that plans name stay the same.
  const turned = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) {
      const sections = ['rulesets', 'registries', 'budgets', 'hooks', 'labels', 'property_schema', 'repositories'];
      const keepsOrder = [...sections, 'allowed'].includes(key);
      const elements = value.map((each) => turned(each));
      return keepsOrder ? elements : elements.reverse();
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, turned(member, name)]));
  };
  return Object.fromEntries(
    Object.entries(documents)
      .map(([file, document]) => [file, turned(document)] as const)
      .reverse(),
  ) as Record<string, object>;
}

const extent: fc.Arbitrary<OptionalChanges> = fc
  .record({ rotatesAll: fc.boolean(), resendsSelection: fc.boolean() })
  .map(({ rotatesAll, resendsSelection }) => ({ resendsSelection, ...(rotatesAll && { rotates: () => true }) }));

/** Plans show the patterns that select repositories, and files have what they selected. */
const withSelectedIds = (change: PlannedChange): PlannedChange => ({
  ...change,
  changes: change.changes.map((each) =>
    each.path === 'repositories' ? { path: each.path, to: change.writeOnly?.selected_repository_ids } : each,
  ),
});

/** Returns whether automated fixes would be enabled without the alerts, which the platform refuses. */
function lackAlerts(steps: readonly PlannedChange[], live: readonly Stored[]): boolean {
  const named = ({ kind, name }: PlannedChange) => (kind === 'alerts' ? name : undefined);
  const alertsOn = live.some(({ kind, name, fields }) => kind === 'alerts' && name === 'vulnerability' && fields[name]);
  return (
    !alertsOn &&
    steps.some((step) => named(step) === 'fixes' && step.body?.fixes === true) &&
    !steps.some((step) => named(step) === 'vulnerability')
  );
}

describe('whatever the live state and the policy are', () => {
  // Seeded objects are stored in a form that no write makes: the actors of rulesets have IDs.
  beforeAll(async () => {
    const start = await planOf(await policyOf(documentsNow(emptyPolicy)));
    expect((await apply(start)).failures).toEqual([]);
  });

  it('plans are empty after an export and after an apply, nothing is unprotected meanwhile, and an undo leads back', async () => {
    const mostWrites = fc.oneof(
      { weight: 2, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }) },
    );
    // Each case starts from the state that the one before it left.
    await fc.assert(
      fc.asyncProperty(policy, extent, mostWrites, fc.boolean(), async (random, optional, most, isUndone) => {
        const files = { ...(await exported()), ...(await exported({ kind: 'enterprise', name: 'sandbox' })) };
        expect(differencesOf(await planOf(await policyOf(files)))).toEqual([]);
        const before = objects();

        const documents = documentsNow(random);
        expect(Object.values({ ...files, ...documents }).filter((document) => !isAccepted(document))).toEqual([]);
        const wanted = await policyOf(documents);
        const plan = await planOf(wanted);
        expect(plan.changes.filter(({ reason }) => reason !== undefined)).toEqual([]);
        const unknown = unknownAfter(random);
        embedded.writes.length = 0;
        const { result, gaps } = await gapsIn(() => apply(plan, optional, most));
        const { failures, isWhole } = result;
        expect(failures).toEqual([]);
        const after = objects();
        expect(unplannedIn(plan, before, after)).toEqual([]);
        if (isWhole) {
          const left = (await planOf(wanted)).changes.map(({ action, name, changes }) => {
            return { action, name, paths: changes.map(({ path }) => path) };
          });
          expect(left).toEqual(writeOnlyOf(documents).map((each) => ({ action: 'unverified', ...each })));
          expect(embedded.writes.filter(({ body }) => body?.includes('"encrypted_value"'))).toHaveLength(
            secretsOf(plan, optional),
          );
          expect(unmetIn(documents, after)).toEqual([]);
          expect(unknownAfter(random)).toEqual(unknown);
          expect(gaps).toEqual([]);
        }
        if (isUndone) {
          const undo = undoOf(plan, optional);
          const lost = lostIn(plan, before);
          const refused = undo.changes.filter(({ reason }) => reason !== undefined);
          expect(refused.map(({ name, reason }) => ({ name, reason }))).toEqual(
            expect.arrayContaining(lost.map(({ name, reason }) => ({ name, reason }))),
          );
          expect(refused).toHaveLength(lost.length);
          const undone = await gapsIn(() => apply(undo));
          expect(undone.result.failures).toEqual([]);
          expect(undone.gaps).toEqual([]);
          expect(fieldsOf(objects())).toEqual(fieldsOf(restoredFrom(before, after, lost)));
        }
      }),
      { numRuns, seed, endOnFailure: true },
    );
  });

  it('what is derived from a saved plan is what was planned', async () => {
    await fc.assert(
      fc.asyncProperty(policy, async (random) => {
        const plan = await planOf(await policyOf(documentsNow(random)));
        const read = await derivePlan(parsePlan('plan.ndjson', planText(plan)), { client });
        // What it changes from a value in between is shown, too.
        const shown = read.changes.map((change, at): PlannedChange => {
          const paths = plan.changes[at]?.changes.map(({ path }) => path) ?? [];
          return change.between
            ? { ...change, changes: change.changes.filter(({ path }) => paths.includes(path)) }
            : change;
        });
        expect(JSON.parse(JSON.stringify(shown))).toEqual(
          JSON.parse(JSON.stringify(plan.changes.map(withSelectedIds))),
        );
        expect((await apply(plan)).failures).toEqual([]);
      }),
      { numRuns, seed, endOnFailure: true },
    );
  });

  it('a plan has the same bytes for any order, and makes no change of what has changed since', async () => {
    await fc.assert(
      fc.asyncProperty(policy, policy, extent, async (random, meanwhile, optional) => {
        const documents = documentsNow(random);
        const plan = await planOf(await policyOf(documents));
        embedded.onResponse(reversed);
        expect(planText(await planOf(await policyOf(inReverse(documents))))).toBe(planText(plan));
        embedded.onResponse();

        const before = objects();
        expect((await apply(await planOf(await policyOf(documentsNow(meanwhile))))).failures).toEqual([]);
        const after = objects();
        const steps = stepsFor(plan, optional);
        const touched = steps.filter((change) => isTouched(change, before, after));
        const { done, failures } = await apply(plan, optional);
        if (touched.length === 0 && !lackAlerts(steps, after)) expect(failures).toEqual([]);
        // What the organization's change makes may be what the touched object is now.
        for (const change of touched.filter((each) => !followsOwner(each, plan)))
          expect(done).not.toContain(`${change.target}: ${stepName(change)}`);
      }),
      { numRuns, seed, endOnFailure: true },
    );
  });
});

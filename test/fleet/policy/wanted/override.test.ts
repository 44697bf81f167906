import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestOfPolicy } from '../../../../src/fleet/policy/planning/digest.ts';
import { wantedOfRepositories } from '../../../../src/fleet/policy/wanted/combine.ts';
import { loadPolicy } from '../../../../src/fleet/policy/wanted/load.ts';
import { wantedOf } from '../../../../src/fleet/policy/wanted/model.ts';
import { PolicyError } from '../../../../src/fleet/policy/wanted/placed.ts';

/** `POLICY_CASES=10000` and another `POLICY_SEED` are for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 60);
const seed = Number(process.env.POLICY_SEED ?? 1);

const site = { id: 1, name: 'site', full_name: 'acme/site' };

const load = (entries: readonly object[]) =>
  loadPolicy(
    entries.map((entry, at) => ({
      file: `${at}.yaml`,
      text: JSON.stringify({ organizations: ['acme'], repositories: [{ select: {}, ...entry }] }),
    })),
  );

async function wantedBy(entries: readonly object[]) {
  const { owners } = await load(entries);
  const [wanted] = wantedOfRepositories('acme', new Map([[site, owners[0]?.repositories ?? []]]));
  if (!wanted) throw new Error('Nothing is wanted.');
  return wanted;
}

/** Returns what entries declare for a repository, as data; undefined if they contradict each other. */
async function outcomeOf(entries: readonly object[]) {
  try {
    const wanted = await wantedBy(entries);
    return {
      settings: Object.fromEntries(
        wanted.wanted.get('settings')?.map((each) => [(each as unknown as { name: string }).name, each.body.value]) ??
          [],
      ),
      rulesets: Object.fromEntries(
        wantedOf(wanted, 'rulesets').map(({ body }) => [(body.value as { name: string }).name, body.value]),
      ),
    };
  } catch (error) {
    if (error instanceof PolicyError) return undefined;
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

interface Entry {
  readonly override: boolean;
  readonly settings: Fields;
  /** By name. */
  readonly rulesets: Readonly<Record<string, Fields>>;
}

/** Returns the only one of equal values; throws if they differ. */
function onlyOf<T>(values: readonly T[]): T | undefined {
  if (new Set(values.map((value) => JSON.stringify(value))).size > 1) throw new RangeError('They differ.');
  return values[0];
}

/** Returns the fields that entries declare together, written as a loop over fields, with overriding ones apart. */
function expectedOf(entries: readonly Entry[]) {
  const plain = entries.filter(({ override }) => !override);
  const over = entries.filter(({ override }) => override);
  try {
    const settings: Record<string, unknown> = {};
    for (const name of settingNames) {
      const of = (some: readonly Entry[]) =>
        some.flatMap((entry) => (name in entry.settings ? [entry.settings[name]] : []));
      const value = of(over).length ? onlyOf(of(over)) : onlyOf(of(plain));
      if (value !== undefined) settings[name] = value;
    }
    const rulesets: Record<string, Fields> = {};
    for (const name of rulesetNames) {
      const declaredBy = (some: readonly Entry[]): readonly Fields[] =>
        some.map((entry) => entry.rulesets[name]).filter((fields) => fields !== undefined);
      const winner = onlyOf(declaredBy(over));
      const rest = declaredBy(plain).map((fields) =>
        Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in (winner ?? {})))),
      );
      const base = onlyOf(rest);
      if (base ?? winner) rulesets[name] = { name, ...base, ...winner };
    }
    return { settings, rulesets };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const settingNames = ['has_wiki', 'has_projects', 'description'] as const;
const rulesetNames = ['One', 'Two'] as const;

const ruleset = fc.record(
  {
    enforcement: fc.constantFrom('active', 'disabled'),
    target: fc.constantFrom('branch', 'tag'),
    rules: fc.constantFrom([{ type: 'deletion' }], [{ type: 'creation' }]),
  },
  { requiredKeys: ['enforcement'] },
);

const entry: fc.Arbitrary<Entry> = fc.record({
  override: fc.boolean(),
  settings: fc.record(
    { has_wiki: fc.boolean(), has_projects: fc.constant(true), description: fc.constantFrom('', 'A site') },
    { requiredKeys: [] },
  ),
  rulesets: fc.record({ One: ruleset, Two: ruleset }, { requiredKeys: [] }),
});

const written = ({ rulesets, override, ...rest }: Entry) => ({
  ...rest,
  ...(override && { override }),
  rulesets: Object.entries(rulesets).map(([name, fields]) => ({ name, ...fields })),
});

it('fields of overriding entries win, in any order of the files', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 2, maxLength: 4 }), async (entries) => {
      const expected = expectedOf(entries);
      expect(await outcomeOf(entries.map(written))).toEqual(expected);
      expect(await outcomeOf(entries.map(written).toReversed())).toEqual(expected);
    }),
    { numRuns, seed },
  );
});

it('objects may be declared again, deleted or left alone by an overriding entry', async () => {
  const wanted = await wantedBy([
    { manage: { rulesets: 'all' }, rulesets: [{ name: 'Guard', was: 'Old guard' }, { name: 'Tags' }] },
    { absent: { rulesets: ['Release'] }, hooks: [{ name: 'no-secrets', enforcement: 'inherit' }] },
    {
      override: true,
      manage: { rulesets: 'declared' },
      rulesets: [{ name: 'Guard', enforcement: 'evaluate' }, { name: 'Release' }],
      absent: { rulesets: ['Tags'] },
      hooks: [{ name: 'no-secrets', enforcement: 'enabled' }],
    },
  ]);
  expect(wantedOf(wanted, 'rulesets').map(({ was, body: { value } }) => ({ was, value }))).toEqual([
    { was: ['Old guard'], value: { name: 'Guard', enforcement: 'evaluate' } },
    { was: undefined, value: { name: 'Release' } },
  ]);
  expect(wantedOf(wanted, 'hooks')).toEqual([
    expect.objectContaining({ inherits: false, body: expect.objectContaining({ value: { enforcement: 'enabled' } }) }),
  ]);
  expect(wanted.absent).toEqual([expect.objectContaining({ name: 'Tags' })]);
  expect(wanted.managed).toEqual(new Map());
});

it('two overriding entries that differ are an error with both positions', async () => {
  const overriding = (value: boolean) => ({ override: true, settings: { has_wiki: value } });
  await expect(wantedBy([{ settings: { has_wiki: true } }, overriding(true), overriding(false)])).rejects.toThrow(
    '2.yaml:1:84: has_wiki of acme/site differs from 1.yaml:1:84, which selects it too',
  );
});

it('the digest of a policy depends on what overrides, not on where', async () => {
  const digest = async (...entries: object[]) => digestOfPolicy(await load(entries));
  const [plain, over] = [{ manage: { rulesets: 'all' } }, { override: true, manage: { rulesets: 'declared' } }];
  expect(await digest(plain, over)).toBe(await digest(over, plain));
  expect(await digest(plain, over)).not.toBe(await digest(plain, { override: true }));
  expect(await digest(plain, { override: true })).not.toBe(await digest(plain, {}));
  expect(await digest(plain, { override: false })).toBe(await digest(plain, {}));
});

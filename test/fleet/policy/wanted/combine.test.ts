import { expect, it } from 'vitest';
import { wantedOfRepositories } from '../../../../src/fleet/policy/wanted/combine.ts';
import { loadPolicy } from '../../../../src/fleet/policy/wanted/load.ts';

const site = { id: 1, name: 'site', full_name: 'acme/site' };

async function wantedBy(...entries: readonly string[]) {
  const text = `organizations: [acme]\nrepositories:\n${entries.map((entry) => `  - { select: {}, ${entry} }\n`).join('')}`;
  const { owners } = await loadPolicy([{ file: 'a.yaml', text }]);
  const [wanted] = wantedOfRepositories('acme', new Map([[site, owners[0]?.repositories ?? []]]));
  return { wanted: wanted?.wanted ?? new Map() };
}

const guard = (rules: string, actors: string) =>
  `rulesets: [{ name: Guard, enforcement: active, bypass_actors: [${actors}], rules: [${rules}] }]`;

it('combines rulesets with the same rules and actors in another order', async () => {
  const { wanted } = await wantedBy(
    guard('{ type: deletion }, { type: creation }', '"team:a", "team:b"'),
    guard('{ type: creation }, { type: deletion }', '"team:b", "team:a"'),
  );
  expect(wanted.get('rulesets')).toEqual([expect.objectContaining({ name: 'Guard' })]);
});

it('rejects rulesets with other rules', async () => {
  await expect(wantedBy(guard('{ type: deletion }', ''), guard('{ type: creation }', ''))).rejects.toThrow(
    'a.yaml:4:30: “Guard” of acme/site differs from a.yaml:3:30, which selects it too',
  );
});

it('combines properties without case and order, and rejects others', async () => {
  const { wanted } = await wantedBy('properties: { region: [eu, us] }', 'properties: { Region: [us, eu] }');
  expect(wanted.get('properties')).toEqual([expect.objectContaining({ name: 'region' })]);
  await expect(wantedBy('properties: { tier: gold }', 'properties: { Tier: silver }')).rejects.toThrow(
    'tier of acme/site differs from',
  );
});

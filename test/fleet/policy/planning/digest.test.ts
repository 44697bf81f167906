import { describe, expect, it } from 'vitest';
import { digestOfPolicy } from '../../../../src/fleet/policy/planning/digest.ts';
import { loadPolicy } from '../../../../src/fleet/policy/wanted/load.ts';

const digest = async (...texts: readonly string[]) =>
  digestOfPolicy(await loadPolicy(texts.map((text, at) => ({ file: `${at}.yaml`, text }))));

const settings = 'settings: { has_wiki: true }';

describe('the digest of a policy', () => {
  it('does not depend on files, positions, and the order of declarations and keys', async () => {
    const whole = `organizations: [acme]
settings: { name: Acme, company: Acme Inc. }
rulesets:
  - { name: A, enforcement: active, rules: [{ type: deletion }] }
  - { name: B, enforcement: disabled }
repositories:
  - { select: { names: [svc-*] }, ${settings} }
  - { select: { topics: [go] }, properties: { tier: gold } }
manage: { rulesets: all, registries: all }
`;
    const first = `organizations: [acme]
repositories:
  - select: { topics: [go] }
    properties: { tier: gold }
rulesets: [{ enforcement: disabled, name: B }]
settings: { company: Acme Inc. }
`;
    const second = `# Comment
organizations: [acme]
repositories: [{ select: { names: [svc-*] }, ${settings} }]
rulesets: [{ name: A, rules: [{ type: deletion }], enforcement: active }]
settings: { name: Acme }
manage: { registries: all, rulesets: all }
`;
    expect(await digest(first, second)).toBe(await digest(whole));
  });

  it('does not depend on the order of sets', async () => {
    const policy = (rules: string, include: string, regions: string) => `organizations: [acme]
rulesets:
  - { name: A, enforcement: active, rules: [${rules}], conditions: { ref_name: { include: [${include}], exclude: [] } } }
repositories:
  - { select: {}, properties: { region: [${regions}] } }
`;
    expect(await digest(policy('{ type: deletion }, { type: update }', 'a, b', 'eu, us'))).toBe(
      await digest(policy('{ type: update }, { type: deletion }', 'b, a', 'us, eu')),
    );
  });

  it('depends on each value, the order of the patterns of a selector, and the organizations', async () => {
    const digests = await Promise.all(
      [
        `organizations: [acme]\nrepositories: [{ select: { names: [a*, "!ab"] }, ${settings} }]`,
        `organizations: [acme]\nrepositories: [{ select: { names: [a*, "!ab", abc] }, ${settings} }]`,
        `organizations: [acme]\nrepositories: [{ select: { names: [a*, abc, "!ab"] }, ${settings} }]`,
        `organizations: [acme]\nrepositories: [{ select: { names: [a*, "!ab"] }, settings: { has_wiki: false } }]`,
        `organizations: [globex]\nrepositories: [{ select: { names: [a*, "!ab"] }, ${settings} }]`,
        `organizations: [acme]\nrepositories: [{ select: { names: [a*, "!ab"] }, ${settings} }]\nmanage: { rulesets: all }`,
      ].map((text) => digest(text)),
    );
    expect(new Set(digests).size).toBe(6);
  });
});

import { expect, it } from 'vitest';
import { yamlText, yamlWriter } from '../../../src/output/yaml.ts';
import { PolicyTexts } from '../../../src/topics/audit/policy-text.ts';

const policy = (owner: string, name: string) => ({
  organizations: [owner],
  repositories: [{ select: { names: [name] }, settings: { description: 'main', has_wiki: false } }],
});

it.each([
  ['acme', 'site'],
  ['globex', 'site'],
  ['acme', 'main'],
  ['acme', 'acme'],
  ['acme', 'no'],
  ['acme', '12'],
  ['acme', '.github'],
  ['null', 'site'],
  ['acme', 'v1.0'],
  ['acme', 'service-00012'],
  ['e5', 'x0f'],
  ['b0b1', 'o17'],
  ['acme', 'name-of-the-target'],
])('writes a policy of %s/%s as any other value', async (owner, name) => {
  const texts = new PolicyTexts(await yamlWriter());
  texts.of(policy('umbrella', 'engine'), 'umbrella/engine');
  expect(texts.of(policy(owner, name), `${owner}/${name}`)).toBe(await yamlText(policy(owner, name)));
});

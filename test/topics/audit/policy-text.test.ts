import { expect, it } from 'vitest';
import { yamlText, yamlWriter } from '../../../src/output/yaml.ts';
import { PolicyDocuments, PolicyTexts } from '../../../src/topics/audit/policy-text.ts';
import { policyOf } from '../../../src/topics/audit/saved-lines.ts';

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
  const text = texts.of(policy(owner, name), `${owner}/${name}`);
  expect(text).toBe(await yamlText(policy(owner, name)));
  const documents = new PolicyDocuments();
  documents.of(texts.of(policy('umbrella', 'engine'), 'umbrella/engine'), 'umbrella/engine');
  expect(documents.of(text, `${owner}/${name}`)).toEqual(owner === 'null' ? policyOf(text) : policy(owner, name));
});

it.each([
  ['a part of a word', 'organizations: [acme]\nsettings: { a: true, b: 0x1f }', 'acme/ru'],
  ['a part of a number', 'organizations: [acme]\nsettings: { b: 0x1f }', 'acme/x1f'],
  ['a part of an escape', 'organizations: [acme]\nsettings: { b: "\\nabc" }', 'acme/nabc'],
  ['a key of policies', 'organizations: [acme]\nsettings: { b: c }', 'acme/organizations'],
  ['a key', 'organizations: [acme]\nsettings: { b: c }', 'acme/settings'],
  ['a part of the owner', 'organizations: [acme.io]\nsettings: { b: acme }', 'acme.io/acme'],
  ['no policy', 'settings: { b: c }', 'acme/site'],
])('reads a policy in which the name of the target is %s', (_, text, target) => {
  const expected = policyOf(text);
  expect(new PolicyDocuments().of(text, target)).toEqual(expected);
  expect(expected === undefined).toBe(!text.startsWith('organizations'));
});

import { expect, it } from 'vitest';
import { generalText } from '../../../src/topics/each/general-text.ts';

it.each([
  [
    'acme/site is now acme/site2. Nothing was changed there',
    'acme/site',
    '{} is now acme/site2. Nothing was changed there',
  ],
  ['acme/site is now acme/site.old', 'acme/site', '{} is now acme/site.old'],
  ['my-acme/site is not acme/site.', 'acme/site', 'my-acme/site is not {}.'],
  ['/repos/acme/my.site/labels?q=acme/my.site', 'acme/my.site', '/repos/{}/labels?q={}'],
  ['acme/my-site', 'acme/my.site', 'acme/my-site'],
  ['/orgs/acme and acme-corp', 'acme', '/orgs/{} and acme-corp'],
])('“%s” about %s is “%s”', (text, target, general) => {
  expect(generalText(text, target)).toBe(general);
});

it('finds the name of a target of any length', () => {
  const target = `acme/${'a'.repeat(100_000)}`;
  expect(generalText(`/repos/${target}/labels, not ${target}b`, target)).toBe(`/repos/{}/labels, not ${target}b`);
});

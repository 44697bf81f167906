/** The tables of docs/from-other-tools.md against those that the importers read by. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../../src/topics/policy/import/formats/index.ts';

const docs = join(import.meta.dirname, '../../docs');
const sections = new Map(
  readFileSync(join(docs, 'from-other-tools.md'), 'utf8')
    .replaceAll(/^```[^`]*^```$/gm, '')
    .split(/^## /m)
    .map((section) => [section.split('\n', 1)[0] ?? '', section]),
);

/** The sections that tell the keys of a format, beside its own. */
const shared: Readonly<Record<string, readonly string[]>> = {
  'repository-settings': ['rulesets', 'Classic protection'],
  'safe-settings': ['repository-settings', 'rulesets', 'Classic protection'],
  terraform: ['Classic protection'],
};

const lastName = (key: string): string => key.match(/\w+/g)?.at(-1) ?? key;

describe.each(formats.filter(({ name }) => name in shared || name === 'rulesets'))('$name', ({ name, keys }) => {
  const text = [name, ...(shared[name] ?? [])].map((each) => sections.get(each) ?? '').join('\n');
  const terraform =
    name === 'terraform'
      ? readFileSync(join(docs, 'from-terraform.md'), 'utf8').replaceAll(/^```[^`]*^```$/gm, '')
      : '';
  const words = new Set(
    [...`${text}\n${terraform}`.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/\w+/g) ?? []),
  );

  it('documents each key that policies call otherwise, or lack', () => {
    const renamed = keys.filter(({ key, policy }) => lastName(policy ?? '') !== lastName(key));
    const missing = renamed.filter(
      ({ key }) => key !== 'github_*' && !(key.match(/\w+/g) ?? []).some((word) => words.has(word)),
    );
    expect(missing.map(({ key }) => key)).toEqual([]);
    expect(renamed.length).toBeGreaterThan(5);
  });
});

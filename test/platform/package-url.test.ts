import { PackageURL } from 'packageurl-js';
import { expect, test } from 'vitest';
import { packageUrlProblem } from '../../src/platform/package-url.ts';

const isValid = (text: string): boolean => {
  try {
    PackageURL.fromString(text);
    return true;
  } catch {
    return false;
  }
};

test.each(['cargo', 'composer', 'gem', 'golang', 'npm', 'nuget', 'pypi', 'swift', 'maven'])(
  'package URLs of %s are valid if the specification’s library accepts them, including unparsed ones',
  (type) => {
    const parts = ['', 'a', '1.', '/', '@', '%40', '%', '..'];
    const texts = parts.flatMap((one) => parts.flatMap((two) => parts.flatMap((three) => `${one}${two}${three}x`)));
    const all = texts.flatMap((text) => [`pkg:${type}/${text}`, `pkg:${type}/${text.slice(0, -1)}`]);
    expect(all.filter((text) => (packageUrlProblem(text) === undefined) !== isValid(text))).toEqual([]);
  },
);

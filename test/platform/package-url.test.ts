import { describe, expect, it } from 'vitest';
import { packageUrlProblem, parsePurl, purl } from '../../src/platform/package-url.ts';

const canonicalPurl = (text: string) => purl(parsePurl(text));

describe('a package URL', () => {
  // Excerpt of the tests that the specification publishes for each type.
  it.each([
    ['pkg:npm/%40angular/animation@12.3.1', 'pkg:npm/%40angular/animation@12.3.1'],
    ['pkg:npm/JSONStream@1.3.5', 'pkg:npm/JSONStream@1.3.5'],
    ['pkg:PYPI/Django_package@1.11.1.dev1', 'pkg:pypi/django-package@1.11.1.dev1'],
    ['pkg:composer/Laravel/Laravel@5.5.0', 'pkg:composer/laravel/laravel@5.5.0'],
    [
      'pkg:Maven/org.apache.xmlgraphics/batik-anim@1.9.1?type=pom&repositorY_url=repo.spring.io/release',
      'pkg:maven/org.apache.xmlgraphics/batik-anim@1.9.1?repository_url=repo.spring.io%2Frelease&type=pom',
    ],
    ['pkg:deb/debian/attr@1:2.4.47-2%2Bb1?arch=amd64', 'pkg:deb/debian/attr@1:2.4.47-2%2Bb1?arch=amd64'],
    [
      'pkg:hex/bar@1.2.3?repository_url=https://myrepo.example.com',
      'pkg:hex/bar@1.2.3?repository_url=https:%2F%2Fmyrepo.example.com',
    ],
    ['pkg:bazel/rules_java@8.5.0#java/runfiles:runfiles', 'pkg:bazel/rules_java@8.5.0#java/runfiles:runfiles'],
    ['pkg:brew/Homebrew/Core/sqlite@3.43.2', 'pkg:brew/homebrew/core/sqlite@3.43.2'],
    ['pkg://gem/ruby-advisory-db-check@0.12.4', 'pkg:gem/ruby-advisory-db-check@0.12.4'],
  ])('%s is %s in canonical form', (text, canonical) => {
    expect(canonicalPurl(text)).toBe(canonical);
  });

  it.each([
    ['pkg:julia/Dates', 'julia requires the qualifier uuid'],
    ['pkg:swift/github.com/Alamofire/@5.4.3', 'it has no name'],
    ['pkg:vcpkg/boost/asio@1.84.0', 'vcpkg has no namespaces'],
    ['pkg:vscode-extension/java@1.46', 'vscode-extension requires a namespace'],
    ['npm/lodash', 'it does not start with pkg:'],
    ['pkg:npm/%zz', '“%zz” is not percent-encoded text'],
  ])('%s is rejected: %s', (text, problem) => {
    expect(() => parsePurl(text)).toThrow(problem);
  });

  it('has parts', () => {
    expect(parsePurl('pkg:golang/google.golang.org/genproto@v0.1.0#googleapis/api')).toEqual({
      type: 'golang',
      namespace: 'google.golang.org',
      name: 'genproto',
      version: 'v0.1.0',
      qualifiers: undefined,
      subpath: 'googleapis/api',
    });
  });

  it('leaves the unencoded scope of a package without a version in its name', () => {
    expect(canonicalPurl('pkg:npm/@angular/core')).toBe('pkg:npm/%40angular/core');
  });

  it('encodes what is neither a letter, a digit nor one of .-_~:', () => {
    expect(purl({ type: 'npm', name: "a!b'(c)*", version: '1.0.0+x y' })).toBe(
      'pkg:npm/a%21b%27%28c%29%2A@1.0.0%2Bx%20y',
    );
  });
});

const isValid = (text: string): boolean => {
  try {
    parsePurl(text);
    return true;
  } catch {
    return false;
  }
};

it.each(['cargo', 'composer', 'gem', 'golang', 'npm', 'nuget', 'pypi', 'swift', 'maven'])(
  'package URLs of %s are valid if they can be parsed, including those that are not',
  (type) => {
    const parts = ['', 'a', '1.', '/', '@', '%40', '%', '..'];
    const texts = parts.flatMap((one) => parts.flatMap((two) => parts.flatMap((three) => `${one}${two}${three}x`)));
    const all = texts.flatMap((text) => [`pkg:${type}/${text}`, `pkg:${type}/${text.slice(0, -1)}`]);
    expect(all.filter((text) => (packageUrlProblem(text) === undefined) !== isValid(text))).toEqual([]);
  },
);

it('has no secrets', () => {
  const text = 'pkg:npm/a@1?download_url=https://h/x%3Ftoken%3Dabc&vcs_url=git%2Bhttps://ci:abc%40h/x';
  expect(purl(parsePurl(text))).toBe(
    'pkg:npm/a@1?download_url=https:%2F%2Fh%2Fx%3Ftoken%3D&vcs_url=git%2Bhttps:%2F%2Fci:%40h%2Fx',
  );
  expect(purl({ type: 'npm', name: 'a', version: 'git+https://ci:abc@h/x' })).toBe(
    'pkg:npm/a@git%2Bhttps:%2F%2Fci:%40h%2Fx',
  );
  expect(() => parsePurl('pkg:npm/a@1?token%3Dabc')).toThrow(/^a qualifier has no value$/);
});

it.each([
  ['pkg:generic/https:%2F%2Fci:abc%40h%2Fx@1', 'pkg:generic/https:%2F%2Fci:%40h%2Fx@1'],
  ['pkg:generic/https://ci:abc@h/x', 'pkg:generic/https:%2F%2Fci:%40h%2Fx'],
  ['pkg:npm/https:%2F%2Fci:abc@h', 'pkg:npm/https:%2F%2Fci:@h'],
  ['pkg:npm/https://ci:abc@h', 'pkg:npm/https:%2F%2Fci:@h'],
  ['pkg:generic/https:%2F%2Fh:443%2Fx@1', 'pkg:generic/https:%2F%2Fh:443%2Fx@1'],
])('has no secrets of a URL in place of a name: %s', (text, expected) => {
  expect(purl(parsePurl(text))).toBe(expected);
});

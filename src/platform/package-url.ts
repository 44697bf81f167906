/** Package URLs as the specification writes them: https://github.com/package-url/purl-spec. */
import { maskTextSecrets, secretMask } from '../json/secrets.ts';

export interface PurlParts {
  readonly type: string;
  /** Segments separated by slashes, such as `@angular` or `github.com/spf13`. */
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly version?: string | undefined;
  readonly qualifiers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly subpath?: string | undefined;
}

export class PurlError extends Error {}

/** The rules of a type beyond the common ones. */
interface TypeRules {
  readonly namespace?: 'required' | 'prohibited';
  readonly lower?: readonly ('namespace' | 'name' | 'version')[];
  /** Returns the canonical name. */
  readonly name?: (name: string, parts: PurlParts) => string;
  /** Returns the problem with the parts, if any. */
  readonly problem?: (parts: PurlParts) => string | undefined;
}

const bothLower = { lower: ['namespace', 'name'] } as const;

const types: ReadonlyMap<string, TypeRules> = new Map<string, TypeRules>([
  ['alpm', bothLower],
  ['apk', bothLower],
  ['bitbucket', bothLower],
  ['bitnami', { lower: ['name'] }],
  ['brew', bothLower],
  ['cargo', { namespace: 'prohibited' }],
  [
    'chrome-extension',
    {
      problem: ({ name, version = '0' }) => {
        if (!/^[a-p]{32}$/.test(name)) return 'the name must be 32 letters from a to p';
        return /^\d+(?:\.\d+){0,3}$/.test(version) ? undefined : 'the version must be one to four numbers';
      },
    },
  ],
  ['cocoapods', { namespace: 'prohibited' }],
  ['composer', bothLower],
  [
    'cpan',
    {
      problem: ({ name }) =>
        name.includes('::') ? 'the name of a cpan package is a distribution, not a module' : undefined,
    },
  ],
  ['deb', bothLower],
  ['gem', { namespace: 'prohibited' }],
  ['git', { name: (name, { namespace }) => (namespace === 'github' ? name.toLowerCase() : name) }],
  ['github', bothLower],
  ['golang', bothLower],
  ['hex', bothLower],
  ['huggingface', { lower: ['version'] }],
  ['julia', { problem: ({ qualifiers }) => (qualifiers?.uuid ? undefined : 'julia requires the qualifier uuid') }],
  ['maven', { namespace: 'required' }],
  [
    'mlflow',
    {
      name: (name, { qualifiers }) => (qualifiers?.repository_url?.includes('databricks') ? name.toLowerCase() : name),
    },
  ],
  ['nuget', { namespace: 'prohibited' }],
  ['oci', { namespace: 'prohibited', lower: ['name'] }],
  ['otp', { namespace: 'prohibited' }],
  ['pub', { namespace: 'prohibited', lower: ['name'] }],
  ['pypi', { namespace: 'prohibited', name: (name) => name.toLowerCase().replaceAll('_', '-') }],
  ['rpm', { lower: ['namespace'] }],
  ['swift', { namespace: 'required' }],
  ['vcpkg', { namespace: 'prohibited' }],
  ['vscode-extension', { namespace: 'required' }],
]);

const noRules: TypeRules = {};

/** Valid package URLs seen so far. A large snapshot repeats a package for every dependent. */
const valid = new Set<string>();

/** Returns why `text` is not a valid package URL; undefined if it is valid. */
export function packageUrlProblem(text: string): string | undefined {
  if (valid.has(text)) return undefined;
  try {
    parsePurl(text);
    valid.add(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Text that is the same in canonical form, in any part of a package URL of most types. */
const canonicalText = /^[a-z\d][a-z\d.-]*$/;

/** Returns the canonical package URL. Throws PurlError. */
export function purl(parts: PurlParts): string {
  return plainPurl(parts) ?? canonicalPurl(parts);
}

/** Returns the package URL of most npm packages, ten times as fast as the general way. */
function plainPurl({ type, namespace, name, version, qualifiers, subpath }: PurlParts): string | undefined {
  if (type !== 'npm' || qualifiers !== undefined || subpath !== undefined || !version) return undefined;
  if (!canonicalText.test(name) || !canonicalText.test(version)) return undefined;
  if (!namespace) return `pkg:npm/${name}@${version}`;
  const scope = namespace.slice(1);
  return namespace.startsWith('@') && canonicalText.test(scope) ? `pkg:npm/%40${scope}/${name}@${version}` : undefined;
}

function canonicalPurl(parts: PurlParts): string {
  const { type, namespace, name, version, qualifiers = {}, subpath } = canonical(parts);
  const query = Object.entries(qualifiers)
    .map(([key, value]) => `${key}=${encode(value ?? '')}`)
    .join('&');
  return [
    'pkg:',
    type,
    '/',
    namespace ? `${encodeSegments(namespace)}/` : '',
    type === 'git' ? encodeSegments(name) : encode(name),
    version ? `@${encode(version)}` : '',
    query && `?${query}`,
    subpath ? `#${encodeSegments(subpath)}` : '',
  ].join('');
}

/** Returns the canonical parts of a package URL. Throws PurlError. */
export function parsePurl(text: string): PurlParts {
  const scheme = /^pkg:\/*/i.exec(text)?.[0];
  if (scheme === undefined) throw new PurlError('it does not start with pkg:');
  let rest = text.slice(scheme.length);
  const cut = (separator: string) => {
    const at = rest.lastIndexOf(separator);
    if (at === -1) return undefined;
    const tail = rest.slice(at + 1);
    rest = rest.slice(0, at);
    return tail;
  };
  const subpath = cut('#');
  const query = cut('?');
  const slash = rest.indexOf('/');
  if (slash === -1) throw new PurlError('it has no name');
  const type = rest.slice(0, slash);
  rest = trimSlashes(rest.slice(slash + 1));
  // Some tools leave the @ of a scope unencoded: in “@angular/core”, it does not start a version.
  const version = rest.lastIndexOf('@') > rest.lastIndexOf('/') ? cut('@') : undefined;
  const last = type.toLowerCase() === 'git' ? rest.indexOf('/') : rest.lastIndexOf('/');
  const name = rest.slice(last + 1);
  const namespace = last === -1 ? undefined : rest.slice(0, last);
  return canonical({
    type,
    namespace: namespace && decodeSegments(namespace),
    name: decodeSegments(name),
    version: version && decode(version),
    qualifiers: query === undefined ? undefined : qualifiersOf(query),
    subpath: subpath && decodeSegments(subpath),
  });
}

function canonical(parts: PurlParts): PurlParts {
  const type = parts.type.toLowerCase();
  if (!/^[a-z][a-z0-9.-]*$/.test(type)) throw new PurlError(`“${parts.type}” is not a type`);
  const rules = types.get(type) ?? noRules;
  const lower = (part: 'namespace' | 'name' | 'version', value: string) =>
    rules.lower?.includes(part) ? value.toLowerCase() : value;
  const plain = withPlainName(parts);
  const namespace = lower('namespace', segmentsOf(plain.namespace).join('/')) || undefined;
  const name = lower('name', trimSlashes(plain.name));
  const version = lower('version', withoutSecrets(parts.version ?? '')) || undefined;
  const subpath =
    segmentsOf(parts.subpath)
      .filter((segment) => segment !== '.' && segment !== '..')
      .join('/') || undefined;
  const qualifiers = canonicalQualifiers(parts.qualifiers);
  if (name === '') throw new PurlError('it has no name');
  if (rules.namespace === 'required' && namespace === undefined) throw new PurlError(`${type} requires a namespace`);
  if (rules.namespace === 'prohibited' && namespace !== undefined) throw new PurlError(`${type} has no namespaces`);
  const result: PurlParts = { type, namespace, name, version, qualifiers, subpath };
  const problem = rules.problem?.(result);
  if (problem !== undefined) throw new PurlError(problem);
  return rules.name ? { ...result, name: rules.name(name, result) } : result;
}

/** Tools write the URL of a checkout with the token in it. */
const withoutSecrets = (text: string): string => maskTextSecrets(text).replaceAll(secretMask, '');

/** Damaged files have a URL in place of a name, of which an `@` may start the version. */
function withPlainName({ namespace = '', name, version }: PurlParts): Pick<PurlParts, 'namespace' | 'name'> {
  const whole = `${namespace}/${name}`;
  if (!whole.includes('//')) return { namespace, name };
  const plain = withoutSecrets(whole);
  const bare = version ? plain.replace(/(\/\/[^\s/?#:]*:)[^\s/?#]+$/, '$1') : plain;
  return bare === whole ? { namespace, name } : { name: bare };
}

function canonicalQualifiers(given: PurlParts['qualifiers']): PurlParts['qualifiers'] {
  const entries = Object.entries(given ?? {})
    .map(([key, value]) => [key.toLowerCase(), value && withoutSecrets(value)] as const)
    .filter(([, value]) => value)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (entries.length === 0) return undefined;
  for (const [key] of entries)
    if (!/^[a-z][a-z0-9._-]*$/.test(key)) throw new PurlError(`“${key}” is not the name of a qualifier`);
  return Object.fromEntries(entries);
}

function qualifiersOf(query: string): Record<string, string> {
  return Object.fromEntries(
    query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const equals = pair.indexOf('=');
        if (equals === -1) throw new PurlError('a qualifier has no value');
        return [pair.slice(0, equals), decode(pair.slice(equals + 1))];
      }),
  );
}

/** Without a pattern for the end: its time would be quadratic in slashes elsewhere. */
function trimSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end).replace(/^\/+/, '');
}

const segmentsOf = (text = ''): string[] => text.split('/').filter((segment) => segment !== '');

const encodeSegments = (text: string): string => text.split('/').map(encode).join('/');

const decodeSegments = (text: string): string => text.split('/').map(decode).join('/');

const unreserved = /^[\w.~:-]*$/;

function encode(text: string): string {
  if (unreserved.test(text)) return text;
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%3A', ':')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new PurlError(`“${text}” is not percent-encoded text`);
  }
}

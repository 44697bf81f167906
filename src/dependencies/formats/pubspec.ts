/** pubspec.lock, which pub writes as YAML of one shape: a line for each field, indented by two spaces a level. */

import { type LockManifest, type Package, ParseError } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { gitUrl, packageUrl, registryUrl } from '../source-url.ts';
import { linesOf } from '../text/lines.ts';

interface Entry {
  readonly line: number;
  readonly fields: Map<string, string>;
}

const facts: ReadonlyMap<string | undefined, Pick<Package, 'relationship' | 'scope'>> = new Map([
  ['direct main', { relationship: 'direct', scope: 'runtime' }],
  ['direct dev', { relationship: 'direct', scope: 'development' }],
  ['direct overridden', { relationship: 'direct' }],
  ['transitive', { relationship: 'indirect' }],
]);

export function parsePubspec(text: string): readonly LockManifest[] {
  const nodes = new Map<string, MarkedNode>();
  for (const [name, { line, fields }] of entriesOf(text)) {
    const version = fields.get('version');
    const source = fields.get('source');
    if (version === undefined || source === undefined)
      throw new ParseError('a package without version or source', line);
    const url = fields.get('description.url');
    nodes.set(name, {
      purl:
        source === 'path'
          ? undefined
          : packageUrl(
              {
                type: 'pub',
                name: fields.get('description.name') ?? name,
                version,
                qualifiers: {
                  repository_url: source === 'hosted' ? registryUrl(url, publicRegistries) : undefined,
                  vcs_url:
                    source === 'git' && url
                      ? gitUrl(url, fields.get('description.resolved-ref'), fields.get('description.path'))
                      : undefined,
                },
              },
              line,
            ),
      ...facts.get(fields.get('dependency')),
      dependencies: [],
    });
  }
  return singleManifest(nodes);
}

const publicRegistries = ['https://pub.dev', 'https://pub.dartlang.org'];

function entriesOf(text: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  let section = '';
  let entry: Entry | undefined;
  let prefix = '';
  for (const [line, raw] of linesOf(text)) {
    const content = raw.trim();
    if (content === '' || content.startsWith('#')) continue;
    const indent = raw.length - raw.trimStart().length;
    const [, name, value] = /^("[^"]*"|'[^']*'|[^\s:'"]+):(?:\s+(.*))?$/s.exec(content) ?? [];
    if (name === undefined) throw new ParseError('expected a field', line);
    if (indent === 0) section = name;
    if (indent === 0 || section !== 'packages') continue;
    if (indent === 2) {
      entry = { line, fields: new Map() };
      entries.set(plain(name), entry);
    } else if (indent === 4 && value === undefined) prefix = `${name}.`;
    else if (indent === 4) entry?.fields.set(name, plain(value ?? ''));
    else if (indent === 6) entry?.fields.set(prefix + name, plain(value ?? ''));
  }
  if (section === '') throw new ParseError('not a lockfile of pub: it is empty');
  return entries;
}

function plain(value: string): string {
  if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'");
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
}

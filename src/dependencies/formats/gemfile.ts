/** Gemfile.lock. It does not record the groups of gems. */

import { type LockManifest, ParseError } from '../dependency-graph.ts';
import { NameIndex } from '../name-index.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { gitUrl, packageUrl, registryUrl } from '../source-url.ts';
import { linesOf } from '../text/lines.ts';

interface Source {
  readonly kind: string;
  readonly remotes: string[];
  revision?: string;
}

interface Gem {
  readonly name: string;
  readonly version: string;
  readonly platform: string | undefined;
  readonly source: Source;
  readonly line: number;
  readonly dependencies: string[];
}

export function parseGemfile(text: string): readonly LockManifest[] {
  const gems: Gem[] = [];
  const platforms = new Set<string>();
  const direct = new Set<string>();
  let section = '';
  let source: Source = { kind: '', remotes: [] };
  const specs: { text: string; line: number; source: Source; dependencies: string[] }[] = [];
  for (const [line, raw] of linesOf(text)) {
    if (/^[<=>]{7}/.test(raw)) throw new ParseError('a merge conflict', line);
    const content = raw.trim();
    if (content === '') continue;
    const indent = raw.length - raw.trimStart().length;
    if (indent === 0) {
      section = content;
      source = { kind: section, remotes: [] };
      continue;
    }
    if (section === 'PLATFORMS') platforms.add(content);
    else if (section === 'DEPENDENCIES') direct.add(nameIn(content));
    else if (['GEM', 'GIT', 'PATH', 'PLUGIN SOURCE'].includes(section)) {
      const field = /^(remote|revision): (.*)$/.exec(content);
      if (indent === 2 && field?.[1] === 'remote') source.remotes.push(field[2] ?? '');
      else if (indent === 2 && field?.[1] === 'revision') source.revision = field[2] ?? '';
      else if (indent === 4) specs.push({ text: content, line, source, dependencies: [] });
      else if (indent === 6) specs.at(-1)?.dependencies.push(nameIn(content));
    }
  }
  if (section === '') throw new ParseError('not a lockfile of Bundler: it has no sections');

  for (const { text, line, source, dependencies } of specs) {
    const [, name, locked] = /^(\S+) \(([^()]+)\)$/.exec(text) ?? [];
    if (name === undefined || locked === undefined) throw new ParseError('a gem without a version', line);
    gems.push({ name, ...versionAndPlatform(locked, platforms), source, line, dependencies });
  }
  // The gems of the repository itself are not packages: their dependencies are direct ones.
  for (const { source, dependencies } of gems)
    if (source.kind === 'PATH') for (const name of dependencies) direct.add(name);
  const index = new NameIndex<string>();
  for (const [place, { name }] of gems.entries()) index.add(name, String(place));
  const nodes = new Map<string, MarkedNode>();
  for (const [place, gem] of gems.entries())
    nodes.set(String(place), {
      purl: gem.source.kind === 'PATH' ? undefined : gemPurl(gem),
      relationship: direct.has(gem.name) ? 'direct' : 'indirect',
      dependencies: gem.dependencies.flatMap((name) => index.find(name)),
    });
  return singleManifest(nodes);
}

/** Returns the name of a dependency such as `rails (~> 8.1.3)`, or `erector!` of a source of its own. */
const nameIn = (dependency: string): string => (dependency.split(' ', 1)[0] ?? '').replace(/!$/, '');

/** Splits `1.19.4-x86_64-linux-gnu`. Versions of gems have no hyphens, but those of old lockfiles may. */
function versionAndPlatform(locked: string, platforms: ReadonlySet<string>): Pick<Gem, 'version' | 'platform'> {
  const hyphen = locked.indexOf('-');
  const platform = locked.slice(hyphen + 1);
  return hyphen > 0 && (platforms.has(platform) || /^[a-z]/.test(platform))
    ? { version: locked.slice(0, hyphen), platform }
    : { version: locked, platform: undefined };
}

function gemPurl({ name, version, platform, source, line }: Gem): string {
  const [remote = '', ...others] = source.remotes;
  return packageUrl(
    {
      type: 'gem',
      name,
      version,
      qualifiers: {
        platform,
        vcs_url: source.kind === 'GIT' ? gitUrl(remote, source.revision) : undefined,
        // Old versions of Bundler write several remotes into one section, which leaves the remote of each gem unknown.
        repository_url: source.kind === 'GIT' || others.length > 0 ? undefined : registryUrl(remote, publicRegistries),
      },
    },
    line,
  );
}

const publicRegistries = ['https://rubygems.org', 'http://rubygems.org', 'https://index.rubygems.org'];

/** Podfile.lock of CocoaPods. It records no targets, and therefore no scopes. */

import { type LockManifest, ParseError } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { gitUrl, packageUrl, publicUrl, registryUrl } from '../source-url.ts';
import { mapOf, parseYaml, type Yaml, type YamlMap } from '../text/yaml.ts';

interface Pod {
  readonly version: string;
  readonly requires: Set<string>;
}

export function parsePodfile(text: string): readonly LockManifest[] {
  const lock = mapOf(parseYaml(text));
  if (!lock.has('PODS') && !lock.has('COCOAPODS'))
    throw new ParseError('not a CocoaPods lockfile: it has neither PODS nor COCOAPODS');
  const pods = podsIn(lock.get('PODS'));
  const sources = mapOf(lock.get('EXTERNAL SOURCES'));
  const isLocal = (name: string) => mapOf(sources.get(name)).has(':path');

  const direct = new Set(textsIn(lock.get('DEPENDENCIES')).map(podIn));
  // The pods of the repository itself are not packages: their dependencies are direct ones.
  for (const [name, { requires }] of pods) if (isLocal(name)) for (const required of requires) direct.add(required);
  const qualifiers = qualifiersIn(lock);
  const nodes = new Map<string, MarkedNode>();
  for (const [name, { version, requires }] of pods)
    nodes.set(name, {
      purl: isLocal(name) ? undefined : packageUrl({ type: 'cocoapods', name, version, qualifiers: qualifiers(name) }),
      relationship: direct.has(name) ? 'direct' : 'indirect',
      dependencies: requires,
    });
  return singleManifest(nodes);
}

/** Reads entries such as `GoogleUtilities/Logger (7.13.3)`, with lists of their dependencies. A subspec is part of its pod. */
function podsIn(list: Yaml | undefined): ReadonlyMap<string, Pod> {
  const pods = new Map<string, Pod>();
  for (const [place, item] of itemsOf(list).entries()) {
    const [[entry, required] = ['', undefined]] = typeof item === 'string' ? [[item, undefined]] : mapOf(item);
    const name = podIn(entry);
    const start = entry.indexOf(' (');
    if (start === -1 || !entry.endsWith(')')) throw new ParseError(`pod ${place + 1} has no version`);
    const pod = pods.get(name) ?? { version: entry.slice(start + 2, -1), requires: new Set() };
    pods.set(name, pod);
    for (const each of textsIn(required)) pod.requires.add(podIn(each));
  }
  return pods;
}

/** Returns the pod of a dependency such as `React-Core/DevSupport (= 0.68.7)`. */
const podIn = (dependency: string): string => dependency.split(/[\s/]/, 1)[0] ?? '';

const itemsOf = (value: Yaml | undefined): readonly Yaml[] => (Array.isArray(value) ? value : []);

const textsIn = (value: Yaml | undefined): string[] =>
  itemsOf(value).filter((item): item is string => typeof item === 'string');

const textOf = (value: Yaml | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** Returns a function that returns the source of a pod, if it is not the public specs. */
function qualifiersIn(lock: YamlMap): (pod: string) => Record<string, string | undefined> {
  const repositories = new Map<string, string>();
  for (const [url, pods] of mapOf(lock.get('SPEC REPOS')))
    for (const name of textsIn(pods)) repositories.set(name, url.toLowerCase().startsWith(publicSpecs) ? 'trunk' : url);
  return (pod) => {
    const source = mapOf(mapOf(lock.get('EXTERNAL SOURCES')).get(pod));
    // The commit of a branch.
    const checkout = mapOf(mapOf(lock.get('CHECKOUT OPTIONS')).get(pod));
    const git = textOf(source.get(':git'));
    const archive = textOf(source.get(':http'));
    return {
      repository_url: registryUrl(repositories.get(pod), ['trunk', 'https://cdn.cocoapods.org']),
      vcs_url: git && gitUrl(git, textOf(checkout.get(':commit') ?? source.get(':tag'))),
      download_url: archive && publicUrl(archive),
    };
  };
}

const publicSpecs = 'https://github.com/cocoapods/specs';

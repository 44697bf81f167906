/** gradle.lockfile: all packages with the configurations that they are in. Before Gradle 7, a file for each configuration. */

import { type LockManifest, type Package, type Parse, ParseError } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { packageUrl } from '../source-url.ts';
import { linesOf } from '../text/lines.ts';

export const parseGradle: Parse = (text) => parseLines(text, undefined);

/** Returns the parser of a file with the packages of one configuration. */
export const gradleConfiguration =
  (configuration: string): Parse =>
  (text) =>
    parseLines(text, configuration);

function parseLines(text: string, configuration: string | undefined): readonly LockManifest[] {
  const nodes = new Map<string, MarkedNode>();
  for (const [line, raw] of linesOf(text)) {
    const content = raw.trim();
    if (content === '' || content.startsWith('#')) continue;
    const [coordinates = '', configurations = configuration] = content.split('=', 2);
    const [group, artifact, version, ...more] = coordinates.split(':');
    if (coordinates === 'empty' && configurations !== undefined) continue;
    if (!group || !artifact || !version || more.length > 0 || configurations === undefined)
      throw new ParseError(
        `expected group:artifact:version${configuration === undefined ? '=configurations' : ''}`,
        line,
      );
    nodes.set(coordinates, {
      purl: packageUrl({ type: 'maven', namespace: group, name: artifact, version }, line),
      scope: scopeOf(configurations.split(',')),
      dependencies: [],
    });
  }
  return singleManifest(nodes);
}

/**
 * Gradle’s own plugins name the classpaths of source sets `runtimeClasspath`, `testRuntimeClasspath` and
 * `androidTestRuntimeClasspath`. Other configurations may be for anything.
 */
function scopeOf(configurations: readonly string[]): Package['scope'] {
  const ofTests = (name: string) => name.endsWith('Classpath') && /(?:^t|T)est/.test(name);
  if (configurations.some((name) => /(?:^r|R)untimeClasspath$/.test(name) && !ofTests(name))) return 'runtime';
  return configurations.every(ofTests) ? 'development' : undefined;
}

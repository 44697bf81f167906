/** CycloneDX in JSON, versions 1.2 to 1.7: https://cyclonedx.org/docs/1.7/json/ */
import { fieldOf, type LockManifest, listOf, type Package, ParseError, textOf } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { listedPurl, refuse } from './listed-purl.ts';

export function parseCycloneDx(document: unknown, onInvalid = refuse): readonly LockManifest[] {
  const version = textOf(fieldOf(document, 'specVersion'));
  if (!['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'].includes(version ?? ''))
    throw new ParseError(`CycloneDX ${version ?? 'without a version'} is not supported (supported: 1.2 to 1.7)`);
  const edges = dependenciesOf(document);
  const root = textOf(fieldOf(fieldOf(fieldOf(document, 'metadata'), 'component'), 'bom-ref'));
  const direct = new Set(root === undefined ? [] : edges.get(root));

  const nodes = new Map<string, MarkedNode>();
  const waiting = [...listOf(fieldOf(document, 'components'))];
  // Iterating over an array includes items added meanwhile.
  for (const [place, component] of waiting.entries()) {
    for (const nested of listOf(fieldOf(component, 'components'))) waiting.push(nested);
    const name = textOf(fieldOf(component, 'name'));
    if (name === undefined) throw new ParseError('a component without a name');
    const group = textOf(fieldOf(component, 'group'));
    const version = textOf(fieldOf(component, 'version'));
    const reference = textOf(fieldOf(component, 'bom-ref')) ?? `\0${place}`;
    nodes.set(reference, {
      purl: listedPurl(textOf(fieldOf(component, 'purl')), { namespace: group, name, version }, 'component', onInvalid),
      relationship: direct.size > 0 ? (direct.has(reference) ? 'direct' : 'indirect') : undefined,
      scope: scopeOf(component),
      dependencies: edges.get(reference) ?? [],
    });
  }
  return singleManifest(nodes);
}

function dependenciesOf(document: unknown): Map<string, string[]> {
  const edges = new Map<string, string[]>();
  for (const dependency of listOf(fieldOf(document, 'dependencies'))) {
    const from = textOf(fieldOf(dependency, 'ref'));
    if (from === undefined) continue;
    const targets = edges.get(from) ?? [];
    edges.set(from, targets);
    for (const target of listOf(fieldOf(dependency, 'dependsOn'))) if (typeof target === 'string') targets.push(target);
  }
  return edges;
}

/** Generators for npm and Composer write “optional” for development dependencies and mark them with a property. */
const ofDevelopment = new Set(['cdx:npm:package:development', 'cdx:composer:package:isDevRequirement']);

/**
 * “Excluded” components are those of tests and the like. Most generators omit the scope, so a missing scope means
 * nothing.
 */
function scopeOf(component: unknown): Package['scope'] {
  const isOfDevelopment = listOf(fieldOf(component, 'properties')).some(
    (property) => ofDevelopment.has(textOf(fieldOf(property, 'name')) ?? '') && fieldOf(property, 'value') === 'true',
  );
  const scope = fieldOf(component, 'scope');
  if (isOfDevelopment || scope === 'excluded') return 'development';
  return scope === 'required' ? 'runtime' : undefined;
}

/** CycloneDX in JSON, versions 1.2 to 1.7: https://cyclonedx.org/docs/1.7/json/ */
import { itemsOf } from '../../json/json-lists.ts';
import {
  fieldOf,
  type LockManifest,
  listOf,
  type Package,
  PackageMap,
  ParseError,
  textOf,
} from '../dependency-graph.ts';
import { listedPurl, type OnInvalid, refuse } from './listed-purl.ts';

/** Refers to others directly: the references of the largest SBOMs take more memory than everything else. */
interface Component {
  readonly purl: string | undefined;
  readonly scope: Package['scope'];
  targets: Component[] | undefined;
}

export function parseCycloneDx(document: unknown, onInvalid = refuse): readonly LockManifest[] {
  const version = textOf(fieldOf(document, 'specVersion'));
  if (!['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'].includes(version ?? ''))
    throw new ParseError(
      `CycloneDX ${version?.slice(0, 20) ?? 'without a version'} is not supported (supported: 1.2 to 1.7)`,
    );
  const components = new Map<string, Component>();
  for (const component of componentsIn(document)) {
    const purl = purlOf(component, onInvalid);
    const reference = textOf(fieldOf(component, 'bom-ref')) ?? `\0${components.size}`;
    // Most generators use the package URL as the reference, so it is in memory only once.
    const key = reference === purl ? purl : reference;
    components.set(key, { purl, scope: scopeOf(component), targets: undefined });
  }

  const root = fieldOf(fieldOf(fieldOf(document, 'metadata'), 'component'), 'bom-ref');
  const direct = new Set<Component>();
  for (const dependency of itemsOf(fieldOf(document, 'dependencies'))) {
    const reference = textOf(fieldOf(dependency, 'ref')) ?? '';
    const targets = listOf(fieldOf(dependency, 'dependsOn')).flatMap((to) => components.get(textOf(to) ?? '') ?? []);
    if (reference === root) for (const each of targets) direct.add(each);
    const component = components.get(reference);
    if (component?.targets === undefined) {
      if (component !== undefined) component.targets = targets;
    } else for (const each of targets) component.targets.push(each);
  }

  const packages = new PackageMap();
  for (const component of components.values()) {
    const { purl, scope, targets } = component;
    if (purl === undefined) continue;
    const dependencies = new Set(targets?.flatMap((target) => target.purl ?? []));
    dependencies.delete(purl);
    const relationship = direct.size > 0 ? (direct.has(component) ? 'direct' : 'indirect') : undefined;
    packages.add({ purl, relationship, scope, dependencies: [...dependencies] });
  }
  return [{ packages: packages.byPurl }];
}

/** Yields components, each before those nested in it. */
function* componentsIn(document: unknown): Generator<unknown> {
  for (const component of itemsOf(fieldOf(document, 'components'))) {
    const waiting = [component];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      yield next;
      for (const nested of listOf(fieldOf(next, 'components'))) waiting.push(nested);
    }
  }
}

function purlOf(component: unknown, onInvalid: OnInvalid): string | undefined {
  const name = textOf(fieldOf(component, 'name'));
  if (name === undefined) throw new ParseError('a component without a name');
  const parts = {
    namespace: textOf(fieldOf(component, 'group')),
    name,
    version: textOf(fieldOf(component, 'version')),
  };
  return listedPurl(textOf(fieldOf(component, 'purl')), parts, 'component', onInvalid);
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

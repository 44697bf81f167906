/** SPDX in JSON, versions 2.1 to 2.3: https://spdx.github.io/spdx-spec/v2.3/ */
import { fieldOf, type LockManifest, listOf, type Package, ParseError, textOf } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { listedPurl, refuse } from './listed-purl.ts';

interface Relation {
  readonly from: string;
  readonly to: string;
  readonly scope: Package['scope'];
}

/** Relationships that are written from the dependency to what needs it. */
const reversed: ReadonlyMap<unknown, Package['scope']> = new Map([
  ['DEPENDENCY_OF', undefined],
  ['BUILD_DEPENDENCY_OF', 'development'],
  ['DEV_DEPENDENCY_OF', 'development'],
  ['TEST_DEPENDENCY_OF', 'development'],
  ['OPTIONAL_DEPENDENCY_OF', undefined],
  ['PROVIDED_DEPENDENCY_OF', undefined],
  ['RUNTIME_DEPENDENCY_OF', 'runtime'],
]);

export function parseSpdx(document: unknown, onInvalid = refuse): readonly LockManifest[] {
  const version = textOf(fieldOf(document, 'spdxVersion'));
  if (!['SPDX-2.1', 'SPDX-2.2', 'SPDX-2.3'].includes(version ?? ''))
    throw new ParseError(`${version ?? 'SPDX without a version'} is not supported (supported: SPDX-2.1 to SPDX-2.3)`);
  const packages = listOf(fieldOf(document, 'packages')).map((each) => {
    const id = textOf(fieldOf(each, 'SPDXID'));
    const name = textOf(fieldOf(each, 'name'));
    if (id === undefined || name === undefined) throw new ParseError('a package without SPDXID or name');
    return {
      id,
      name,
      version: textOf(fieldOf(each, 'versionInfo')) || undefined,
      references: fieldOf(each, 'externalRefs'),
    };
  });
  const relations = relationsOf(document);
  const targets = new Map<string, string[]>();
  const scopes = new Map<string, Set<Package['scope']>>();
  for (const { from, to, scope } of relations) {
    targets.set(from, targets.get(from) ?? []);
    targets.get(from)?.push(to);
    scopes.set(to, (scopes.get(to) ?? new Set()).add(scope));
  }

  // A document describes the project itself, or, without relationships, a list of packages.
  const described = describedBy(document, new Set(packages.map(({ id }) => id)));
  const projects = new Set([...described].filter((id) => described.size === 1 || targets.has(id)));
  const direct = new Set([...projects].flatMap((id) => targets.get(id) ?? []));

  const nodes = new Map<string, MarkedNode>();
  for (const { id, name, version, references } of packages) {
    const [scope, ...others] = scopes.get(id) ?? [];
    nodes.set(id, {
      purl: projects.has(id) ? undefined : listedPurl(purlIn(references), { name, version }, 'package', onInvalid),
      relationship: direct.size > 0 ? (direct.has(id) ? 'direct' : 'indirect') : undefined,
      scope: others.length === 0 ? scope : undefined,
      dependencies: targets.get(id) ?? [],
    });
  }
  return singleManifest(nodes);
}

function relationsOf(document: unknown): Relation[] {
  return listOf(fieldOf(document, 'relationships')).flatMap((each) => {
    const type = fieldOf(each, 'relationshipType');
    const element = textOf(fieldOf(each, 'spdxElementId')) ?? '';
    const related = textOf(fieldOf(each, 'relatedSpdxElement')) ?? '';
    if (type === 'DEPENDS_ON') return [{ from: element, to: related, scope: undefined }];
    return reversed.has(type) ? [{ from: related, to: element, scope: reversed.get(type) }] : [];
  });
}

function describedBy(document: unknown, packages: ReadonlySet<string>): Set<string> {
  const named = listOf(fieldOf(document, 'documentDescribes'));
  const related = listOf(fieldOf(document, 'relationships')).map((each) => {
    const type = fieldOf(each, 'relationshipType');
    if (type === 'DESCRIBES') return fieldOf(each, 'relatedSpdxElement');
    return type === 'DESCRIBED_BY' ? fieldOf(each, 'spdxElementId') : undefined;
  });
  return new Set([...named, ...related].flatMap((id) => (typeof id === 'string' && packages.has(id) ? id : [])));
}

function purlIn(references: unknown): string | undefined {
  const reference = listOf(references).find((each) => fieldOf(each, 'referenceType') === 'purl');
  return textOf(fieldOf(reference, 'referenceLocator'));
}

/** SPDX in JSON, versions 2.1 to 2.3: https://spdx.github.io/spdx-spec/v2.3/ */
import { itemsOf } from '../../json/json-lists.ts';
import type { PurlParts } from '../../platform/package-url.ts';
import { fieldOf, type LockManifest, listOf, type Package, ParseError, textOf } from '../dependency-graph.ts';
import { type MarkedNode, singleManifest } from '../single-manifest.ts';
import { listedPurl, refuse } from './listed-purl.ts';
import { sharedTexts } from './shared-texts.ts';

interface Relations {
  /** The dependencies of packages, by ID. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  /** Their scopes, by ID. */
  readonly scopes: ReadonlyMap<string, ReadonlySet<Package['scope']>>;
  /** IDs of the elements that the document describes. */
  readonly described: ReadonlySet<string>;
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
    throw new ParseError(
      `${version?.slice(0, 20) ?? 'SPDX without a version'} is not supported (supported: SPDX-2.1 to SPDX-2.3)`,
    );
  const share = sharedTexts();
  const packages = new Map<string, Omit<PurlParts, 'type'> & { readonly url: string | undefined }>();
  for (const each of itemsOf(fieldOf(document, 'packages'))) {
    const id = textOf(fieldOf(each, 'SPDXID'));
    const name = textOf(fieldOf(each, 'name'));
    if (id === undefined || name === undefined) throw new ParseError('a package without SPDXID or name');
    const version = textOf(fieldOf(each, 'versionInfo')) || undefined;
    packages.set(share(id), { name, version, url: purlIn(fieldOf(each, 'externalRefs')) });
  }

  // A document describes the project itself, or, without relationships, a list of packages.
  const relations = relationsOf(document, share);
  const { targets, scopes } = relations;
  const described = [...relations.described].filter((id) => packages.has(id));
  const projects = new Set(described.filter((id) => described.length === 1 || targets.has(id)));
  const direct = new Set([...projects].flatMap((id) => targets.get(id) ?? []));

  const nodes = new Map<string, MarkedNode>();
  for (const [id, { url, ...parts }] of packages) {
    const [scope, ...others] = scopes.get(id) ?? [];
    nodes.set(id, {
      purl: projects.has(id) ? undefined : listedPurl(url, parts, 'package', onInvalid),
      relationship: direct.size > 0 ? (direct.has(id) ? 'direct' : 'indirect') : undefined,
      scope: others.length === 0 ? scope : undefined,
      dependencies: targets.get(id) ?? [],
    });
  }
  return singleManifest(nodes);
}

function relationsOf(document: unknown, share: (text: string) => string): Relations {
  const targets = new Map<string, string[]>();
  const scopes = new Map<string, Set<Package['scope']>>();
  const described = new Set<string>();
  for (const id of itemsOf(fieldOf(document, 'documentDescribes'))) described.add(textOf(id) ?? '');
  for (const each of itemsOf(fieldOf(document, 'relationships'))) {
    const type = fieldOf(each, 'relationshipType');
    const element = share(textOf(fieldOf(each, 'spdxElementId')) ?? '');
    const related = share(textOf(fieldOf(each, 'relatedSpdxElement')) ?? '');
    if (type === 'DESCRIBES') described.add(related);
    if (type === 'DESCRIBED_BY') described.add(element);
    if (type !== 'DEPENDS_ON' && !reversed.has(type)) continue;
    const [from, to] = type === 'DEPENDS_ON' ? [element, related] : [related, element];
    const others = targets.get(from);
    if (others === undefined) targets.set(from, [to]);
    else others.push(to);
    scopes.set(to, (scopes.get(to) ?? new Set()).add(reversed.get(type)));
  }
  return { targets, scopes, described };
}

function purlIn(references: unknown): string | undefined {
  const reference = listOf(references).find((each) => fieldOf(each, 'referenceType') === 'purl');
  return textOf(fieldOf(reference, 'referenceLocator'));
}

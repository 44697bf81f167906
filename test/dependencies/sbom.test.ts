import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/dependencies/dependency-graph.ts';
import { parseSbom } from '../../src/dependencies/formats.ts';
import { parseCycloneDx } from '../../src/dependencies/sbom/cyclonedx.ts';
import { parseSpdx } from '../../src/dependencies/sbom/spdx.ts';
import { lines } from './graph.ts';

describe('CycloneDX', () => {
  const bom = (document: object) => ({ bomFormat: 'CycloneDX', specVersion: '1.6', ...document });

  it('has nested components, scopes, and what the project requires directly', () => {
    const manifests = parseCycloneDx(
      bom({
        metadata: { component: { name: 'app', 'bom-ref': 'app' } },
        components: [
          {
            name: 'a',
            'bom-ref': 'a',
            purl: 'pkg:npm/a@1.0.0',
            scope: 'required',
            components: [{ name: 'b', version: '2', 'bom-ref': 'b' }],
          },
          {
            name: 'core',
            group: '@x',
            'bom-ref': 'c',
            purl: 'pkg:npm/@x/core@3.0.0',
            scope: 'optional',
            properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
          },
          { name: 'd', 'bom-ref': 'd', purl: 'pkg:PyPI/My_D@4', scope: 'excluded' },
        ],
        dependencies: [
          { ref: 'app', dependsOn: ['a', 'c'] },
          { ref: 'a', dependsOn: ['b', 'a', 'unknown'] },
          { ref: 'c' },
        ],
      }),
    );
    expect(lines(manifests)).toEqual([
      'pkg:npm/a@1.0.0 direct runtime → pkg:generic/b@2',
      'pkg:generic/b@2 indirect ?',
      'pkg:npm/%40x/core@3.0.0 direct development',
      'pkg:pypi/my-d@4 indirect development',
    ]);
  });

  it('merges components with the same package URL', () => {
    const component = (reference: string, name: string) => ({
      name,
      'bom-ref': reference,
      purl: `pkg:npm/${name}@1.0.0`,
    });
    const manifests = parseCycloneDx(
      bom({
        metadata: { component: { name: 'app', 'bom-ref': 'app' } },
        components: [component('a1', 'a'), component('a2', 'a'), component('b', 'b'), component('c', 'c')],
        dependencies: [
          { ref: 'app', dependsOn: ['a2'] },
          { ref: 'a1', dependsOn: ['b', 'a2'] },
          { ref: 'a2', dependsOn: ['b', 'c'] },
        ],
      }),
    );
    expect(lines(manifests)).toEqual([
      'pkg:npm/a@1.0.0 direct ? → pkg:npm/b@1.0.0 pkg:npm/c@1.0.0',
      'pkg:npm/b@1.0.0 indirect ?',
      'pkg:npm/c@1.0.0 indirect ?',
    ]);
  });

  it('reads a component that is listed endlessly often', () => {
    const components = ['a', 'b'].map((name) => ({ name, 'bom-ref': name, purl: `pkg:npm/${name}@1` }));
    const dependencies = Array.from({ length: 200_000 }, () => ({ ref: 'a', dependsOn: ['b'] }));
    expect(lines(parseCycloneDx(bom({ components, dependencies })))).toEqual([
      'pkg:npm/a@1 ? ? → pkg:npm/b@1',
      'pkg:npm/b@1 ? ?',
    ]);
  });

  it('omits the relationship if the project lists no dependencies', () => {
    const component = { name: 'a', purl: 'pkg:npm/a@1.0.0' };
    expect(lines(parseCycloneDx(bom({ components: [component] })))).toEqual(['pkg:npm/a@1.0.0 ? ?']);
    const metadata = { component: { name: 'app', 'bom-ref': 'app' } };
    expect(
      lines(parseCycloneDx(bom({ metadata, components: [component], dependencies: [{ ref: 'app', dependsOn: [] }] }))),
    ).toEqual(['pkg:npm/a@1.0.0 ? ?']);
  });

  it.each(['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'])('reads version %s', (specVersion) => {
    expect(lines(parseCycloneDx(bom({ specVersion, components: [{ name: 'a' }] })))).toEqual(['pkg:generic/a ? ?']);
  });

  it('rejects other versions, and invalid package URLs', () => {
    expect(() => parseCycloneDx(bom({ specVersion: 'x'.repeat(1000) }))).toThrow(/^CycloneDX x{20} is not supported/);
    expect(() => parseCycloneDx(bom({ specVersion: '1.1' }))).toThrow(
      new ParseError('CycloneDX 1.1 is not supported (supported: 1.2 to 1.7)'),
    );
    expect(() => parseCycloneDx(bom({ components: [{ name: 'a', purl: 'npm/a@1' }] }))).toThrow(
      new ParseError('component “a”: “npm/a@1” is not a package URL: it does not start with pkg:'),
    );
  });
});

describe('SPDX', () => {
  const listed = (id: string, purl?: string) => ({
    SPDXID: id,
    name: id,
    versionInfo: '1.0',
    ...(purl && {
      externalRefs: [{ referenceCategory: 'PACKAGE_MANAGER', referenceType: 'purl', referenceLocator: purl }],
    }),
  });
  const relation = (from: string, type: string, to: string) => ({
    spdxElementId: from,
    relationshipType: type,
    relatedSpdxElement: to,
  });

  it('has relationships of both directions, without the project itself', async () => {
    const document = {
      spdxVersion: 'SPDX-2.3',
      packages: [
        listed('app'),
        listed('a', 'pkg:npm/a@1.0.0'),
        listed('b', 'pkg:maven/g/b@2.0?type=jar'),
        listed('c'),
        listed('d'),
      ],
      relationships: [
        relation('DOCUMENT', 'DESCRIBES', 'app'),
        relation('app', 'DEPENDS_ON', 'a'),
        relation('b', 'DEPENDENCY_OF', 'a'),
        relation('c', 'TEST_DEPENDENCY_OF', 'app'),
        relation('d', 'RUNTIME_DEPENDENCY_OF', 'b'),
        relation('d', 'CONTAINS', 'c'),
      ],
    };
    const expected = [
      'pkg:npm/a@1.0.0 direct ? → pkg:maven/g/b@2.0?type=jar',
      'pkg:maven/g/b@2.0?type=jar indirect ? → pkg:generic/d@1.0',
      'pkg:generic/c@1.0 direct development',
      'pkg:generic/d@1.0 indirect runtime',
    ];
    expect(lines(parseSpdx(document))).toEqual(expected);
    expect(lines(await parseSbom(Buffer.from(JSON.stringify({ sbom: document }))))).toEqual(expected);
  });

  it.each(['SPDX-2.1', 'SPDX-2.2', 'SPDX-2.3'])('reads %s', (spdxVersion) => {
    expect(lines(parseSpdx({ spdxVersion, packages: [listed('a')] }))).toEqual(['pkg:generic/a@1.0 ? ?']);
  });

  it('keeps described packages that are a list, and leaves out their relationship', () => {
    const document = { spdxVersion: 'SPDX-2.2', documentDescribes: ['a', 'b'], packages: [listed('a'), listed('b')] };
    expect(lines(parseSpdx(document))).toEqual(['pkg:generic/a@1.0 ? ?', 'pkg:generic/b@1.0 ? ?']);
  });

  it('rejects other versions', async () => {
    expect(() => parseSpdx({ spdxVersion: 'x'.repeat(1000) })).toThrow(/^x{20} is not supported/);
    expect(() => parseSpdx({ spdxVersion: 'SPDX-3.0' })).toThrow(
      new ParseError('SPDX-3.0 is not supported (supported: SPDX-2.1 to SPDX-2.3)'),
    );
    const context = '"https://spdx.org/rdf/3.0.1/spdx-context.jsonld"';
    for (const each of [context, `[${context}]`])
      await expect(parseSbom(Buffer.from(`{"@context": ${each}, "@graph": []}`))).rejects.toThrow(
        'SPDX 3 is not supported (supported: SPDX-2.1 to SPDX-2.3)',
      );
    await expect(parseSbom(Buffer.from('{"@context": {"toString": 1}}'))).rejects.toThrow(
      'neither CycloneDX nor SPDX in JSON',
    );
  });
});

describe.each([
  ['CycloneDX', parseCycloneDx, { specVersion: '1.6' }],
  ['SPDX', parseSpdx, { spdxVersion: 'SPDX-2.3' }],
] as const)('the parser of %s', (_name, parse, start) => {
  const text = fc.constantFrom('a', 'b', 'pkg:npm/a@1', 'pkg:npm/', 'DEPENDS_ON', 'purl', '__proto__', '');
  const record = (...names: string[]) =>
    fc.dictionary(fc.constantFrom(...names), fc.oneof(text, fc.array(text), fc.constant(null)));
  const items = fc.array(
    fc.oneof(
      text,
      record('name', 'version', 'purl', 'bom-ref', 'group', 'ref', 'dependsOn', 'scope', 'components', 'properties'),
      record(
        'SPDXID',
        'name',
        'versionInfo',
        'externalRefs',
        'spdxElementId',
        'relationshipType',
        'relatedSpdxElement',
      ),
    ),
  );
  const document = fc.dictionary(
    fc.constantFrom('components', 'dependencies', 'metadata', 'packages', 'relationships', 'documentDescribes'),
    fc.oneof(items, fc.jsonValue()),
  );

  it('returns packages or throws a ParseError for any document', () => {
    fc.assert(
      fc.property(document, (fields) => {
        try {
          parse({ ...fields, ...start });
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

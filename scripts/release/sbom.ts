/**
 * Software bill of materials of a release, in CycloneDX: forgectl, the packages whose code it contains, what is compiled
 * into those, and Node with the libraries in it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiled } from '../licences.ts';
import { sourceDate, version, write } from './files.ts';
import { nodeFor, nodeVersion } from './node-binaries.ts';

export const sbomName = `forgectl-${version}-sbom.cdx.json`;

interface Component {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly group?: string;
  readonly purl?: string;
  readonly licenses?: readonly object[];
  readonly components?: readonly Component[];
}

interface Bom {
  readonly metadata: { readonly component: Component; readonly timestamp?: string };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** Of what the build put into dist/. */
interface Bundled {
  readonly name: string;
  readonly version: string | null;
  readonly license: string;
}

/**
 * Licences of the libraries in Node, by their names in `process.versions`, as Node's LICENSE and their repositories state
 * them; undefined for what is no library.
 */
const inNode: Readonly<Record<string, string | undefined>> = {
  acorn: 'MIT',
  ada: 'MIT',
  amaro: 'MIT',
  ares: 'MIT',
  brotli: 'MIT',
  cldr: undefined,
  icu: 'Unicode-3.0',
  libffi: 'MIT',
  lief: 'Apache-2.0',
  llhttp: 'MIT',
  merve: 'MIT',
  modules: undefined,
  napi: undefined,
  nbytes: 'MIT',
  ncrypto: 'MIT',
  nghttp2: 'MIT',
  nghttp3: 'MIT',
  ngtcp2: 'MIT',
  node: undefined,
  openssl: 'Apache-2.0',
  simdjson: 'Apache-2.0',
  simdutf: 'MIT',
  sqlite: 'blessing',
  tz: undefined,
  undici: 'MIT',
  unicode: undefined,
  uv: 'MIT',
  uvwasi: 'MIT',
  v8: 'BSD-3-Clause',
  zlib: 'Zlib',
  zstd: 'BSD-3-Clause',
};

const tools = 'build/sbom';

/** Writes the bill of materials to a folder. Throws if a component has no licence, or none is known. */
export function makeSbom(folder: string, nodeReleases?: string): void {
  installTools();
  const words = ['--output-reproducible', '--flatten-components', '--short-PURLs', '--spec-version', '1.6'];
  const cli = join(tools, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');
  const listed = execFileSync(process.execPath, [cli, ...words], { encoding: 'utf8', maxBuffer: 2 ** 27 });
  const bom = JSON.parse(listed) as Bom;
  const { components: bundled } = JSON.parse(readFileSync('dist/package.json', 'utf8')) as { components: Bundled[] };
  const installed = new Map(bom.components.map((component) => [nameOf(component), component]));
  const found = bundled.map((part) => installed.get(`${part.name}@${part.version}`) ?? compiledPart(part, bundled));
  const optional = bom.components.filter(({ group, name }) => group === '@napi-rs' && name === 'keyring');
  const components = [...new Set([...found, ...optional]), nodeComponent(nodeReleases)];
  const unlicensed = components.filter(({ licenses = [] }) => licenses.length === 0);
  if (unlicensed.length > 0) throw new Error(`Without a licence: ${unlicensed.map(nameOf).join(', ')}`);
  const refs = new Set([bom.metadata.component, ...components].map((component) => component['bom-ref']));
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  const timestamp = new Date(sourceDate() * 1000).toISOString();
  const complete = { ...bom, metadata: { ...bom.metadata, timestamp }, components, dependencies };
  write(join(folder, sbomName), `${JSON.stringify(complete, null, 2)}\n`);
}

/** Returns the problems of the bill of materials by the schema of CycloneDX. */
export async function sbomProblems(folder: string): Promise<string[]> {
  const require = createRequire(resolve(tools, 'package.json'));
  const { Spec, Validation } = require('@cyclonedx/cyclonedx-library');
  const problems = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(
    readFileSync(join(folder, sbomName), 'utf8'),
  );
  return problems === null ? [] : [JSON.stringify(problems)];
}

function installTools(): void {
  if (existsSync(join(tools, 'node_modules'))) return;
  cpSync(fileURLToPath(new URL('sbom', import.meta.url)), tools, { recursive: true });
  const words = ['ci', '--prefix', tools, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

const nameOf = ({ group, name, version: own }: Component): string => `${group ? `${group}/` : ''}${name}@${own}`;

const licensed = (expression: string) => [{ license: { id: expression } }];

/** A library that is compiled into packages, which mostly do not state its version; their own versions determine it. */
function compiledPart({ name, version: own, license }: Bundled, bundled: readonly Bundled[]): Component {
  const containing = bundled.filter(
    (part) => part.version !== null && compiled[part.name]?.includes(name.toLowerCase()),
  );
  if (containing.length === 0) throw new Error(`No package is known to contain ${name}.`);
  const within = containing.map((part) => `${part.name} ${part.version}`).join(', ');
  return {
    type: 'library',
    'bom-ref': `compiled:${name}`,
    name,
    version: own ?? `as in ${within}`,
    licenses: licensed(license),
  };
}

function nodeComponent(nodeReleases?: string): Component {
  const node = nodeFor('linux-x64', nodeReleases);
  const versions = JSON.parse(
    execFileSync(node, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }),
  ) as Record<string, string>;
  const unknown = Object.keys(versions).filter((name) => !(name in inNode));
  if (unknown.length > 0)
    throw new Error(`Add the licences of these libraries in Node to sbom.ts: ${unknown.join(', ')}`);
  const components = Object.entries(versions).flatMap(([name, own]) => {
    const license = inNode[name];
    // An empty version belongs to a library that this Node was built without.
    if (license === undefined || own === '') return [];
    return [{ type: 'library', 'bom-ref': `node:${name}`, name, version: own, licenses: licensed(license) }];
  });
  return {
    type: 'platform',
    'bom-ref': 'node',
    name: 'node',
    version: nodeVersion,
    purl: `pkg:generic/node@${nodeVersion}`,
    licenses: licensed('MIT'),
    components,
  };
}

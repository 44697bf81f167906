/** Lockfiles by their names. Each parser is loaded with the first file that needs it. */
import { itemsOf, parseWithLists } from '../json/json-lists.ts';
import { fieldOf, invalidJson, type LockManifest, type Parse, ParseError } from './dependency-graph.ts';
import type { OnInvalid } from './sbom/listed-purl.ts';

interface LockfileFormat {
  /** The value of `--as`. Formats of one name differ in their files only. */
  readonly name: string;
  /** Matches the name of the file, without its folder. */
  readonly file: RegExp;
  /** The end of the folder’s path, if only files there are of this format. */
  readonly folder?: string;
  /** True for files that name projects, whose own lockfiles need not be read. */
  readonly isWorkspace?: boolean;
  /** Loads the parser of a file with this name. */
  load(name: string): Promise<Parse>;
}

export const lockfileFormats: readonly LockfileFormat[] = [
  {
    name: 'npm',
    file: /^(?:package-lock|npm-shrinkwrap)\.json$/,
    load: async () => (await import('./javascript/npm.ts')).parseNpm,
  },
  {
    name: 'yarn',
    file: /^yarn\.lock$/,
    load: async () => (await import('./javascript/yarn.ts')).parseYarn,
  },
  {
    name: 'pnpm',
    file: /^pnpm-lock\.yaml$/,
    load: async () => (await import('./javascript/pnpm.ts')).parsePnpm,
  },
  {
    name: 'bun',
    file: /^bun\.lock$/,
    load: async () => (await import('./javascript/bun.ts')).parseBun,
  },
  {
    name: 'deno',
    file: /^deno\.lock$/,
    load: async () => (await import('./javascript/deno.ts')).parseDeno,
  },
  {
    name: 'poetry',
    file: /^poetry\.lock$/,
    load: async () => (await import('./python/poetry.ts')).parsePoetry,
  },
  {
    name: 'uv',
    file: /^uv\.lock$/,
    load: async () => (await import('./python/uv.ts')).parseUv,
  },
  {
    name: 'pdm',
    file: /^pdm\.lock$/,
    load: async () => (await import('./python/pdm.ts')).parsePdm,
  },
  {
    name: 'pipenv',
    file: /^Pipfile\.lock$/,
    load: async () => (await import('./python/pipfile.ts')).parsePipfile,
  },
  {
    name: 'requirements',
    file: /^(?:[\w.-]*[-_.])?requirements(?:[-_.][\w.-]*)?\.txt$/,
    load: async () => (await import('./python/requirements.ts')).parseRequirements,
  },
  {
    name: 'requirements',
    folder: 'requirements',
    file: /\.txt$/,
    load: async () => (await import('./python/requirements.ts')).parseRequirements,
  },
  {
    name: 'cargo',
    file: /^Cargo\.lock$/,
    load: async () => (await import('./formats/cargo.ts')).parseCargo,
  },
  {
    name: 'go',
    file: /^go\.mod$/,
    load: async () => (await import('./go/go-mod.ts')).parseGoMod,
  },
  {
    name: 'go-work',
    file: /^go\.work$/,
    isWorkspace: true,
    load: async () => (await import('./go/go-work.ts')).parseGoWork,
  },
  {
    name: 'bundler',
    file: /^(?:Gemfile\.lock|gems\.locked)$/,
    load: async () => (await import('./formats/gemfile.ts')).parseGemfile,
  },
  {
    name: 'composer',
    file: /^composer\.lock$/,
    load: async () => (await import('./formats/composer.ts')).parseComposer,
  },
  {
    name: 'nuget',
    file: /^packages\.(?:[\w.-]+\.)?lock\.json$/,
    load: async () => (await import('./formats/nuget.ts')).parseNuget,
  },
  {
    name: 'gradle',
    file: /^(?:buildscript-|settings-)?gradle\.lockfile$/,
    load: async () => (await import('./formats/gradle.ts')).parseGradle,
  },
  {
    name: 'gradle',
    folder: 'gradle/dependency-locks',
    file: /\.lockfile$/,
    load: async (name) => (await import('./formats/gradle.ts')).gradleConfiguration(name.slice(0, -'.lockfile'.length)),
  },
  {
    name: 'pub',
    file: /^pubspec\.lock$/,
    load: async () => (await import('./formats/pubspec.ts')).parsePubspec,
  },
  {
    name: 'mix',
    file: /^mix\.lock$/,
    load: async () => (await import('./formats/mix.ts')).parseMix,
  },
  {
    name: 'swift',
    file: /^Package\.resolved$/,
    load: async () => (await import('./formats/package-resolved.ts')).parsePackageResolved,
  },
  {
    name: 'cocoapods',
    file: /^Podfile\.lock$/,
    load: async () => (await import('./formats/podfile.ts')).parsePodfile,
  },
];

export const formatNames: readonly string[] = [...new Set(lockfileFormats.map(({ name }) => name))];

/** Names of lockfiles whose packages no parser reads. */
const unsupported = new Set(['bun.lockb', 'Cartfile.resolved', 'conan.lock', 'flake.lock', 'paket.lock', 'rebar.lock']);

/** Returns the name of an unsupported lockfile; undefined for other paths. */
export function unsupportedLockfile(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return unsupported.has(name) ? name : undefined;
}

/** Parses a software bill of materials in UTF-8. Throws ParseError, for an invalid package URL only without `onInvalid`. */
export async function parseSbom(bytes: Buffer, onInvalid?: OnInvalid): Promise<readonly LockManifest[]> {
  let file: unknown;
  try {
    file = parseWithLists(bytes);
  } catch {
    throw invalidJson(bytes.toString());
  }
  return sbomManifests(file, onInvalid);
}

/** Returns the packages of a parsed software bill of materials. Throws like `parseSbom`. */
export async function sbomManifests(file: unknown, onInvalid?: OnInvalid): Promise<readonly LockManifest[]> {
  // The platform’s API returns documents as a field.
  const document = fieldOf(file, 'sbom') ?? file;
  if (fieldOf(document, 'bomFormat') === 'CycloneDX')
    return (await import('./sbom/cyclonedx.ts')).parseCycloneDx(document, onInvalid);
  if (fieldOf(document, 'spdxVersion') !== undefined)
    return (await import('./sbom/spdx.ts')).parseSpdx(document, onInvalid);
  const context = fieldOf(document, '@context');
  if ([context, ...itemsOf(context)].some(isSpdx3))
    throw new ParseError('SPDX 3 is not supported (supported: SPDX-2.1 to SPDX-2.3)');
  throw new ParseError('neither CycloneDX nor SPDX in JSON');
}

const isSpdx3 = (context: unknown): boolean =>
  typeof context === 'string' && context.startsWith('https://spdx.org/rdf/3.');

/** Returns the format of a lockfile; undefined if the path is not that of a lockfile. */
export function lockfileFormat(path: string): LockfileFormat | undefined {
  const slash = path.lastIndexOf('/');
  const [parent, name] = [`/${path.slice(0, Math.max(slash, 0))}`, path.slice(slash + 1)];
  return lockfileFormats.find(
    ({ file, folder }) => file.test(name) && (folder === undefined || parent.endsWith(`/${folder}`)),
  );
}

/** Licences of the bundled packages, which must be distributed with their code. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RolldownOutput } from 'rolldown';

const rule = `${'-'.repeat(80)}\n`;

interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: string | { readonly name: string };
}

/** What is compiled into the WebAssembly of packages, or ported in them, by the names of files in scripts/licences. */
export const compiled: Readonly<Record<string, readonly string[]>> = {
  'jq-wasm': ['emscripten', 'jq', 'musl', 'oniguruma'],
  libsodium: ['emscripten', 'libsodium', 'musl'],
  re2js: ['go'],
  undici: ['llhttp', 'musl'],
};

/** Returns the licences of all packages in a build and of what is compiled into them, both sorted by name. */
export function licencesOf(output: readonly RolldownOutput['output'][number][]): string {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const folders = modules.flatMap((id) => /.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].map(licenceIn).sort();
  const parts = new Set(folders.flatMap((folder) => compiled[basename(folder)] ?? []));
  texts.push(...[...parts].sort().map(licenceOfPart));
  return `forgectl contains code of the following packages and programs.\n\n${texts.join('\n')}`;
}

/** Returns what a text of licences covers, each once. Libraries that packages contain may have no version. */
export function componentsIn(licences: string) {
  const components = licences.split(rule).flatMap((text) => {
    const [heading = '', name, version = null, license] = headingOf.exec(text) ?? [];
    return name === undefined ? [] : [[heading, { name, version, license }] as const];
  });
  return [...new Map(components).values()];
}

const headingOf = /^(\S+)(?: (\d\S*))? \((.+?)\)(?:,.*)?(?=\n\n)/m;

function licenceOfPart(name: string): string {
  const text = readFileSync(new URL(`licences/${name}.txt`, import.meta.url), 'utf8');
  return `${text}\n${rule}`;
}

function licenceIn(folder: string): string {
  const facts = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFacts;
  // ECharts has a folder with the licences of code that it contains.
  const files = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => /^(licen[cs]e|notice)/i.test(name))
    .flatMap((entry) =>
      entry.isDirectory() ? readdirSync(join(folder, entry.name)).map((name) => join(entry.name, name)) : [entry.name],
    );
  const author = typeof facts.author === 'object' ? facts.author.name : (facts.author ?? 'its contributors');
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const text = texts.length ? texts.join('\n\n') : `Copyright (c) ${author}`;
  return `${facts.name} ${facts.version} (${facts.license})\n\n${text}\n\n${rule}`;
}

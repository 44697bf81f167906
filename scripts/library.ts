/** Builds the library in dist/library: an ES module with deferred chunks, and declarations without dependencies. */
import { readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { type RolldownOutput, rolldown } from 'rolldown';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { API, type Checker, type Symbol as Name, type Type } from 'typescript/unstable/sync';
import * as endpoints from '../src/library/endpoints.ts';
import type { Declaration } from '../src/platform/endpoint.ts';
import { allEndpoints } from '../src/platform/endpoints/index.ts';

const root = resolve(import.meta.dirname, '..');
const source = (path: string) => join(root, 'src', path);

/** Selected by name, as the files also have other exports. */
const declarations = Object.entries<unknown>(endpoints).filter((entry): entry is [string, Declaration] =>
  allEndpoints.some((endpoint) => endpoint === entry[1]),
);

/** Bundles the library with its imports, except Node’s own modules. */
export async function bundleLibrary(): Promise<RolldownOutput['output']> {
  const names = declarations.map(([name]) => name).join(', ');
  const bundle = await rolldown({
    input: { index: source('library/index.ts') },
    platform: 'node',
    plugins: [
      {
        name: 'endpoints-alone',
        transform: {
          filter: { id: /src[\\/]library[\\/]index\.ts$/ },
          handler: (code) => code.replace(/export \* from (?='.\/endpoints\.ts')/, `export { ${names} } from `),
        },
      },
    ],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    chunkFileNames: '[name].js',
    comments: false,
    codeSplitting: { groups: [{ name: 'undici', test: /node_modules[\\/]undici[\\/]/ }] },
  });
  await bundle.close();
  return output;
}

/** Returns the library's declarations by file name. Throws if one depends on another package. */
export function declareLibrary(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const places = new Map<string, string>();
  const declare = (path: string): string => {
    const name = basename(path, '.ts');
    const place = places.get(name);
    if (place !== undefined && place !== path) throw new Error(`The library has two files named ${name}.ts.`);
    if (place === undefined) {
      places.set(name, path);
      files.set(`${name}.d.ts`, declarationsIn(path, declare));
    }
    return `./${name}.js`;
  };
  declare(source('library/index.ts'));
  return files;
}

/** Returns the declarations in a file; `declare` adds the declarations of an import, and returns its specifier. */
function declarationsIn(path: string, declare: (path: string) => string): string {
  const isGenerated = path === source('library/endpoints.ts');
  const { code, errors } = isGenerated
    ? { code: endpointDeclarations(), errors: [] }
    : isolatedDeclarationSync(path, readFileSync(path, 'utf8'));
  const [error] = errors;
  if (error) throw new Error(`${relative(root, path)}: ${error.message}`);
  return code.replace(/(?<=\bfrom )"([^"]+)"/g, (_, specifier: string) => {
    if (!specifier.startsWith('.'))
      throw new Error(`The declarations of ${relative(root, path)} depend on ${specifier}.`);
    const target = resolve(path, '..', specifier);
    return `"${declare(target === source('platform/endpoint.ts') ? source('library/endpoint.ts') : target)}"`;
  });
}

/** Returns the endpoints with their inferred types, written out. */
function endpointDeclarations(): string {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [source('library/tsconfig.json')] }).getProjects();
    if (!project) throw new Error('Cannot open src/library/tsconfig.json.');
    const { checker, program } = project;
    const exportsOf = (path: string) => {
      const file = program.getSourceFile(source(path));
      const module = file && checker.getSymbolAtLocation(file);
      return module ? checker.getExportsOfModule(module) : [];
    };
    const [all] = exportsOf('library/published.ts').filter(({ name }) => name === 'PublishedEndpoints');
    if (!all) throw new Error('src/library/published.ts does not export PublishedEndpoints.');
    const types = membersOf(checker, checker.getDeclaredTypeOfSymbol(all));
    const text = declarations.map(([name, { route, summary, paging }]) => {
      const { input, data } = membersOf(checker, types[name]);
      const type = paging === undefined ? 'ApiEndpoint' : 'ApiList';
      return `/** ${summary}: \`${route}\`. */\nexport declare const ${name}: ${type}<${written(checker, input)}, ${written(checker, data)}>;\n`;
    });
    const used = (path: string) =>
      exportsOf(path)
        .map(({ name }) => name)
        .filter((name) => text.some((declaration) => new RegExp(`\\b${name}\\b`).test(declaration)))
        .join(', ');
    return [
      'import type { ApiEndpoint, ApiList } from "./endpoint.ts";\n',
      `import type { ${used('json/exact-integer.ts')} } from "../json/exact-integer.ts";\n`,
      `import type { ${used('platform/records.ts')} } from "../platform/records.ts";\n`,
      ...text,
    ].join('');
  } finally {
    api.close();
  }
}

function membersOf(checker: Checker, type: Type | undefined): Readonly<Record<string, Type | undefined>> {
  const members: readonly Name[] = type ? checker.getPropertiesOfType(type) : [];
  return Object.fromEntries(members.map((member) => [member.name, checker.getTypeOfSymbol(member)]));
}

/** Matches the compiler's flag. */
const noTruncation = 1;

function written(checker: Checker, type: Type | undefined): string {
  if (!type) throw new Error('src/library/published.ts lacks the type of an endpoint.');
  return checker.typeToString(type, undefined, noTruncation);
}

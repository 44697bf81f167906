/**
 * Bundles src/ and the packages that it uses into dist/: one file for the start, one for each command, and what they
 * share, so that a run reads few files and a user installs one package. Says nothing unless something is wrong.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { licencesOf } from './licences.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const entries = ['src/cli/main.ts', 'src/cli/account/keyring-process.ts', ...globSync('src/commands/**/*.ts')];

/**
 * An import of one of Node's own modules reads all that it exports, and so loads what Node itself loads late: with
 * node:fs come the streams. Taken as an object, it brings what is used. rolldown needs node:module for itself.
 */
const builtins: Plugin = {
  name: 'builtins',
  resolveId: {
    filter: { id: new RegExp(`^(node:)?(${builtinModules.filter((name) => name !== 'module').join('|')})$`) },
    // The process that asks the keyring needs nothing else of a run.
    handler: (id, importer) => (importer?.endsWith('keyring-process.ts') ? null : `\0node:${id.replace('node:', '')}`),
  },
  load: {
    filter: { id: /^\0node:/ },
    handler: (id) => `module.exports = process.getBuiltinModule('${id.slice(1)}');`,
  },
};

/**
 * The modules of oclif load each other before any is needed, help and templates with them. As tsc compiled them, each
 * keeps what it requires in variables of its own, so that loading can wait until such a variable is used.
 */
const lateRequires: Plugin = {
  name: 'late-requires',
  transform: {
    filter: { id: /node_modules[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ },
    handler(code) {
      const names: string[] = [];
      const late = code.replace(
        /^(?:const|var) (\w+_\d+|Errors|Parser) = ((?:__import(?:Default|Star)\()?require\("[^"]+"\)\)?);$/gm,
        (_, name: string, load: string) => {
          names.push(name);
          return `Object.defineProperty(late, "${name}", { configurable: true, get() {
  const value = ${load};
  Object.defineProperty(late, "${name}", { value });
  return value;
} });`;
        },
      );
      if (names.length === 0) return null;
      return `const late = {};\n${late.replace(new RegExp(`(?<!")\\b(${names.join('|')})\\b`, 'g'), 'late.$1')}`;
    },
  },
};

/** What undici’s client requires for HTTP/2, which few of its connections speak. */
const http2OfUndici = "connectH2 = require('./client-h2.js')";

const lateHttp2: Plugin = {
  name: 'late-http2',
  transform: {
    filter: { id: /node_modules[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ },
    handler(code) {
      if (!code.includes(http2OfUndici)) throw new Error(`undici’s client.js no longer says: ${http2OfUndici}`);
      return code.replace(http2OfUndici, "connectH2 = (...args) => require('./client-h2.js')(...args)");
    },
  },
};

/**
 * What is required late is loaded late. The functions that rolldown makes of CommonJS modules are imported at once where
 * they lie in another chunk; from a chunk named so, they are taken when the first of them is called.
 */
const lateChunks: Plugin = {
  name: 'late-chunks',
  renderChunk(code) {
    return code.replace(/^import \{ ([^}]+) \} from "(\S+-late\.js)";$/gm, (_, names: string, file: string) =>
      names
        .split(', ')
        .map((name) => name.split(' as '))
        .map(
          ([name, local = name]) =>
            `const ${local} = () => process.getBuiltinModule("node:module").createRequire(import.meta.url)("${file}").${name}();`,
        )
        .join('\n'),
    );
  },
};

/** What of a package a run that succeeds needs; the rest of it waits in a chunk of its own. */
const ofEveryRun =
  /^\0node:|@oclif[\\/]core[\\/](package\.json|lib[\\/](args|cache|command|flags|logger|symbols|(errors|config)[\\/]index|config[\\/](config|util)|parser[\\/](index|parse|validate|errors)|util[\\/](aggregate-flags|util))\.js)$/;
const oclifOfNoRun =
  /node_modules[\\/](minimatch|brace-expansion|balanced-match|tinyglobby|fdir|picomatch|semver|lilconfig|cli-spinners)[\\/]|@oclif[\\/]core[\\/]lib[\\/](config[\\/](plugin|ts-path)|module-loader|performance|main|execute|util[\\/](find-root|read-))/;
const undiciOfSomeRuns =
  /undici[\\/](?!lib[\\/](core[\\/](?!socks5)|llhttp[\\/](constants|utils|llhttp_simd)|util[\\/](timers|stats)|dispatcher[\\/](agent|pool|pool-base|client|client-h1|parser-h1|dispatcher|dispatcher-base|fixed-queue)\.js))/;

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((file) => [entryName(file), file])),
  platform: 'node',
  external: ['@napi-rs/keyring'],
  plugins: [builtins, lateRequires, lateHttp2, lateChunks],
  // A chunk may hand to others more than the module that it is named after exports.
  preserveEntrySignatures: 'allow-extension',
});
const { output } = await bundle.generate({
  entryFileNames: '[name].js',
  // In one folder: what finds a file by its place relative to itself finds it from any chunk.
  chunkFileNames: ({ facadeModuleId, name }) =>
    facadeModuleId?.includes('node_modules') ? `lib/${packageIn(facadeModuleId)}.js` : `cli/${basename(name)}.js`,
  comments: false,
  minifyInternalExports: false,
  codeSplitting: {
    groups: [
      { name: 'base', test: ofEveryRun, priority: 32, includeDependenciesRecursively: false },
      { name: 'http2-late', test: /client-h2\.js$/, priority: 33, includeDependenciesRecursively: false },
      { name: 'undici-late', test: undiciOfSomeRuns, priority: 31, includeDependenciesRecursively: false },
      { name: 'oclif-plugins-late', test: oclifOfNoRun, priority: 31, includeDependenciesRecursively: false },
      { name: 'oclif-late', test: /node_modules[\\/]@oclif[\\/]/, priority: 30 },
      { name: 'run', test: /src[\\/]cli[\\/]main\.ts$/, priority: 20 },
      { name: 'command', test: /src[\\/]cli[\\/](command|flags|args|fields)\.ts$/, priority: 10 },
      { name: 'undici', test: /src[\\/]client[\\/]undici-dispatcher\.ts$|node_modules[\\/]undici[\\/]/, priority: 5 },
      { name: 'client', test: /src[\\/]cli[\\/]open-client\.ts$/ },
    ],
  },
});

await bundle.close();

/** Commands keep their path, which is what the user types; everything else of src/cli is in one folder. */
function entryName(file: string): string {
  const path = file.slice('src/'.length, -'.ts'.length);
  return path.startsWith('commands') ? path : `cli/${basename(path)}`;
}

/** Files that only hand on what another exports, with that other: each would be one more to find, read and link. */
const facades = new Map(
  output.flatMap(({ fileName, ...file }) => {
    const code = 'code' in file ? file.code : '';
    const target = /^export \{ (?!.* as )[^}]+ \} from "\.\/(\S+)";\s*$/.exec(code)?.[1];
    return target === undefined ? [] : [[fileName, `cli/${target}`] as const];
  }),
);

// Only now, so that a build that fails leaves the last one as it is.
rmSync('dist', { recursive: true, force: true });
for (const file of output)
  if (file.type === 'asset') write(file.fileName, file.source);
  else if (!facades.has(file.fileName)) write(file.fileName, withoutFacades(file.code));
// jq reads its WebAssembly from a file beside its own.
write('lib/build/jq.wasm', readFileSync('node_modules/jq-wasm/dist/build/jq.wasm'));
write('THIRD_PARTY_LICENSES', licencesOf(output));

function write(path: string, content: string | Uint8Array): void {
  const file = join('dist', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function withoutFacades(code: string): string {
  return code.replace(/import\("(\.\/|(?:\.\.\/)+cli\/)([^"]+)"\)/g, (whole, to: string, file: string) => {
    const target = facades.get(`cli/${file}`);
    return target === undefined ? whole : `import("${to}${basename(target)}")`;
  });
}

function packageIn(path: string): string {
  const [, name = ''] = /.*node_modules[\\/](@[^\\/]+[\\/][^\\/]+|[^\\/]+)/.exec(path) ?? [];
  return name.replace('@', '').replaceAll(/[\\/]/g, '-');
}

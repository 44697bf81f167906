/**
 * Bundles src/ and the packages that it uses into dist/: one file for the start, one for each command, and what they
 * share, so that a run reads few files and a user installs one package. Says nothing unless something is wrong.
 */

import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { bundled, bundledForBrowsers } from './bundled.ts';
import { bundleLibrary, declareLibrary } from './library.ts';
import { componentsIn, licencesOf } from './licences.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const entries = ['src/cli/run/main.ts', 'src/cli/account/keyring-process.ts', ...globSync('src/commands/**/*.ts')];

/** The names of the edits to packages that found something to edit. */
const edited = new Set<string>();

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
      const missed = /^(?:const|let|var) .*\brequire\(.*$/m.exec(late);
      if (missed) throw new Error(`A module of oclif requires another in an unexpected way: ${missed[0]}`);
      if (names.length === 0) return null;
      edited.add('late-requires');
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
      if (!code.includes(http2OfUndici)) throw new Error(`undici’s client.js no longer contains: ${http2OfUndici}`);
      edited.add('late-http2');
      return code.replace(http2OfUndici, "connectH2 = (...args) => require('./client-h2.js')(...args)");
    },
  },
};

/** What is required late is loaded late: a chunk that is named so, when something in it is used. */
const lateChunks: Plugin = {
  name: 'late-chunks',
  renderChunk(code) {
    const names: string[] = [];
    const late = code.replace(/^const (\w+) = (require\("\S+-late\.js"\));\n/gm, (_, name: string, load: string) => {
      names.push(name);
      return `const ${name} = () => ${load};\n`;
    });
    const missed = /^(?!const [\w$]+ = \(\) =>)\S.*\brequire\("\S+-late\.js"\).*$/m.exec(late);
    if (missed) throw new Error(`A deferred chunk is required in an unexpected way: ${missed[0]}`);
    if (names.length === 0) return null;
    edited.add('late-chunks');
    return late.replace(
      new RegExp(`(?<=\\b(?:${names.map((name) => name.replaceAll('$', '\\$')).join('|')}))\\.`, 'g'),
      '().',
    );
  },
};

/** What of a package a run that succeeds needs; the rest of it waits in a chunk of its own. */
const ofEveryRun =
  /@oclif[\\/]core[\\/](package\.json|lib[\\/](args|cache|command|flags|logger|symbols|(errors|config)[\\/]index|config[\\/](config|util)|parser[\\/](index|parse|validate|errors)|util[\\/](aggregate-flags|util))\.js)$/;
/** Modules that no run loads: what takes their place throws. */
const ofNoRun =
  /node_modules[\\/](minimatch|brace-expansion|balanced-match|tinyglobby|fdir|picomatch|lilconfig|cli-spinners)[\\/]|@oclif[\\/]core[\\/]lib[\\/](config[\\/](plugin|ts-path)|module-loader|performance|main|execute|ux[\\/](list|action[\\/]spinner)|util[\\/](find-root|read-))/;
const undiciOfSomeRuns =
  /undici[\\/](?!lib[\\/](core[\\/](?!socks5)|llhttp[\\/](constants|utils|llhttp_simd)|util[\\/](timers|stats)|dispatcher[\\/](agent|pool|pool-base|client|client-h1|parser-h1|dispatcher|dispatcher-base|fixed-queue)\.js))/;

const unshipped: Plugin = {
  name: 'unshipped',
  load: {
    filter: { id: ofNoRun },
    handler(id) {
      edited.add('unshipped');
      const name = id.slice(id.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `throw new Error(${JSON.stringify(`${name} is not part of forgectl`)});`;
    },
  },
};

/** Inquirer’s prompt for an editor, with its tables of encodings: no command has such a prompt. */
const withoutEditor: Plugin = {
  name: 'without-editor',
  load: {
    filter: { id: /node_modules[\\/]@inquirer[\\/]editor[\\/]dist[\\/]index\.js$/ },
    handler() {
      edited.add('without-editor');
      return "export default () => { throw new Error('@inquirer/editor is not part of forgectl'); };";
    },
  },
};

const plugins = [lateRequires, lateHttp2, lateChunks, unshipped, withoutEditor];

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((file) => [entryName(file), file])),
  platform: 'node',
  external: ['@napi-rs/keyring'],
  plugins,
  // A chunk may hand to others more than the module that it is named after exports.
  preserveEntrySignatures: 'allow-extension',
});
const { output } = await bundle.generate({
  format: 'cjs',
  exports: 'named',
  dynamicImportInCjs: false,
  entryFileNames: '[name].js',
  // In one folder: what finds a file by its place relative to itself finds it from any chunk.
  chunkFileNames: ({ facadeModuleId, name }) =>
    facadeModuleId?.includes('node_modules') ? `lib/${packageIn(facadeModuleId)}.js` : `cli/run/${basename(name)}.js`,
  comments: false,
  minifyInternalExports: false,
  codeSplitting: {
    groups: [
      { name: 'base', test: ofEveryRun, priority: 32, includeDependenciesRecursively: false },
      { name: 'http2-late', test: /client-h2\.js$/, priority: 33, includeDependenciesRecursively: false },
      { name: 'undici-late', test: undiciOfSomeRuns, priority: 31, includeDependenciesRecursively: false },
      { name: 'oclif-late', test: /node_modules[\\/]@oclif[\\/]/, priority: 30 },
      { name: 'main', test: /src[\\/]cli[\\/]run[\\/]main\.ts$/, priority: 20 },
      {
        name: 'command',
        test: /src[\\/]cli[\\/](command[\\/]command|input[\\/](flags|args|fields))\.ts$/,
        priority: 10,
      },
      { name: 'echarts', test: /node_modules[\\/](echarts|zrender|tslib)[\\/]/, priority: 6 },
      {
        name: 'undici',
        test: /src[\\/]client[\\/]transport[\\/]undici-dispatcher\.ts$|node_modules[\\/]undici[\\/]/,
        priority: 5,
        // What it has in common with the rest of the client stays there.
        includeDependenciesRecursively: false,
      },
      { name: 'client', test: /src[\\/]cli[\\/]command[\\/]open-client\.ts$/ },
    ],
  },
});

await bundle.close();
for (const { name } of plugins)
  if (!edited.has(name)) throw new Error(`The edit ${name} no longer matches any package; delete it.`);

/** By itself: it loads all else with the cache, and so has nothing in common with it. */
const start = await bundled('src/start/start.ts');
const pageScript = await bundledForBrowsers('src/output/report/page/page.ts');
const library = await bundleLibrary();
const libraryDeclarations = declareLibrary();

/** Commands keep their path, which is what the user types; all else is in one folder, as deep as src/cli/run. */
function entryName(file: string): string {
  const path = file.slice('src/'.length, -'.ts'.length);
  return path.startsWith('commands') ? path : `cli/run/${basename(path)}`;
}

// Only now, so that a build that fails leaves the last one as it is.
rmSync('dist', { recursive: true, force: true });
for (const file of output) write(file.fileName, contentOf(file));
for (const file of library) write(`library/${file.fileName}`, contentOf(file));
for (const [name, code] of libraryDeclarations) write(`library/${name}`, code);
write('library/package.json', JSON.stringify({ type: 'module' }));
write('start.js', start);
// jq reads its WebAssembly from a file beside its own.
write('lib/build/jq.wasm', readFileSync('node_modules/jq-wasm/dist/build/jq.wasm'));
// Reports read these as text.
write('report/page.js', pageScript);
write('report/page.css', readFileSync('src/output/report/page/page.css'));
const licences = licencesOf([...output, ...library]);
write('THIRD_PARTY_LICENSES', licences);
write('package.json', JSON.stringify({ type: 'commonjs', build: hashOf(output), components: componentsIn(licences) }));

function contentOf(file: RolldownOutput['output'][number]): string | Uint8Array {
  if (file.type === 'asset') return file.source;
  const isOfPackages = file.moduleIds.length > 0 && file.moduleIds.every((id) => id.includes('node_modules'));
  return inAscii(isOfPackages ? minified(file) : file.code);
}

/** Returns the code of packages, half as long. Classes keep their names, which messages may contain. */
function minified({ fileName, code }: { readonly fileName: string; readonly code: string }): string {
  const { code: short, errors } = minifySync(fileName, code, { mangle: { toplevel: true, keepNames: true } });
  if (errors.length > 0) throw new Error(`Cannot minify ${fileName}: ${errors[0]?.message}`);
  return short;
}

/**
 * Returns code with escapes for characters beyond ASCII, of which a few make V8 store the whole text in two bytes a
 * character. They are only in literals, where the escapes mean the same.
 */
function inAscii(code: string): string {
  if (/\bString\.raw`[^`]*[^\0-\x7F]/.test(code)) throw new Error('A raw template has characters beyond ASCII.');
  return code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function write(path: string, content: string | Uint8Array): void {
  const file = join('dist', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Changes with whatever is in the files. */
function hashOf(files: RolldownOutput['output']): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.fileName}\n${file.type === 'asset' ? '' : file.code}`);
  return hash.digest('hex').slice(0, 16);
}

function packageIn(path: string): string {
  const [, name = ''] = /.*node_modules[\\/](@[^\\/]+[\\/][^\\/]+|[^\\/]+)/.exec(path) ?? [];
  return name.replace('@', '').replaceAll(/[\\/]/g, '-');
}

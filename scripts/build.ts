/**
 * Bundles src/ and the packages that it uses into dist/: a file for the start, one for each command, and what they
 * share, so that a run reads few files and a user installs one package. Says nothing unless something is wrong.
 */
import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { licencesOf } from './licences.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const entries = ['src/cli/start.ts', 'src/cli/keyring-process.ts', ...globSync('src/commands/**/*.ts')];

/**
 * An import of one of Node's own modules reads all that it exports, and so loads what Node itself loads late: with
 * node:fs come the streams. Taken as an object, it brings what is used. rolldown needs node:module for itself.
 */
const builtins: Plugin = {
  name: 'builtins',
  resolveId: {
    filter: { id: new RegExp(`^(node:)?(${builtinModules.filter((name) => name !== 'module').join('|')})$`) },
    handler: (id) => `\0node:${id.replace('node:', '')}`,
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

const { output } = await build({
  input: Object.fromEntries(entries.map((file) => [file.slice('src/'.length, -'.ts'.length), file])),
  platform: 'node',
  external: ['@napi-rs/keyring'],
  plugins: [builtins, lateRequires],
  // A chunk may hand to others more than the module that it is named after exports.
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'dist',
    cleanDir: true,
    entryFileNames: '[name].js',
    // Beside start.js: what finds a file by its place relative to itself finds it from any chunk.
    chunkFileNames: ({ facadeModuleId, name }) =>
      facadeModuleId?.includes('node_modules') ? `lib/${packageIn(facadeModuleId)}.js` : `cli/${basename(name)}.js`,
    comments: false,
    codeSplitting: {
      groups: [
        { name: 'builtins', test: /^\0node:/, priority: 40 },
        { name: 'oclif', test: /node_modules[\\/](@oclif|ejs|debug|semver|minimatch|ansis)[\\/]/, priority: 30 },
        { name: 'main', test: /src[\\/]cli[\\/]main\.ts$/, priority: 20 },
        { name: 'command', test: /src[\\/]cli[\\/](command|flags|args|fields)\.ts$/, priority: 10 },
        { name: 'client', test: /src[\\/]cli[\\/]open-client\.ts$|undici[\\/]lib[\\/]dispatcher[\\/]agent\.js$/ },
      ],
    },
  },
});

// jq reads its WebAssembly from a file beside its own.
mkdirSync('dist/lib/build', { recursive: true });
copyFileSync('node_modules/jq-wasm/dist/build/jq.wasm', join('dist/lib/build/jq.wasm'));
writeFileSync('dist/THIRD_PARTY_LICENSES', licencesOf(output));

function packageIn(path: string): string {
  const [, name = ''] = /.*node_modules[\\/](@[^\\/]+[\\/][^\\/]+|[^\\/]+)/.exec(path) ?? [];
  return name.replace('@', '').replaceAll(/[\\/]/g, '-');
}

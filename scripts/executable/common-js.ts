/** ES modules → CommonJS, which is what the single executable can load from memory. */
import { posix } from 'node:path';
import { rolldown } from 'rolldown';

/** The modules of dist/, each as a CommonJS function of what CommonJS modules have, by path. */
export async function commonJsOf(files: readonly string[]): Promise<Map<string, string>> {
  const bundle = await rolldown({
    input: Object.fromEntries(files.map((file) => [file.slice('dist/'.length, -'.js'.length), file])),
    platform: 'node',
    external: ['@napi-rs/keyring'],
    treeshake: false,
    preserveEntrySignatures: 'strict',
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    preserveModules: true,
    preserveModulesRoot: 'dist',
    exports: 'named',
    dynamicImportInCjs: false,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await bundle.close();
  const chunks = output.flatMap((file) =>
    file.type === 'chunk' ? [[`dist/${file.fileName}`, file.code] as const] : [],
  );
  const loadable = new Map(chunks.map(([path, code]) => [path, withPlainRequire(code)]));
  for (const [path, code] of loadable) requireAllThere(path, code, loadable);
  return new Map(
    [...loadable].map(([path, code]) => [
      path,
      `(function (exports, require, module, __filename, __dirname) {${code}\n})`,
    ]),
  );
}

/**
 * What is required late names its own place, which is no file here; the module's own `require` does the same. So it does for
 * the path of a command, which is only known when it runs: it is CommonJS now, and needs no disguise as a module.
 */
function withPlainRequire(code: string): string {
  const here = 'require("url").pathToFileURL(__filename).href';
  const plain = code
    .replaceAll(`process.getBuiltinModule("node:module").createRequire(${here})`, 'require')
    .replaceAll(`(0, node_module.createRequire)(${here})`, 'require')
    .replaceAll('require_runtime.__toESM(require(', '((loaded) => loaded)(require(');
  if (plain.includes(`createRequire(${here})`))
    throw new Error('dist requires something in a way that is not known here');
  return plain;
}

function requireAllThere(path: string, code: string, modules: ReadonlyMap<string, string>): void {
  for (const [, target = ''] of code.matchAll(/\brequire\("(\.[^"]+)"\)/g))
    if (!modules.has(posix.join(posix.dirname(path), target)))
      throw new Error(`${path} requires ${target}, which is missing`);
}

/** A file with what it imports, but for Node's own modules. */
export async function asCommonJs(file: string): Promise<string> {
  const bundle = await rolldown({ input: file, platform: 'node' });
  const { output } = await bundle.generate({ format: 'cjs' });
  await bundle.close();
  return output[0].code;
}

#!/usr/bin/env node
// Parsed by any Node, so that an old one gets a sentence instead of a stack trace: nothing is imported before the check.
// Nothing is imported for --version either, and Node's modules are taken as objects, which is faster than an import.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 20)) {
  process.stderr.write(`forgectl needs Node 22.20 or newer, and this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else if (process.argv[2] === '--version' || process.argv[2] === '-v') {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
} else {
  keepCompiledCode();
  import('../dist/cli/run.js').then(({ main }) => main(process.argv.slice(2)));
}

/** Keeps what V8 made of the code for the next run, in a directory where only this user can write. */
function keepCompiledCode() {
  try {
    const { mkdirSync, statSync } = process.getBuiltinModule('node:fs');
    const caches = cachesOfUser();
    const own = process.env.FORGECTL_CACHE_DIR || `${caches}/forgectl`;
    const directory = `${own}/compile`;
    const there = (path) => statSync(path, { throwIfNoEntry: false });
    // One by one: with `recursive` Node never ends below /proc, where nothing can be made.
    if (!there(directory))
      for (const path of [caches, own, directory]) if (!there(path)) mkdirSync(path, { mode: 0o700 });
    const { uid, mode } = statSync(directory);
    // What lies there runs as it is. Under sudo, say, the home directory can be another user's.
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return;
    process.getBuiltinModule('node:module').enableCompileCache(directory);
  } catch {
    // A home that cannot be written to costs time, and nothing else.
  }
}

/** Node's own choice would be a directory below the one for temporary files, where all users may write. */
function cachesOfUser() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
  const home = process.env.HOME || process.getBuiltinModule('node:os').homedir();
  return process.platform === 'darwin' ? `${home}/Library/Caches` : `${home}/.cache`;
}

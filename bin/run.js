#!/usr/bin/env node
// Parsed by any Node, so that an old one gets a sentence instead of a stack trace: nothing is imported before the check.
// Nothing is imported for --version either, and Node's modules are taken as objects, which is faster than an import.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 20)) {
  process.stderr.write(`forgectl requires Node 22.20 or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else if (process.argv[2] === '--version' || process.argv[2] === '-v') {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.on('error', ({ code, message }) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`forgectl: Cannot write the output: ${code === 'ENOSPC' ? 'the disk is full' : message}.\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
} else {
  const { createRequire } = process.getBuiltinModule('node:module');
  createRequire(import.meta.url)('../dist/start.js').start(process.argv.slice(2));
}

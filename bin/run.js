#!/usr/bin/env node
// Parsed by any Node, so that an old one gets a sentence instead of a stack trace: nothing is imported before the check.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 20)) {
  process.stderr.write(`forgectl needs Node 22.20 or newer, and this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  import('../dist/cli/start.js').then(({ start }) => start(process.argv.slice(2)));
}

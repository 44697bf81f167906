/** The start of every run. What is imported here is paid for by all of them, `--version` too. */
import { readFileSync } from 'node:fs';
import { compileCacheDirectory, keepCompiledCode } from './compile-cache.ts';

export async function start(argv: readonly string[]): Promise<void> {
  if (argv[0] === '--version' || argv[0] === '-v') {
    process.stdout.write(versionLine());
    return;
  }
  keepCompiledCode(compileCacheDirectory(process.env));
  const { main } = await import('./main.ts');
  await main(argv);
}

function versionLine(): string {
  const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return `${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`;
}

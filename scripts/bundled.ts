/** Bundles one file. */
import { rolldown } from 'rolldown';

/** Returns the code of a file bundled with its imports, except Node's own modules. */
export async function bundled(file: string): Promise<string> {
  const bundle = await rolldown({ input: file, platform: 'node' });
  const { output } = await bundle.generate({ format: 'cjs', exports: 'named', comments: false });
  await bundle.close();
  return output[0].code;
}

/** Returns a file bundled with its imports as a script for browsers, minified. */
export async function bundledForBrowsers(file: string): Promise<string> {
  const bundle = await rolldown({ input: file, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', comments: false, minify: true });
  await bundle.close();
  return output[0].code;
}

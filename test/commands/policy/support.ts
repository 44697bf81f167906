import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/serve.ts';
import { type RunOptions, run, temporaryDirectory } from '../../support/run.ts';

/** A sandbox, and forgectl with a folder of its own. */
export async function onSandbox(options: SandboxOptions = { orgs: 2, repos: 4 }) {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  const folder = await temporaryDirectory();
  const forgectl = (
    words: string,
    token: keyof Sandbox['tokens'] | (string & {}) = 'classic',
    more: Readonly<Record<string, string>> = {},
    options: RunOptions = {},
  ) =>
    run(words.replaceAll('FOLDER', folder).split(' '), {
      ...options,
      env: {
        ...more,
        FORGECTL_BASE_URL: sandbox.baseUrl,
        FORGECTL_TOKEN: sandbox.tokens[token as keyof Sandbox['tokens']] ?? token,
        XDG_STATE_HOME: join(folder, 'state'),
      },
    });
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  return { forgectl, folder, write };
}

/** The embedded platform, which kills the program at a write of the test's choosing. It announces no rate limits. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/serve.ts';
import { startServer } from './server.ts';

/** Where a write is when the program is killed. */
export const moments = ['never received', 'applied', 'answered'] as const;

interface Kill {
  /** The number of the write. */
  readonly at: number;
  readonly moment: (typeof moments)[number];
  readonly child: ChildProcess;
}

/** Starts the embedded platform behind a server that kills the program at a write, and lists what was done. */
export async function startKillingPlatform(options: SandboxOptions) {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  const { origin } = new URL(sandbox.baseUrl);
  const done: string[] = [];
  const bodies: string[] = [];
  let writes = 0;
  let kill: Kill | undefined;
  const server = await startServer(async (response, { method, url, headers, body }) => {
    const now = method !== 'GET' && ++writes === kill?.at ? kill : undefined;
    if (now?.moment === 'never received') return void now.child.kill('SIGKILL');
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body && { body }),
    });
    const text = await answer.text();
    if (method !== 'GET' && answer.ok) {
      done.push(`${method} ${url}`);
      bodies.push(body);
    }
    if (now?.moment === 'applied') return void now.child.kill('SIGKILL');
    const link = answer.headers.get('link')?.replaceAll(origin, `http://${headers.host}`);
    const more = link === undefined ? {} : { link };
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...more }).end(text);
    if (now) response.once('close', () => now.child.kill('SIGKILL'));
  });
  return {
    env: { FORGECTL_BASE_URL: `${server.origin}/api/v3`, FORGECTL_TOKEN: sandbox.tokens.classic },
    done,
    /** Those of the requests in `done`. */
    bodies,
    killAt: (after: number, moment: Kill['moment'], child: ChildProcess) => {
      kill = { at: writes + after, moment, child };
    },
  };
}

/** Dates a journal back by an hour: a create that was sent seconds ago would be verified again after a wait. */
export function dateBack(journal: string): void {
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll(/"at":"[^"]+"/g, `"at":"${hourAgo}"`));
}

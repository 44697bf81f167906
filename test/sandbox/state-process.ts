/** A sandbox in a process of its own, so that a test can kill it. It keeps its state in the file that is named. */
import { startSandbox } from '../../src/sandbox/serve.ts';

const sandbox = await startSandbox({ state: process.argv[2] as string });
process.stdout.write(`${JSON.stringify({ baseUrl: sandbox.baseUrl, tokens: sandbox.tokens })}\n`);

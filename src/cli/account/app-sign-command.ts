/**
 * Signs with another program, such as the client of a key service, so that the key never enters this process. The
 * program reads the data to sign from standard input and writes the signature as bytes or base64.
 */
import { spawn } from 'node:child_process';
import { NotLoggedInError, UsageError } from '../errors.ts';
import { withoutSecrets } from '../secret-variables.ts';
import type { Sign } from './app-key.ts';

const variable = 'FORGECTL_APP_SIGN_COMMAND';
const timeoutMs = 30_000;
const largestSignature = 64 * 1024;
const longestReason = 200;

/**
 * Returns a function that signs with the program.
 *
 * @param command program and arguments as a JSON array, run without a shell
 * @param env passed on without tokens and keys
 */
export function signCommand(command: string, env: NodeJS.ProcessEnv, withinMs = timeoutMs): Sign {
  const [program, ...args] = wordsIn(command);
  return (input) => run(program, args, { input, env: withoutSecrets(env), withinMs });
}

function wordsIn(command: string): [string, ...string[]] {
  let words: unknown;
  try {
    words = JSON.parse(command);
  } catch {
    words = undefined;
  }
  if (!Array.isArray(words) || !words[0] || !words.every((word) => typeof word === 'string'))
    throw new UsageError(`${variable} must be a JSON array of the program and its arguments, such as ["sign-jwt"].`);
  return words as [string, ...string[]];
}

interface Running {
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
  readonly withinMs: number;
}

async function run(program: string, args: readonly string[], { input, env, withinMs }: Running): Promise<string> {
  const child = spawn(program, args, { env, stdio: 'pipe', shell: false, windowsHide: true });
  const stdout: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= largestSignature) stdout.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-4096);
  });
  // A program that exits early is detected by its exit code or its missing signature.
  child.stdin.on('error', () => {}).end(input);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
    // Its child processes may hold the pipes open.
    child.stdout.destroy();
    child.stderr.destroy();
  }, withinMs);
  const ended = await new Promise<number | Error | null>((resolve) => {
    child.once('error', resolve);
    child.once('close', resolve);
  });
  clearTimeout(timer);
  if (timedOut) throw failed(`timed out after ${withinMs / 1000} s`);
  if (ended instanceof Error) throw failed(`cannot be run: ${(ended as NodeJS.ErrnoException).code ?? ended.message}`);
  if (ended !== 0) throw failed(`failed with exit code ${ended}${reasonIn(stderr)}`);
  return signatureIn(Buffer.concat(stdout));
}

const failed = (problem: string) =>
  new NotLoggedInError(`${variable} ${problem}.`, 'Nothing was sent. Run the program by hand to see why.');

function reasonIn(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1)?.trim().replace(/\.$/, '') ?? '';
  return line && `: ${line.slice(0, longestReason)}`;
}

/** Returns the signature in base64url. Throws NotLoggedInError if there is none. */
function signatureIn(output: Buffer): string {
  const text = output.toString('latin1').trim();
  const signature = /^[\w+/=\s-]+$/.test(text) ? Buffer.from(text, 'base64') : output;
  // The shortest RS256 signature: RSA keys in use have at least 1024 bits.
  if (signature.length < 128) throw failed('wrote no signature');
  return signature.toString('base64url');
}

/**
 * Signs with another program, such as the client of a key service, so that the key never enters this process. The
 * program reads the data to sign from standard input and writes the signature as bytes or base64.
 */
import { spawn } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { NotLoggedInError } from '../../errors.ts';
import { stopReadingAtExit } from '../../program-output.ts';
import type { Sign } from './key.ts';
import type { SignEnv } from './sign-env.ts';
import { reasonIn } from './sign-reason.ts';

const timeoutMs = 30_000;
const largestSignature = 64 * 1024;
/** In characters; longer than a key. */
const largestReport = 64 * 1024;

/**
 * Returns a function that signs with a program, which is run without a shell.
 *
 * @param source of the command in messages, such as a variable
 */
export function signCommand(
  [program = '', ...args]: readonly string[],
  source: string,
  env: SignEnv,
  withinMs = timeoutMs,
): Sign {
  return (input) => run(program, args, { input, source, env, withinMs });
}

interface Running {
  readonly source: string;
  readonly input: string;
  readonly env: SignEnv;
  readonly withinMs: number;
}

async function run(
  program: string,
  args: readonly string[],
  { input, source, env, withinMs }: Running,
): Promise<string> {
  const child = spawn(program, args, { env: env.passed, stdio: 'pipe', shell: false, windowsHide: true });
  stopReadingAtExit(child);
  const stop = () => {
    child.kill('SIGKILL');
    // Its child processes may hold the pipes open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const stdout: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    stdout.push(chunk);
    if (bytes > largestSignature) stop();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-largestReport);
  });
  // A program that exits early is detected by its exit code or its missing signature.
  child.stdin.on('error', () => {}).end(input);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, withinMs);
  const ended = await new Promise<number | NodeJS.Signals | Error | null>((resolve) => {
    child.once('error', resolve);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  clearTimeout(timer);
  const failed = (problem: string) => new NotLoggedInError(`${source} ${problem}.`, adviceFor(env));
  if (bytes > largestSignature)
    throw failed(`wrote more than ${largestSignature / 1024} KiB, which is too long for a signature`);
  if (timedOut) throw failed(`timed out after ${withinMs / 1000} s`);
  if (ended instanceof Error) throw failed(`cannot be run: ${(ended as NodeJS.ErrnoException).code ?? ended.message}`);
  if (ended !== 0)
    throw failed(
      `${typeof ended === 'number' ? `failed with exit code ${ended}` : `was terminated by ${ended}`}${reasonIn(stderr, env)}`,
    );
  const signature = signatureIn(Buffer.concat(stdout));
  if (signature === undefined) throw failed('wrote no signature');
  return signature;
}

function adviceFor({ withheld }: SignEnv): string {
  const advice = 'Nothing was sent. Run the program manually to find out why.';
  if (withheld.length === 0) return advice;
  return `${advice} These variables were not passed to it: ${withheld.join(', ')}. List those that it needs in FORGECTL_APP_SIGN_ENV, or log in with --app-sign-env.`;
}

/**
 * Returns the signature in base64url; undefined if there is none. Anything else is rejected, because the output is sent
 * to the platform: a faulty program could print the key.
 */
function signatureIn(output: Buffer): string | undefined {
  const text = output.toString('latin1').trim();
  const signature = /^[\w+/=\s-]+$/.test(text) && !isHexadecimal.test(text) ? Buffer.from(text, 'base64') : output;
  const isOther = isText(signature) || [output, signature].some(isKeyInDer);
  const { length } = signature;
  const hasLength = length > 0 && length <= longestSignature && length % signatureStep === 0;
  return isOther || !hasLength ? undefined : signature.toString('base64url');
}

/** In bytes. A signature is as long as its key: RSA keys in use have 1024 to 8192 bits, in steps of 1024. */
const longestSignature = 1024;
const signatureStep = 128;

const isHexadecimal = /^[\da-f:\s]+$/i;

/** Returns whether bytes are text, also in UTF-16: a key in PEM or as a JWK, base64 of base64, or a message. No signature is. */
const isText = (bytes: Buffer): boolean => /^[\t\n\r -~]*$/.test(bytes.toString('latin1').replaceAll('\0', ''));

const isKeyInDer = (key: Buffer): boolean =>
  (['pkcs1', 'pkcs8'] as const).some((type) => {
    try {
      return createPrivateKey({ key, format: 'der', type }).type === 'private';
    } catch {
      return false;
    }
  });

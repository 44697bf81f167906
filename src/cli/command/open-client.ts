/** Opens the client of a connection: the only place that combines the client with settings and files. */
import { ResponseCache, type ResponseStore } from '../../client/cache.ts';
import { Client } from '../../client/client.ts';
import type { RequestSummary } from '../../client/errors.ts';
import type { Redactor } from '../../client/redact.ts';
import { createTransport, type Waiting } from '../../client/transport/transport.ts';
import { settingsDirectory } from '../../disk/locations.ts';
import { openCache } from '../../disk/private-cache.ts';
import { BadSetting } from '../account/bad-setting.ts';
import type { Connection } from '../account/connection.ts';
import { credentialsPath } from '../account/credentials.ts';
import { expiryNotice } from '../account/expiry.ts';
import { exposureNotice } from '../account/exposed-file.ts';
import { UsageError } from '../errors.ts';
import { WaitingLine } from '../result/waiting-line.ts';
import type { Runtime } from '../runtime.ts';

interface ClientSurroundings {
  readonly runtime: Pick<Runtime, 'env' | 'terminal' | 'clock'>;
  readonly redactor: Redactor;
  /** Receives each token that is created during the run (default: the redactor). */
  readonly addSecret?: (secret: string) => void;
  /** Whether responses are cached for later runs. */
  readonly cached: boolean;
  /**
   * Whether thousands of reads are expected, and their responses cached in one file (default: each in a file, and only
   * the first page of a list).
   */
  readonly readings?: boolean | undefined;
  /** Number of concurrent writes if the platform reports no rate limits, unless `concurrency` is set (default: 1). */
  readonly writeConcurrency?: number | undefined;
  readonly debug: ((line: string) => void) | undefined;
  readonly notice: (text: string) => void;
  /** Returns the progress of a run over targets while it lasts. */
  readonly progress?: (() => string | undefined) | undefined;
  /** Called once for each deprecation that the platform reports. */
  readonly announcement: (text: string, asked: RequestSummary) => void;
}

/**
 * Returns the client of a connection, after a notice if its token expires soon, or others can read the token or key. Throws
 * UsageError for unreadable certificates.
 */
export async function openClient(
  connection: Connection,
  {
    runtime,
    redactor,
    addSecret = (secret) => redactor.add(secret),
    cached,
    readings = false,
    writeConcurrency,
    debug,
    notice,
    progress,
    announcement,
  }: ClientSurroundings,
): Promise<Client> {
  const { platform, profile, credential, timeoutMs, maxWaitMs, concurrency, proxy, caFile } = connection;
  const { env, terminal, clock } = runtime;
  const ends = expiryNotice(connection, terminal.now());
  if (ends) notice(ends);
  const exposed =
    (credential?.app ?? credential)?.warning ??
    (credential?.source === 'file' ? exposureNotice(credentialsPath(settingsDirectory(env)), 'the tokens') : undefined);
  if (exposed !== undefined) notice(exposed);
  const line = new WaitingLine(terminal, clock, notice, progress);
  const options = {
    timeoutMs,
    maxWaitMs,
    concurrency,
    writeConcurrency: writeConcurrency && (concurrency ?? writeConcurrency),
    manyReads: readings,
    proxy,
    ca: caFile === undefined ? undefined : await trusted(caFile, profile),
    env,
    redactor,
    onDebug: debug,
    onNotice: (text: string, asked: RequestSummary) =>
      announcement(
        `${text} The request used API version ${platform.apiVersion}; choose another with --api-version.`,
        asked,
      ),
    now: steadyTime(runtime),
    wait: (waiting: Waiting, signal?: AbortSignal) => line.wait(waiting, signal),
  };
  const tokens = credential?.app
    ? (await import('./open-app.ts')).openAppTokens(credential, { platform, transport: options, addSecret })
    : credential;
  const transport = createTransport(options);
  const open = readings ? readingsCache : responseCache;
  const cache = cached ? await open(env, debug) : undefined;
  return new Client({ platform, credential: tokens, transport, cache });
}

/** Returns undefined if no directory can be trusted; --debug reports why. */
function responseCache(env: NodeJS.ProcessEnv): ResponseStore | undefined {
  try {
    return new ResponseCache(openCache(env, 'responses'));
  } catch {
    return undefined;
  }
}

async function readingsCache(
  env: NodeJS.ProcessEnv,
  debug: ClientSurroundings['debug'],
): Promise<ResponseStore | undefined> {
  const { openPolicyResponseCache } = await import('../../fleet/readings/readings.ts');
  try {
    return openPolicyResponseCache(env);
  } catch (error) {
    debug?.(`Cache of policy responses disabled: ${(error as Error).message}.`);
    return undefined;
  }
}

/** Returns epoch milliseconds that advance steadily even if the system clock is changed. */
function steadyTime({ terminal, clock }: Pick<Runtime, 'terminal' | 'clock'>): () => number {
  const offset = terminal.now().getTime() - clock.now();
  return () => offset + clock.now();
}

async function trusted(file: string, profile: string | undefined): Promise<string> {
  const { readCertificates } = await import('../account/certificates.ts');
  try {
    return await readCertificates(file);
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    const of = profile === undefined ? '' : ` --profile ${profile}`;
    throw new UsageError(
      `${error.message} Nothing was sent.`,
      `Change the setting with “forgectl config set ca-file FILE${of}”, or remove it with “forgectl config unset ca-file${of}”.`,
    );
  }
}

/** A connection → a client: the one place where the client room meets settings and files. */
import { readFile } from 'node:fs/promises';
import { AnswerCache } from '../client/cache.ts';
import { Client } from '../client/client.ts';
import type { Redactor } from '../client/redact.ts';
import { createTransport } from '../client/transport.ts';
import type { Connection } from './connection.ts';
import { UsageError } from './errors.ts';

export interface ClientSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  /** Where answers are kept; absent: nowhere. */
  readonly cacheDirectory: string | undefined;
  readonly debug: ((line: string) => void) | undefined;
  readonly notice: (text: string) => void;
}

export async function openClient(
  connection: Connection,
  { env, redactor, cacheDirectory, debug, notice }: ClientSurroundings,
): Promise<Client> {
  const { platform, credential, timeoutMs, maxWaitMs, concurrency, proxy, caFile, withheld } = connection;
  if (withheld) notice(withheld);
  const transport = createTransport({
    timeoutMs,
    maxWaitMs,
    concurrency,
    proxy,
    ca: caFile === undefined ? undefined : await readCertificates(caFile),
    env,
    redactor,
    onDebug: debug,
    onNotice: notice,
    onWait: ({ ms, reason }) => {
      // Shorter waits are over before they are read.
      if (ms >= 1000) notice(`${reason}; asking again in ${Math.ceil(ms / 1000)} s.`);
    },
  });
  const cache = cacheDirectory === undefined ? undefined : new AnswerCache(cacheDirectory);
  return new Client({ platform, credential, transport, cache });
}

async function readCertificates(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `Cannot read the certificates in ${file}: ${(error as Error).message}.`,
      'Change the setting with “forgectl config set ca-file FILE”.',
    );
  }
}

/** A platform of a few scripted answers on a real socket, which records every request that reaches it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RecordedRequest {
  readonly method: string;
  /** Path and query as they were on the wire. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown;
}

export interface ScriptedPlatform {
  /** With /api/v3, as forgectl has it. */
  readonly baseUrl: string;
  readonly requests: readonly RecordedRequest[];
  /** The environment that points forgectl at this platform with a token that exists nowhere else. */
  readonly env: Readonly<Record<string, string>>;
}

type Answering = (request: RecordedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** What is answered, by `METHOD /path` (without /api/v3 and query), or whatever is asked. */
export type Script = Readonly<Record<string, ScriptedAnswer | Answering>> | Answering;

/** A token of the classic form, put together here so that no complete token stands in the repository. */
export const classicToken = ['ghp', 'x'.repeat(36)].join('_');

/**
 * Starts a platform that answers as the script says, and 404 to what it does not name. It stops after the test.
 */
export async function scriptedPlatform(script: Script): Promise<ScriptedPlatform> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    void receive(request).then(async (recorded) => {
      requests.push(recorded);
      const scripted = typeof script === 'function' ? script : script[`${recorded.method} ${pathOf(recorded)}`];
      answer(response, typeof scripted === 'function' ? await scripted(recorded) : scripted);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
  return { baseUrl, requests, env: { FORGECTL_BASE_URL: baseUrl, FORGECTL_TOKEN: classicToken } };
}

/** The path as endpoints declare it: below the base URL, without the query. */
export const pathOf = ({ url }: Pick<RecordedRequest, 'url'>): string =>
  (url.split('?', 1)[0] ?? '').replace(/^\/api\/v3/, '');

async function receive(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  return { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
}

function answer(response: ServerResponse, scripted: ScriptedAnswer | undefined): void {
  const { status, headers, body } = scripted ?? { status: 404, body: { message: 'Not Found' } };
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const type = text ? { 'content-type': 'application/json; charset=utf-8' } : {};
  response.writeHead(status ?? (text ? 200 : 204), { ...type, ...headers }).end(text);
}

/** A server on a real socket of which a test decides every byte, and which records what reaches it. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, as they were on the wire. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers one request; `count` is 1 for the first. */
export type Answering = (response: ServerResponse, request: ReceivedRequest, count: number) => void;

export interface TestServer {
  /** As `http://127.0.0.1:PORT`. */
  readonly origin: string;
  readonly requests: readonly ReceivedRequest[];
  /** Connections that were ever made. */
  readonly connections: () => number;
  readonly openConnections: () => number;
}

/** Starts a server that stops after the test. */
export async function startServer(answering: Answering): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  let connections = 0;
  let openConnections = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(received);
    answering(response, received, requests.length);
  });
  server.on('connection', (socket) => {
    connections++;
    openConnections++;
    socket.on('close', () => openConnections--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    openConnections: () => openConnections,
  };
}

/** Answers JSON, without a `Date`, so that a test's clock is the only one. */
export function json(
  response: ServerResponse,
  body: unknown,
  headers: Record<string, string> = {},
  status = 200,
): void {
  response.sendDate = false;
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body));
}

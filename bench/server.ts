/**
 * A platform of constant cost: replays recorded responses. An organization named `p60-l50` has 60 pages of repositories,
 * and every response about it takes 50 ms.
 *
 * Runs as a separate process, given the folder of the recording; prints its port.
 */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

interface Recording {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const folder = process.argv[2] ?? '.';
const organization = recording('organization.json');
/** Two pages in turn, as consecutive pages of a list must differ. */
const [odd, even] = [recording('odd-page.json'), recording('even-page.json')];

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const [, pages, latency, list] = /^\/api\/v3\/orgs\/p(\d+)-l(\d+)(\/repos)?$/.exec(url.pathname) ?? [];
  if (pages === undefined) {
    response.writeHead(404).end();
    return;
  }
  if (latency !== '0') await delay(Number(latency));
  if (list === undefined) return answer(response, organization);
  const page = Number(url.searchParams.get('page') ?? 1);
  answer(response, page % 2 ? odd : even, linkOf(url, page, Number(pages)));
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

function recording(file: string): Recording {
  const { headers, body } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return { headers, body: Buffer.from(body) };
}

function answer(response: ServerResponse, { headers, body }: Recording, link?: string): void {
  response.setHeaders(new Map(headers));
  response.setHeader('content-length', body.length);
  if (link !== undefined) response.setHeader('link', link);
  response.end(body);
}

function linkOf(url: URL, page: number, last: number): string | undefined {
  if (page >= last) return undefined;
  const link = (number: number, relation: string) => {
    const target = new URL(url);
    target.searchParams.set('page', String(number));
    return `<${target.href}>; rel="${relation}"`;
  };
  return [link(page + 1, 'next'), link(last, 'last')].join(', ');
}

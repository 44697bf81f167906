/**
 * A platform of constant cost: replays recorded responses. An organization named `p60-l50` has 60 pages of repositories,
 * and every response about it takes 50 ms. `f10000-l50` has 10,000 repositories with a ruleset each, and all responses
 * about them have ETags.
 *
 * Runs as a separate process, given the folder of the recording; prints its port.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
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

const fleet = {
  repository: recording('repository.json'),
  rulesets: recording('rulesets.json'),
  ruleset: recording('ruleset.json'),
};

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const inFleet = /^\/api\/v3\/(?:orgs|repos)\/(f(\d+)-l(\d+))\/(?:repos$|r-(\d+)\/rulesets(\/\d+)?$)/.exec(
    url.pathname,
  );
  if (inFleet) {
    const [, owner = '', count, latency, repository, ruleset] = inFleet;
    if (latency !== '0') await delay(Number(latency));
    return answerFleet(request, response, { url, owner, count: Number(count), repository, ruleset });
  }
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

interface FleetRequest {
  readonly url: URL;
  readonly owner: string;
  /** The number of repositories. */
  readonly count: number;
  /** Absent for a list of repositories. */
  readonly repository: string | undefined;
  /** Absent for a list of rulesets. */
  readonly ruleset: string | undefined;
}

function answerFleet(request: IncomingMessage, response: ServerResponse, asked: FleetRequest): void {
  const { url, owner, count, repository, ruleset } = asked;
  // As on the platform, an ETag depends on the token.
  const digest = createHash('sha256').update(`${url.href} ${request.headers.authorization}`).digest('hex');
  const etag = `W/"${digest}"`;
  const page = Number(url.searchParams.get('page') ?? 1);
  const isList = repository === undefined;
  const { headers, body } = isList ? fleet.repository : ruleset === undefined ? fleet.rulesets : fleet.ruleset;
  const tagged = [...headers, ['etag', etag]] as const;
  if (request.headers['if-none-match'] === etag) {
    response.statusCode = 304;
    response.setHeaders(new Map(tagged));
    response.end();
  } else if (isList) {
    const first = (page - 1) * 100 + 1;
    const numbers = Array.from({ length: Math.min(100, count - first + 1) }, (_, index) => String(first + index));
    const list = numbers.map((number) => named(body, owner, number).toString()).join(',');
    answer(response, { headers: tagged, body: Buffer.from(`[${list}]`) }, linkOf(url, page, Math.ceil(count / 100)));
  } else answer(response, { headers: tagged, body: named(body, owner, repository) });
}

/** Puts the names of a fleet into a recorded body. */
const named = (body: Buffer, owner: string, number: string): Buffer =>
  Buffer.from(
    body.toString().replaceAll(/\b(?:acme\/recorded|recorded|acme)\b/g, (name) => names(name, owner, number)),
  );

const names = (name: string, owner: string, number: string): string =>
  name === 'acme' ? owner : name === 'recorded' ? `r-${number}` : `${owner}/r-${number}`;

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

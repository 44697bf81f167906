/**
 * A platform of constant cost: replays recorded responses. An organization named `p60-l50` has 60 pages of repositories,
 * and every response about it takes 50 ms; `p60-l50c` sends them in chunks, `p60-l50z` compressed. `f10000-l50` has 10,000 repositories with a ruleset each, and all responses
 * about them have ETags.
 *
 * Runs as a separate process, given the folder of the recording; prints its port. It writes HTTP itself, as Node's server
 * would take more time for a response than the client: programs that are measured share the machine with it.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Recording {
  /** As they are sent, each with its line break. */
  readonly headers: string;
  readonly body: string;
}

interface Request {
  /** Path and query. */
  readonly target: string;
  /** The lines of the request. */
  readonly head: string;
}

/** A response that replays a recording. */
interface Response {
  readonly headers: string;
  readonly body: Buffer;
}

const folder = process.argv[2] ?? '.';
const user = recording('user.json');
const organization = whole(recording('organization.json'));
/** Two pages in turn, as consecutive pages of a list must differ. */
const [odd, even] = [whole(recording('odd-page.json')), whole(recording('even-page.json'))];

const fleet = {
  repository: recording('repository.json'),
  rulesets: recording('rulesets.json'),
  ruleset: recording('ruleset.json'),
};

const server = createServer({ noDelay: true }, (socket) => {
  let head = '';
  socket.on('data', (data) => {
    head += data.toString('latin1');
    // Reads have no body, and clients wait for each response.
    if (!head.endsWith('\r\n\r\n')) return;
    const request = { target: head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/')), head };
    head = '';
    const latency = Number(/^\/api\/v3\/(?:orgs|repos)\/\w+-l(\d+)/.exec(request.target)?.[1] ?? 0);
    if (latency === 0) answer(socket, request);
    else setTimeout(answer, latency, socket, request);
  });
  // Clients that have what they need close their connections.
  socket.on('error', () => {});
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

function answer(socket: Socket, request: Request): void {
  const { target } = request;
  if (target === '/api/v3/user') {
    answerIfChanged(socket, request, user, () => ({ headers: '', body: Buffer.from(user.body) }));
    return;
  }
  const inFleet = /^\/api\/v3\/(?:orgs|repos)\/(f(\d+)-l\d+)\/(?:repos|r-(\d+)\/rulesets(\/\d+)?)(?:\?|$)/.exec(target);
  if (inFleet) {
    const [, owner = '', count, repository, ruleset] = inFleet;
    answerFleet(socket, request, { owner, count: Number(count), repository, ruleset });
    return;
  }
  const [, pages, encoding, list] = /^\/api\/v3\/orgs\/p(\d+)-l\d+([cz]?)(\/repos)?(?:\?|$)/.exec(target) ?? [];
  if (pages === undefined) write(socket, '404 Not Found', { headers: '', body: Buffer.alloc(0) });
  else if (list === undefined) write(socket, '200 OK', organization);
  else {
    const page = pageOf(request);
    const { headers, body } = encoded(page % 2 ? odd : even, encoding);
    write(socket, '200 OK', { headers: headers + linkTo(request, page, Number(pages)), body });
  }
}

interface FleetRequest {
  readonly owner: string;
  /** The number of repositories. */
  readonly count: number;
  /** Absent for a list of repositories. */
  readonly repository: string | undefined;
  /** Absent for a list of rulesets. */
  readonly ruleset: string | undefined;
}

function answerFleet(socket: Socket, request: Request, { owner, count, repository, ruleset }: FleetRequest): void {
  const isList = repository === undefined;
  const recorded = isList ? fleet.repository : ruleset === undefined ? fleet.rulesets : fleet.ruleset;
  answerIfChanged(socket, request, recorded, () => {
    if (!isList) return { headers: '', body: Buffer.from(named(recorded, owner, repository)) };
    const page = pageOf(request);
    const first = (page - 1) * 100 + 1;
    const numbers = Array.from({ length: Math.min(100, count - first + 1) }, (_, index) => String(first + index));
    const body = Buffer.from(`[${numbers.map((number) => named(recorded, owner, number)).join(',')}]`);
    return { headers: linkTo(request, page, Math.ceil(count / 100)), body };
  });
}

/** Writes the response with the recorded headers and an ETag, which depends on the token, as on the platform. */
function answerIfChanged(socket: Socket, { target, head }: Request, recorded: Recording, response: () => Response) {
  const etag = `W/"${hash('sha256', `${target} ${headerOf(head, 'authorization')}`)}"`;
  const headers = `${recorded.headers}etag: ${etag}\r\n`;
  if (headerOf(head, 'if-none-match') === etag) {
    write(socket, '304 Not Modified', { headers });
    return;
  }
  const { headers: own, body } = response();
  write(socket, '200 OK', { headers: headers + own, body });
}

/** Recorded bodies with the names of a fleet, in parts between which the numbers of its repositories stand. */
const partsOf = new Map<string, Map<Recording, readonly string[]>>();

/** Puts the names of a fleet, and of a repository its ID, into a recorded body. */
function named(recorded: Recording, owner: string, number: string): string {
  const ofOwner = partsOf.get(owner) ?? new Map<Recording, readonly string[]>();
  partsOf.set(owner, ofOwner);
  const parts = ofOwner.get(recorded) ?? partsFor(recorded, owner);
  ofOwner.set(recorded, parts);
  return parts.join(number);
}

/** A repository is known by its ID, so each has its own. */
const partsFor = ({ body }: Recording, owner: string): readonly string[] =>
  body
    .replace(/^\{"id":\d+(?=,.*"full_name":)/, '{"id":\0')
    .replaceAll(/\b(?:acme\/recorded|recorded|acme)\b/g, (name) =>
      name === 'acme' ? owner : name === 'recorded' ? 'r-\0' : `${owner}/r-\0`,
    )
    .split('\0');

function recording(file: string): Recording {
  const { headers, body } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    headers: readonly (readonly [name: string, value: string])[];
    body: string;
  };
  return { headers: headers.map(([name, value]) => `${name}: ${value}\r\n`).join(''), body };
}

const chunked = 'transfer-encoding: chunked\r\n';

/** What each page is sent as, by page and encoding. */
const pagesAsSent = new Map<Response, Map<string, Response>>();

/** Returns the page in chunks of 16 KB, the compressed one in a single chunk. */
function encoded(page: Response, encoding = ''): Response {
  if (encoding === '') return page;
  const sent = pagesAsSent.get(page) ?? new Map<string, Response>();
  pagesAsSent.set(page, sent);
  const known = sent.get(encoding);
  if (known) return known;
  const made =
    encoding === 'z'
      ? {
          headers: `${page.headers}content-encoding: gzip\r\n${chunked}`,
          body: inChunks(gzipSync(page.body), Infinity),
        }
      : { headers: page.headers + chunked, body: inChunks(page.body, 16_384) };
  sent.set(encoding, made);
  return made;
}

function inChunks(body: Buffer, size: number): Buffer {
  const chunks: Buffer[] = [];
  for (let start = 0; start < body.length; start += size) {
    const chunk = body.subarray(start, start + size);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

function whole({ headers, body }: Recording): Response {
  return { headers, body: Buffer.from(body) };
}

/** Writes a response, which keeps the connection; one that has no body has none by its status. */
function write(socket: Socket, status: string, { headers, body }: Pick<Response, 'headers'> & Partial<Response>): void {
  const length = body && !headers.includes(chunked) ? `content-length: ${body.length}\r\n` : '';
  const head = `HTTP/1.1 ${status}\r\n${headers}date: ${new Date().toUTCString()}\r\n${length}\r\n`;
  socket.cork();
  socket.write(head, 'latin1');
  if (body) socket.write(body);
  socket.uncork();
}

const headerOf = (head: string, name: string): string | undefined =>
  new RegExp(`\r\n${name}: *([^\r]*)`, 'i').exec(head)?.[1];

const pageOf = ({ target }: Request): number => Number(/[?&]page=(\d+)/.exec(target)?.[1] ?? 1);

/** Returns the `Link` header of a page. */
function linkTo({ target, head }: Request, page: number, last: number): string {
  if (page >= last) return '';
  const link = (number: number, relation: string) => {
    const url = new URL(target, `http://${headerOf(head, 'host')}`);
    url.searchParams.set('page', String(number));
    return `<${url.href}>; rel="${relation}"`;
  };
  return `link: ${[link(page + 1, 'next'), link(last, 'last')].join(', ')}\r\n`;
}

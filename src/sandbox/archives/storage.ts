/** The storage host of archives: another origin, with signed URLs and without tokens. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isLoopbackHost, isOneOf } from '../hosts.ts';
import type { SandboxPlatform } from '../platform.ts';
import { hasArchive, type MigrationState, migrationsOf } from '../state/migrations.ts';
import { archiveOf } from './contents.ts';

/** Valid for the lifetime of the process. */
const key = randomBytes(32);

/** Lifetime of a signed URL, in milliseconds. */
const lifetime = 5 * 60 * 1000;

/** Returns a URL that grants access to the archive for five minutes, on the host that the client uses. */
export function archiveUrl(
  { storagePort, clock }: SandboxPlatform,
  { guid }: MigrationState,
  hostname: string,
): string {
  const path = `/migrations/archive/${guid}.tar.gz`;
  const expires = String(clock().getTime() + lifetime);
  return `http://${hostname}:${storagePort}${path}?expires=${expires}&signature=${sign(path, expires)}`;
}

const sign = (path: string, expires: string): string =>
  createHmac('sha256', key).update(`${path}\n${expires}`).digest('hex');

/** Serves archives. Rejects requests with a token: this host accepts only signed URLs. */
export function storageServer(platform: () => SandboxPlatform): Server {
  return createServer((request, response) => {
    const refusal = refuse(platform(), request);
    if (refusal) response.writeHead(refusal[0], { 'content-type': 'application/xml' }).end(errorXml(refusal[1]));
    else sendArchive(platform(), request, response);
  });
}

/** Clients decide what a request line contains: `//` is no URL. */
const urlOf = (request: IncomingMessage): URL =>
  URL.parse(request.url ?? '', 'http://storage') ?? new URL('http://storage');

function refuse(
  { clock, allowedHosts }: SandboxPlatform,
  request: IncomingMessage,
): [status: number, code: string] | undefined {
  const { pathname, searchParams } = urlOf(request);
  const { host } = request.headers;
  if (!isLoopbackHost(host) && !isOneOf(host, allowedHosts)) return [403, 'AccessDenied'];
  if (request.headers.authorization !== undefined) return [400, 'InvalidArgument'];
  if (request.method !== 'GET' && request.method !== 'HEAD') return [405, 'MethodNotAllowed'];
  const expires = searchParams.get('expires') ?? '';
  const given = Buffer.from(searchParams.get('signature') ?? '');
  const expected = Buffer.from(sign(pathname, expires));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return [403, 'SignatureDoesNotMatch'];
  return Number(expires) < clock().getTime() ? [403, 'AccessDenied'] : undefined;
}

function sendArchive(platform: SandboxPlatform, request: IncomingMessage, response: ServerResponse): void {
  const guid = /([0-9a-f-]{36})\.tar\.gz$/.exec(urlOf(request).pathname)?.[1];
  const all = platform.accounts.users.flatMap((user) => migrationsOf(platform, user).values());
  const migration = all.find((each) => each.guid === guid);
  if (!migration || !hasArchive(platform, migration)) {
    response.writeHead(404, { 'content-type': 'application/xml' }).end(errorXml('NoSuchKey'));
    return;
  }
  const archive = archiveOf(platform, migration);
  const etag = `"${createHash('md5').update(archive).digest('hex')}"`;
  const headers = { etag, 'accept-ranges': 'bytes', 'content-type': 'application/gzip' };
  const range = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
  const [from, to] = (range && parseRange(request.headers.range, archive.length)) || [0, archive.length - 1];
  if (from >= archive.length) {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${archive.length}` }).end();
    return;
  }
  const part = archive.subarray(from, to + 1);
  const whole = part.length === archive.length;
  const span = whole ? {} : { 'content-range': `bytes ${from}-${to}/${archive.length}` };
  response.writeHead(whole ? 200 : 206, { ...headers, ...span, 'content-length': part.length });
  response.end(request.method === 'HEAD' ? undefined : part);
}

/** Returns the first and last byte of a single range; undefined without one, or for a form that may be ignored. */
function parseRange(header: string | undefined, length: number): [from: number, to: number] | undefined {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined) return undefined;
  return [Number(from), to ? Math.min(Number(to), length - 1) : length - 1];
}

const errorXml = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>\n`;

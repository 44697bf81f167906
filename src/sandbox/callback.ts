/** JSONP responses (`callback`), for browsers that load them as scripts. Specification, Cross-origin access, 4. */
import type { MiddlewareHandler } from 'hono';
import { badRequest } from './refusals.ts';

/** Wraps the response to a GET with a `callback` parameter in a call of that function. */
export const callbackForm: MiddlewareHandler = async (c, next) => {
  const name = c.req.method === 'GET' ? c.req.query('callback') : undefined;
  if (name !== undefined && !/^[\w.$[\]]+$/.test(name)) throw badRequest('Invalid callback');
  await next();
  if (name === undefined) return;
  const { status, headers } = c.res;
  const meta = { status, ...Object.fromEntries(headers), link: parseLinks(headers.get('link') ?? '') };
  const text = await c.res.text();
  const object = `{"meta":${JSON.stringify(meta)},"data":${text || 'null'}}`;
  const wrapped = new Headers(headers);
  wrapped.set('content-type', 'application/javascript; charset=utf-8');
  wrapped.delete('content-length');
  c.res = undefined;
  c.res = new Response(`/**/${name}(${object})`, { status: 200, headers: wrapped });
};

/** A `Link` header as [url, options] pairs. */
function parseLinks(header: string): [url: string, options: Record<string, string>][] {
  return [...header.matchAll(/<([^>]*)>((?:\s*;\s*\w+="[^"]*")*)/g)].map(([, url = '', parameters = '']) => [
    url,
    Object.fromEntries([...parameters.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  ]);
}

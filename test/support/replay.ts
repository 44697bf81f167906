/** A platform that repeats the responses of another one, with one of them changed on its way. */
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { routeMatcher } from '../contracts/routes.ts';
import { pathOf, type RecordedRequest, scriptedPlatform } from './platform.ts';

export interface Exchange {
  readonly request: RecordedRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a response without JSON. */
  readonly json: unknown;
}

/** Returns another body for a response; undefined for the same. */
type Change = (exchange: Exchange) => string | undefined;

const routeOf = routeMatcher(allEndpoints.map(({ route }) => route));

const keyOf = ({ method, url, body }: RecordedRequest) => `${method} ${url} ${body}`;

/** Starts a platform that asks `upstream` once for each response, and repeats the first runs of a command as often as told. */
export async function replayPlatform(upstream: string) {
  const recorded = new Map<string, Exchange[]>();
  const sent = new Map<string, number>();
  let served: Exchange[] = [];
  let change: Change = () => undefined;

  const platform = await scriptedPlatform(async (request) => {
    const key = keyOf(request);
    const earlier = recorded.get(key) ?? [];
    const at = sent.get(key) ?? 0;
    sent.set(key, at + 1);
    const exchange = earlier[at] ?? (await forward(request));
    if (!earlier[at]) recorded.set(key, [...earlier, exchange]);
    served.push(exchange);
    const { status, headers, json } = exchange;
    return { status, headers, body: change(exchange) ?? (json === undefined ? undefined : JSON.stringify(json)) };
  });

  /** Lists have two pages here, whatever their length. */
  async function forward(request: RecordedRequest): Promise<Exchange> {
    const { method, url, body, headers } = request;
    const [, second] = /[?&]page=(\d+)$/.exec(url) ?? [];
    const target = url.replace(/^\/api\/v3/, '').replace(/[?&]page=\d+$/, '');
    const names = ['authorization', 'accept', 'content-type'];
    const response = await fetch(`${upstream}${target}`, {
      method,
      headers: names.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : [])),
      redirect: 'manual',
      ...(body && { body }),
    });
    const text = (await response.text()).replaceAll(upstream, platform.baseUrl);
    const scopes = response.headers.get('x-oauth-scopes');
    const common = { ...(scopes !== null && { 'x-oauth-scopes': scopes }) };
    const json = jsonOf(text);
    const { status } = response;
    const endpoint = allEndpoints.find(({ route }) => route === routeOf(method, pathOf(request)));
    if (endpoint?.paging === undefined || !Array.isArray(json) || json.length < 2)
      return { request, status, headers: common, json };
    const middle = Math.ceil(json.length / 2);
    if (second !== undefined) return { request, status, headers: common, json: json.slice(middle) };
    const next = `${platform.baseUrl}${target}${target.includes('?') ? '&' : '?'}page=2`;
    return { request, status, headers: { ...common, link: `<${next}>; rel="next"` }, json: json.slice(0, middle) };
  }

  return {
    platform,
    /** Begins with the first responses again, and changes them. Returns the responses since the last call. */
    rewind(next: Change = () => undefined): readonly Exchange[] {
      const all = served;
      served = [];
      sent.clear();
      change = next;
      return all;
    },
  };
}

export type ReplayPlatform = Awaited<ReturnType<typeof replayPlatform>>;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

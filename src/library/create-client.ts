/** The client as a library. Changes no global state of the process. */
import packageJson from '../../package.json' with { type: 'json' };
import { Client } from '../client/client.ts';
import { tokenProblem } from '../client/credential.ts';
import { normalizeBaseUrl, platformDefaults } from '../client/platform.ts';
import { Redactor } from '../client/redact.ts';
import type { PlannedRequest as Planned } from '../client/request.ts';
import { createTransport, pause } from '../client/transport/transport.ts';
import type { AnyInput, Endpoint, PagedEndpoint } from '../platform/endpoint.ts';
import type { ApiEndpoint, ApiList } from './endpoint.ts';

/** The options of `createClient`. */
export interface CreateClientOptions {
  /** Such as `https://ghe.example.com`; `/api/v3` is appended where a self-managed platform needs it. */
  readonly baseUrl: string;
  /** Sent to the origin of `baseUrl` only. Absent: requests are anonymous. */
  readonly token?: string | undefined;
  /** Default: `2022-11-28`. */
  readonly apiVersion?: string | undefined;
  /** The platform's name in headers and media types. Default: `github`. */
  readonly vendor?: string | undefined;
  /** The path segment of the dependency-alert product. Default: `dependabot`. */
  readonly alertsSegment?: string | undefined;
  /** Default: `forgectl/` and the version. */
  readonly userAgent?: string | undefined;
  /** Time for one request, in milliseconds. Default: 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Total time for rate limits and retries, in milliseconds. Default: 60 000. */
  readonly maxWaitMs?: number | undefined;
  /** Requests at once, at most 100. Default: 20. */
  readonly concurrency?: number | undefined;
  /** URL of a proxy. Environment variables are not read. */
  readonly proxy?: string | undefined;
  /** Hosts that are reached without the proxy, written as in `NO_PROXY`. */
  readonly noProxy?: string | undefined;
  /** Certificates in PEM form, trusted in addition to those that Node trusts. */
  readonly ca?: string | undefined;
  /** Receives notices of deprecations, each once, and of reads of renamed repositories. Secrets are masked. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Receives requests and responses, line by line. Secrets are masked. */
  readonly onDebug?: ((line: string) => void) | undefined;
  /** Called before a request is delayed by a rate limit, a retry or pacing. */
  readonly onWait?: ((wait: { readonly ms: number; readonly reason: string }) => void) | undefined;
}

/** The options of a call. */
export interface CallOptions {
  /** The name of one of the endpoint's media types, such as `raw` for comments. */
  readonly format?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The options of a list. */
export interface PagesOptions extends CallOptions {
  readonly perPage?: number | undefined;
  /** The page to begin with. */
  readonly page?: number | undefined;
  /** Stops fetching once this many records have arrived; the last page is not cut. */
  readonly limit?: number | undefined;
  /** Pages fetched at once, at most the client's `concurrency`. */
  readonly concurrency?: number | undefined;
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Whether more pages follow. */
  readonly more: boolean;
  /** The other fields of the object that contains the list. */
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
}

/** A request that has been built and not sent. It contains no token. */
export interface PlannedRequest<Data> {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** JSON. */
    readonly body?: string;
  };
  readonly endpoint: ApiEndpoint<never, Data> | undefined;
}

/** A response. */
export interface ApiResponse<Data> {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly data: Data;
}

/** A request that no endpoint declares. */
export interface RawRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, such as `/user`; it may contain a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** A client of one platform. Its methods throw a `ClientError`, or the signal's reason. */
export interface ForgectlClient {
  /** Calls an endpoint and returns its data; `{}` after a 204, and of a list only the first page. */
  call<Input, Data>(endpoint: ApiEndpoint<Input, Data>, input: NoInfer<Input>, options?: CallOptions): Promise<Data>;
  /** Returns the pages of a list in order; pages are fetched ahead of the loop that reads them. */
  pages<Input, Item>(
    endpoint: ApiList<Input, Item>,
    input: NoInfer<Input>,
    options?: PagesOptions,
  ): AsyncIterable<Page<Item>>;
  /** Builds the request of a call without sending it. */
  plan<Input, Data>(
    endpoint: ApiEndpoint<Input, Data>,
    input: NoInfer<Input>,
    options?: Pick<CallOptions, 'format'>,
  ): PlannedRequest<Data>;
  /** Sends a planned request. */
  send<Data>(plan: PlannedRequest<Data>, options?: Pick<CallOptions, 'signal'>): Promise<ApiResponse<Data>>;
  /** Sends a request that no endpoint declares. The data is parsed if it is JSON, text otherwise. */
  request(request: RawRequest, options?: Pick<CallOptions, 'signal'>): Promise<ApiResponse<unknown>>;
  /** Closes all connections; pending requests fail. */
  close(): Promise<void>;
}

/** Creates a client; nothing is connected before the first request. Throws BaseUrlError, and TypeError for a token that cannot be sent. */
export function createClient({
  baseUrl: givenUrl,
  token,
  apiVersion = platformDefaults.apiVersion,
  vendor = platformDefaults.vendor,
  alertsSegment = platformDefaults.alertsSegment,
  userAgent = `forgectl/${packageJson.version}`,
  timeoutMs,
  maxWaitMs,
  concurrency,
  proxy,
  noProxy,
  ca,
  onNotice,
  onDebug,
  onWait,
}: CreateClientOptions): ForgectlClient {
  const baseUrl = normalizeBaseUrl(givenUrl);
  const problem = token === undefined ? undefined : tokenProblem(token);
  if (problem) throw new TypeError(`The token ${problem}.`);
  const redactor = new Redactor();
  if (token !== undefined) redactor.add(token);
  const notice = onNotice && ((text: string) => onNotice(redactor.message(text)));
  const client = new Client({
    platform: { baseUrl, apiVersion, vendor, alertsSegment, userAgent },
    credential: token === undefined ? undefined : { token, origin: new URL(baseUrl).origin },
    onRename: notice && (({ named, current }) => notice(`${named} is now ${current}.`)),
    transport: createTransport({
      timeoutMs,
      maxWaitMs,
      concurrency,
      proxy,
      ca,
      env: { NO_PROXY: noProxy },
      redactor,
      onDebug,
      onNotice: notice,
      wait: async (waiting, signal) => {
        onWait?.({ ms: waiting.ms, reason: waiting.reason });
        await pause(waiting, signal);
      },
    }),
  });
  // The published types describe endpoints without valibot's types.
  const declared = (endpoint: unknown) => endpoint as Endpoint;
  const given = (input: unknown) => input as AnyInput;
  return {
    call: (endpoint, input, options) => client.call(declared(endpoint), given(input), options) as Promise<never>,
    pages: (endpoint, input, options) =>
      client.pages(declared(endpoint) as PagedEndpoint, given(input), options) as AsyncIterable<Page<never>>,
    plan: (endpoint, input, options) => client.plan(declared(endpoint), given(input), options) as PlannedRequest<never>,
    send: (plan, options) => client.send(plan as Planned, options) as Promise<ApiResponse<never>>,
    request: (request, options) => client.request(request, options),
    close: () => client.close(),
  };
}

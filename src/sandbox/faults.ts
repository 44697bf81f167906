/** Injects faults, in the same order in every run. */
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type FaultRates, type RequestFault, requestFaults } from './fault-kinds.ts';
import type { Chance } from './seed/chance.ts';

/** Delay of a slow response, in milliseconds. */
const delay = 2000;

/** Handles requests. */
export type Fetch = (request: Request, bindings: HttpBindings) => Response | Promise<Response>;

export interface FaultOptions {
  readonly rates: FaultRates;
  readonly chance: Chance;
  readonly log: (line: string) => void;
}

/** Injects faults into a server. The seed determines which request of a run has which fault. */
export function withFaults(fetch: Fetch, { rates, chance, log }: FaultOptions): Fetch {
  let requests = 0;
  return (request, bindings) => {
    requests += 1;
    const kind = faultAt(rates, chance('fault', requests));
    if (!kind) return fetch(request, bindings);
    log(`request ${requests}, ${request.method} ${new URL(request.url).pathname}: fault ${kind}`);
    return happen[kind](() => fetch(request, bindings), bindings);
  };
}

/** Returns the fault for a random number, given the rates. */
function faultAt(rates: FaultRates, chance: number): RequestFault | undefined {
  let end = 0;
  return requestFaults.find((kind) => {
    end += rates[kind] ?? 0;
    return chance < end;
  });
}

type Answer = () => Response | Promise<Response>;

const happen: Readonly<Record<RequestFault, (answer: Answer, bindings: HttpBindings) => Response | Promise<Response>>> =
  {
    reset: (_, { incoming }) => {
      incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    },
    500: () => Response.json({ message: 'Server Error' }, { status: 500 }),
    502: () => page(502, '502 Bad Gateway'),
    503: () => Response.json({ message: 'Service unavailable' }, { status: 503, headers: { 'retry-after': '1' } }),
    slow: async (answer) => {
      await pause(delay);
      return answer();
    },
    truncated: async (answer, { outgoing }) => {
      const { status, headers, body } = await wholeOf(await answer());
      if (body.length === 0) outgoing.destroy();
      else outgoing.writeHead(status, headers).write(body.subarray(0, body.length / 2), () => outgoing.destroy());
      return RESPONSE_ALREADY_SENT;
    },
    // Returns the login page of a captive portal.
    html: () => page(200, 'Sign in to continue'),
  };

const page = (status: number, title: string): Response =>
  new Response(`<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

async function wholeOf(response: Response) {
  const body = Buffer.from(await response.arrayBuffer());
  const headers = { ...Object.fromEntries(response.headers), 'content-length': String(body.length) };
  return { status: response.status, headers, body };
}

/** Starts a sandbox for a test file and asks it over a real socket. */
import { afterAll, beforeAll } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/serve.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the platform answers
  readonly body: any;
}

export interface PromptTerminal {
  /** A token kind or the text of a token; `null` asks without a token. The classic token where it is left out. */
  readonly as?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The newest commit of `acme/site`, and the one before it. */
export const commits = [
  '874dce0ad68450dab5bfabc42545247f7d62600c',
  'd9cd2d92523d14ad042fd0aa9ed105e06c2bf980',
] as const;

/** The time in tests, unless a test moves it. */
export const noon = new Date('2026-11-20T12:30:00Z');

/** A sandbox for the tests of a file; its clock stands still until `advance` moves it. */
export function sandboxForTests(options: SandboxOptions = {}) {
  let now = noon.getTime();
  let sandbox: Sandbox;
  const lines: string[] = [];
  beforeAll(async () => {
    sandbox = await startSandbox({ clock: () => new Date(now), log: (line) => lines.push(line), ...options });
  });
  afterAll(() => sandbox.close());
  return {
    lines,
    get baseUrl() {
      return sandbox.baseUrl;
    },
    get tokens() {
      return sandbox.tokens;
    },
    /** Of the sandbox's app. */
    get privateKey() {
      return sandbox.app.privateKey();
    },
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    ask: (request: string, asking: PromptTerminal = {}) => ask(sandbox, request, asking),
  };
}

async function ask(
  sandbox: Sandbox,
  request: string,
  { as = 'classic', body, headers }: PromptTerminal,
): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const token = as === null ? undefined : (sandbox.tokens[as as keyof Sandbox['tokens']] ?? as);
  const response = await fetch(sandbox.baseUrl + path, {
    method,
    redirect: 'manual',
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: json && text ? JSON.parse(text) : text };
}

/** The URLs of a `Link` header by relation, relative to the base URL. */
export function links(answer: Answer, baseUrl: string): Record<string, string> {
  const header = answer.headers.get('link') ?? '';
  const found = [...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)];
  return Object.fromEntries(found.map(([, url = '', rel = '']) => [rel, url.replace(baseUrl, '')]));
}

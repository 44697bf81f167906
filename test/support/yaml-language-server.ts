/** The language server of editors for YAML, over its standard input and output. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { root } from '../contracts/commands.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

interface Diagnostics {
  readonly uri: string;
  readonly diagnostics: readonly { readonly message: string; readonly range: { readonly start: { line: number } } }[];
}

/** Starts the language server until the end of a test. */
export async function startLanguageServer() {
  const server = spawn(
    process.execPath,
    [join(root, 'node_modules/yaml-language-server/bin/yaml-language-server'), '--stdio'],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  onTestFinished(() => void server.kill());
  const responses = new Map<number, (result: unknown) => void>();
  const published = new Map<string, (diagnostics: Diagnostics['diagnostics']) => void>();
  const send = (message: Message) => {
    const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    server.stdin.write(`Content-Length: ${text.length}\r\n\r\n${text}`);
  };
  const receive = ({ id, method, params, result }: Message) => {
    if (method === 'workspace/configuration' && id !== undefined)
      send({ id, result: (params as { items: readonly unknown[] }).items.map(() => ({})) });
    else if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as Diagnostics;
      published.get(uri)?.(diagnostics);
    } else if (method === undefined && id !== undefined) responses.get(id)?.(result);
  };
  let received = Buffer.alloc(0);
  server.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(received.toString('latin1')) ?? [];
      const end = (head?.length ?? 0) + Number(length);
      if (head === undefined || received.length < end) return;
      const message = received.subarray(head.length, end).toString();
      received = received.subarray(end);
      receive(JSON.parse(message));
    }
  });
  const request = (method: string, params: unknown) => {
    const id = responses.size + 1;
    const response = new Promise<unknown>((resolve) => responses.set(id, resolve));
    send({ id, method, params });
    return response;
  };
  await request('initialize', { processId: null, rootUri: null, capabilities: {} });
  send({ method: 'initialized', params: {} });
  // Without it, the server fetches a list of schemas.
  send({
    method: 'workspace/didChangeConfiguration',
    params: { settings: { yaml: { schemaStore: { enable: false } } } },
  });

  /** Opens a file, and returns its problems as `LINE: message`. */
  async function open(file: string, text: string): Promise<readonly string[]> {
    const { href: uri } = pathToFileURL(file);
    const diagnostics = new Promise<Diagnostics['diagnostics']>((resolve) => published.set(uri, resolve));
    send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } });
    return (await diagnostics).map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  }

  /** Opens a file, and returns the completions at its end. */
  async function complete(file: string, text: string): Promise<readonly string[]> {
    await open(file, text);
    const lines = text.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    const textDocument = { uri: pathToFileURL(file).href };
    const { items } = (await request('textDocument/completion', { textDocument, position })) as {
      items: readonly { readonly label: string }[];
    };
    return items.map(({ label }) => label);
  }
  return { open, complete };
}

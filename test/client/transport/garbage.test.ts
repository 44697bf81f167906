import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { json, startServer } from '../../support/server.ts';

/** Prints the bytes that collections of young objects leave of 1,000 requests, after four others have become old. */
const script = `
import { createTransport } from '${new URL('../../../src/client/transport/transport.ts', import.meta.url)}';
const transport = createTransport({ manyReads: process.argv[2] === 'undici' });
const { signal } = new AbortController();
const send = () => transport.send({ method: 'GET', url: process.argv[1], headers: {} }, { signal });
const collect = () => {
  gc({ type: 'minor' });
  gc({ type: 'minor' });
};
let left = 1200;
let before;
const worker = async () => {
  while (left-- > 0) {
    const response = send();
    if (left === 1000) {
      collect();
      before = process.memoryUsage().heapUsed;
    }
    await response;
  }
};
await Promise.all([worker(), worker(), worker(), worker()]);
collect();
console.log(process.memoryUsage().heapUsed - before);
await transport.close();
`;

test.each(['Node', 'undici'])(
  'requests over %s that have ended are collected while earlier ones are still in memory',
  async (way) => {
    const { origin } = await startServer((response) => json(response, {}, { 'x-filler': 'x'.repeat(8192) }));
    const words = ['--expose-gc', '--input-type=module', '-e', script, `${origin}/api/v3/meta`, way];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    expect(Number(stdout)).toBeLessThan(2 * 1024 * 1024);
  },
);

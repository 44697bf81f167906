/** A write is on disk in the journal before it is sent, and other users cannot put a file in the journal's place. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../support/run.ts';

const header = { platform: 'https://ghe.example.com/api/v3', line: ['repos', 'acme'], command: ['orgs', 'get'] };

/** Returns Journal with another module in place of one that it imports. */
async function journalWith(module: string, replaced: (original: () => Promise<object>) => Promise<object>) {
  vi.doMock(module, replaced as never);
  onTestFinished(() => vi.doUnmock(module));
  vi.resetModules();
  return (await import('../../src/fleet/journal/journal.ts')).Journal;
}

it('a write is on disk before it is sent; what a crash may lose is not synced', async () => {
  const synced: number[] = [];
  const Journal = await journalWith('node:fs', async (original) => {
    const fs = (await original()) as typeof import('node:fs');
    return { ...fs, fdatasyncSync: (descriptor: number) => void synced.push(fs.fstatSync(descriptor).size) };
  });
  const journal = new Journal(join(await temporaryDirectory(), 'run.ndjson'), header);
  onTestFinished(() => journal.close());
  journal.recordTargets([{ name: 'acme/site' }]);
  const before = synced.length;
  const sending = { target: 'acme/site', sending: 'PATCH /repos/acme/site', at: '2026-03-01T12:00:00.000Z' };
  journal.record(sending);
  expect(synced.slice(before)).toEqual([(synced[before - 1] ?? 0) + JSON.stringify(sending).length + 1]);
  journal.record({ target: 'acme/site', received: sending.sending, status: 200, at: sending.at });
  expect(synced).toHaveLength(before + 1);
});

it('a file that another process puts in its place once it was read is rejected', async () => {
  const path = join(await temporaryDirectory(), 'run.ndjson');
  const Journal = await journalWith('../../src/fleet/journal/read.ts', async (original) => ({
    ...(await original()),
    readJournal: () => {
      writeFileSync(path, '');
      chmodSync(path, 0o666);
      return { state: undefined, bytes: 0 };
    },
  }));
  expect(() => new Journal(path, header)).toThrow(
    `${path} must be a regular file that you own, with mode 0600. Nothing was sent.`,
  );
});

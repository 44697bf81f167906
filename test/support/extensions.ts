/** Extensions, and the file of those that may run. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file whose hash the help of `extensions allow` has. */
export const reportScript = '#!/bin/sh\necho report\n';

export function writeExtension(folder: string, name: string, script = reportScript): string {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const path = join(folder, `forgectl-${name}`);
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

export function writeAllowed(directory: string, extensions: Readonly<Record<string, object>>): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'extensions.json');
  writeFileSync(path, JSON.stringify({ version: 1, extensions }));
  chmodSync(path, 0o600);
}

/** What is written for a file that was allowed. */
export const allowedFile = (file: string, sha256 = '0'.repeat(64)) => ({
  ...{ file, sha256, token: false, allowed_at: '2026-03-01T12:00:00.000Z' },
});

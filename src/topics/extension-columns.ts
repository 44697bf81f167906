import type { Column } from '../output/table/columns.ts';

export interface ExtensionRecord {
  /** Without “forgectl-”. */
  name: string;
  /**
   * `allowed` to run; `new` or `changed`: prompts before it runs; `refused`: others could have changed it; `hidden` by a command
   * or an alias; `missing`: allowed, but no longer on PATH.
   */
  state: 'allowed' | 'new' | 'changed' | 'refused' | 'hidden' | 'missing';
  /** Why it is refused or hidden. */
  reason: string | null;
  /** Whether it gets the token. */
  token: boolean;
  path: string;
  /** SHA-256 in hexadecimal; null for a file that is not read. */
  sha256: string | null;
  /** ISO 8601. */
  allowed_at: string | null;
}

export const extensionColumns: readonly Column<ExtensionRecord>[] = [
  { header: 'Name', get: 'name', as: 'name', priority: 1 },
  { header: 'State', get: 'state', as: 'state', priority: 1 },
  { header: 'Token', get: 'token', priority: 1 },
  { header: 'Path', get: 'path', as: 'text', priority: 1 },
  { header: 'Reason', get: ({ reason }) => reason ?? undefined, as: 'message', optional: true },
];

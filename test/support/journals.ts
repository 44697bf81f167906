/** Journals as runs over many targets leave them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const run = '"platform":"https://ghe.example.com/api/v3","command":["hooks","set","{}","5","--enforcement","enabled"]';
const at = '"at":"2026-03-01T12:00:00.000Z"';

/** Writes `run.ndjson`, and `shard-1.ndjson` and `shard-2.ndjson` of another run in two shards. */
export function writeJournals(directory: string): void {
  const write = (name: string, ...lines: readonly string[]) =>
    writeFileSync(join(directory, name), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  const failed = `"outcome":"failed",${at},"error":{"exit":5,"code":"not_permitted","message":"Resource not accessible"}`;
  write(
    'run.ndjson',
    `{"journal":2,${run}}`,
    '{"targets":[{"name":"acme/site"},{"name":"acme/api"},{"name":"acme/web"},{"name":"acme/docs"}]}',
    `{"target":"acme/site","outcome":"ok",${at}}`,
    `{"target":"acme/api",${failed}}`,
    `{"target":"acme/docs","sending":"PATCH /repos/acme/docs/pre-receive-hooks/5",${at}}`,
  );
  write(
    'shard-1.ndjson',
    `{"journal":2,${run},"shard":"1/2"}`,
    '{"targets":[{"name":"acme/docs","id":9}]}',
    `{"target":"acme/docs","outcome":"ok",${at}}`,
  );
  write(
    'shard-2.ndjson',
    `{"journal":2,${run},"shard":"2/2"}`,
    '{"targets":[{"name":"acme/site"},{"name":"acme/web"}]}',
    `{"target":"acme/site",${failed}}`,
  );
}

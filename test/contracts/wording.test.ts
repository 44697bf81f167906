/** Texts are for people: nothing in the sources decides by how one is worded. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './commands.ts';

/** What reads a text of an error or of help: a comparison, a search, a part of it. */
const reading =
  /(?<!typeof )\b\w+\.message\s*[!=]==|\b(?:message|description|summary|helpValue)\??\.(?:includes|startsWith|endsWith|match|search|split|indexOf)\(|\.(?:test|exec)\((?:\w+\.)*(?:message|description|summary|helpValue)\b/g;

const allowed = [
  // Paragraphs, for their layout.
  'cli/help/command-page.ts: description.split(',
  // What the platform says in no other way: archived, a version of the API that it does not have, and disabled alerts.
  'cli/report/advice.ts: .test(message',
  'client/refusal.ts: .test(message',
  'fleet/policy/kinds/repository/alerts.ts: .test(read.message',
  // What V8 says in no other way: the limit that data exceeds.
  'cli/report/report.ts: .test(error.message',
  // What undici and Node say in no other way: the status of a proxy, the name of a header.
  'client/transport/exchange.ts: .exec(error.message',
  'client/transport/exchange.ts: .exec(error.message',
];

it('no code compares, searches or splits messages or help texts', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = readFileSync(join(root, 'src', file), 'utf8');
      return [...source.matchAll(reading)].map(([text]) => `${file}: ${text}`);
    });
  expect(found.sort()).toEqual(allowed.sort());
});

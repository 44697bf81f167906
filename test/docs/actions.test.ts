/** The actions of workflows, in documents and our own: pinned by commit, since tags can be moved. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

const pinned: Readonly<Record<string, string>> = {
  // In documents, for the reader to replace.
  'OWNER/forgectl': 'COMMIT # VERSION',
  'actions/attest-build-provenance': '977bb373ede98d70efdf65b84cb5f73e068dcc2a # v3.0.0',
  'actions/cache': '0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0',
  'actions/checkout': '08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  'actions/download-artifact': 'd3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0',
  'actions/setup-node': 'a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0',
  'actions/upload-artifact': 'ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  'github/codeql-action/upload-sarif': 'e46ed2cbd01164d986452f91f178727624ae40d7 # v4.35.3',
};

const files = globSync(['*.md', 'action.yml', 'docs/**/*.md', 'bench/**/*.md', '.github/**/*.{yml,yaml,md}'], {
  cwd: root,
});
const uses = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^[\s-]*uses: *([^@\s]+)(?:@(.*))?$/gm)].map(
    ([, action = '', version]) => ({ file, action, version }),
  ),
);

it('every action is pinned by commit, with its version as a comment', () => {
  expect(uses.length).toBeGreaterThan(15);
  for (const { file, action, version } of uses) expect(version, `${action} in ${file}`).toBe(pinned[action]);
  expect([...new Set(uses.map(({ action }) => action))].sort()).toEqual(Object.keys(pinned).sort());
});

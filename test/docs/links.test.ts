/** Every relative link of a hand-written document leads to an existing file and heading. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../contracts/commands.ts';

const markdownIn = (directory: string) =>
  readdirSync(join(root, directory))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(directory, name));

const anchorsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

it.each(['.', 'docs', 'bench'].flatMap(markdownIn))('%s links to existing files and headings', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(root, document) : join(root, dirname(document), path);
    expect(existsSync(target), link).toBe(true);
    if (anchor !== undefined && statSync(target).isFile()) expect(anchorsOf(target), link).toContain(anchor);
  }
});

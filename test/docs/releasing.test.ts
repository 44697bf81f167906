import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  private: boolean;
  publishConfig: object;
  scripts: Readonly<Record<string, string>>;
};
const page = read('docs/releasing.md');

describe('the changelog', () => {
  const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
  const headings = sections.map((section) => section.split('\n', 1)[0] ?? '');
  const versions = headings.flatMap(
    (heading) => /^(\d+)\.(\d+)\.(\d+) — \d{4}-\d{2}-\d{2}$/.exec(heading)?.slice(1) ?? [],
  );

  it('lists unreleased changes first, then versions with their dates, each with at least one change', () => {
    const [first, ...others] = headings;
    expect(first).toMatch(/^(Unreleased|\d+\.\d+\.\d+ — \d{4}-\d{2}-\d{2})$/);
    for (const heading of others) expect(heading).toMatch(/^\d+\.\d+\.\d+ — \d{4}-\d{2}-\d{2}$/);
    for (const section of sections) expect(section).toMatch(/\n- \S/);
  });

  it('lists the newest version first', () => {
    const numbers = Array.from({ length: versions.length / 3 }, (_, index) =>
      versions.slice(index * 3, index * 3 + 3).reduce((sum, part) => sum * 1e4 + Number(part), 0),
    );
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => other - one));
  });
});

describe('the package', () => {
  it('is published with public access and provenance', () => {
    expect(manifest.private).toBe(false);
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  });

  it('is built before packing, checked before a new version, and commits generated files with the version', () => {
    expect(manifest.scripts).toMatchObject({
      prepack: 'npm run --silent build',
      preversion: 'npm run check',
      version: 'npm run --silent build && git add --update',
    });
  });
});

describe('the workflow of a release', () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const workflow = parse(text) as {
    on: { push: { tags: string[] } };
    permissions: object;
    jobs: { publish: { permissions: object; steps: { run?: string; uses?: string; with?: Record<string, string> }[] } };
  };
  const { permissions, steps } = workflow.jobs.publish;
  const scripts = steps.flatMap(({ run }) => run ?? []);

  it('runs for version tags, with permission to sign releases', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' });
  });

  it('checks before it publishes, with existing scripts', () => {
    expect(scripts.slice(1, 4)).toEqual(['npm ci', 'npm run check', 'npm publish']);
    const named = [...page.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
    for (const name of named) expect(manifest.scripts, name).toHaveProperty(name);
  });

  it('attaches all files of the release, built with Node whose signature it verified', () => {
    expect(scripts.at(-1)).toMatch(/ build\/release\/\*$/);
    expect(read('scripts/release.ts')).toContain("'build/release'");
    const [download = '', build = ''] = scripts.slice(-3);
    expect(download.indexOf('gpgv ')).toBeLessThan(download.indexOf('sha256sum --check'));
    expect(download).toContain('mkdir -p build/node-releases && cd build/node-releases\n');
    expect(build).toMatch(/npm run release -- --node build\/node-releases$/);
  });
});

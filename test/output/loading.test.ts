import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { RenderOptions } from '../../src/output/render.ts';

/** The libraries that a fresh process loads to print `record`, as a list or by itself. */
function librariesFor(options: Partial<RenderOptions>, record: object, shape: 'list' | 'record' = 'list'): string[] {
  const at = (file: string) => new URL(`../../src/output/${file}`, import.meta.url);
  const script = `
    import { registerHooks } from 'node:module';
    const libraries = new Set();
    registerHooks({ load(url, context, next) {
      const [, library] = /node_modules\\/([^/]+)/.exec(url) ?? [];
      if (library) libraries.add(library);
      return next(url, context);
    } });
    const { renderList, renderRecord } = await import('${at('render.ts')}');
    const { processTerminal } = await import('${at('terminal.ts')}');
    const record = ${JSON.stringify(record)}, options = ${JSON.stringify({ showSecrets: false, ...options })};
    const terminal = { ...processTerminal(), stdout: process.stderr };
    if (${shape === 'record'}) await renderRecord(record, [], options, terminal);
    else await renderList((async function* () { yield [record]; })(), [], options, terminal);
    process.stdout.write(JSON.stringify([...libraries]));`;
  const answer = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(answer.toString());
}

describe('libraries', () => {
  it('are not loaded for JSON, TSV, CSV, or tables of plain text', () => {
    for (const format of ['json', 'ndjson', 'tsv', 'csv'] as const)
      expect(librariesFor({ format }, { 名: '日本語' })).toEqual([]);
    expect(librariesFor({ format: 'json' }, { name: 'site' }, 'record')).toEqual([]);
    expect(librariesFor({ format: 'table' }, { name: 'site' })).toEqual([]);
  });

  it('are loaded by the format that uses them', () => {
    expect(librariesFor({ format: 'table' }, { name: '日本語' })).toContain('string-width');
    expect(librariesFor({ format: 'table' }, { name: 'site' }, 'record')).toContain('cli-table3');
    expect(librariesFor({ format: 'yaml' }, { name: 'site' })).toEqual(['yaml']);
    expect(librariesFor({ format: 'json', jq: '.' }, { name: 'site' })).toEqual(['jq-wasm']);
  });
});

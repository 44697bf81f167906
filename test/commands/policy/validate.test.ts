import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryDirectory } from '../../support/run.ts';

/** Writes files into a new folder, and returns it. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const good = 'organizations: [acme]\nsettings: { company: x }\n';
const bad = 'organizations: [acme]\nsettings:\n  company: 7\n  blogg: x\n';

describe('policy validate', () => {
  it('prints every problem as FILE:LINE:COLUMN: message, and exits with 2', async () => {
    const folder = await folderOf({ 'a/bad.yaml': bad, 'good.yml': good, 'notes.txt': 'x', '.hidden.yaml': 'x' });
    const { stdout, stderr, code } = await run(['policy', 'validate', folder]);
    expect(stdout).toBe(
      `${folder}/a/bad.yaml:3:3: settings.company must be a string
${folder}/a/bad.yaml:4:3: settings.blogg is not a known field (did you mean blog?)
${folder}/good.yml:2:13: settings.company is declared twice (first at ${folder}/a/bad.yaml:3:3)
`,
    );
    expect(stderr).toBe('forgectl: 3 errors in 2 files.\n');
    expect(code).toBe(2);
  });

  it('reports that there are no errors, and warns of unknown fields', async () => {
    const folder = await folderOf({ 'new.yaml': `${good}hooks: [{ name: h, enforcement: enabled, colour: red }]\n` });
    const { stdout, stderr, code } = await run(['policy', 'validate', join(folder, 'new.yaml')]);
    expect(stdout).toBe(`${folder}/new.yaml:3:42: warning: hooks[0].colour is not a known field\n`);
    expect(stderr).toBe('No errors and 1 warning in 1 file.\n');
    expect(code).toBe(0);
  });

  it('warns of empty files, and of patterns that cannot match any repository name', async () => {
    const names = ['svc-*', 'core *', '!übung', '[z-a]x', '[!a]?', `${'a'.repeat(100)}*`, 'a'.repeat(101)];
    const folder = await folderOf({
      'a.yaml': '# Nothing yet\n',
      'b.yaml': '',
      'c.yaml': `organizations: [acme]\nrepositories:\n  - settings: { has_wiki: false }\n    select:\n      names:\n${names.map((name) => `        - "${name}"\n`).join('')}`,
    });
    const { stdout, stderr, code } = await run(['policy', 'validate', folder]);
    expect(stdout).toBe(
      `${folder}/a.yaml:1:1: warning: is empty and declares nothing
${folder}/b.yaml:1:1: warning: is empty and declares nothing
${folder}/c.yaml:7:11: warning: core * cannot match any repository name
${folder}/c.yaml:8:11: warning: !übung cannot match any repository name
${folder}/c.yaml:9:11: warning: [z-a]x cannot match any repository name
${folder}/c.yaml:12:11: warning: ${'a'.repeat(101)} cannot match any repository name
`,
    );
    expect(stderr).toBe('No errors and 6 warnings in 3 files.\n');
    expect(code).toBe(0);
  });

  it('prints findings as JSON with their positions', async () => {
    const { stdout, stderr, code } = await run(['policy', 'validate', '-', '--json'], { stdin: bad });
    expect(JSON.parse(stdout)).toEqual([
      { file: 'standard input', line: 3, column: 3, severity: 'error', message: 'settings.company must be a string' },
      {
        file: 'standard input',
        line: 4,
        column: 3,
        severity: 'error',
        message: 'settings.blogg is not a known field (did you mean blog?)',
      },
    ]);
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'lint', message: '2 errors in 1 file.' } });
    expect(code).toBe(2);
  });

  it('checks rulesets as rulesets lint does, once for all organizations', async () => {
    const stdin = `organizations: [acme, globex]
rulesets:
  - name: r
    enforcement: active
    conditions: { ref_name: { include: [main] } }
    bypass_actors:
      - role:write
repositories:
  - select: { names: [site] }
    rulesets:
      - name: s
        enforcement: active
        rules:
          - type: tag_name_pattern
            parameters:
              operator: regex
              pattern: a(?=b)
`;
    const { stdout, code } = await run(['policy', 'validate', '-', '--json'], { stdin });
    expect(JSON.parse(stdout)).toEqual([
      {
        file: 'standard input',
        line: 7,
        column: 9,
        code: 'bypass-wide',
        severity: 'warning',
        message: 'bypass_actors[0] lets everyone with the role write bypass all rules at any time',
      },
      {
        file: 'standard input',
        line: 5,
        column: 41,
        code: 'never-matches',
        severity: 'warning',
        message: 'conditions.ref_name.include[0] matches nothing, because names begin with refs/heads/',
      },
      {
        file: 'standard input',
        line: 17,
        column: 15,
        code: 'regex-syntax',
        severity: 'error',
        message:
          'rules[0].parameters.pattern is not a valid RE2 regular expression: invalid or unsupported Perl syntax',
      },
    ]);
    expect(code).toBe(2);
  });

  it('compiles the expressions of selectors, and executes none', async () => {
    const folder = await folderOf({
      'p.yaml':
        'organizations: [acme]\nrepositories: [{ select: { where: "def f: f; f" }, settings: { has_wiki: false } }]\n',
    });
    const { stdout, stderr, code } = await run(['policy', 'validate', folder, '--timeout', '1s']);
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: 'No errors in 1 file.\n', code: 0 });
  });

  it('rejects selectors by fields that repositories do not have', async () => {
    const selector = (where: string) => `  - { select: { where: '${where}' }, settings: { has_wiki: false } }\n`;
    const wheres = ['.archivd | not', '.nonsense', '.custom_properties.tier == "gold" and (.nonsense? | not)'];
    const folder = await folderOf({
      'p.yaml': `organizations: [acme]\nrepositories:\n${wheres.map(selector).join('')}`,
    });
    const misspelled = `${folder}/p.yaml:3:17: where uses .archivd, which is not a field of repositories. Did you mean .archived?`;
    const { stdout, code } = await run(['policy', 'validate', folder]);
    expect({ stdout, code }).toEqual({
      stdout: `${misspelled}\n${folder}/p.yaml:4:17: where uses .nonsense, which is not a field of repositories.\n`,
      code: 2,
    });
    const newer = await run(['policy', 'validate', folder, '--allow-unknown']);
    expect({ stdout: newer.stdout, code: newer.code }).toEqual({ stdout: `${misspelled}\n`, code: 2 });
  });

  it('rejects paths that do not exist, and folders without policy files', async () => {
    const folder = await folderOf({ 'notes.txt': 'x' });
    const missing = await run(['policy', 'validate', join(folder, 'nosuch')]);
    expect(missing.stderr).toContain(`Cannot read ${folder}/nosuch: `);
    expect(missing.code).toBe(2);
    const empty = await run(['policy', 'validate', folder]);
    expect(empty.stderr).toBe(`forgectl: ${folder} contains no .yaml or .yml file.\n`);
    expect(empty.code).toBe(2);
  });

  it('rejects files larger than 1 MiB', async () => {
    const folder = await folderOf({ 'large.yaml': `${good}#${'x'.repeat(1024 * 1024)}` });
    const { stderr, code } = await run(['policy', 'validate', folder]);
    expect(stderr).toBe(`forgectl: ${folder}/large.yaml is larger than 1 MiB.\n`);
    expect(code).toBe(2);
  });

  it('reads a file once if two paths lead to it, and follows no links to folders', async () => {
    const folder = await folderOf({ 'good.yaml': good });
    symlinkSync(folder, join(folder, 'again'));
    const { stderr, code } = await run(['policy', 'validate', folder, join(folder, 'good.yaml')]);
    expect(stderr).toBe('No errors in 1 file.\n');
    expect(code).toBe(0);
  });
});

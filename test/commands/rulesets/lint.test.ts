import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run, temporaryDirectory } from '../../support/run.ts';
import { ruleset } from './records.ts';

const files = { bad: '', good: '', newer: '', list: '', broken: '' };

beforeAll(async () => {
  const directory = await temporaryDirectory();
  const file = async (name: string, text: string) => {
    const path = join(directory, name);
    await writeFile(path, text);
    return path;
  };
  files.bad = await file(
    'bad.json',
    JSON.stringify({
      enforcement: 'active',
      bypass_actors: [{ actor_type: 'DeployKey', actor_id: 3 }],
      rules: [{ type: 'max_file_size', parameters: { max_file_size: 0 } }, { type: 'quantum_lock' }],
    }),
  );
  files.good = await file('good.yaml', 'name: r\nenforcement: active\nrules:\n  - type: deletion\n');
  files.newer = await file('newer.yaml', 'name: r\nenforcement: active\ncolour: red\n');
  files.list = await file('list.json', '[]');
  files.broken = await file('broken.json', '{"name": ');
});

describe('rulesets lint', () => {
  it('reports every finding with file and position, and distinguishes errors from warnings', async () => {
    const { stdout, stderr, code } = await run(['rulesets', 'lint', files.bad, files.good, '--json']);
    expect(JSON.parse(stdout)).toEqual([
      {
        file: files.bad,
        line: 1,
        column: 1,
        path: 'name',
        code: 'missing-field',
        severity: 'error',
        message: 'is required',
      },
      {
        file: files.bad,
        line: 1,
        column: 68,
        severity: 'error',
        code: 'invalid',
        path: 'bypass_actors[0].actor_id',
        message: 'must be null for a deploy key',
      },
      {
        file: files.bad,
        line: 1,
        column: 130,
        severity: 'error',
        code: 'size-range',
        path: 'rules[0].parameters.max_file_size',
        message: 'must be a whole number from 1 to 100',
      },
      {
        file: files.bad,
        line: 1,
        column: 151,
        severity: 'warning',
        code: 'unknown-kind',
        path: 'rules[1].type',
        message: 'is not a known rule type',
      },
    ]);
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'lint', message: '3 errors and 1 warning in 2 files.' } });
    expect(code).toBe(2);
  });

  it('reports misspelled words, rule types and parameters as errors, and unknown words unless --allow-unknown is given', async () => {
    const rules = [{ type: 'deletoin' }, { type: 'quantum_lock' }];
    const findings = async (enforcement: string, ...flags: string[]) => {
      const stdin = JSON.stringify({ name: 'r', enforcement, rules });
      const { stdout, code } = await run(['rulesets', 'lint', '-', ...flags], { stdin });
      expect(code).toBe(2);
      return stdout.split('\n').map((line) => line.split('\t').slice(1).join(' '));
    };
    const deletion = 'error unknown-kind rules[0].type is not a known rule type (did you mean deletion?)';
    const quantumLock = 'warning unknown-kind rules[1].type is not a known rule type';
    const activ = 'error unknown-word enforcement must be one of disabled, active, evaluate (did you mean active?)';
    expect(await findings('activ')).toEqual([activ, deletion, quantumLock, '']);
    expect(await findings('activ', '--allow-unknown')).toEqual([activ, deletion, quantumLock, '']);
    const shadow = 'enforcement must be one of disabled, active, evaluate';
    expect(await findings('shadow')).toEqual([`error unknown-word ${shadow}`, deletion, quantumLock, '']);
    expect(await findings('shadow', '--allow-unknown')).toEqual([
      deletion,
      `warning unknown-word ${shadow}`,
      quantumLock,
      '',
    ]);
  });

  it('lists the first thousand of many unknown fields', async () => {
    const stdin = `name: r\nenforcement: active\n${Array.from({ length: 40_000 }, (_, at) => `k${at}: 1\n`).join('')}`;
    const { stdout, stderr } = await run(['rulesets', 'lint', '-'], { stdin });
    expect(stdout.match(/\n/g)).toHaveLength(1000);
    expect(stderr).toBe('1,000 warnings and no errors in 1 file.\n');
  });

  it('prints a line for each finding in a pipe, and a table on a terminal', async () => {
    const piped = await run(['rulesets', 'lint', files.newer]);
    expect(piped.stdout).toBe(`${files.newer}:3:1\twarning\tunknown-field\tcolour\tis not a known field\n`);
    const seen = await run(['rulesets', 'lint', files.newer], { tty: true, columns: 200 });
    expect(seen.stdout).toMatch(/^FILE +SEVERITY +CODE +PATH +MESSAGE\n/);
  });

  it('ends with exit code 0 when there are only warnings, unless --strict is given', async () => {
    const { stderr, code } = await run(['rulesets', 'lint', files.newer, files.good]);
    expect(stderr).toBe('1 warning and no errors in 2 files.\n');
    expect(code).toBe(0);
    const strict = await run(['rulesets', 'lint', '--strict', files.newer, files.good]);
    expect([strict.stderr, strict.code]).toEqual(['forgectl: 1 warning in 2 files.\n', 2]);
  });

  it('reports each code at its line', async () => {
    const stdin = `name: r
enforcement: active
bypass_actors:
  - { actor_type: RepositoryRole, actor_id: 4 }
conditions:
  ref_name:
    include:
      - main
      - refs/heads/release/**
      - ~MAIN
      - refs/heads/{a,b}
  repository_name:
    include: []
rules:
  - type: commit_message_pattern
    parameters:
      operator: regex
      pattern: ^JIRA-
  - type: branch_name_pattern
    parameters: { operator: regex, pattern: 'a(?=b)' }
  - type: committer_email_pattern
    parameters:
      operator: ends_with
      pattern: '@acme.example'
  - type: max_file_path_length
    parameters:
      max_file_path_length: 40000
  - type: file_extension_restriction
    parameters:
      restricted_file_extensions:
        - '*.exe'
        - jar
`;
    const { stdout, stderr, code } = await run(['rulesets', 'lint', '-'], { stdin });
    const found = stdout.split('\n').map((line) => line.split('\t').slice(0, 3).join(' '));
    expect(found).toEqual([
      'standard input:27:7 error path-length-range',
      'standard input:4:5 warning bypass-wide',
      'standard input:10:9 error unknown-tilde',
      'standard input:8:9 warning never-matches',
      'standard input:9:9 warning final-double-star',
      'standard input:11:9 warning unsupported-pattern',
      'standard input:13:5 warning empty-include',
      'standard input:32:11 warning extension-form',
      'standard input:18:7 warning regex-lines',
      'standard input:20:36 error regex-syntax',
      'standard input:24:7 warning noreply-refused',
      '',
    ]);
    expect(stderr).toBe('forgectl: 3 errors and 8 warnings in 1 file.\n');
    expect(code).toBe(2);
  });

  it('prints an empty list, and a message on a terminal, if there are no findings', async () => {
    const json = await run(['rulesets', 'lint', files.good, '--json']);
    expect(json).toEqual({ stdout: '[]\n', stderr: '', code: 0 });
    const seen = await run(['rulesets', 'lint', files.good], { tty: true });
    expect(seen).toEqual({ stdout: '', stderr: 'No findings.\n', code: 0 });
  });

  it('continues after files that cannot be read', async () => {
    const gone = `${files.good}.gone`;
    const { stdout, code } = await run(['rulesets', 'lint', gone, files.broken, files.list, files.newer, '--json']);
    const findings = JSON.parse(stdout) as { file: string; severity: string; path: string; message: string }[];
    expect(findings.map(({ file, severity, path }) => [file, severity, path])).toEqual([
      [gone, 'error', ''],
      [files.broken, 'error', ''],
      [files.list, 'error', ''],
      [files.newer, 'warning', 'colour'],
    ]);
    expect(findings[0]?.message).toContain('no such file');
    expect(findings[1]?.message).toBe(`${files.broken} is not valid JSON (line 1).`);
    expect(findings[2]?.message).toBe(`${files.list} must contain one object, not a list.`);
    expect(code).toBe(2);
  });

  it('reads standard input for -', async () => {
    const { stdout, code } = await run(['rulesets', 'lint', '-'], { stdin: '{"name":"r"}' });
    expect(stdout).toBe('standard input:1:1\terror\tmissing-field\tenforcement\tis required\n');
    expect(code).toBe(2);
  });

  it('finds nothing in a ruleset printed by rulesets get', async () => {
    const { stdout, code } = await run(['rulesets', 'lint', '-'], { stdin: JSON.stringify(ruleset) });
    expect(stdout).toBe('');
    expect(code).toBe(0);
  });

  it('accepts fields that only organizations have', async () => {
    const stdin = JSON.stringify({
      name: 'r',
      target: 'repository',
      enforcement: 'active',
      conditions: { repository_name: { include: ['~ALL'], exclude: [], protected: true } },
    });
    expect(await run(['rulesets', 'lint', '-'], { stdin })).toEqual({ stdout: '', stderr: '', code: 0 });
  });

  it('requires a file', async () => {
    const { stderr, code } = await run(['rulesets', 'lint']);
    expect(stderr).toContain('FILE');
    expect(code).toBe(2);
  });
});

describe('rulesets schema', () => {
  it('prints a JSON Schema, also into a pipe, with words, limits and required fields', async () => {
    const { stdout, code } = await run(['rulesets', 'schema']);
    const schema = JSON.parse(stdout);
    expect(schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Ruleset',
      type: 'object',
      required: ['name', 'enforcement'],
    });
    expect(schema.properties.enforcement.enum).toEqual(['disabled', 'active', 'evaluate']);
    const kinds = schema.properties.rules.items.oneOf as {
      properties: { type: { const: string }; parameters?: { properties: object; required: string[] } };
    }[];
    expect(kinds.map(({ properties }) => properties.type.const)).toEqual([
      'creation',
      'update',
      'deletion',
      'required_linear_history',
      'required_signatures',
      'non_fast_forward',
      'merge_queue',
      'required_deployments',
      'pull_request',
      'required_status_checks',
      'commit_message_pattern',
      'commit_author_email_pattern',
      'committer_email_pattern',
      'branch_name_pattern',
      'tag_name_pattern',
      'workflows',
      'code_scanning',
      'file_path_restriction',
      'max_file_path_length',
      'file_extension_restriction',
      'max_file_size',
    ]);
    expect(kinds.at(-1)?.properties.parameters).toEqual({
      type: 'object',
      properties: {
        max_file_size: { type: 'integer', minimum: 1, maximum: 100, description: 'Maximum size in megabytes' },
      },
      required: ['max_file_size'],
    });
    expect(code).toBe(0);
  });

  it('prints YAML on request', async () => {
    const { stdout } = await run(['rulesets', 'schema', '-o', 'yaml']);
    expect(stdout).toMatch(/^title: Ruleset$/m);
  });
});

import { describe, expect, it } from 'vitest';
import { run } from '../support/run.ts';

describe('--fields help', () => {
  it('lists the fields with their types, without arguments, login or network', async () => {
    const { stdout, stderr, code } = await run(['repos', 'list', '--fields', 'help']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const lines = stdout.split('\n');
    expect(lines).toContain('full_name\tstring');
    expect(lines).toContain('description\tstring or null');
    expect(lines).toContain('owner.login\tstring');
    expect(lines).toContain('topics\tlist of string');
  });

  it('does not expand a record nested within its own type', async () => {
    const { stdout } = await run(['repos', 'get', 'acme/site', '--fields=help']);
    expect(stdout).toContain('parent\tobject\n');
    expect(stdout).not.toContain('parent.');
  });

  it('prints a list like any other', async () => {
    const { stdout } = await run(['registries', 'list', 'acme', '--fields', 'help', '--json']);
    expect(JSON.parse(stdout)).toContainEqual({ field: 'registry_type', type: 'string' });
    const table = await run(['registries', 'list', 'acme', '--fields', 'help'], { tty: true });
    expect(table.stdout).toMatch(/^FIELD +TYPE\nname +string\n/);
  });

  it('lists the fields of every record type that a command prints', async () => {
    const { stdout } = await run(['bypass', 'list', 'acme', '--fields', 'help']);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['data.secret_type\tstring', 'data.rule_type\tstring']));
  });

  it('reports a command without known fields', async () => {
    const { stderr, code } = await run(['api', 'GET', '/x', '--fields', 'help']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'forgectl: No field list for “forgectl api”.\nUse -o json to see every field; any of them works with --fields.\n',
    );
  });
});

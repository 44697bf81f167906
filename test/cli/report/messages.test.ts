import { describe, expect, it } from 'vitest';
import { run } from '../../support/run.ts';

const words = ['orgs', 'get', 'acme', '--profil', 'work'];

describe('a message', () => {
  it('wraps at words at the width of the terminal', async () => {
    const { stderr } = await run(words, { tty: true, columns: 40 });
    expect(stderr).toBe('forgectl: Unknown flag --profil.\nDid you mean --profile? See --help for\nall flags.\n');
  });

  it('stays on one line in a pipe and with JSON', async () => {
    const { stderr } = await run(words, { columns: 40 });
    expect(stderr).toBe('forgectl: Unknown flag --profil.\nDid you mean --profile? See --help for all flags.\n');
    const json = await run([...words, '--json'], { tty: true, columns: 40 });
    expect(json.stderr.split('\n')).toEqual([expect.stringContaining('"Unknown flag --profil.'), '']);
  });
});

import { describe, expect, it } from 'vitest';
import { run } from '../../support/run.ts';

describe('policy schema', () => {
  it('prints JSON, without a login', async () => {
    const { stdout, stderr, code } = await run(['policy', 'schema']);
    const { title, else: document } = JSON.parse(stdout) as {
      title: string;
      else: { else: { required: readonly string[] } };
    };
    expect({ title, required: document.else.required }).toEqual({ title: 'Policy', required: ['organizations'] });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });
});

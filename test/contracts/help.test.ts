import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';

describe.each(commands)('the help of $name', (command) => {
  it('has a summary of one line that starts with a capital and ends without a full stop', () => {
    expect(command.summary).toMatch(/^[A-Z][^\n]*[^.\n]$/);
  });

  it('has a description that says more than the summary', () => {
    expect(command.description).toMatch(/^[A-Z][\s\S]*[.:]$/);
    expect(command.description).not.toContain(command.summary);
  });

  it('has two examples or more, each a description without a full stop and a command line', () => {
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    for (const example of command.examples)
      expect(example).toEqual({
        description: expect.stringMatching(/^\S[^\n]*[^.\n]$/),
        command: expect.stringContaining('<%= config.bin %> '),
      });
    expect(JSON.stringify(command.examples)).toContain(`<%= config.bin %> ${command.name}`);
  });

  it('describes every argument and every flag, without a full stop', () => {
    for (const { name, description } of [...command.args, ...command.flags])
      expect(description, name).toMatch(/^\S[^\n]*[^.\n]$/);
  });
});

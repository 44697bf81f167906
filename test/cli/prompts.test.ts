import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/cli/errors.ts';
import { confirm, promptSecret, promptText, typeName } from '../../src/cli/prompts.ts';
import { FakeTerminal } from '../support/fake-terminal.ts';

let terminal: FakeTerminal;

beforeEach(() => {
  terminal = new FakeTerminal();
});

afterEach(() => {
  expect(terminal.stdout.readableLength).toBe(0);
});

describe('a secret', () => {
  test('is taken without showing on the screen', async () => {
    const asked = promptSecret('Token:', terminal.asking);
    await terminal.type('Token:', 'ghp_hidden\r');
    expect(await asked).toBe('ghp_hidden');
    expect(terminal.shown).toContain('Token:');
    expect(terminal.shown).toContain('**********');
    expect(terminal.shown).not.toContain('hidden');
  });

  test('cannot be made visible', async () => {
    const asked = promptSecret('Token:', terminal.asking);
    await terminal.type('Token:', 'ghp_hidden\x14\r');
    await asked;
    expect(terminal.shown).not.toContain('hidden');
  });
});

describe('a question', () => {
  test.each([
    ['y\r', true],
    ['yes\r', true],
    ['n\r', false],
    ['\r', false],
  ])('of yes or no that is answered %j is %s', async (keys, answer) => {
    const asked = confirm('Keep it in a file?', terminal.asking);
    await terminal.type('Keep it in a file?', keys);
    expect(await asked).toBe(answer);
  });

  test('for text gives the line that was typed', async () => {
    const asked = promptText('Base URL:', terminal.asking);
    await terminal.type('Base URL:', 'ghe.example.com\r');
    expect(await asked).toBe('ghe.example.com');
  });

  test.each([
    ['acme/site\r', true],
    ['Acme/Site \r', true],
    ['acme/sit\r', false],
    ['\r', false],
    ['yes\r', false],
  ])('for a name to confirm with, answered %j, is %s', async (keys, confirmed) => {
    const asked = typeName('Type its name:', ['acme/site'], terminal.asking);
    await terminal.type('Type its name:', keys);
    expect(await asked).toBe(confirmed);
  });

  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('that is ended with %s is an interruption', async (_, key) => {
    const asked = promptSecret('Token:', terminal.asking);
    const ended = expect(asked).rejects.toThrow(InterruptedError);
    await terminal.type('Token:', key);
    await ended;
  });

  test('that is ended by the terminal’s end is an interruption', async () => {
    const asked = confirm('Keep it in a file?', terminal.asking);
    const ended = expect(asked).rejects.toThrow(InterruptedError);
    await terminal.type('Keep it in a file?', '');
    terminal.stdin.end();
    await ended;
  });

  test('leaves nothing behind that listens to the keyboard', async () => {
    const asked = promptText('Base URL:', terminal.asking);
    await terminal.type('Base URL:', 'x\r');
    await asked;
    expect(terminal.stdin.listenerCount('pause')).toBe(0);
    expect(terminal.stdin.isPaused()).toBe(true);
  });
});

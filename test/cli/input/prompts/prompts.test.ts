import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../../src/cli/errors.ts';
import {
  confirm,
  confirmByTypingName,
  promptChoice,
  promptSecret,
  promptSeveral,
  promptText,
} from '../../../../src/cli/input/prompts/prompts.ts';
import { FakeTerminal } from '../../../support/fake-terminal.ts';

let terminal: FakeTerminal;

beforeEach(() => {
  terminal = new FakeTerminal();
});

afterEach(() => {
  expect(terminal.stdout.readableLength).toBe(0);
});

describe('a secret', () => {
  test('is not echoed', async () => {
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

describe('a prompt', () => {
  test.each([
    ['y\r', true],
    ['yes\r', true],
    ['n\r', false],
    ['\r', false],
  ])('for yes or no with the answer %j is %s', async (keys, answer) => {
    const asked = confirm('Keep it in a file?', terminal.asking);
    await terminal.type('Keep it in a file?', keys);
    expect(await asked).toBe(answer);
  });

  test('for text returns the typed line', async () => {
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
  ])('for a name to confirm, answered %j, is %s', async (keys, confirmed) => {
    const asked = confirmByTypingName('Type its name:', ['acme/site'], terminal.asking);
    await terminal.type('Type its name:', keys);
    expect(await asked).toBe(confirmed);
  });

  test('an empty name is never confirmed', async () => {
    const asked = confirmByTypingName('Type its name:', [''], terminal.asking);
    await terminal.type('Type its name:', '\r');
    expect(await asked).toBe(false);
  });

  test('wraps at words, and so does the reason why an answer is invalid', async () => {
    const check = () =>
      'The name must have at most 39 characters, and only letters, digits and single hyphens between them.';
    const message = 'Name of the organization whose repositories are exported together with their settings:';
    const asked = promptText(message, terminal.asking, check);
    const ended = expect(asked).rejects.toThrow(InterruptedError);
    await terminal.type('settings:', 'a\r');
    await terminal.type('between them.', '\x03');
    await ended;
    const lines = stripVTControlCharacters(terminal.shown).split(/\r?\n/);
    expect(lines.slice(-4)).toEqual([
      'their settings: a',
      '> The name must have at most 39 characters, and only letters, digits and',
      'single hyphens between them.',
      '',
    ]);
  });

  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('closed with %s is an interruption', async (_, key) => {
    const asked = promptSecret('Token:', terminal.asking);
    const ended = expect(asked).rejects.toThrow(InterruptedError);
    await terminal.type('Token:', key);
    await ended;
  });

  test('closed with the terminal is an interruption', async () => {
    const asked = confirm('Keep it in a file?', terminal.asking);
    const ended = expect(asked).rejects.toThrow(InterruptedError);
    await terminal.type('Keep it in a file?', '');
    terminal.stdin.end();
    await ended;
  });

  test('leaves no keyboard listeners', async () => {
    const asked = promptText('Base URL:', terminal.asking);
    await terminal.type('Base URL:', 'x\r');
    await asked;
    expect(terminal.stdin.listenerCount('pause')).toBe(0);
    expect(terminal.stdin.isPaused()).toBe(true);
  });
});

const words = ['one', 'two', 'three'].map((name, index) => ({ name, value: index + 1 }));

describe('a choice', () => {
  test('is made with the arrow keys', async () => {
    const asked = promptChoice('Which?', words, terminal.asking);
    await terminal.type('Which?', '\x1b[B\r');
    expect(await asked).toBe(2);
  });

  test('of several is made with the space bar, and at least one is required', async () => {
    const asked = promptSeveral('Which?', words, terminal.asking);
    await terminal.type('Which?', '\r');
    await terminal.type('At least one', ' \x1b[B\x1b[B \r');
    expect(await asked).toEqual([1, 3]);
  });

  test('of several with current ones may be none of them', async () => {
    const kept = promptSeveral('Which?', words, terminal.asking, [1, 2]);
    await terminal.type('Which?', '\x1b[B \r');
    expect(await kept).toEqual([1]);
    const none = promptSeveral('Which now?', words, terminal.asking, [1]);
    await terminal.type('Which now?', ' \r');
    expect(await none).toEqual([]);
  });

  test('of several that do not fit in the line is shown by their number', async () => {
    const long = words.map(({ name, value }) => ({ name: `${name} ${'a'.repeat(20)}`, value }));
    const asked = promptSeveral('Which?', long, terminal.asking, [1, 2, 3]);
    await terminal.type('Which?', ' \r');
    expect(await asked).toEqual([2, 3]);
    expect(terminal.shown).toMatch(/Which\?\S* \S*two a+, three a+/);
    const all = promptSeveral('Which now?', long, terminal.asking, [1, 2, 3]);
    await terminal.type('Which now?', '\r');
    expect(await all).toEqual([1, 2, 3]);
    expect(terminal.shown).toMatch(/Which now\?\S* \S*3 of 3/);
  });

  test('takes one line, however long it is', async () => {
    const long = { name: `acme/site 1: ${'東京 '.repeat(20)}`, value: 1 };
    const asked = promptChoice('Which?', [long, { name: `${'a'.repeat(76)}b`, value: 2 }], terminal.asking);
    await terminal.type('Which?', '\r');
    expect(await asked).toBe(1);
    expect(terminal.shown).toContain(`acme/site 1: ${'東京 '.repeat(12)}東…`);
    expect(terminal.shown).toContain(`${'a'.repeat(75)}…`);
    expect(terminal.shown).not.toContain('a'.repeat(76));
  });

  test('shows where it differs from others that are cut to the same text', async () => {
    const named = (end: string) => `${'東京'.repeat(40)}${'-'.repeat(60)}${end}`;
    const choices = ['one', 'two'].map((end) => ({ name: named(end), value: end }));
    const asked = promptChoice('Which?', choices, terminal.asking);
    await terminal.type('Which?', '\r');
    expect(await asked).toBe('one');
    for (const end of ['one', 'two']) expect(terminal.shown).toContain(`京…${end}`);
  });

  test('is shown by its short name', async () => {
    const long = { name: 'url: Registry URL', short: 'url', value: 1 };
    const asked = promptSeveral('Which?', [long, { name: 'other', value: 2 }], terminal.asking);
    await terminal.type('Which?', ' \r');
    await asked;
    expect(terminal.shown.slice(terminal.shown.lastIndexOf('Which?'))).toContain('url');
    expect(terminal.shown.slice(terminal.shown.lastIndexOf('Which?'))).not.toContain('Address');
  });

  test('of more than one screen shows the number of choices', async () => {
    const many = Array.from({ length: 13 }, (_, value) => ({ name: `choice ${value}`, value }));
    const asked = promptChoice('Which?', many, terminal.asking);
    await terminal.type('Which?', '\r');
    await asked;
    expect(terminal.shown).toContain('13 choices');
    expect(terminal.shown).not.toContain('choice 12');
  });

  test('from the platform has no control characters', async () => {
    const asked = promptChoice('Which?', [{ name: 'a\x1b]0;evil\x07b', value: 1 }], terminal.asking);
    await terminal.type('Which?', '\r');
    await asked;
    expect(terminal.shown).toContain(String.raw`a\u001b]0;evil\u0007b`);
    expect(terminal.shown).not.toContain('\x1b]0');
  });
});

describe('in plain mode', () => {
  beforeEach(() => {
    terminal.plain = true;
  });

  /** Nothing but what a line editor needs to begin a line. */
  const lines = () => terminal.shown.replaceAll('\x1b[1G', '').replaceAll('\x1b[0J', '').split(/\r?\n/);

  test('a choice is a number, and an invalid one is prompted for again', async () => {
    const asked = promptChoice('Which?', words, terminal.asking);
    await terminal.type('Type a number', '4\r');
    await terminal.type('not in the list', '2\r');
    expect(await asked).toBe(2);
    expect(lines().slice(0, 4)).toEqual(['Which?', '1. one', '2. two', '3. three']);
    expect(terminal.shown).not.toContain('\x1b[?25l');
  });

  test('several are numbers separated by commas', async () => {
    const asked = promptSeveral('Which?', words, terminal.asking);
    await terminal.type('Type numbers', '3,\r');
    await terminal.type('Some of those numbers', '3, 1,3\r');
    expect(await asked).toEqual([3, 1]);
  });

  test.each([
    ['\r', [1, 3]],
    ['0\r', []],
    ['2\r', [2]],
  ])('several with current ones are those by default, or none: %j', async (keys, answer) => {
    const asked = promptSeveral('Which?', words, terminal.asking, [1, 3]);
    await terminal.type('separated by commas, Enter for 1,3, 0 for none:', keys);
    expect(await asked).toEqual(answer);
  });

  test.each([
    ['y\r', true],
    ['No\r', false],
    ['\r', false],
  ])('a yes-or-no prompt with the answer %j is %s', async (keys, answer) => {
    const asked = confirm('Keep it?', terminal.asking);
    await terminal.type('Keep it? Type y or n:', keys);
    expect(await asked).toBe(answer);
  });

  test('an invalid text is prompted for again', async () => {
    const asked = promptText('Name:', terminal.asking, (text) => (text === '' ? 'must not be empty' : undefined));
    await terminal.type('Name:', '\r');
    await terminal.type('Invalid answer: must not be empty', 'x\r');
    expect(await asked).toBe('x');
  });

  test('a secret is not shown, nor its length', async () => {
    const asked = promptSecret('Token:', terminal.asking);
    await terminal.type('Token:', 'ghp_hidden\r');
    expect(await asked).toBe('ghp_hidden');
    expect(terminal.shown).toBe('Token: \n');
  });

  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('%s is an interruption, and leaves the cursor on an empty line', async (_, key) => {
    const asked = promptText('Name:', terminal.asking);
    const ended = expect(asked).rejects.toThrow(InterruptedError);
    await terminal.type('Name:', key);
    await ended;
    expect(terminal.shown).toMatch(/\n$/);
  });
});

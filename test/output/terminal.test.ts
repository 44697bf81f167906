import { afterEach, describe, expect, it, vi } from 'vitest';
import { plainTerminal, processTerminal } from '../../src/output/terminal.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** The terminal of a process whose standard output is one, or is not. */
function terminalIn(stdout: { isTTY?: boolean; columns?: number }, env: Record<string, string>) {
  vi.stubGlobal('process', { stdout, stderr: {}, env });
  return processTerminal();
}

describe('processTerminal', () => {
  it.each<[isTTY: boolean, env: Record<string, string>, color: boolean]>([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('terminal %s with %j has colour: %s', (isTTY, env, color) => {
    expect(terminalIn({ isTTY }, env).color).toBe(color);
  });

  it.each<[env: Record<string, string>, plain: boolean]>([
    [{}, false],
    [{ ACCESSIBLE: '1' }, true],
    [{ ACCESSIBLE: '' }, false],
    [{ TERM: 'dumb' }, true],
    [{ TERM: 'xterm' }, false],
  ])('a terminal with %j uses plain lines: %s', (env, plain) => {
    expect(terminalIn({ isTTY: true }, env).plain).toBe(plain);
  });

  it.each<[isTTY: boolean, env: Record<string, string>, links: boolean]>([
    [true, {}, false],
    [true, { TERM_PROGRAM: 'WezTerm' }, true],
    [true, { TERM_PROGRAM: 'vscode' }, true],
    [true, { TERM_PROGRAM: 'Apple_Terminal' }, false],
    [true, { VTE_VERSION: '7600' }, true],
    [true, { VTE_VERSION: '4800' }, false],
    [true, { WT_SESSION: 'a' }, true],
    [true, { TERM: 'xterm-kitty' }, true],
    [true, { TERM: 'xterm-256color' }, false],
    [true, { TERM_PROGRAM: 'WezTerm', TERM: 'dumb' }, false],
    [true, { TERM_PROGRAM: 'WezTerm', CI: 'true' }, false],
    [false, { TERM_PROGRAM: 'WezTerm' }, false],
    [true, { FORCE_HYPERLINK: '1' }, true],
    [false, { FORCE_HYPERLINK: '1' }, true],
    [true, { FORCE_HYPERLINK: '0', TERM_PROGRAM: 'WezTerm' }, false],
  ])('terminal %s with %j has links: %s', (isTTY, env, links) => {
    expect(terminalIn({ isTTY }, env).links).toBe(links);
  });

  it.each<[env: Record<string, string>, utf8: boolean]>([
    [{ LANG: 'en_US.UTF-8' }, true],
    [{ LANG: 'C.utf8' }, true],
    [{ LANG: 'C' }, false],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'POSIX' }, false],
    [{ LANG: 'C', LC_CTYPE: 'UTF-8' }, true],
    [{}, false],
  ])('a terminal with %j supports more than ASCII: %s', (env, utf8) => {
    expect(terminalIn({ isTTY: true }, env).utf8).toBe(utf8);
  });

  it('can use plain lines, with no other difference', () => {
    const stdout = { isTTY: true, columns: 80 };
    const terminal = plainTerminal(terminalIn(stdout, {}));
    stdout.columns = 132;
    expect(terminal).toMatchObject({ plain: true, stdoutIsTTY: true, columns: 132 });
  });

  it('has the current width of the terminal', () => {
    const stdout = { isTTY: true, columns: 80 };
    const terminal = terminalIn(stdout, {});
    expect(terminal.columns).toBe(80);
    stdout.columns = 132;
    expect(terminal.columns).toBe(132);
  });

  it('uses 80 columns for a terminal of unknown width', () => {
    expect(terminalIn({ isTTY: true, columns: 0 }, {}).columns).toBe(80);
  });

  it('has no width in a pipe, unless COLUMNS sets one', () => {
    expect(terminalIn({}, {}).columns).toBe(Number.POSITIVE_INFINITY);
    expect(terminalIn({}, { COLUMNS: '100' }).columns).toBe(100);
  });

  it('detects which of its streams are terminals', () => {
    const { stdoutIsTTY, stderrIsTTY } = terminalIn({ isTTY: true }, {});
    expect({ stdoutIsTTY, stderrIsTTY }).toEqual({ stdoutIsTTY: true, stderrIsTTY: false });
  });
});

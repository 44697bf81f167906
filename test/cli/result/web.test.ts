import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { browsers, openPage } from '../../../src/cli/browser.ts';
import { scriptedPlatform } from '../../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../../support/run.ts';

const page = 'https://ghe.example.com/acme/site';
/** Runs it where a browser can be opened, which keeps the pages that it was given. */
async function browsing(words: readonly string[], { env = {} }: Pick<RunOptions, 'env'>) {
  const opened: string[] = [];
  const result = await run(words, { env, openPage: (url) => opened.push(url) > 0 });
  return { ...result, opened };
}

const repository = (html_url: unknown) => ({ 'GET /repos/acme/site': { body: { full_name: 'acme/site', html_url } } });

describe('--web', () => {
  it('opens the page of the record, and prints its address instead of the record', async () => {
    const platform = await scriptedPlatform(repository(page));
    const { stdout, stderr, opened, code } = await browsing(['repos', 'get', 'acme/site', '--web'], {
      env: platform.env,
    });
    expect({ stdout, stderr, opened, code }).toEqual({
      stdout: '',
      stderr: `Opening ${page} in the browser.\n`,
      opened: [page],
      code: 0,
    });
  });

  it('prints the address if no browser can be opened', async () => {
    const platform = await scriptedPlatform(repository(page));
    const { stdout, stderr } = await run(['repos', 'get', 'acme/site', '--web'], { env: platform.env });
    expect(stdout).toBe(`${page}\n`);
    expect(stderr).toBe(`Opening ${page} in the browser.\nCannot open a browser. Page address:\n`);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', '--version', '-e rm', '', null, 7, { a: 1 }])(
    'opens nothing for %j, which is not a web address',
    async (html_url) => {
      const platform = await scriptedPlatform(repository(html_url));
      const { opened, stdout, code } = await browsing(['repos', 'get', 'acme/site', '--web'], { env: platform.env });
      expect({ opened, stdout, code }).toEqual({ opened: [], stdout: '', code: 2 });
    },
  );

  it('opens the page of a ruleset from its links', async () => {
    const html = { href: 'https://ghe.example.com/acme/site/rules/7' };
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/rulesets/7': { body: { id: 7, _links: { html } } },
    });
    const { opened } = await browsing(['rulesets', 'get', 'acme/site', '7', '--web'], { env: platform.env });
    expect(opened).toEqual(['https://ghe.example.com/acme/site/rules/7']);
  });

  const forks = (count: number) =>
    scriptedPlatform({
      'GET /repos/acme/site/forks': {
        body: Array.from({ length: count }, (_, index) => ({ html_url: `https://ghe.example.com/f${index}/site` })),
      },
    });

  it('opens the pages of a short list', async () => {
    const { opened } = await browsing(['forks', 'list', 'acme/site', '--web'], { env: (await forks(2)).env });
    expect(opened).toEqual(['https://ghe.example.com/f0/site', 'https://ghe.example.com/f1/site']);
  });

  it('opens nothing for a long list, and explains how to shorten it', async () => {
    const { opened, stderr, code } = await browsing(['forks', 'list', 'acme/site', '--web'], {
      env: (await forks(6)).env,
    });
    expect({ opened, code }).toEqual({ opened: [], code: 2 });
    expect(stderr).toBe(
      'forgectl: --web opens at most 5 pages, but the list has more repositories. Nothing was opened.\nNarrow the list, or use --limit 5.\n',
    );
  });

  it('shows the filters of an empty list', async () => {
    const { opened, stderr } = await browsing(['forks', 'list', 'acme/site', '--web'], { env: (await forks(0)).env });
    expect({ opened, stderr }).toEqual({ opened: [], stderr: 'Found no repositories in acme/site.\n' });
  });
});

describe('the browser', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string[][]]>([
    ['linux', { DISPLAY: ':0' }, [['xdg-open', page]]],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, [['xdg-open', page]]],
    ['linux', {}, []],
    [
      'linux',
      { WSL_DISTRO_NAME: 'Debian' },
      [
        ['wslview', page],
        ['xdg-open', page],
      ],
    ],
    ['darwin', {}, [['open', page]]],
    ['win32', {}, [['rundll32', 'url.dll,FileProtocolHandler', page]]],
    ['linux', { BROWSER: 'firefox --new-window' }, [['firefox', '--new-window', page]]],
    [
      'linux',
      { BROWSER: 'lynx %s -x:w3m' },
      [
        ['lynx', page, '-x'],
        ['w3m', page],
      ],
    ],
  ])('on %s with %j is %j', (platform, env, commands) => {
    expect(browsers(page, env, platform)).toEqual(commands);
  });

  it.each([
    ['true', true],
    ['false', false],
    ['/nonexistent/browser', false],
    ['/nonexistent/browser:true', true],
  ])('named %s opens the page: %s', async (BROWSER, opened) => {
    expect(await openPage(page, { BROWSER })).toBe(opened);
  });

  it('is not started for anything but a web address', async () => {
    expect(await openPage('--help', { BROWSER: 'true' })).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('is started without a shell', async () => {
    const directory = await temporaryDirectory();
    const browser = join(directory, 'browser');
    await writeFile(browser, `#!/bin/sh\nprintf '%s\\n' "$@" > '${directory}/words'\n`, { mode: 0o700 });
    const url = `${page}?a=1&b=$(date);$HOME`;
    expect(await openPage(url, { PATH: process.env.PATH ?? '', HOME: directory, BROWSER: browser })).toBe(true);
    expect(await readFile(join(directory, 'words'), 'utf8')).toBe(`${url}\n`);
  });

  it.skipIf(process.platform === 'win32')('gets only the variables of screens, sessions and desktops', async () => {
    const directory = await temporaryDirectory();
    const browser = join(directory, 'browser');
    await writeFile(browser, `#!/bin/sh\nenv > '${directory}/env'\n`, { mode: 0o700 });
    const token = 'ghp_000000000000000000000000000000000000';
    const passed = {
      PATH: process.env.PATH ?? '',
      HOME: directory,
      BROWSER: browser,
      DISPLAY: ':7',
      WAYLAND_DISPLAY: 'wayland-0',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
      XDG_RUNTIME_DIR: '/run/user/1000',
      XDG_CURRENT_DESKTOP: 'GNOME',
    };
    const withheld = {
      FORGECTL_TOKEN_1: token,
      GH_TOKEN: token,
      NPM_TOKEN: token,
      XDG_TOKEN: token,
      LD_PRELOAD: token,
    };
    expect(await openPage(page, { ...passed, ...withheld })).toBe(true);
    const seen = await readFile(join(directory, 'env'), 'utf8');
    for (const [name, value] of Object.entries(passed)) expect(seen).toContain(`${name}=${value}\n`);
    expect(seen).not.toContain(token);
  });
});

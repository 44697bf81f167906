/** Text that leads to a page, where the terminal can do that. */
import { valueAt } from './fields.ts';

/** What an address may be long: what the terminals that first had such links take. */
const longest = 2083;

/**
 * The address of a page that a record names, in ASCII and without control characters; undefined for whatever is no
 * plain web address.
 */
export function pageUrl(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return url.href.length <= longest ? url.href : undefined;
}

/** The address of the page of a record; most have it as `html_url`, rulesets among their links. */
export function pageOf(record: unknown): string | undefined {
  return pageUrl(valueAt(record, ['html_url'])) ?? pageUrl(valueAt(record, ['_links', 'html', 'href']));
}

/** `text`, which must hold no control characters, as the OSC 8 sequences make a link of it. */
export const linked = (text: string, url: string): string => `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`;

/** Terminals that show such links, by what they call themselves in `TERM_PROGRAM`. */
const programs: readonly string[] = [
  'iTerm.app',
  'WezTerm',
  'vscode',
  'ghostty',
  'zed',
  'Hyper',
  'rio',
  'Tabby',
  'WarpTerminal',
];

/** VTE, which GNOME Terminal and others are built on, has them since 0.50; 0.50.0 crashes over them. */
const firstVte = 5001;

/**
 * Whether links are shown. No terminal can be asked in time, so it is known by name; `FORCE_HYPERLINK` decides before
 * all else. Where nothing is known, they are not shown.
 */
export function wantsLinks(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_HYPERLINK: force, TERM = '', TERM_PROGRAM = '', VTE_VERSION } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (!isTerminal || TERM === 'dumb' || env.CI) return false;
  return (
    programs.includes(TERM_PROGRAM) ||
    Number(VTE_VERSION) >= firstVte ||
    Boolean(env.WT_SESSION || env.KONSOLE_VERSION || env.DOMTERM) ||
    /^(xterm-kitty|xterm-ghostty|alacritty|foot)/.test(TERM)
  );
}

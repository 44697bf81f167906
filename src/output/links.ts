/** Links to pages, in terminals that support them. */
import { valueAt } from './fields.ts';

/** Maximum length of a URL in the first terminals with links. */
const maxUrlLength = 2083;

/** Returns a URL of a record in ASCII, without control characters; undefined for anything but a plain web URL. */
export function pageUrl(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return url.href.length <= maxUrlLength ? url.href : undefined;
}

/** Returns the URL of a record's page: `html_url` in most records, `_links` in rulesets. */
export function pageOf(record: unknown): string | undefined {
  return pageUrl(valueAt(record, ['html_url'])) ?? pageUrl(valueAt(record, ['_links', 'html', 'href']));
}

/** Returns `text` as an OSC 8 link; it must not contain control characters. */
export const hyperlink = (text: string, url: string): string => `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`;

/** Terminals with links, by `TERM_PROGRAM`. */
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

/** VTE, the base of GNOME Terminal and others, supports links since 0.50; 0.50.0 crashes on them. */
const firstVte = 5001;

/**
 * Whether to show links. Terminals cannot be queried quickly, so they are recognized by name; `FORCE_HYPERLINK` takes
 * precedence. Unknown terminals get no links.
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

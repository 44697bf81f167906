/** POSIX shell lines that read names from the files beside the settings, so that Tab does not start Node. */

// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell expands it
const settings = '"${FORGECTL_CONFIG_DIR:-${XDG_CONFIG_HOME:-$HOME/.config}/forgectl}';

/** forgectl writes one line for each profile, and names need no quotes; files formatted by hand yield no names. */
export const profileNames = `command sed -n '/^  "profiles": {/,/^  }/s/^    "\\([A-Za-z0-9._-]*\\)": {.*/\\1/p' ${settings}/config.json" 2>/dev/null`;

/** As for profiles: a line for each alias. */
export const aliasNames = `command sed -n '/^  "aliases": {/,/^  }/s/^    "\\([a-z0-9-]*\\)": .*/\\1/p' ${settings}/config.json" 2>/dev/null`;

/** Lines that a shell could interpret are ignored. */
export const organizationNames = `LC_ALL=C command sed -n '/^[A-Za-z0-9][A-Za-z0-9-]*$/p' ${settings}/organizations" 2>/dev/null`;

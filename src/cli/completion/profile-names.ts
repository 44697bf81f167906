/**
 * A POSIX shell line that reads profile names from the settings file, so that Tab does not start Node. forgectl writes
 * one line for each profile, and names need no quotes; files formatted by hand yield no names.
 */
export const profileNames = `command sed -n '/^  "profiles": {/,/^  }/s/^    "\\([A-Za-z0-9._-]*\\)": {.*/\\1/p' "\${FORGECTL_CONFIG_DIR:-\${XDG_CONFIG_HOME:-$HOME/.config}/forgectl}/config.json" 2>/dev/null`;

/**
 * The names of profiles, for a shell of the POSIX kind: a line that reads them off the settings file, so that Tab starts no
 * Node. forgectl writes that file itself, with a line for each profile, and a name holds nothing that JSON or a shell would
 * have quoted; of a file that was laid out by hand nothing is offered.
 */
export const profileNames = `command sed -n '/^  "profiles": {/,/^  }/s/^    "\\([A-Za-z0-9._-]*\\)": {.*/\\1/p' "\${FORGECTL_CONFIG_DIR:-\${XDG_CONFIG_HOME:-$HOME/.config}/forgectl}/config.json" 2>/dev/null`;

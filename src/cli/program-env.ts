/**
 * The environment of other programs: only variables that they are known to need, because any other may contain a
 * secret.
 */
import { delimiter, isAbsolute, normalize } from 'node:path';

/** POSIX.1-2024, Environment Variables; the last six are those of GNU. */
const localeCategories = [
  ...['ALL', 'COLLATE', 'CTYPE', 'MESSAGES', 'MONETARY', 'NUMERIC', 'TIME'],
  ...['ADDRESS', 'IDENTIFICATION', 'MEASUREMENT', 'NAME', 'PAPER', 'TELEPHONE'],
];
const everywhere = [
  ...['PATH', 'HOME', 'TMPDIR', 'LANG', 'LANGUAGE'],
  ...localeCategories.map((category) => `LC_${category}`),
];
const onWindows = ['SYSTEMROOT', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PATHEXT', 'COMSPEC', 'TEMP', 'TMP'];
const proxy = /^(?:HTTPS?|ALL|NO)_PROXY$/i;

/**
 * Returns a function that decides whether a program gets a variable.
 *
 * @param more names beside those that every program gets
 * @param platform as in `process.platform`; on Windows, the case of names does not matter
 */
export function passedTo(
  more: readonly string[],
  platform: NodeJS.Platform,
): (variable: readonly [name: string, value: string | undefined]) => boolean {
  const isWindows = platform === 'win32';
  const known = (name: string) => (isWindows ? name.toUpperCase() : name);
  const names = new Set([...everywhere, ...(isWindows ? onWindows : []), ...more].map(known));
  return ([name, value = '']) =>
    names.has(known(name)) ||
    // A user name or password precedes “@”, with or without a scheme; a query may hold a key.
    (proxy.test(name) && !/[@?#]/.test(value));
}

/** Folders of programs and of the user, beside those that every program gets. */
const windowsFolders = [
  ...['HOMEDRIVE', 'HOMEPATH', 'SYSTEMDRIVE', 'WINDIR', 'PROGRAMDATA', 'PROGRAMFILES'],
  ...['PROGRAMFILES(X86)', 'USERNAME'],
];

/** SUDO_UID is the owner whose repositories root trusts. */
const forGit = ['XDG_CONFIG_HOME', 'SUDO_UID'];

/** Settings of git and of LFS. Others, such as GIT_TOKEN, are not git’s. */
const gitSettings = /^GIT_(?:CONFIG_.+|ATTR_.+|LFS_.+|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/;

/** Returns the environment of git, which passes it to the filters of the user. */
export function gitEnv(env: NodeJS.ProcessEnv, platform = process.platform): NodeJS.ProcessEnv {
  const isPassed = passedTo([...forGit, ...(platform === 'win32' ? windowsFolders : [])], platform);
  return picked(env, (variable) => gitSettings.test(variable[0]) || isPassed(variable));
}

/** The screen, the session and the desktop, which xdg-open and browsers look at. */
const forBrowsers = [
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'BROWSER', 'DBUS_SESSION_BUS_ADDRESS', 'DESKTOP_SESSION'],
  ...['XDG_CONFIG_HOME', 'XDG_CONFIG_DIRS', 'XDG_DATA_HOME', 'XDG_DATA_DIRS', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'],
  ...['XDG_RUNTIME_DIR', 'XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE', 'XDG_SESSION_DESKTOP', 'XDG_MENU_PREFIX'],
  ...['KDE_FULL_SESSION', 'KDE_SESSION_VERSION', 'GNOME_DESKTOP_SESSION_ID', 'MATE_DESKTOP_SESSION_ID'],
  ...[
    'GDK_BACKEND',
    'QT_QPA_PLATFORM',
    'MOZ_ENABLE_WAYLAND',
    'WSL_DISTRO_NAME',
    'WSL_INTEROP',
    'USER',
    'LOGNAME',
    'SHELL',
  ],
];

/** The place of gh's settings, and the bus of the keyring. */
const forGh = ['GH_CONFIG_DIR', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];

/** Returns the environment of gh without tokens and hosts, so that gh returns its stored login. */
export function ghEnv(env: NodeJS.ProcessEnv, platform = process.platform): NodeJS.ProcessEnv {
  return picked(env, passedTo([...forGh, ...(platform === 'win32' ? windowsFolders : [])], platform));
}

/** Returns the environment of a browser. */
export function browserEnv(env: NodeJS.ProcessEnv, platform = process.platform): NodeJS.ProcessEnv {
  return picked(env, passedTo([...forBrowsers, ...(platform === 'win32' ? windowsFolders : [])], platform));
}

/**
 * Returns PATH without relative directories, which others may control, and those that are relative by another name, such as
 * /proc/self/cwd; undefined for an empty PATH, which means the current directory.
 */
export const withoutRelative = (path = ''): string | undefined =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/^[/]+(?:proc|dev)(?:[/]|$)/.test(normalize(folder)))
    .join(delimiter) || undefined;

/** Variables with the place of settings, which may name programs. */
const settingsPlace = /^(?:HOME|GH_CONFIG_DIR|XDG_CONFIG_\w+|GIT_(?:CONFIG_GLOBAL|CONFIG_SYSTEM|EXEC_PATH))$/i;

/** Returns the variables that a program gets. Those of settings in a relative place are left out, as others may control it. */
export const picked = (
  env: NodeJS.ProcessEnv,
  isPassed: (variable: readonly [string, string | undefined]) => boolean,
): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env)
      .filter((variable) => isPassed(variable) && (!settingsPlace.test(variable[0]) || isAbsolute(variable[1] || '/')))
      .map(([name, value]) => [name, /^PATH$/i.test(name) ? withoutRelative(value) : value]),
  );

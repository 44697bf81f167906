/** Which environment variables and files policies may take secrets from, and how plans show them. */
import { readdirSync, readlinkSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { settingsDirectories } from '../../../disk/locations.ts';
import { isBelow } from '../../../disk/regular-file.ts';
import { isObject } from '../../../json/exact-json.ts';

/** An environment variable or a file. */
export type SecretLocation = { readonly env: string } | { readonly file: string };

export function isSecretLocation(value: unknown): value is SecretLocation {
  if (!isObject(value)) return false;
  const [[name, where] = [], ...others] = Object.entries(value);
  if (others.length > 0 || typeof where !== 'string') return false;
  return name === 'env' ? /^[A-Za-z_]\w*$/.test(where) : name === 'file' && /^\P{Cc}+$/u.test(where);
}

/** Returns whether a variable is a credential of forgectl itself, of `gh` or of the platform's CI runners. */
export const isOwnCredential = (variable: string): boolean =>
  /^(?:FORGECTL_TOKEN|FORGECTL_APP_|(?:GH|GITHUB)(?:_ENTERPRISE)?_TOKEN$|ACTIONS_(?:ID_TOKEN_REQUEST|RUNTIME)_TOKEN$)/i.test(
    variable,
  );

/** Files of the system: environments of processes, open files, devices. */
const systemFolders = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** Returns why a secret may not come from there; undefined if it may. Links are resolved. */
export function whyNoSource(location: SecretLocation): string | undefined {
  if ('env' in location) return isOwnCredential(location.env) ? ownerOf(location.env) : undefined;
  return passedOnTheWay(location.file).some((each) => systemFolders.test(each) || isOfSystem(each))
    ? 'is below /proc, /sys or /dev'
    : undefined;
}

/** The limit of Linux. */
const mostLinks = 40;

/**
 * Returns the paths that the system passes on its way to a file: folders, links and what these name. A link in /proc, such as
 * /proc/self/fd/0, leads on to any file, and `..` after a link leads to the folder above its target.
 */
function passedOnTheWay(file: string): readonly string[] {
  const path = isAbsolute(file) ? file : `${process.cwd()}${sep}${file}`;
  const passed: string[] = [];
  const names = path.split(sep);
  let at = parse(path).root;
  for (let links = 0; names.length > 0 && links <= mostLinks; ) {
    const link = join(at, names.shift() ?? '');
    const target = targetOf(link);
    passed.push(link);
    at = target === undefined ? link : isAbsolute(target) ? parse(target).root : dirname(link);
    if (target === undefined) continue;
    names.unshift(...target.split(sep));
    links++;
  }
  return passed;
}

/** Returns what a link names; undefined for anything else. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** statfs(2): the file systems of /proc and /sys, which can be mounted elsewhere, too. */
const systemTypes: readonly number[] = [0x9fa0, 0x62656572];

function isOfSystem(path: string): boolean {
  try {
    return process.platform === 'linux' && systemTypes.includes(statfsSync(path).type);
  } catch {
    return false;
  }
}

/**
 * Returns as `whyNoSource` does, also for the files of forgectl: its settings, the keys of apps, and other names of these files.
 *
 * @param keyFiles the key files of all profiles
 */
export function whyNotRead(
  location: SecretLocation,
  env: NodeJS.ProcessEnv,
  keyFiles: readonly string[],
): string | undefined {
  const why = whyNoSource(location);
  if (why !== undefined || 'env' in location) return why;
  const { FORGECTL_APP_PRIVATE_KEY_FILE: key, FORGECTL_TOKEN_FILE: tokens = '' } = env;
  const folders = settingsDirectories(env).map(realPathOf);
  const path = realPathOf(location.file);
  // A folder of token files may be closed to lists.
  const named = (path.match(/\d+/g) ?? []).map((index) => tokens.replaceAll('{index}', index));
  const own = [...folders.flatMap(filesIn), ...keyFiles, ...(key ? [key] : []), ...filesNamed(tokens), ...named];
  const isOwn = folders.some((folder) => isBelow(path, folder)) || own.some((file) => isSameFile(file, path));
  return isOwn ? ofForgectl : undefined;
}

/** Returns the files of a folder; none if it cannot be read. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Returns the files that `FORGECTL_TOKEN_FILE` may name, for any index. */
function filesNamed(path: string): readonly string[] {
  const [, folder, pattern, rest = ''] = /^(.*?)([^/]*\{index\}[^/]*)(.*)$/s.exec(path) ?? [];
  if (folder === undefined || pattern === undefined) return path ? [path] : [];
  const parts = pattern.split('{index}').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const name = new RegExp(`^${parts.join('\\d+')}$`, 's');
  const found = filesIn(folder || '.').filter((file) => name.test(basename(file)));
  return found.flatMap((file) => filesNamed(`${file}${rest}`));
}

/** Returns whether two paths lead to the same file, through links of either kind. */
function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.isFile() && a.ino === b.ino && a.dev === b.dev;
  } catch {
    return false;
  }
}

const ofForgectl = 'is a credential of forgectl itself';

const ownerOf = (variable: string): string =>
  /^ACTIONS_/i.test(variable) ? 'is a credential of the CI runner' : ofForgectl;

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

/** Returns the name of a source, as `--allow-secret` takes it. No file has the name of a variable. */
export function sourceName(location: SecretLocation): string {
  if ('env' in location) return location.env;
  const { file } = location;
  return basename(file) === file ? `./${file}` : file;
}

/** Returns “secret from $NPM_REGISTRY_SECRET” or “secret from /run/secrets/npm”. */
export const secretText = (location: SecretLocation): string =>
  `secret from ${'env' in location ? '$' : ''}${sourceName(location)}`;

/** Which environment variables and files policies may take secrets from, and how plans show them. */
import { lstatSync, readdirSync, readlinkSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { containsSecrets } from '../../../client/redact.ts';
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
  if (containsSecrets(secretText(location))) return 'looks like a secret and would be masked in plans';
  if ('env' in location) return isOwnCredential(location.env) ? ownerOf(location.env) : undefined;
  const passed = passedOnTheWay(location.file);
  if (passed === undefined) return `leads through more than ${mostSteps} folders and links`;
  return passed.some(isSystemAt) ? 'is below /proc, /sys or /dev' : undefined;
}

/** Folders and links of a path, with those of links: a policy may name a path of any length. */
const mostSteps = 256;

/** A folder or a link on the way. */
interface Passed {
  readonly path: string;
  /** The device of the file system; absent if it cannot be read. */
  readonly device?: number | undefined;
}

/** Asks only for the first of several folders of one file system. */
const isSystemAt = ({ path, device }: Passed, at: number, passed: readonly Passed[]): boolean =>
  systemFolders.test(path) || (device !== passed[at - 1]?.device && isOfSystem(path));

/**
 * Returns the paths that the system passes on its way to a file: folders, links and what these name; undefined if there are
 * too many. A link in /proc, such as /proc/self/fd/0, leads on to any file, and `..` after a link leads to the folder above
 * its target.
 */
function passedOnTheWay(file: string): readonly Passed[] | undefined {
  const path = isAbsolute(file) ? file : `${process.cwd()}${sep}${file}`;
  const passed: Passed[] = [];
  const names = path.split(sep);
  let at = parse(path).root;
  while (names.length > 0) {
    if (passed.length === mostSteps) return undefined;
    const link = join(at, names.shift() ?? '');
    const { device, target } = foundAt(link);
    passed.push({ path: link, device });
    at = target === undefined ? link : isAbsolute(target) ? parse(target).root : dirname(link);
    if (target !== undefined) names.unshift(...target.split(sep));
  }
  return passed;
}

/** Returns the device of a path, and what it names if it is a link. */
function foundAt(path: string): { readonly device?: number | undefined; readonly target?: string } {
  try {
    // Faster than an error for each folder.
    const found = lstatSync(path, { throwIfNoEntry: false });
    return { device: found?.dev, ...(found?.isSymbolicLink() && { target: readlinkSync(path) }) };
  } catch {
    return {};
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
 * Returns a function that returns as `whyNoSource` does, also for the files of forgectl: its settings, the keys of apps, and
 * other names of these files. It looks for them once, as a policy may have thousands of secrets.
 *
 * @param keyFiles returns the key files of all profiles
 */
export function whyNotRead(
  env: NodeJS.ProcessEnv,
  keyFiles: () => readonly string[],
): (location: SecretLocation) => string | undefined {
  const { FORGECTL_APP_PRIVATE_KEY_FILE: key, FORGECTL_TOKEN_FILE: tokens = '' } = env;
  let folders: readonly string[] = [];
  let own: ReadonlySet<string | undefined> | undefined;
  return (location) => {
    const why = whyNoSource(location);
    if (why !== undefined || 'env' in location) return why;
    if (!own) {
      folders = settingsDirectories(env).map(realPathOf);
      const files = [...folders.flatMap(filesIn), ...keyFiles(), ...(key ? [key] : []), ...filesNamed(tokens)];
      own = new Set(files.map(identityOf));
    }
    const path = realPathOf(location.file);
    const identity = identityOf(path);
    // A folder of token files may be closed to lists, and have links to other names.
    const named = [...new Set(`${location.file} ${path}`.match(/\d+/g))].map((index) =>
      tokens.replaceAll('{index}', index),
    );
    const isOwn = identity !== undefined && (own.has(identity) || named.some((file) => identityOf(file) === identity));
    return isOwn || folders.some((folder) => isBelow(path, folder)) ? ofForgectl : undefined;
  };
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

/** Returns what two paths to the same file share, through links of either kind; undefined for anything but a file. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.isFile() ? `${found.dev} ${found.ino}` : undefined;
  } catch {
    return undefined;
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

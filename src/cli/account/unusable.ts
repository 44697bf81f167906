/** Reports all invalid settings that a command needs in one error, with the commands that fix them. */
import { UsageError } from '../errors.ts';
import { settingVariables } from './setting-keys.ts';
import { type Settings, settingsPath } from './settings.ts';

type Flags = Readonly<Partial<Record<string, unknown>>>;

/**
 * Throws UsageError if the profile has invalid values, unless flags or the environment override them.
 *
 * @param keys the required settings; all of them by default
 */
export function requireUsable(
  { active, unusable }: Settings,
  profile: string | undefined,
  { directory, flags, env }: { directory: string; flags: Flags; env: NodeJS.ProcessEnv },
  keys?: readonly string[],
): void {
  const bad = unusable.filter(
    ({ profile: name, key }) =>
      name === profile && (keys?.includes(key) ?? true) && flags[key] === undefined && !isInEnvironment(key, env),
  );
  if (bad.length === 0) return;
  const named = profile === active ? '' : ` --profile ${profile}`;
  const mending = bad.map(({ key }) =>
    key === 'token' ? `forgectl auth login${named}` : `forgectl config unset ${key}${named}`,
  );
  const wrong = bad.map(({ message }) => message.replace(/\.$/, '')).join('; ');
  throw new UsageError(
    `${settingsPath(directory)}, profile “${profile}”: ${wrong}. Nothing was sent.`,
    `To remove ${bad.length === 1 ? 'it' : 'them'}: ${mending.join(', ')}.`,
  );
}

const isInEnvironment = (key: string, env: NodeJS.ProcessEnv) =>
  (settingVariables as Partial<Record<string, readonly string[]>>)[key]?.some((name) => env[name]) ?? false;

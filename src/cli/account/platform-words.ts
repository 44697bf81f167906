/** The vendor's words in paths, without a connection: offline commands need no base URL. */
import type { PlatformWords } from '../../platform/permissions.ts';
import { profileInUse, settingInUse } from './connection.ts';
import type { SettingKey } from './setting-keys.ts';
import { readSettings } from './settings.ts';
import { requireUsable } from './unusable.ts';

/** Returns the words set by environment, profile and defaults. Throws UsageError for an invalid profile or value. */
export function platformWords(profile: string | undefined, env: NodeJS.ProcessEnv, directory: string): PlatformWords {
  const settings = readSettings(directory);
  const inUse = profileInUse(settings, profile, env);
  requireUsable(settings, inUse?.name, { directory, flags: {}, env }, ['vendor', 'alerts-segment']);
  const word = (key: SettingKey) => String(settingInUse(key, undefined, env, inUse?.profile).value);
  return { vendor: word('vendor'), alertsSegment: word('alerts-segment') };
}

/** The vendor's words in paths, without a connection: offline commands need no base URL. */
import type { PlatformWords } from '../../platform/permissions.ts';
import { profileInUse, settingInUse } from './connection.ts';
import type { SettingKey } from './setting-keys.ts';
import { readSettings } from './settings.ts';
import { requireUsable } from './unusable.ts';

/** The words that environment, profile and defaults give. Throws UsageError for a profile or value that cannot be used. */
export function platformWords(profile: string | undefined, env: NodeJS.ProcessEnv, directory: string): PlatformWords {
  const settings = readSettings(directory);
  const inUse = profileInUse(settings, profile, env);
  requireUsable(settings, inUse?.name, { directory, flags: {}, env }, ['vendor', 'alerts-segment']);
  const word = (key: SettingKey) => String(settingInUse(key, undefined, env, inUse?.profile).value);
  return { vendor: word('vendor'), alertsSegment: word('alerts-segment') };
}

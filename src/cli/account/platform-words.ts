/** The platform's own words inside paths, without a connection: what is offline asks no base URL. */
import type { PlatformWords } from '../../platform/permissions.ts';
import { profileInUse, settingInUse } from './connection.ts';
import type { SettingKey } from './setting-keys.ts';
import { readSettings } from './settings.ts';

/** The words that environment, profile and defaults give. Throws UsageError for a profile or value that cannot be used. */
export function platformWords(profile: string | undefined, env: NodeJS.ProcessEnv, directory: string): PlatformWords {
  const settings = profileInUse(readSettings(directory), profile, env)?.profile;
  const word = (key: SettingKey) => String(settingInUse(key, undefined, env, settings).value);
  return { vendor: word('vendor'), alertsSegment: word('alerts-segment') };
}

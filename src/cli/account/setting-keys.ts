/** The settings of a profile: meanings, allowed values and defaults. */
import { resolve } from 'node:path';
import { BaseUrlError } from '../../client/errors.ts';
import { normalizeBaseUrl, platformDefaults } from '../../client/platform.ts';
import { maskTextSecrets, secretMask } from '../../json/secrets.ts';
import { formats } from '../../output/render.ts';
import { parseDuration, parseTimeout } from '../input/duration.ts';
import { BadValue, oneOf, wholeNumber } from '../input/values.ts';
import { BadSetting } from './bad-setting.ts';

export const settingKeys = [
  'base-url',
  'api-version',
  'vendor',
  'alerts-segment',
  'output',
  'concurrency',
  'timeout',
  'max-wait',
  'ca-file',
  'proxy',
] as const;
export type SettingKey = (typeof settingKeys)[number];

export const isSettingKey = (text: string): text is SettingKey => (settingKeys as readonly string[]).includes(text);

/** The environment variables that override a profile's value, in order of precedence. */
export const settingVariables: Readonly<Partial<Record<SettingKey, readonly string[]>>> = {
  'base-url': ['FORGECTL_BASE_URL'],
  'api-version': ['FORGECTL_API_VERSION'],
  vendor: ['FORGECTL_VENDOR'],
  'alerts-segment': ['FORGECTL_ALERTS_SEGMENT'],
  // Plain HTTP is allowed only to this machine, so the other proxy variables do not matter.
  proxy: ['https_proxy', 'HTTPS_PROXY'],
};

/** Defaults; missing keys have no fixed default. */
export const settingDefaults = {
  'api-version': platformDefaults.apiVersion,
  vendor: platformDefaults.vendor,
  'alerts-segment': platformDefaults.alertsSegment,
  timeout: '30s',
  'max-wait': '60s',
} as const satisfies Partial<Record<SettingKey, string>>;

/** Validates and normalizes the text of a setting. Throws BadSetting. */
export function checkSetting(key: SettingKey, text: string): string | number {
  try {
    return checks[key](text);
  } catch (error) {
    if (error instanceof BadValue) throw new BadSetting(`${key} ${error.message}.`);
    if (error instanceof BaseUrlError) throw new BadSetting(error.message);
    throw error;
  }
}

const checks: Readonly<Record<SettingKey, (text: string) => string | number>> = {
  'base-url': normalizeBaseUrl,
  'api-version': matching(/^\d{4}-\d{2}-\d{2}$/, 'a date, such as 2022-11-28'),
  vendor: matching(/^[a-z0-9-]+$/, 'lowercase letters, digits and hyphens, such as github'),
  'alerts-segment': matching(/^[a-z0-9-]+$/, 'lowercase letters, digits and hyphens, such as dependabot'),
  output: oneOf(formats),
  concurrency: wholeNumber(1, 100),
  timeout: asWritten(parseTimeout),
  'max-wait': asWritten(parseDuration),
  'ca-file': (text) => resolve(text),
  proxy,
};

/** Checks when a setting is stored that a file it names is usable. Throws BadSetting. */
export async function checkPresence(key: SettingKey, value: string | number): Promise<void> {
  if (key !== 'ca-file') return;
  const { readCertificates } = await import('./certificates.ts');
  await readCertificates(value as string);
}

function matching(pattern: RegExp, allowed: string) {
  return (text: string) => {
    if (!pattern.test(text)) throw new BadValue(`must be ${allowed}`);
    return text;
  };
}

/** Checks that a text can be parsed, and returns it unchanged. */
function asWritten(read: (text: string) => unknown) {
  return (text: string) => {
    read(text);
    return text;
  };
}

/** Returns the value of a setting as it may be shown: of a proxy, what it is used for, without its password. */
export function shownSetting(key: SettingKey, value: string | number): string | number {
  if (key !== 'proxy' || value === '') return value;
  const text = String(value).trim();
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!url?.hostname) return secretMask;
  const { protocol, username, password, host } = url;
  const user = `${username}${password && `:${password}`}`;
  return maskTextSecrets(`${protocol}//${user && `${user}@`}${host}`);
}

/** The URL of a proxy may contain a password, so no message repeats it. */
function proxy(text: string): string {
  if (/^\s*https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new BadValue('must be an http:// or https:// URL, such as http://proxy.example.com:3128');
}

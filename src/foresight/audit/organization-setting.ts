/** Checks of a single setting of an organization. */
import type { Organization } from '../../platform/records.ts';
import { type Check, check, type Fix, fail, pass, type Severity, unreadable } from './check.ts';
import { organizationPolicy } from './fixes.ts';

interface SettingCheck extends Pick<Check, 'id' | 'severity' | 'title' | 'description' | 'documents' | 'maps'> {
  readonly setting: keyof Organization & string;
  /** Returns how severe a value is; undefined for a wanted one. */
  readonly judge: (value: string | boolean) => { readonly message: string; readonly severity?: Severity } | undefined;
  /** The wanted value, or why there is no endpoint that sets it. */
  readonly fix: { readonly value: string | boolean } | { readonly hint: string };
}

/** Only owners see the settings; a platform without a setting omits it, too. */
const hidden = (setting: string) =>
  `GET /orgs/{org} does not return ${setting}: only owners see it, and older platforms do not have it`;

export const organizationSetting = ({ setting, judge, fix, ...declaration }: SettingCheck): Check =>
  check({
    ...declaration,
    scope: 'organization',
    reads: ['organization'],
    judge({ organization }, { owner }) {
      const value: unknown = organization[setting];
      if (typeof value !== 'string' && typeof value !== 'boolean') return unreadable(hidden(setting));
      const found = judge(value);
      if (!found) return pass;
      const { message, severity } = found;
      return fail(message, [{ name: setting, value }], fixOf(owner, setting, fix), severity ? { severity } : {});
    },
  });

function fixOf(org: string, setting: string, fix: SettingCheck['fix']): Fix {
  if ('hint' in fix) return fix;
  const { value } = fix;
  const flag = setting.replaceAll('_', '-');
  const flags = typeof value === 'string' ? [`--${flag}`, value] : [`--${value ? '' : 'no-'}${flag}`];
  return {
    command: ['orgs', 'update', org, ...flags],
    policy: organizationPolicy(org, { settings: { [setting]: value } }),
  };
}

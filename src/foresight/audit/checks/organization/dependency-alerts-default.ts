import { organizationSetting } from '../../organization-setting.ts';

export const dependencyAlertsDefault = organizationSetting({
  id: 'dependency-alerts-default',
  severity: 'medium',
  title: 'Dependency alerts are enabled in new repositories',
  description: 'Without alerts, nobody learns of vulnerable dependencies of a new repository.',
  documents: ['https://docs.github.com/en/code-security/dependabot/dependabot-alerts/configuring-dependabot-alerts'],
  maps: {},
  setting: 'dependabot_alerts_enabled_for_new_repositories',
  judge: (value) => (value === true ? undefined : { message: 'New repositories have no dependency alerts.' }),
  fix: { value: true },
});

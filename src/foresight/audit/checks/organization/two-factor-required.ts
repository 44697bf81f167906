import { organizationSetting } from '../../organization-setting.ts';

export const twoFactorRequired = organizationSetting({
  id: 'two-factor-required',
  severity: 'high',
  title: 'Two-factor authentication is required',
  description:
    'Without the requirement, a stolen password is enough to act as a member. A self-managed platform with SAML or CAS does not offer it: require the second factor at the identity provider, and suppress the finding.',
  documents: [
    'https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-two-factor-authentication-for-your-organization/requiring-two-factor-authentication-in-your-organization',
  ],
  maps: {
    legitify: ['two_factor_authentication_not_required_for_org'],
    steampipe: ['cis_supply_chain_v100_1_3_5'],
  },
  setting: 'two_factor_requirement_enabled',
  judge: (isRequired) =>
    isRequired ? undefined : { message: 'Members can sign in without two-factor authentication.' },
  fix: {
    hint: 'Turn on “Require two-factor authentication” in the organization’s settings, under Authentication security. Members without it lose access to the organization, or are removed from it.',
  },
});

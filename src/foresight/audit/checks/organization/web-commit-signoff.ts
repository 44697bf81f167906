import { organizationSetting } from '../../organization-setting.ts';

export const webCommitSignoff = organizationSetting({
  id: 'web-commit-signoff',
  severity: 'info',
  title: 'Commits in the web interface require a sign-off',
  description: 'The sign-off is the statement that the author may contribute the change.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-the-commit-signoff-policy-for-your-organization',
  ],
  maps: {},
  setting: 'web_commit_signoff_required',
  judge: (value) => (value === true ? undefined : { message: 'Commits in the web interface need no sign-off.' }),
  fix: { value: true },
});

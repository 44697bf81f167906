import { organizationSetting } from '../../organization-setting.ts';

export const publicPagesCreation = organizationSetting({
  id: 'public-pages-creation',
  severity: 'low',
  title: 'Members cannot publish public sites',
  description:
    'Everyone who can reach the platform can read a public site, even one that is published from a private repository.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-the-publication-of-github-pages-sites-for-your-organization',
  ],
  maps: {},
  setting: 'members_can_create_public_pages',
  judge: (value) => (value === false ? undefined : { message: 'Every member can publish public sites.' }),
  fix: { value: false },
});

import { repositorySecurity } from '../../repository-security.ts';

export const pushProtection = repositorySecurity({
  id: 'push-protection',
  severity: 'medium',
  title: 'Push protection is on',
  description: 'A secret that is refused on push need not be revoked. Needs secret scanning.',
  documents: ['https://docs.github.com/en/code-security/secret-scanning/introduction/about-push-protection'],
  maps: {},
  feature: 'secret_scanning_push_protection',
  off: 'Push protection is off',
});

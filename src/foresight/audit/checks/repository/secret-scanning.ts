import { repositorySecurity } from '../../repository-security.ts';

export const secretScanning = repositorySecurity({
  id: 'secret-scanning',
  severity: 'high',
  title: 'Secret scanning is on',
  description: 'Secrets that were pushed are found by others, too: scanning reports them to you first.',
  documents: ['https://docs.github.com/en/code-security/secret-scanning/introduction/about-secret-scanning'],
  maps: { legitify: ['secret_scanning_not_enabled'] },
  feature: 'secret_scanning',
  off: 'Secret scanning is off',
});

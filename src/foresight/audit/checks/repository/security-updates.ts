import { repositoryPolicy } from '../../fixes.ts';
import { repositorySecurity } from '../../repository-security.ts';

export const securityUpdates = repositorySecurity({
  id: 'security-updates',
  severity: 'low',
  title: 'Dependency security updates are on',
  description: 'Pull requests that update vulnerable dependencies shorten the time until they are fixed. Needs alerts.',
  documents: [
    'https://docs.github.com/en/code-security/dependabot/dependabot-security-updates/about-dependabot-security-updates',
  ],
  maps: { scorecard: ['Dependency-Update-Tool'] },
  feature: 'dependabot_security_updates',
  off: 'Dependency security updates are off',
  fix: ({ full_name: target }) => ({
    command: ['repos', 'security-fixes', target, '--enable'],
    policy: repositoryPolicy(target, { alerts: { vulnerability: true, fixes: true } }),
  }),
});

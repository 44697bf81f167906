import { check, fail, pass } from '../../check.ts';
import { repositoryPolicy } from '../../fixes.ts';

export const dependencyAlerts = check({
  id: 'dependency-alerts',
  scope: 'repository',
  severity: 'medium',
  title: 'Dependency alerts are on',
  description: 'Without alerts, nobody is told that a dependency has a known vulnerability.',
  documents: ['https://docs.github.com/en/code-security/dependabot/dependabot-alerts/about-dependabot-alerts'],
  maps: {
    legitify: ['vulnerability_alerts_not_enabled'],
    scorecard: ['Vulnerabilities'],
  },
  reads: ['repository', 'alerts'],
  judge({ repository, alerts }, { target }) {
    if (alerts) return pass;
    return fail(
      `Dependency alerts are off in ${target}.`,
      [{ name: 'vulnerability_alerts', value: false, url: repository.html_url }],
      {
        command: ['repos', 'alerts', target, '--enable'],
        policy: repositoryPolicy(target, { alerts: { vulnerability: true } }),
      },
    );
  },
});

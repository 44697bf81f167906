/** Organization-wide security switches, and the public platform's endpoints that show them in a repository. */
import { endpoint, record } from '../../platform/endpoint.ts';
import * as alerts from '../../platform/endpoints/alerts.ts';
import { setSecurityFeature } from '../../platform/endpoints/orgs.ts';
import { notFound, unprocessable } from '../refusals.ts';
import { type App, route } from '../route.ts';
import { featureOf, isEnabled, switchFeature, switchInRepository } from '../state/security.ts';

const getCodeScanningDefaultSetup = endpoint({
  route: 'GET /repos/{owner}/{repo}/code-scanning/default-setup',
  summary: 'Show the code scanning default setup',
  permission: 'administration=read',
  answer: record<{ state: string; query_suite: string }>(),
});

export function mountSecurity(app: App): void {
  route(app, setSecurityFeature, ({ platform, organization, path, body }) => {
    const enabled = path.enablement === 'enable_all';
    const query_suite = body.query_suite ?? 'default';
    switchFeature(platform, organization, path.security_product, { enabled, query_suite });
  });

  mountAlerts(app);

  route(app, getCodeScanningDefaultSetup, ({ platform, repository }) => {
    const { enabled, query_suite } = featureOf(platform, repository, 'code_scanning_default_setup');
    return { state: enabled ? 'configured' : 'not-configured', query_suite };
  });
}

function mountAlerts(app: App): void {
  route(app, alerts.getVulnerabilityAlerts, ({ platform, repository }) => {
    if (!isEnabled(platform, repository, 'dependabot_alerts')) throw notFound('Vulnerability alerts are disabled.');
  });

  route(app, alerts.enableVulnerabilityAlerts, ({ platform, repository }) => {
    switchInRepository(platform, repository, 'dependency_graph', true);
    switchInRepository(platform, repository, 'dependabot_alerts', true);
  });

  route(app, alerts.disableVulnerabilityAlerts, ({ platform, repository }) => {
    switchInRepository(platform, repository, 'dependabot_alerts', false);
    switchInRepository(platform, repository, 'dependabot_security_updates', false);
  });

  route(app, alerts.getAutomatedSecurityFixes, ({ platform, repository }) => {
    if (!isEnabled(platform, repository, 'dependabot_security_updates')) throw notFound();
    return { enabled: true, paused: repository.name !== 'site' && platform.chance('paused', repository.id) < 0.3 };
  });

  route(app, alerts.enableAutomatedSecurityFixes, ({ platform, repository }) => {
    if (!isEnabled(platform, repository, 'dependabot_alerts'))
      throw unprocessable('Vulnerability alerts must be enabled to configure automated security fixes.');
    switchInRepository(platform, repository, 'dependabot_security_updates', true);
  });

  route(app, alerts.disableAutomatedSecurityFixes, ({ platform, repository }) => {
    switchInRepository(platform, repository, 'dependabot_security_updates', false);
  });
}

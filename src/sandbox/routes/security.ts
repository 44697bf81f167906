/** Organization-wide security switches, and the public platform's endpoints that show them in a repository. */
import { endpoint, nothing, record } from '../../platform/endpoint.ts';
import { setSecurityFeature } from '../../platform/endpoints/orgs.ts';
import { notFound } from '../refusals.ts';
import { type App, route } from '../route.ts';
import { featureOf, isEnabled, switchFeature } from '../state/security.ts';

const getVulnerabilityAlerts = endpoint({
  route: 'GET /repos/{owner}/{repo}/vulnerability-alerts',
  summary: 'Check whether dependency alerts are enabled',
  permission: 'administration=read',
  answer: nothing(),
});

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

  route(app, getVulnerabilityAlerts, ({ platform, repository }) => {
    if (!isEnabled(platform, repository, 'dependabot_alerts')) throw notFound();
  });

  route(app, getCodeScanningDefaultSetup, ({ platform, repository }) => {
    const { enabled, query_suite } = featureOf(platform, repository, 'code_scanning_default_setup');
    return { state: enabled ? 'configured' : 'not-configured', query_suite };
  });
}

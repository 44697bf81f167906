/** Alerts about vulnerable dependencies of a repository, and the pull requests that fix them. */
import { endpoint, nothing, record } from '../endpoint.ts';
import type { AutomatedSecurityFixes } from '../records.ts';

const alerts = '/repos/{owner}/{repo}/vulnerability-alerts';
const fixes = '/repos/{owner}/{repo}/automated-security-fixes';

const readAccess = { permission: 'administration=read', role: 'repository administrator' } as const;
const writeAccess = { permission: 'administration=write', role: 'repository administrator' } as const;

export const getVulnerabilityAlerts = endpoint({
  route: `GET ${alerts}`,
  summary: 'Check whether dependency alerts are enabled; 404 if they are not',
  ...readAccess,
  answer: nothing(),
});

export const enableVulnerabilityAlerts = endpoint({
  route: `PUT ${alerts}`,
  summary: 'Enable dependency alerts and the dependency graph',
  ...writeAccess,
  answer: nothing(),
});

export const disableVulnerabilityAlerts = endpoint({
  route: `DELETE ${alerts}`,
  summary: 'Disable dependency alerts',
  ...writeAccess,
  answer: nothing(),
});

export const getAutomatedSecurityFixes = endpoint({
  route: `GET ${fixes}`,
  summary: 'Show whether automated security fixes are enabled',
  ...readAccess,
  refusals: [
    {
      status: 404,
      advice: 'The platform also returns 404 when automated security fixes are not enabled for the repository.',
    },
  ],
  answer: record<AutomatedSecurityFixes>(),
});

/** Not documented for self-managed platforms, where it is sent all the same. */
const switching = {
  ...writeAccess,
  editions: ['hosted-enterprise', 'hosted'],
  refusals: [
    { status: 404, advice: 'If the repository exists, this platform cannot switch automated security fixes.' },
  ],
} as const;

export const enableAutomatedSecurityFixes = endpoint({
  route: `PUT ${fixes}`,
  summary: 'Enable automated security fixes',
  ...switching,
  answer: nothing(),
});

export const disableAutomatedSecurityFixes = endpoint({
  route: `DELETE ${fixes}`,
  summary: 'Disable automated security fixes',
  ...switching,
  answer: nothing(),
});

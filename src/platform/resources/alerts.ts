import * as endpoints from '../endpoints/alerts.ts';
import { resource } from '../resource.ts';

/** A response without the field means that it is on, and 404 that it is off. */
const isOn = ({ enabled }: { readonly enabled?: unknown }): boolean => enabled !== false;

export const vulnerabilityAlerts = resource({
  isOn,
  owners: {
    repository: {
      get: endpoints.getVulnerabilityAlerts,
      update: endpoints.enableVulnerabilityAlerts,
      delete: endpoints.disableVulnerabilityAlerts,
    },
  },
});

export const automatedSecurityFixes = resource({
  isOn,
  owners: {
    repository: {
      get: endpoints.getAutomatedSecurityFixes,
      update: endpoints.enableAutomatedSecurityFixes,
      delete: endpoints.disableAutomatedSecurityFixes,
    },
  },
});

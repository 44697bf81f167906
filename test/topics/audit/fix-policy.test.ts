import { expect, it } from 'vitest';
import { fixFiles } from '../../../src/topics/audit/fix-policy.ts';

it('Owners whose files would have the same name, or differ only in case, each have their own', () => {
  const settings = { location: 'Oslo' };
  const policies = [
    { organizations: ['enterprise-sandbox'], settings },
    { enterprise: 'sandbox', settings },
    { organizations: ['Acme'], settings },
    { organizations: ['acme'], settings },
  ];
  expect(fixFiles(policies)).toEqual([
    { name: 'Acme.yaml', document: { organizations: ['Acme'], settings } },
    { name: 'acme-2.yaml', document: { organizations: ['acme'], settings } },
    { name: 'enterprise-sandbox.yaml', document: { organizations: ['enterprise-sandbox'], settings } },
    { name: 'enterprise-sandbox-2.yaml', document: { enterprise: 'sandbox', settings } },
  ]);
});

import { check, fail, pass } from '../../check.ts';
import { organizationPolicy } from '../../fixes.ts';

export const registryVisibility = check({
  id: 'registry-visibility',
  scope: 'organization',
  severity: 'medium',
  title: 'Private registries are not open to public repositories',
  description:
    'With visibility all, builds of every repository use the secret of the registry, those of public repositories included.',
  documents: [
    'https://docs.github.com/en/code-security/securing-your-organization/enabling-security-features-in-your-organization/giving-org-access-private-registries',
  ],
  maps: {},
  reads: ['registries'],
  judge({ registries }, { owner }) {
    if (registries.length === 0) return pass;
    return registries.map(({ name, registry_type, visibility, url }) => {
      if (visibility !== 'all') return { status: 'pass', object: name };
      return fail(
        `All repositories of ${owner} may use the registry ${name}.`,
        [{ name: 'visibility', value: visibility }, ...(url ? [{ name: 'url', value: url }] : [])],
        {
          command: ['registries', 'update', owner, name, '--visibility', 'private'],
          ...(url && {
            policy: organizationPolicy(owner, { registries: [{ name, registry_type, url, visibility: 'private' }] }),
          }),
        },
        { object: name },
      );
    });
  },
});

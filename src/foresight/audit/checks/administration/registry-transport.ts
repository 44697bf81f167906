import { check, fail, pass, unreadable } from '../../check.ts';

export const registryTransport = check({
  id: 'registry-transport',
  scope: 'organization',
  severity: 'high',
  title: 'Private registries are used over TLS',
  description: 'Over http, anyone on the network path can read the secret of the registry and replace packages.',
  documents: [
    'https://docs.github.com/en/code-security/securing-your-organization/enabling-security-features-in-your-organization/giving-org-access-private-registries',
  ],
  maps: {},
  reads: ['registries'],
  judge({ registries }, { owner }) {
    if (registries.length === 0) return pass;
    return registries.map(({ name, url }) => {
      if (url === undefined) return unreadable(`the URL of the registry ${name} is not returned`, name);
      if (!/^http:/i.test(url)) return { status: 'pass', object: name };
      return fail(
        `The registry ${name} is used over http.`,
        [{ name: 'url', value: url }],
        { command: ['registries', 'update', owner, name, '--url', url.replace(/^http:/i, 'https:')] },
        { object: name },
      );
    });
  },
});

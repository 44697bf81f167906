import { check, fail, pass } from '../../check.ts';
import { organizationPolicy } from '../../fixes.ts';

export const hooksEnforced = check({
  id: 'hooks-enforced',
  scope: 'organization',
  severity: 'medium',
  title: 'Pre-receive hooks are enforced',
  description: 'A hook that is disabled or in testing rejects nothing.',
  documents: [
    'https://docs.github.com/en/enterprise-server@latest/admin/policies/enforcing-policy-with-pre-receive-hooks/about-pre-receive-hooks',
  ],
  maps: {},
  reads: ['hooks'],
  judge({ hooks }, { owner }) {
    if (hooks.length === 0) return pass;
    return hooks.map(({ id, name, enforcement, configuration_url: at }) => {
      if (enforcement === 'enabled') return { status: 'pass', object: name };
      return fail(
        `The hook “${name}” is ${enforcement === 'testing' ? 'in testing' : enforcement}, and rejects nothing.`,
        [{ name, value: enforcement }],
        {
          command: [
            'hooks',
            'set',
            owner,
            String(id),
            '--enforcement',
            'enabled',
            '--no-allow-downstream-configuration',
          ],
          policy: organizationPolicy(owner, {
            hooks: [{ name, enforcement: 'enabled', allow_downstream_configuration: false }],
          }),
          ...(at && { hint: `If the organization cannot change the hook, configure it at ${at}` }),
        },
        { object: name },
      );
    });
  },
});

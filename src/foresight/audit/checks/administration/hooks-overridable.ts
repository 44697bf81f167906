import { check, fail, pass, unreadable } from '../../check.ts';
import { organizationPolicy } from '../../fixes.ts';

export const hooksOverridable = check({
  id: 'hooks-overridable',
  scope: 'organization',
  severity: 'medium',
  title: 'Repositories cannot turn off enforced hooks',
  description: 'An enforced hook that repositories may override is enforced only where their administrators want it.',
  documents: [
    'https://docs.github.com/en/enterprise-server@latest/admin/policies/enforcing-policy-with-pre-receive-hooks/about-pre-receive-hooks',
  ],
  maps: {},
  reads: ['hooks'],
  judge({ hooks }, { owner }) {
    const enforced = hooks.filter(({ enforcement }) => enforcement === 'enabled');
    if (enforced.length === 0) return pass;
    return enforced.map(({ id, name, allow_downstream_configuration: isOverridable }) => {
      if (isOverridable === undefined)
        return unreadable(`whether repositories may override the hook “${name}” is not returned`, name);
      if (!isOverridable) return { status: 'pass', object: name };
      return fail(
        `Repositories may turn off the hook “${name}”.`,
        [{ name: 'allow_downstream_configuration', value: true }],
        {
          command: ['hooks', 'set', owner, String(id), '--no-allow-downstream-configuration'],
          policy: organizationPolicy(owner, { hooks: [{ name, allow_downstream_configuration: false }] }),
        },
        { object: name },
      );
    });
  },
});

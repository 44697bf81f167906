import { selectsRepository } from '../../../evaluate.ts';
import { check, fail, pass, unreadable, type Verdict } from '../../check.ts';
import { organizationPolicy } from '../../fixes.ts';

export const rulesetSelectsNothing = check({
  id: 'ruleset-selects-nothing',
  scope: 'organization',
  severity: 'medium',
  title: 'Every active ruleset selects a repository',
  description:
    'A ruleset whose conditions match no repository looks like protection and protects nothing, often because of a misspelled or renamed repository or property.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-rulesets-for-repositories-in-your-organization',
  ],
  maps: {},
  reads: ['rulesets', 'repositories'],
  mayRead: ['propertyValues'],
  judge({ rulesets, repositories, propertyValues }, { owner }) {
    const active = rulesets.filter(({ enforcement }) => enforcement === 'active');
    if (active.length === 0) return pass;
    const properties = 'value' in propertyValues ? propertyValues.value : undefined;
    return active.map(({ id, name, conditions, _links: links }): Verdict => {
      if (!conditions) return unreadable(`the platform does not return the conditions of ruleset “${name}”`, name);
      const answers = repositories.map((repository) =>
        selectsRepository(conditions, {
          repository: repository.name,
          repositoryId: repository.id,
          properties: properties && (properties.get(repository.full_name.toLowerCase()) ?? {}),
        }),
      );
      if (answers.includes(true)) return { status: 'pass', object: name };
      if (answers.includes(undefined)) {
        const reason = 'unreadable' in propertyValues ? `: ${propertyValues.unreadable}` : '';
        return unreadable(`which repositories ruleset “${name}” selects is not known${reason}`, name);
      }
      const url = links?.html?.href;
      return fail(
        `Ruleset “${name}” selects none of the ${repositories.length} repositories.`,
        [{ name, value: JSON.stringify(conditions), ...(url && { url }) }],
        {
          command: ['rulesets', 'delete', owner, String(id)],
          policy: organizationPolicy(owner, { absent: { rulesets: [name] } }),
        },
        { object: name },
      );
    });
  },
});

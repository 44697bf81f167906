import { isObject } from '../../../../json/exact-json.ts';
import type { Given } from '../../../../platform/validate.ts';
import { check, fail, pass, unreadable } from '../../check.ts';
import { repositoryPolicy } from '../../fixes.ts';

/** Properties that say with “true” that a repository must not be public. */
const marks = ['confidential', 'pci', 'pii', 'phi', 'sensitive'];

/** Properties with a class of data, and the classes that must not be public. */
const classifications = ['classification', 'data-classification', 'data_classification', 'confidentiality'];
const closedClasses = ['confidential', 'internal', 'private', 'restricted', 'secret'];

export const visibilityProperty = check({
  id: 'visibility-property',
  scope: 'repository',
  severity: 'high',
  title: 'The visibility of the repository agrees with its properties',
  description: `Compares the visibility with custom properties: “visibility” has to be equal; a public repository must not have “true” in ${marks.join(', ')}, nor ${closedClasses.join(', ')} in ${classifications.join(', ')}. Other properties are ignored.`,
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-custom-properties-for-repositories-in-your-organization',
  ],
  maps: {},
  reads: ['repository', 'propertyValues'],
  judge({ repository, propertyValues }, { target }) {
    const { visibility, html_url: url } = repository;
    const values = propertyValues.get(repository.full_name.toLowerCase());
    if (!isObject(values)) return undefined;
    if (visibility === undefined) return unreadable('GET /orgs/{org}/repos does not return visibility');
    const found = contradiction(visibility, values);
    if (!found) return pass;
    const [name, value] = found;
    const wanted = name.toLowerCase() === 'visibility' ? value : 'private';
    return fail(
      `${target} is ${visibility}, but its property ${name} is “${value}”.`,
      [
        { name: 'visibility', value: visibility, url },
        { name, value },
      ],
      {
        command: ['repos', 'update', target, '--visibility', wanted],
        policy: repositoryPolicy(target, { settings: { visibility: wanted } }),
      },
      wanted === 'public' ? { severity: 'low' } : {},
    );
  },
});

const visibilities = ['public', 'internal', 'private'];

function contradiction(visibility: string, values: Given): readonly [name: string, value: string] | undefined {
  const stated = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return stated.find(([name, value]) => {
    const [key, said] = [name.toLowerCase(), value.toLowerCase()];
    if (key === 'visibility') return visibilities.includes(said) && said !== visibility;
    if (visibility !== 'public') return false;
    return (marks.includes(key) && said === 'true') || (classifications.includes(key) && closedClasses.includes(said));
  });
}

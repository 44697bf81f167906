import { isObject, ownMember } from '../../../../json/exact-json.ts';
import type { Given } from '../../../../platform/validate.ts';
import { check, fail, pass, unreadable, type Visibility, type VisibilityLimits, visibilities } from '../../check.ts';
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
  description: `Compares the visibility with custom properties: “visibility” has to be equal; a public repository must not have “true” in ${marks.join(', ')}, nor ${closedClasses.join(', ')} in ${classifications.join(', ')}. “properties” in audit.yaml adds others.`,
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-custom-properties-for-repositories-in-your-organization',
  ],
  maps: {},
  reads: ['repository', 'propertyValues'],
  judge({ repository, propertyValues }, { target, visibilityLimits = {} }) {
    const { visibility, html_url: url } = repository;
    const values = propertyValues.get(repository.full_name.toLowerCase());
    if (!isObject(values)) return undefined;
    if (visibility === undefined) return unreadable('GET /orgs/{org}/repos does not return visibility');
    const found = contradiction(visibility, values, lowerCased(visibilityLimits));
    if (!found) return pass;
    const { name, value, wanted } = found;
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

interface Contradiction {
  readonly name: string;
  readonly value: string;
  readonly wanted: Visibility;
}

function contradiction(visibility: string, values: Given, limits: VisibilityLimits): Contradiction | undefined {
  const found = Object.entries(values).flatMap(([name, held]): Contradiction[] =>
    [held].flat().flatMap((value) => {
      if (typeof value !== 'string') return [];
      const wanted = wantedVisibility(visibility, name.toLowerCase(), value.toLowerCase(), limits);
      return wanted ? [{ name, value, wanted }] : [];
    }),
  );
  // The closed visibility satisfies all other properties.
  return found.toSorted((a, b) => visibilities.indexOf(a.wanted) - visibilities.indexOf(b.wanted))[0];
}

/** Returns the visibility that a value demands in place of another; undefined if it allows that one. */
function wantedVisibility(
  visibility: string,
  name: string,
  value: string,
  limits: VisibilityLimits,
): Visibility | undefined {
  const limit = ownMember(ownMember(limits, name) ?? {}, value);
  if (limit) return isWider(visibility, limit) ? limit : undefined;
  if (name === 'visibility') return value === visibility ? undefined : visibilities.find((each) => each === value);
  const isClosed = marks.includes(name)
    ? value === 'true'
    : classifications.includes(name) && closedClasses.includes(value);
  return visibility === 'public' && isClosed ? 'private' : undefined;
}

const isWider = (visibility: string, limit: Visibility): boolean =>
  (visibilities as readonly string[]).indexOf(visibility) > visibilities.indexOf(limit);

const lowerCased = (limits: VisibilityLimits): VisibilityLimits =>
  Object.fromEntries(
    Object.entries(limits).map(([name, values]) => [
      name.toLowerCase(),
      Object.fromEntries(Object.entries(values).map(([value, limit]) => [value.toLowerCase(), limit])),
    ]),
  );

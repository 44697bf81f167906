/** Parts of fixes: policy documents as `policy apply` takes them. */
import type { Given } from '../../platform/validate.ts';

/** Returns a policy document of an organization. */
export const organizationPolicy = (org: string, sections: Given): Given => ({ organizations: [org], ...sections });

/** Returns a policy document of a repository, such as acme/site. */
export function repositoryPolicy(target: string, sections: Given): Given {
  const [org, name] = target.split('/');
  return { organizations: [org], repositories: [{ select: { names: [name] }, ...sections }] };
}

/** Targets as plans write them: acme, acme/site and enterprise:sandbox. */

/** The path parameters of a target. */
export type TargetPath =
  | { readonly org: string }
  | { readonly owner: string; readonly repo: string }
  | { readonly enterprise: string };

export type TargetKind = 'enterprise' | 'organization' | 'repository';

const enterprisePrefix = 'enterprise:';

/** Returns the target of an enterprise, such as enterprise:sandbox; no login contains a colon. */
export const enterpriseTarget = (enterprise: string): string => `${enterprisePrefix}${enterprise}`;

/** Returns the slug of an enterprise; undefined for other targets. */
export const enterpriseOf = (target: string): string | undefined =>
  target.startsWith(enterprisePrefix) ? target.slice(enterprisePrefix.length) : undefined;

export const kindOfTarget = (target: string): TargetKind =>
  enterpriseOf(target) !== undefined ? 'enterprise' : target.includes('/') ? 'repository' : 'organization';

/** Returns whether a text is a target as plans write it. */
export const isTarget = (text: string): boolean =>
  /^(?:enterprise:)?\w[\w-]*(?:\/[\w.-]+)?$/.test(text) && !/^enterprise:.*\/|\/\.{1,2}$/.test(text);

/** Returns the path parameters of acme, acme/site or enterprise:sandbox. */
export function pathOf(target: string): TargetPath {
  const enterprise = enterpriseOf(target);
  if (enterprise !== undefined) return { enterprise };
  const [owner = '', repo] = target.split('/');
  return repo === undefined ? { org: owner } : { owner, repo };
}

/** Returns the owner of a target: acme for acme/site, and any other target itself. */
export const ownerOf = (target: string): string => target.split('/', 1)[0] ?? target;

export const targetOfOwner = ({ kind, name }: { readonly kind: TargetKind; readonly name: string }): string =>
  kind === 'enterprise' ? enterpriseTarget(name) : name;

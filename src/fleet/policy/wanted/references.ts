/** Names that stand for IDs in policies, because IDs differ between organizations and platforms. */
import { isObject, ownMember } from '../../../json/exact-json.ts';
import { type Given, invalid, joinPath, type Problem } from '../../../platform/validate.ts';

export const referenceKinds = ['team', 'app', 'role', 'user', 'repository'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

/** A name such as `team:release`: the slug of a team or an app, a login, or the name of a role or a repository. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly name: string;
}

/** Parses a reference from a policy value; undefined for anything else, such as an ID. */
export function parseReference(value: unknown): Reference | undefined {
  const [, kind, name] =
    (typeof value === 'string' && /^(team|app|role|user|repository):(\S(?:.*\S)?)$/.exec(value)) || [];
  return kind === undefined || name === undefined ? undefined : { kind: kind as ReferenceKind, name };
}

/** Returns the JSON Schema of references of some kinds. */
export const referenceTo = (kinds: readonly ReferenceKind[]) => ({
  type: 'string',
  pattern: `^(${kinds.join('|')}):\\S`,
});

/** The references that each ID accepts; those of other IDs depend on the type beside them. */
const kindsOfIds: Readonly<Record<string, ReferenceKind>> = {
  integration_id: 'app',
  repository_id: 'repository',
  repository_ids: 'repository',
};

const kindsOfTypes = new Map<unknown, ReferenceKind>([
  ['Team', 'team'],
  ['Integration', 'app'],
  ['IntegrationInstallation', 'app'],
  ['RepositoryRole', 'role'],
  ['User', 'user'],
]);

/** The fields with the types of IDs. */
const typesOfIds: Readonly<Record<string, string>> = { actor_id: 'actor_type', id: 'type' };

/** Returns what the ID in a field of an object identifies; undefined if that is not known. */
export function kindOfId(field: string, around: Given): ReferenceKind | undefined {
  const type = ownMember(typesOfIds, field);
  return ownMember(kindsOfIds, field) ?? (type === undefined ? undefined : kindsOfTypes.get(around[type]));
}

/** A reference or an ID in a body. */
export interface IdSite {
  readonly value: string | number;
  /** The name of the field, or of the list that has it. */
  readonly field: string;
  /** Dotted, as in `Problem.field`. */
  readonly path: string;
  /** The object that has the field. */
  readonly around: Given;
}

/** Returns a value with its IDs and references replaced; the same value if none of them changes. */
export function withIds(value: unknown, replaced: (site: IdSite) => unknown): unknown {
  const visit = (part: unknown, path: string, field: string, around: Given): unknown => {
    if (Array.isArray(part)) {
      const elements = part.map((each, index) => visit(each, `${path}[${index}]`, field, around));
      return elements.every((each, at) => each === part[at]) ? part : elements;
    }
    if (isObject(part)) {
      const members = Object.entries(part).map(
        ([name, each]) => [name, visit(each, joinPath(path, name), name, part)] as const,
      );
      return members.every(([name, each]) => each === part[name]) ? part : Object.fromEntries(members);
    }
    const isId = /(?:^|_)ids?$/.test(field) && (typeof part === 'string' || typeof part === 'number');
    return isId ? replaced({ value: part, field, path, around }) : part;
  };
  return visit(value, '', '', {});
}

/** Returns the references that a body has in place of IDs. */
export function referencesIn(body: unknown): readonly Reference[] {
  const found: Reference[] = [];
  withIds(body, ({ value }) => {
    const reference = parseReference(value);
    if (reference) found.push(reference);
    return value;
  });
  return found;
}

/** Returns whether each reference in a body is in place of an ID of its kind. */
export function hasFittingReferences(body: unknown): boolean {
  let areFitting = true;
  withIds(body, ({ value, field, around }) => {
    const reference = parseReference(value);
    if (reference && kindOfId(field, around) !== reference.kind) areFitting = false;
    return value;
  });
  return areFitting;
}

/** Returns whether a body has a reference in place of an ID. */
export const hasReferences = (body: unknown): boolean => referencesIn(body).length > 0;

/**
 * Returns a body with an ID in place of every reference, for a check against the platform's declaration, and the
 * references of a wrong kind.
 */
export function withoutReferences(body: unknown): { readonly body: unknown; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const replaced = withIds(body, ({ value, field, path, around }) => {
    const reference = parseReference(value);
    if (!reference) return value;
    const expected = kindOfId(field, around);
    if (expected && expected !== reference.kind) problems.push(invalid(path, `must be an ID or ${expected}:NAME`));
    return 1;
  });
  return { body: replaced, problems };
}

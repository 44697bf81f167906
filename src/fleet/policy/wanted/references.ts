/** Names that stand for IDs in policies, because IDs differ between organizations and platforms. */
import { isObject } from '../../../json/exact-json.ts';
import { type Given, invalid, joinPath, type Problem } from '../../../platform/validate.ts';
import { type Placed, withParts } from './placed.ts';

export const referenceKinds = ['team', 'app', 'role', 'repository'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

/** A name such as `team:release`: the slug of a team or an app, or the name of a role or a repository. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly name: string;
}

/** Parses a reference from a policy value; undefined for anything else, such as an ID. */
export function parseReference(value: unknown): Reference | undefined {
  const [, kind, name] = (typeof value === 'string' && /^(team|app|role|repository):(\S(?:.*\S)?)$/.exec(value)) || [];
  return kind === undefined || name === undefined ? undefined : { kind: kind as ReferenceKind, name };
}

/** The types of bypass actors that references stand for. */
export const actorTypes = { team: 'Team', app: 'Integration', role: 'RepositoryRole' } as const;

const actorForm = 'must be team:SLUG, app:SLUG or role:NAME, or an object with actor_type';

/**
 * Returns a ruleset with the short forms of its bypass actors, `team:release` and `{ actor, mode }`, expanded to those of
 * the platform.
 */
export function expandActors(ruleset: Placed, refuse: (part: Placed, message: string) => void): Placed {
  const actors = ruleset.parts.get('bypass_actors');
  if (!actors || !Array.isArray(actors.value)) return ruleset;
  const expanded = [...actors.parts].map(([index, actor]): [string | number, Placed] => [index, expand(actor, refuse)]);
  return withParts(ruleset, [...ruleset.parts, ['bypass_actors', withParts(actors, expanded)]]);
}

function expand(actor: Placed, refuse: (part: Placed, message: string) => void): Placed {
  const short = typeof actor.value === 'string' ? actor : actor.parts.get('actor');
  if (!short) return actor;
  const { kind } = parseReference(short.value) ?? {};
  const type = kind && kind !== 'repository' ? actorTypes[kind] : undefined;
  if (type === undefined) refuse(short, actorForm);
  const scalar = (value: unknown): Placed => ({ value, place: short.place, parts: new Map() });
  const members: [string | number, Placed][] = [
    ['actor_type', scalar(type ?? actorTypes.team)],
    ['actor_id', scalar(type === undefined ? 1 : short.value)],
  ];
  for (const [name, part] of actor.parts)
    if (name === 'mode') members.push(['bypass_mode', part]);
    else if (name !== 'actor') refuse(part, 'in the short form have only actor and mode');
  return withParts({ ...actor, value: {} }, members);
}

/** The references that each ID accepts; those of other IDs depend on the type beside them. */
const kindsOfIds: Readonly<Record<string, ReferenceKind>> = {
  integration_id: 'app',
  repository_id: 'repository',
  repository_ids: 'repository',
};

const kindsOfTypes: Readonly<Record<string, ReferenceKind>> = {
  Team: 'team',
  Integration: 'app',
  IntegrationInstallation: 'app',
  RepositoryRole: 'role',
};

/** Returns whether a field is an ID, which a reference can replace, or a list of them. */
export const isIdField = (field: string): boolean => /(?:^|_)ids?$/.test(field);

/** Returns what the ID in a field of an object identifies; undefined if that is not known. */
export function kindOfId(field: string, { actor_type: actorType, type = actorType }: Given): ReferenceKind | undefined {
  return kindsOfIds[field] ?? (typeof type === 'string' ? kindsOfTypes[type] : undefined);
}

/**
 * Returns a copy of a ruleset's body with an ID in place of every reference, for a check against the platform's
 * declaration, and the references of a wrong kind.
 */
export function withoutReferences(body: unknown): { readonly body: unknown; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const copy = (value: unknown, path: string, name: string, around: Given): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => copy(each, `${path}[${index}]`, name, around));
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, copy(each, joinPath(path, key), key, value)]),
      );
    const reference = isIdField(name) ? parseReference(value) : undefined;
    if (!reference) return value;
    const expected = kindOfId(name, around);
    if (expected && expected !== reference.kind) problems.push(invalid(path, `must be an ID or ${expected}:NAME`));
    return 1;
  };
  return { body: copy(body, '', '', {}), problems };
}

/** The fields of repository and organization rulesets, and the rules between them. */
import * as v from 'valibot';
import { isObject } from '../json/exact-json.ts';
import { rulesetRule } from './ruleset-rules.ts';
import { boolean, fields, integer, integers, kinds, nested, oneOf, optional, string, strings } from './schema.ts';
import { type Given, invalid, type Problem } from './validate.ts';

const bypassMode = oneOf(['always', 'pull_request', 'exempt'], 'When the actor may bypass', { default: 'always' });

const identifiedActors = ['Integration', 'RepositoryRole', 'Team'] as const;
const otherActors = ['OrganizationAdmin', 'EnterpriseOwner', 'EnterpriseRole', 'User'] as const;

/** The types of bypass actors. */
export const bypassActorTypes: readonly string[] = [...identifiedActors, 'DeployKey', ...otherActors];

/** Bypass actors; some types require an ID. Specification, POST /repos/{owner}/{repo}/rulesets, bypass_actors. */
const bypassActor = kinds(
  'actor_type',
  [
    fields({
      actor_type: oneOf(identifiedActors, 'Type of an actor with an ID'),
      actor_id: integer('ID of the app, role or team'),
      bypass_mode: optional(bypassMode),
    }),
    fields({
      actor_type: oneOf(['DeployKey'], 'Any deploy key'),
      actor_id: optional(v.null('must be null for a deploy key')),
      bypass_mode: optional(
        v.pipe(bypassMode, v.notValue('pull_request', 'must not be pull_request for a deploy key')),
      ),
    }),
    fields({
      actor_type: oneOf(otherActors, 'Actor type; the ID is ignored for OrganizationAdmin and EnterpriseOwner'),
      actor_id: optional(v.nullable(integer('ID of the role or user'))),
      bypass_mode: optional(bypassMode),
    }),
  ],
  { unknown: 'is not a known actor type', isOpen: false },
);

const refName = optional(
  nested(
    fields({
      include: optional(strings('Name patterns to include; also ~DEFAULT_BRANCH and ~ALL')),
      exclude: optional(strings('Name patterns to exclude')),
    }),
    'Branches or tags to which the ruleset applies',
  ),
);

const anyObjects = optional(v.array(v.record(v.string(), v.unknown(), 'must be an object'), 'must be a list'));

const repositoryConditions = { ref_name: refName };

const organizationConditions = {
  ref_name: refName,
  repository_name: optional(
    nested(
      fields({
        include: optional(strings('Name patterns to include; also ~ALL')),
        exclude: optional(strings('Name patterns to exclude')),
        protected: optional(boolean('Block renaming of matching repositories')),
      }),
      'Conditions on repository names',
    ),
  ),
  repository_id: optional(
    nested(fields({ repository_ids: optional(integers('IDs of the repositories')) }), 'Conditions on repository IDs'),
  ),
  repository_property: optional(
    nested(fields({ include: anyObjects, exclude: anyObjects }), 'Conditions on custom properties of repositories'),
  ),
};

function rulesetFields<const T extends readonly string[], const C extends v.ObjectEntries>(targets: T, conditions: C) {
  return {
    name: string('Ruleset name'),
    target: optional(oneOf(targets, 'Target of the ruleset', { default: 'branch' })),
    enforcement: oneOf(
      ['disabled', 'active', 'evaluate'],
      'Enforcement; evaluate only reports and is not available for target repository',
    ),
    bypass_actors: optional(
      nested(
        v.array(bypassActor, 'must be a list; use [] to clear it, since the platform rejects null'),
        'Actors that may bypass the ruleset; [] for none',
      ),
    ),
    conditions: optional(nested(fields(conditions), 'Conditions that select branches, tags or repositories')),
    rules: optional(nested(v.array(rulesetRule, 'must be a list'), 'Rules')),
  };
}

export const repositoryRulesetFields = rulesetFields(['branch', 'tag', 'push'], repositoryConditions);

export const organizationRulesetFields = rulesetFields(['branch', 'tag', 'push', 'repository'], organizationConditions);

/** `evaluate` is not available for the repository target. Specification, POST /repos/{owner}/{repo}/rulesets. */
function noEvaluationOfRepositories({ enforcement, target }: Given): Problem[] {
  return enforcement === 'evaluate' && target === 'repository'
    ? [invalid('enforcement', 'must not be evaluate when target is repository')]
    : [];
}

/** Only branch rulesets support bypassing by pull request. An update without a target may be of a branch ruleset. */
function pullRequestBypassOnBranches({ target, bypass_actors: actors }: Given): Problem[] {
  if (!Array.isArray(actors) || target === undefined || target === 'branch') return [];
  return actors.flatMap((actor: unknown, index) =>
    isObject(actor) && actor.bypass_mode === 'pull_request'
      ? [invalid(`bypass_actors[${index}].bypass_mode`, 'must not be pull_request, which only branch rulesets support')]
      : [],
  );
}

/** An organization's ruleset selects repositories by name, by ID or by property, but only in one way. */
function oneWayToNameRepositories({ conditions }: Given): Problem[] {
  if (!isObject(conditions)) return [];
  const given = ['repository_name', 'repository_id', 'repository_property'].filter(
    (name) => conditions[name] !== undefined,
  );
  return given.length > 1 ? [invalid('conditions', `must have only one of ${given.join(', ')}`)] : [];
}

export const rulesetRules = [noEvaluationOfRepositories, pullRequestBypassOnBranches, oneWayToNameRepositories];

/** What a ruleset holds, of a repository and of an organization, and what must hold between its parts. */
import * as v from 'valibot';
import { isObject } from '../json/exact-json.ts';
import { rulesetRule } from './ruleset-rules.ts';
import { boolean, fields, integer, integers, kinds, nested, oneOf, optional, string, strings } from './schema.ts';
import { type Given, invalid, type Problem } from './validate.ts';

const bypassMode = oneOf(['always', 'pull_request', 'exempt'], 'When the actor may bypass', { default: 'always' });

/** Which actors need an id. Specification, POST /repos/{owner}/{repo}/rulesets, bypass_actors. */
const bypassActor = kinds(
  'actor_type',
  [
    fields({
      actor_type: oneOf(['Integration', 'RepositoryRole', 'Team'], 'Kind of actor, named by its id'),
      actor_id: integer('Id of the app, role or team'),
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
      actor_type: oneOf(
        ['OrganizationAdmin', 'EnterpriseOwner', 'EnterpriseRole', 'User'],
        'Kind of actor; the id is ignored for OrganizationAdmin and EnterpriseOwner',
      ),
      actor_id: optional(v.nullable(integer('Id of the role or user'))),
      bypass_mode: optional(bypassMode),
    }),
  ],
  { unknown: 'is not an actor type that this version knows', isOpen: false },
);

const refName = optional(
  nested(
    fields({
      include: optional(strings('Patterns of names that are included; also ~DEFAULT_BRANCH and ~ALL')),
      exclude: optional(strings('Patterns of names that are excluded')),
    }),
    'Branches or tags that the ruleset applies to',
  ),
);

const anyObjects = optional(v.array(v.record(v.string(), v.unknown(), 'must be an object'), 'must be a list'));

const repositoryConditions = { ref_name: refName };

const organizationConditions = {
  ref_name: refName,
  repository_name: optional(
    nested(
      fields({
        include: optional(strings('Patterns of names that are included; also ~ALL')),
        exclude: optional(strings('Patterns of names that are excluded')),
        protected: optional(boolean('Matching repositories cannot be renamed')),
      }),
      'Repositories by name',
    ),
  ),
  repository_id: optional(
    nested(fields({ repository_ids: optional(integers('Ids of the repositories')) }), 'Repositories by id'),
  ),
  repository_property: optional(
    nested(fields({ include: anyObjects, exclude: anyObjects }), 'Repositories by their custom properties'),
  ),
};

function rulesetFields<const T extends readonly string[], const C extends v.ObjectEntries>(targets: T, conditions: C) {
  return {
    name: string('Name of the ruleset'),
    target: optional(oneOf(targets, 'What it applies to', { default: 'branch' })),
    enforcement: oneOf(
      ['disabled', 'active', 'evaluate'],
      'Whether it is enforced; evaluate only reports, and is not there for target repository',
    ),
    bypass_actors: optional(
      nested(
        v.array(bypassActor, 'must be a list; [] clears it, and the platform refuses null'),
        'Who may bypass it; [] for nobody',
      ),
    ),
    conditions: optional(nested(fields(conditions), 'What it applies to, by name')),
    rules: optional(nested(v.array(rulesetRule, 'must be a list'), 'Its rules')),
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

/** Bypassing by pull request is only for branch rulesets. Without a target, on update, it may be one. */
function pullRequestBypassOnBranches({ target, bypass_actors: actors }: Given): Problem[] {
  if (!Array.isArray(actors) || target === undefined || target === 'branch') return [];
  return actors.flatMap((actor: unknown, index) =>
    isObject(actor) && actor.bypass_mode === 'pull_request'
      ? [invalid(`bypass_actors[${index}].bypass_mode`, 'must not be pull_request, which only branch rulesets have')]
      : [],
  );
}

/** An organization's ruleset names repositories in one way: by name, by id or by property. */
function oneWayToNameRepositories({ conditions }: Given): Problem[] {
  if (!isObject(conditions)) return [];
  const given = ['repository_name', 'repository_id', 'repository_property'].filter(
    (name) => conditions[name] !== undefined,
  );
  return given.length > 1 ? [invalid('conditions', `must hold only one of ${given.join(', ')}`)] : [];
}

export const rulesetRules = [noEvaluationOfRepositories, pullRequestBypassOnBranches, oneWayToNameRepositories];

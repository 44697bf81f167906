/** Rulesets of Terraform’s provider in the form of the platform's API. */
import {
  elements,
  member,
  type Placed,
  textOf,
  without,
  withParts,
} from '../../../../../fleet/policy/wanted/placed.ts';
import { isObject, ownMember } from '../../../../../json/exact-json.ts';
import { blockIn, byName, type Lose, listAt, mappingAt, placedAt } from '../../source.ts';
import { unknownAttribute } from './table.ts';

type Members = [string, Placed][];

/** Blocks of `rules` whose type has another name. */
const renamedRules = byName<string>({
  required_workflows: 'workflows',
  required_code_scanning: 'code_scanning',
});

/** Blocks within rules, with the parameters that have their elements. */
const renamedParameters = byName<string>({
  required_check: 'required_status_checks',
  required_workflow: 'workflows',
  required_code_scanning_tool: 'code_scanning_tools',
});

/** Returns a ruleset of a state in the form of the API. */
export function apiRuleset(values: Placed, slugOf: (id: unknown) => string | undefined, lose: Lose): Placed {
  const members: Members = [];
  for (const [name, part] of values.parts) {
    const key = String(name);
    if (part.value === null) continue;
    if (key === 'rules') members.push(['rules', rulesIn(part, lose)]);
    else if (key === 'conditions') members.push(...conditionsIn(part, lose));
    else if (key === 'bypass_actors') members.push([key, actorsIn(part, slugOf, lose)]);
    else members.push([key, part]);
  }
  return withParts(values, members);
}

function rulesIn(list: Placed, lose: Lose): Placed {
  const block = blockIn(list, lose);
  const rules = [...(block?.parts ?? [])].flatMap(([name, part]): Placed[] => {
    const key = String(name);
    if (key === 'update_allows_fetch_and_merge') {
      const isUsed = part.value === true && member(block, 'update')?.value === true;
      if (!isUsed && part.value !== false && part.value !== null) lose(part, 'Belongs to the rule update');
      return [];
    }
    const type: [string, Placed] = ['type', placedAt(ownMember(renamedRules, key) ?? key, part.place)];
    if (part.value === true) {
      const allows = key === 'update' ? member(block, 'update_allows_fetch_and_merge') : undefined;
      const parameters =
        allows?.value === true ? mappingAt(part.place, [['update_allows_fetch_and_merge', allows]]) : undefined;
      return [mappingAt(part.place, parameters ? [type, ['parameters', parameters]] : [type])];
    }
    if (part.value === false) return [];
    const parameters = blockIn(part, lose);
    if (!parameters) return [];
    return [mappingAt(part.place, [type, ['parameters', parametersIn(parameters, lose)]])];
  });
  return listAt(list.place, rules);
}

function parametersIn(block: Placed, lose: Lose): Placed {
  const members = [...block.parts].flatMap(([name, part]): Members => {
    const key = String(name);
    if (isUnset(part) || (key === 'integration_id' && part.value === 0)) return [];
    if (key === 'reviewer') {
      const reviewer = blockIn(part, lose);
      return reviewer ? [[key, reviewer]] : [];
    }
    if (!Array.isArray(part.value)) return [[key, part]];
    const each = elements(part).map((element) => (isObject(element.value) ? parametersIn(element, lose) : element));
    return [[ownMember(renamedParameters, key) ?? key, listAt(part.place, each)]];
  });
  return withParts(block, members);
}

function conditionsIn(list: Placed, lose: Lose): Members {
  const block = blockIn(list, lose);
  if (!block) return [];
  const members = [...block.parts].flatMap(([name, part]): Members => {
    const key = String(name);
    if (isUnset(part)) return [];
    if (key === 'repository_id') return [[key, mappingAt(part.place, [['repository_ids', part]])]];
    const inner = blockIn(part, lose);
    return inner
      ? [
          [
            key,
            withParts(
              inner,
              [...inner.parts].filter(([, each]) => each.value !== null),
            ),
          ],
        ]
      : [];
  });
  return [['conditions', withParts(block, members)]];
}

function actorsIn(list: Placed, slugOf: (id: unknown) => string | undefined, lose: Lose): Placed {
  if (!Array.isArray(list.value)) lose(list, 'must be a list');
  const actors = elements(list).map((actor) => {
    const type = textOf(actor, 'actor_type');
    const id = actor.parts.get('actor_id');
    const slug = type === 'Team' ? slugOf(id?.value) : undefined;
    const mode = actor.parts.get('bypass_mode');
    for (const [, part] of without(actor, ['actor_type', 'actor_id', 'bypass_mode']).parts)
      if (!isUnset(part)) lose(part, unknownAttribute);
    if (slug !== undefined && id) {
      const named = { ...id, value: `team:${slug}` };
      if (mode === undefined || mode.value === 'always') return { ...actor, value: named.value, parts: new Map() };
      return mappingAt(actor.place, [
        ['actor', named],
        ['mode', mode],
      ]);
    }
    const isWithoutId = type === 'DeployKey' || type === 'OrganizationAdmin';
    const kept = ['actor_id', 'actor_type', 'bypass_mode'].flatMap((key): Members => {
      const part = member(actor, key);
      if (part && isWithoutId && key === 'actor_id' && !isUnset(part) && typeof part.value !== 'number')
        lose(part, 'must be a number');
      return !part || part.value === null || (isWithoutId && key === 'actor_id') ? [] : [[key, part]];
    });
    return withParts(actor, kept);
  });
  return listAt(list.place, actors);
}

const isUnset = ({ value }: Placed): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** What judgements rely on in rulesets. Anything else is an invalid response: a rule that is ignored refuses nothing. */
import * as v from 'valibot';
import type { Session } from '../../cli/command/session.ts';
import { type Checked, checked, requireShape, shape } from '../../fleet/policy/live/record-shapes.ts';
import type { Endpoint, InputOf } from '../../platform/endpoint.ts';
import { updateOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';
import type { Ruleset, RulesetSummary } from '../../platform/records.ts';

const [text, optionalText] = [v.string(), v.optional(v.string())];

/** Platforms may omit the target and the type of the source. */
const summary = { id: v.number(), name: text, enforcement: text, target: optionalText, source_type: optionalText };

export const parametersShape = v.optional(v.record(text, v.unknown()));

/** What a ruleset, or a version of it, enforces. */
export const enforcedShape = {
  rules: v.optional(v.array(v.object({ type: text, parameters: parametersShape }))),
  bypass_actors: v.optional(
    v.array(v.object({ actor_type: text, actor_id: v.optional(v.nullable(v.number())), bypass_mode: optionalText })),
  ) as v.GenericSchema<unknown, Ruleset['bypass_actors']>,
};

export const rulesetSummary = shape<RulesetSummary>(summary);

/** A ruleset in full, of any owner: organizations have all fields. Older platforms omit some, but none has null instead. */
export const wholeRuleset = shape<Ruleset>(
  {
    ...summary,
    updated_at: optionalText,
    ...enforcedShape,
    current_user_can_bypass: optionalText,
  },
  updateOrganizationRuleset,
);

/** Reads a ruleset in full. Throws InvalidResponseError, and the errors of requests. */
export async function readRuleset<E extends Endpoint>(
  session: Session,
  endpoint: E,
  input: InputOf<E>,
): Promise<Ruleset> {
  const whole = checked(endpoint, wholeRuleset);
  const data = await session.call(whole, input as never, {});
  await requireRulesets(session, whole, input as never, data);
  return data as unknown as Ruleset;
}

/** Throws InvalidResponseError for a response that judgements cannot understand. */
export async function requireRulesets<E extends Checked>(
  session: Session,
  endpoint: E,
  input: InputOf<E>,
  data: unknown,
): Promise<void> {
  requireShape(endpoint, data, (await session.client()).plan(endpoint, input).asked);
}

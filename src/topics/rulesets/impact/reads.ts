/** The lists that an impact is judged by: the activity of a repository, and rule suites. */
import * as v from 'valibot';
import { isRepo, type RepoName, type Target } from '../../../cli/input/args.ts';
import type { Client } from '../../../client/client.ts';
import { NotFoundError, PermissionError } from '../../../client/errors.ts';
import { type Checked, checked, requireShape, shape } from '../../../fleet/policy/live/record-shapes.ts';
import { accessText } from '../../../fleet/policy/live/requests.ts';
import type { PastPush, Pusher } from '../../../foresight/impact.ts';
import type { InputOf, PagedEndpoint, RecordOf } from '../../../platform/endpoint.ts';
import { listRepositoryActivity } from '../../../platform/endpoints/repos.ts';
import { listOrganizationRuleSuites, listRepositoryRuleSuites } from '../../../platform/endpoints/rulesets.ts';
import type { Activity, Actor, RuleSuite, RuleSuiteEvaluations } from '../../../platform/records.ts';
import { ruleSuites as suiteResource } from '../../../platform/resources/rulesets.ts';

const [text, optionalText] = [v.string(), v.optional(v.nullable(v.string()))];

/** Which of these fields activity has depends on the version of the platform. */
const versioned = v.optional(v.string());
const actor = v.optional(v.nullable(v.object({ login: text }))) as v.GenericSchema<unknown, Actor | null | undefined>;

const activity = checked(
  listRepositoryActivity,
  shape<Activity>({
    ...{ before: text, after: text, ref: text, actor, pusher: actor },
    ...{ timestamp: versioned, pushed_at: versioned, activity_type: versioned, push_type: versioned },
  }),
);

const activityFields = ['before', 'after', 'ref', 'pushed_at', 'push_type', 'pusher', 'timestamp', 'activity_type'];

const suite = shape<RuleSuite>({
  id: v.number(),
  ref: text,
  pushed_at: text,
  result: text,
  evaluation_result: optionalText,
  before_sha: versioned,
  after_sha: versioned,
});
const evaluations = shape<RuleSuiteEvaluations>({
  rule_evaluations: v.array(v.object({ enforcement: text, result: text, rule_type: text })),
});
const suitesOfOrganization = checked(listOrganizationRuleSuites, suite);
const suitesOfRepository = checked(listRepositoryRuleSuites, suite);

/** Lists take turns in many repositories; those of an organization are read alone. */
const pagesAtOnce = 20;

async function* recordsOf<E extends Checked<PagedEndpoint>>(
  client: Client,
  endpoint: E,
  input: InputOf<E>,
  fields?: readonly string[],
): AsyncGenerator<RecordOf<E>, void> {
  const { asked } = client.plan(endpoint, input);
  for await (const { items } of client.pages(endpoint, input, { perPage: 100, concurrency: pagesAtOnce, fields })) {
    const records = [...(items as Iterable<RecordOf<E>>)];
    requireShape(endpoint, records, asked);
    yield* records;
  }
}

/** Returns the pushes in the activity of a repository, newest first. */
export async function pastPushes(client: Client, path: RepoName, period: string): Promise<PastPush[]> {
  const input = { path: { ...path }, query: { time_period: period } } as InputOf<typeof activity>;
  const pushes: PastPush[] = [];
  const pushers = new Map<string, Pusher | undefined>();
  for await (const record of recordsOf(client, activity, input, [...activityFields, 'actor'])) {
    const push = pushIn(record);
    const login = push.pusher?.login ?? '';
    // Few people push very often.
    if (!pushers.has(login)) pushers.set(login, push.pusher);
    pushes.push({ ...push, pusher: pushers.get(login) });
  }
  return pushes;
}

// These fields have different names in the specification and on the public platform.
function pushIn(record: Activity): PastPush {
  const { ref, before, after } = record;
  return {
    ref,
    before,
    after,
    pusher: pusherIn(record.actor ?? record.pusher),
    time: record.timestamp ?? record.pushed_at ?? '',
    activity: record.activity_type ?? record.push_type ?? 'push',
  };
}

const pusherIn = (actor: Actor | null | undefined): Pusher | undefined =>
  actor ? { id: actor.id, login: actor.login, isBot: actor.type === 'Bot' || isBotName(actor.login) } : undefined;

/** A record of another shape has no text there. */
const isBotName = (login: unknown): boolean => typeof login === 'string' && login.endsWith('[bot]');

/** The push of a rule suite, as activity describes it. */
export const pushOfSuite = ({ ref, before_sha, after_sha, actor_id, actor_name, pushed_at }: RuleSuite): PastPush => ({
  ref,
  before: before_sha ?? '',
  after: after_sha ?? '',
  pusher:
    typeof actor_name === 'string' && actor_name
      ? { id: actor_id ?? undefined, login: actor_name, isBot: isBotName(actor_name) }
      : undefined,
  time: pushed_at,
  activity: undefined,
});

/** Reads a rule suite with the result of each rule. Throws InvalidResponseError for anything else. */
export async function evaluatedSuite(client: Client, target: Target, id: number): Promise<RuleSuiteEvaluations> {
  const endpoint = checked(suiteResource.of(target).get, evaluations);
  const input = { path: { ...target, rule_suite_id: id } } as never;
  const read = await client.call(endpoint, input);
  requireShape(endpoint, read, client.plan(endpoint, input).asked);
  return read as RuleSuiteEvaluations;
}

/** Reads the rule suites of an organization or a repository; returns the reason if the token may not. */
export async function ruleSuites(client: Client, target: Target, period: string): Promise<RuleSuite[] | string> {
  const input = { path: { ...target }, query: { time_period: period } };
  const suites: RuleSuite[] = [];
  const records = isRepo(target)
    ? recordsOf(client, suitesOfRepository, input as InputOf<typeof suitesOfRepository>)
    : recordsOf(client, suitesOfOrganization, input as InputOf<typeof suitesOfOrganization>);
  try {
    for await (const record of records) suites.push(record);
    return suites;
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof PermissionError)) throw error;
    return `${error.asked.method} ${error.asked.path} returned ${error.refusal.status}${accessText(error)}`;
  }
}

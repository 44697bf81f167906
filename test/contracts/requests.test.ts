/** What endpoints declare of requests and statuses, against the public platform's published description. */
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Edition, Endpoint } from '../../src/platform/endpoint.ts';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import {
  type DescribedRequest,
  describedAnswer,
  describedDefinitions,
  describedRequest,
  type Schema,
} from './json-schema.ts';
import { differences, shapeOf } from './schema-differences.ts';

/** Differences that are right, each with the reason. */
const exceptions: readonly (readonly [reason: string, ...differences: RegExp[]])[] = [
  [
    'fields and words that only the hosted editions have',
    /^PATCH \/orgs\/\{org\} body\.(members_can_create_(public|private)_pages|secret_scanning_validity_checks_enabled): not described$/,
    /^PATCH \/repos\/\{owner\}\/\{repo\} body\.(allow_auto_merge|has_discussions|has_downloads): not described$/,
    /rulesets\S* body\.bypass_actors\[\]\.(actor_type: EnterpriseRole, User|bypass_mode: exempt) not described$/,
    /^\w+ \/orgs\/\{org\}\/rulesets\S* body\.target: repository not described$/,
  ],
  [
    'the specification requires the parameters of these rules',
    /rulesets\S* body\.rules\[\]\.\w+\.parameters: required, described as optional$/,
  ],
  [
    'the specification has this rule for organizations, too',
    /^\w+ \/orgs\S*\/rulesets\S* body\.rules\[\]: merge_queue not described$/,
  ],
  ['the specification does not have this rule', /rulesets\S* body\.rules\[\]: copilot_code_review not declared$/],
  ['the route says whose ruleset it is', /^POST \/orgs\/\{org\}\/rulesets body\.source_type: not declared$/],
  [
    'scopes that only budgets of enterprises have, as the prose of the description says',
    /^\w+ \/organizations\/\{org\}\S*budgets\S* (query|body)\.(scope|budget_scope): cost_center, enterprise not declared$/,
  ],
  [
    'required by a rule for all scopes but user, where they are refused',
    /^POST \/enterprises\S*\/budgets body\.budget_alerting\S*: optional, described as required$/,
  ],
  [
    'required for enterprises, whose fields the specification refers to',
    /^POST \/organizations\S*\/budgets body\.(budget_scope|budget_amount|prevent_further_usage|budget_type): required, described as optional$/,
  ],
  [
    'null, as records have it, stands for no place in the file',
    /^POST \S*\/comments body\.(position|line): integer, null, described as integer$/,
  ],
  ['an empty body stands for none', /^POST \S*\/forks body: object, described as null, object$/],
  [
    'the default would demote an owner',
    /^PUT \/orgs\/\{org\}\/memberships\S* body\.role: required, described as optional$/,
  ],
  ['closing down', /^(POST|PATCH) \/orgs\/\{org\}\/teams\S* body\.permission: not declared$/],
  [
    'responses with the same body as the declared one',
    /^PATCH \/user\/memberships\S* 202: not declared$/,
    /^PATCH \/orgs\/\{org\}\/teams\S* 200: not declared$/,
  ],
  ['forgectl waits for the conversion', /^PUT \/orgs\/\{org\}\/outside_collaborators\S* (body|202)/],
  [
    'a change of nothing is a mistake',
    /^PATCH \/repos\S*\/pre-receive-hooks\S* body\.enforcement: required, described as optional$/,
  ],
  [
    'only the prose of the description names the words',
    /^PATCH \/orgs\S*\/pre-receive-hooks\S* body\.enforcement: disabled, enabled, testing, described as any text$/,
    /^PATCH \/repos\/\{owner\}\/\{repo\} body\.security_and_analysis\.\w+\.status: disabled, enabled, described as any text$/,
    /^POST \S*\/views body\.sort_by\[\]\[\]: asc, desc, described as any text$/,
  ],
  [
    'the specification names no words',
    /^POST \/user\/migrations body\.exclude\[\]: any text, described as repositories$/,
    /^GET \/orgs\/\{org\}\/migrations query\.exclude\[\]: any text, described as repositories$/,
  ],
  [
    'no command filters this list',
    /^GET \S*(\/app\/installations|\/commits|\/check-runs|\/deployments) query\.\w+: not declared$/,
  ],
  ['only the files of a commit have pages', /^GET \S*\/commits\/\{ref\} paging: undefined, described as page$/],
  [
    'a list in a record, which commands read and replace whole',
    /^GET \S*\/topics paging: undefined, described as page$/,
  ],
  [
    'only responses show that there are more',
    /^GET \S*\/compare\/\{basehead\} paging: cursor, described as undefined$/,
  ],
  [
    'help adds the exception that the prose of the description mentions',
    /^POST \/orgs\/\{org\}\/repos has_projects: true, or false if .+, described as true$/,
  ],
  [
    'returns nothing for people who are not invited; self-managed platforms invite people, too',
    /^PUT \S*\/collaborators\/\{username\} (201: not described|204: not declared|record, described as nothing)$/,
  ],
  ['the media type for the role is always requested', /^GET \S*\/teams\/\{team_slug\}\/repos\/\S* 204: not declared$/],
  ['an empty repository has no contributors', /^GET \S*\/contributors 204: not declared$/],
  [
    'errors known from the prose of the documentation, or from practice',
    /^GET \/orgs\S*\/bypass-requests\/secret-scanning 403: advice on an error that is not described$/,
    /^PATCH \S*\/pre-receive-hooks\S* 403: advice on an error that is not described$/,
    /^GET \S*\/archive 404: advice on an error that is not described$/,
    /^POST \S*\/transfer 4(03|22): advice on an error that is not described$/,
    /^PUT \S*\/teams\/\{team_slug\}\/repos\/\S* 422: advice on an error that is not described$/,
    /^(PUT|DELETE) \S*\/automated-security-fixes 404: advice on an error that is not described$/,
    /^POST \S*\/generate 404: advice on an error that is not described$/,
    /^POST \S*\/snapshots 413: advice on an error that is not described$/,
  ],
];

const described = allEndpoints.flatMap((endpoint) => {
  const request = describedRequest(endpoint);
  return request ? [{ endpoint, request }] : [];
});

/** Returns what a comparison yields for all endpoints. */
const all = (compare: (endpoint: Endpoint, request: DescribedRequest) => Iterable<string>): string[] =>
  described.flatMap(({ endpoint, request }) =>
    [...compare(endpoint, request)].map((line) => `${endpoint.route} ${line}`),
  );

const jsonSchema = (schema: v.GenericSchema) => toJsonSchema(schema, { errorMode: 'ignore' }) as Schema;
const parameters = (entries: v.ObjectEntries) => jsonSchema(v.partial(v.object(entries)));

const editionNames: Readonly<Record<string, Edition>> = {
  'ghes-3.19': 'self-managed',
  ghec: 'hosted-enterprise',
  'api.github.com': 'hosted',
};

/** Where declarations differ from the description. */
const found: Readonly<Record<string, readonly string[]>> = {
  path: all(function* ({ template, pathNames, path = {} }, request) {
    if (template.replace('<alerts>', 'dependabot') !== request.path) yield `described as ${request.path}`;
    const entries = pathNames.map((name) => [name, (path as v.ObjectEntries)[name] ?? v.string()]);
    const theirs = { type: 'object', properties: request.pathParameters };
    yield* differences(parameters(Object.fromEntries(entries)), theirs, 'path');
  }),
  query: all(function* ({ query = {} }, request) {
    // These follow from the paging.
    const { page, per_page, ...properties } = request.query;
    yield* differences(parameters(query), { type: 'object', properties }, 'query');
  }),
  paging: all(function* ({ paging, perPage = 30 }, { query }) {
    const scheme = ['after', 'page', 'since'].find((name) => name in query);
    const described = scheme === 'after' ? 'cursor' : scheme;
    if ((paging === 'has_next_page' ? 'page' : paging) !== described)
      yield `paging: ${paging}, described as ${described}`;
    const size = query.per_page?.default ?? 30;
    if (paging && perPage !== size) yield `per_page: ${perPage}, described as ${size}`;
  }),
  body: all(function* ({ body }, request) {
    if (!body !== !request.body) yield `body: ${body ? 'not described' : 'not declared'}`;
    if (body && request.body) yield* differences(jsonSchema(body), request.body, 'body');
  }),
  // Some defaults are only in the prose of the description.
  defaults: all(function* ({ query = {}, body }, request) {
    const fields = shapeOf(request.body ?? {}, describedDefinitions).properties ?? new Map<string, Schema[]>();
    for (const [name, entry] of Object.entries({ ...query, ...body?.entries } as v.ObjectEntries)) {
      const ours = v.getMetadata('wrapped' in entry ? (entry.wrapped as v.GenericSchema) : entry).default;
      const theirs = (request.query[name] ?? fields.get(name)?.[0])?.default;
      if (ours !== undefined && theirs !== undefined && ours !== theirs)
        yield `${name}: ${ours}, described as ${theirs}`;
    }
  }),
  // Any endpoint may answer that something has moved or has not changed.
  'status of success': all(function* ({ status }, { statuses }) {
    if (!statuses.includes(status)) yield `${status}: not described`;
    for (const each of statuses)
      if (each < 400 && ![status, 301, 304, 307].includes(each)) yield `${each}: not declared`;
  }),
  answer: all(function* (endpoint) {
    const schema = describedAnswer(endpoint);
    const types = schema ? shapeOf(schema, describedDefinitions).types : new Set();
    const kind = schema ? (types.has('array') ? 'list' : 'record') : 'nothing';
    if (endpoint.answer.kind !== kind) yield `${endpoint.answer.kind}, described as ${kind}`;
  }),
  'known errors': all(function* ({ refusals = [] }, { statuses }) {
    for (const { status } of refusals)
      if (!statuses.includes(status)) yield `${status}: advice on an error that is not described`;
  }),
  'editions, where declared': all(function* ({ editions }, request) {
    const theirs = request.editions.map((name) => editionNames[name] ?? name).sort();
    if (editions && `${[...editions].sort()}` !== `${theirs}`) yield `${editions}, described as ${theirs}`;
  }),
};

it('every endpoint is described', () => {
  expect(described.map(({ endpoint }) => endpoint.route)).toEqual(allEndpoints.map(({ route }) => route));
});

it.each(Object.entries(found))('the declared %s is the described one, with listed exceptions', (_part, lines) => {
  const patterns = exceptions.flatMap(([, ...each]) => each);
  expect(lines.filter((line) => !patterns.some((pattern) => pattern.test(line)))).toEqual([]);
});

it.each(exceptions.map(([reason, ...patterns]) => ({ reason, patterns })))(
  'still an exception: $reason',
  ({ patterns }) => {
    const lines = Object.values(found).flat();
    expect(patterns.filter((pattern) => !lines.some((line) => pattern.test(line)))).toEqual([]);
  },
);

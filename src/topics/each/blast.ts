/** The summary before a bulk write of `each`: how many targets of which kind, and their old and new values. */
import { shortened } from '../../client/redact.ts';
import { type PlannedRequest, valueOfBody } from '../../client/request.ts';
import { asText, isObject } from '../../json/exact-json.ts';
import { counted, formatCount } from '../../output/amounts.ts';
import { maskSecrets } from '../../output/secrets.ts';
import { humanText } from '../../output/table/cells.ts';
import { visibility } from '../repos/columns.ts';
import { generalText } from './general-text.ts';
import type { Target } from './targets.ts';

/** The fields of repositories that are counted. */
export const countedFields = ['visibility', 'private', 'archived', 'pushed_at'] as const;

const recentDays = 90;

const mostNames = 5;

const mostOrganizations = 3;

const mostFields = 8;

/** Maximum number of different old values shown per field. */
const mostValues = 3;

/** Maximum length of a shown value, in characters. */
const longestValue = 80;

/** The writes planned for one of the targets. */
export interface SampleWrites {
  readonly target: string;
  /** True if the command had to read something of this target, so that the writes for others differ. */
  readonly isExample: boolean;
  /** Undefined if they are not known before the run. */
  readonly writes: readonly PlannedRequest[] | undefined;
  readonly baseUrl: string;
}

interface BlastOptions {
  readonly sample: SampleWrites;
  readonly now: Date;
  /** The source of the records of the targets; undefined if they were listed for this run. */
  readonly source: string | undefined;
}

/** Returns the lines that are shown before a bulk write. */
export function blastText(targets: readonly Target[], { sample, now, source }: BlastOptions): string {
  const repositories = targets.filter(({ name }) => name.includes('/'));
  const facts = repositories.length > 0 ? repositoryFacts(repositories, now) : '';
  const origin = source && facts !== '' && facts !== nothingKnown ? ` (according to ${source})` : '';
  return [
    `${subjectText(targets, repositories, sample)}${facts && `: ${facts}`}${origin}`,
    namesText(targets),
    ...changeLines(targets, sample, now),
  ].join('\n');
}

/** `26 repositories of acme` */
function subjectText(targets: readonly Target[], repositories: readonly Target[], sample: SampleWrites): string {
  const orgs = [...new Map(repositories.map(({ name }) => [ownerOf(name).toLowerCase(), ownerOf(name)])).values()];
  const owners = orgs.length > mostOrganizations ? counted(orgs.length, 'organization') : listed(orgs);
  const noun = repositories.length === 1 ? 'repository' : 'repositories';
  const others = targets.length - repositories.length;
  const people = others === 1 ? '1 person' : `${formatCount(others)} people`;
  return listed([
    ...(others > 0 ? [isPerson(sample) ? people : counted(others, 'organization')] : []),
    ...(orgs.length > 0 ? [`${formatCount(repositories.length)} ${noun} of ${owners}`] : []),
  ]);
}

/** Returns whether the writes change what a person has in an organization, a team or a repository. */
const isPerson = ({ target, writes = [] }: SampleWrites): boolean =>
  writes.some(({ request: { url } }) =>
    ['memberships', 'collaborators', 'outside_collaborators'].some((list) => url.endsWith(`/${list}/${target}`)),
  );

const ownerOf = (name: string) => name.split('/', 1)[0] ?? name;

const listed = (texts: readonly string[]) => new Intl.ListFormat('en-GB').format(texts);

/** `26 private, 4 pushed in the last 90 days` */
function repositoryFacts(repositories: readonly Target[], now: Date): string {
  const records = repositories.map(({ record = {} }) => record);
  const visibilities = countsOf(records.map((record) => asText(visibility(record as never) ?? unknown)));
  const unseen = records.filter(({ pushed_at }) => pushed_at === undefined).length;
  if (visibilities.get(unknown) === records.length && unseen === records.length) return nothingKnown;
  const since = now.getTime() - recentDays * 86_400_000;
  const recent = records.filter(({ pushed_at }) => typeof pushed_at === 'string' && Date.parse(pushed_at) >= since);
  const archived = records.filter((record) => record.archived === true).length;
  return [
    ...[...visibilities]
      .sort(([, one], [, other]) => other - one)
      .map(([word, count]) => `${formatCount(count)} ${word}`),
    ...(archived > 0 ? [`${formatCount(archived)} archived`] : []),
    `${formatCount(recent.length)} pushed in the last ${recentDays} days`,
    ...(unseen > 0 ? [`${formatCount(unseen)} with unknown last push`] : []),
  ].join(', ');
}

const nothingKnown = 'visibility and last push unknown';

const unknown = 'of unknown visibility';

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function namesText(targets: readonly Target[]): string {
  const names = targets.slice(0, mostNames).map(({ name }) => name);
  const more = targets.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${formatCount(more)} more` : names.join(', ');
}

/** Returns `archived: no → yes` for each field, or else the request. */
function changeLines(
  targets: readonly Target[],
  { target, isExample, writes, baseUrl }: SampleWrites,
  now: Date,
): string[] {
  const [first, ...others] = writes ?? [];
  if (!first) return [];
  const { method, url, body } = first.request;
  const general = (text: string) => generalText(text, target);
  const request = `${method} ${general(url.slice(baseUrl.length))}`;
  const sent = body === undefined ? {} : maskSecrets(valueOfBody(body));
  // Only the records of these targets have the fields of the body.
  const isOwn = isObject(sent) && /^PATCH \/(?:repos|orgs)\/\{\}$/.test(request);
  const fields = leavesOf([], isObject(sent) ? sent : { body: sent });
  const shown = fields.slice(0, mostFields).map(({ path, value }) => {
    const to = general(valueText(value, now));
    const from = isOwn ? oldValues(targets, path, now) : undefined;
    if (from === to) return `${path.join('.')}: ${to} (no change)`;
    return `${path.join('.')}: ${from === undefined ? to : `${from} → ${to}`}`;
  });
  return [
    ...(isOwn && shown.length > 0 ? [] : [isExample ? `${request} (for ${target})` : request]),
    ...shown,
    ...(fields.length > shown.length ? [`and ${counted(fields.length - shown.length, 'other field')}`] : []),
    ...(others.length > 0 ? [`and ${counted(others.length, 'other request')} for each target`] : []),
  ];
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Returns the fields of a body, nested ones by their paths. */
function leavesOf(path: readonly string[], value: unknown): readonly Leaf[] {
  if (!isObject(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf([...path, name], inner));
}

/** Returns `no`, or `no (20), yes (6)` if targets differ; undefined if no record shows the field. */
function oldValues(targets: readonly Target[], path: readonly string[], now: Date): string | undefined {
  const at = (record: unknown) => path.reduce((value, name) => (isObject(value) ? value[name] : undefined), record);
  const values = targets.map(({ record }) => at(record));
  if (values.every((value) => value === undefined)) return undefined;
  const counts = countsOf(values.map((value) => (value === undefined ? 'unknown' : valueText(value, now))));
  if (counts.size > mostValues) return `${formatCount(counts.size)} different values`;
  const [only, ...others] = [...counts];
  if (only && others.length === 0) return only[0];
  return [...counts].map(([text, count]) => `${text} (${formatCount(count)})`).join(', ');
}

function valueText(value: unknown, now: Date): string {
  const isList = Array.isArray(value) && value.some((element) => typeof element === 'object' && element !== null);
  return shortened(isList ? counted(value.length, 'item') : humanText(value, now), longestValue);
}

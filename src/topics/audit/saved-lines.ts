/** Recognizes the lines of a saved audit, which may be anyone's. */
import { isFolderName } from '../../fleet/policy/file-names.ts';
import { severities } from '../../foresight/audit/check.ts';
import { statuses } from '../../foresight/audit/finding.ts';
import { isObject } from '../../json/exact-json.ts';
import { parseYaml, YamlError } from '../../json/yaml.ts';
import type { Given } from '../../platform/validate.ts';
import type { AuditFinding, AuditHeader, AuditTrailer } from './report.ts';

type Guard = (value: unknown) => boolean;

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount: Guard = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isScalar: Guard = (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
const oneOf =
  (values: readonly unknown[]): Guard =>
  (value) =>
    values.includes(value);
const optional =
  (guard: Guard): Guard =>
  (value) =>
    value === undefined || guard(value);
const nullable =
  (guard: Guard): Guard =>
  (value) =>
    value === null || guard(value);
const listOf =
  (guard: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(guard);
const shaped =
  (guards: Readonly<Record<string, Guard>>): Guard =>
  (value) =>
    isObject(value) && Object.entries(guards).every(([name, guard]) => guard(value[name]));
const counts = (names: readonly string[]): Guard => shaped(Object.fromEntries(names.map((name) => [name, isCount])));

const header = shaped({
  platform: isText,
  time: isText,
  checks: listOf(isText),
  shard: optional(isText),
  organizations: listOf(
    shaped({
      name: isText,
      unreadable: optional(isText),
      repositories: optional(counts(['audited', 'archived', 'not_selected'])),
    }),
  ),
});

export const isHeader = (line: unknown): line is AuditHeader => header(line);

const notChecked = counts(['organizations', 'archived_repositories', 'other_repositories']);

const summary = shaped({
  open: counts(severities),
  suppressed: isCount,
  unreadable: isCount,
  passed: isCount,
  not_checked: (value) =>
    notChecked(value) && shaped({ deep: listOf(isText), disabled: listOf(isText), skipped: listOf(isText) })(value),
  requests: counts(['sent', 'not_modified']),
  baseline: optional(counts(['new', 'same', 'gone'])),
});

export const isTrailer = (line: unknown): line is AuditTrailer => shaped({ summary })(line);

const finding = shaped({
  check: isText,
  target: isText,
  object: optional(isText),
  message: isText,
  severity: oneOf(severities),
  status: oneOf(statuses),
  evidence: listOf(shaped({ name: isText, value: optional(isScalar), url: optional(isText) })),
  evidence_total: isCount,
  since: nullable(shaped({ time: isText, source: isText })),
  fix: nullable(
    shaped({
      command: nullable(isText),
      policy: nullable(isText),
      hint: nullable(isText),
    }),
  ),
  suppression: optional(shaped({ reason: isText, until: isText })),
  baseline: optional(oneOf(['new', 'same', 'gone'])),
});

export const isFinding = (line: unknown): line is AuditFinding => finding(line);

const isOwner: Guard = (name) => isText(name) && isFolderName(name);

const ofOneOwner: Guard = (document) =>
  shaped({ organizations: (names) => listOf(isOwner)(names) && (names as unknown[]).length === 1 })(document) ||
  shaped({ enterprise: isOwner })(document);

const policy = shaped({ repositories: optional(listOf(shaped({ select: shaped({ names: listOf(isText) }) }))) });

/** Returns the policy of a fix; undefined for a text that is none. */
export function policyOf(text: string): Given | undefined {
  try {
    const document = parseYaml(text);
    return ofOneOwner(document) && policy(document) ? (document as Given) : undefined;
  } catch (error) {
    if (error instanceof YamlError) return undefined;
    throw error;
  }
}

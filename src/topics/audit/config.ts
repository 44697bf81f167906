/** Reads audit.yaml: thresholds, disabled checks, properties and suppressions. */
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import * as v from 'valibot';
import { UsageError } from '../../cli/errors.ts';
import { largestYaml, nameOf, readRepositoryText } from '../../cli/input/sources.ts';
import { parsePolicyFile } from '../../fleet/policy/wanted/parse.ts';
import { type PolicyProblem, partAt, placeText } from '../../fleet/policy/wanted/placed.ts';
import { type VisibilityLimits, visibilities } from '../../foresight/audit/check.ts';
import { checks } from '../../foresight/audit/checks/index.ts';
import { isObject, ownMember } from '../../json/exact-json.ts';
import { fields, integer, nested, oneOf, optional, string, strings } from '../../platform/schema.ts';
import { didYouMean } from '../../platform/suggest.ts';
import { checkValue, type Given, invalid, type Problem } from '../../platform/validate.ts';

export const defaultConfigFile = 'audit.yaml';

export interface AuditConfig {
  /** Version of the format. */
  readonly audit: 1;
  /** IDs of checks that are not run. */
  readonly disabled?: readonly string[];
  /** Limits of checks, by check and name. */
  readonly thresholds?: { readonly [check: string]: { readonly [name: string]: number } };
  /** The widest visibility that custom properties of a repository allow, by name and value. */
  readonly properties?: VisibilityLimits;
  readonly suppressions?: readonly SuppressionEntry[];
}

interface SuppressionEntry {
  /** ID of a check. */
  readonly check: string;
  /** acme, acme/site or enterprise:sandbox; * stands for any part of a name. */
  readonly target: string;
  /** Why the finding is accepted. */
  readonly reason: string;
  /**
   * The last day of the suppression, such as 2027-01-31.
   * @format date
   */
  readonly until: string;
}

const suppression = fields({
  check: string('Check'),
  target: string('Target'),
  reason: string('Reason'),
  until: string('Last day'),
});

const limits = v.record(v.string(), integer('Limit', { min: 0 }), 'must be an object');

const allowed = v.record(v.string(), oneOf(visibilities, 'Visibility'), 'must be an object');

const schema = fields({
  audit: v.literal(1, 'must be 1, the version of the format'),
  disabled: optional(strings('Checks')),
  thresholds: optional(nested(v.record(v.string(), limits, 'must be an object'), 'Limits')),
  properties: optional(nested(v.record(v.string(), allowed, 'must be an object'), 'Properties')),
  suppressions: optional(nested(v.array(suppression, 'must be a list'), 'Suppressions')),
});

/**
 * Reads the configuration of audits. Without a name, reads audit.yaml in the current directory if there is one. Throws
 * UsageError with all problems.
 */
export async function readConfig(file: string | undefined, stdin: Readable): Promise<AuditConfig> {
  if (file === undefined && !existsSync(defaultConfigFile)) return { audit: 1 };
  const source = file ?? defaultConfigFile;
  const text = await readRepositoryText(source, stdin, largestYaml, { staysInFolder: true });
  const name = source === '-' ? 'standard input' : source;
  const { root, problems } = parsePolicyFile(name, text);
  const found: PolicyProblem[] = [...problems];
  if (root) {
    const wrong = isObject(root.value) ? configProblems(root.value) : [invalid('', 'must be a mapping with audit: 1')];
    found.push(
      ...wrong.map(({ field, message }) => ({
        place: partAt(root, field).place,
        message: `${field} ${message}`.trim(),
      })),
    );
  }
  if (found.length === 0) return (root?.value ?? { audit: 1 }) as AuditConfig;
  found.sort(({ place: a }, { place: b }) => a.line - b.line || a.column - b.column);
  const lines = found.map(({ place, message }) => `${placeText(place)}: ${message}`);
  throw new UsageError([`${nameOf(source)} is not a valid configuration; nothing was sent.`, ...lines].join('\n'));
}

function configProblems(config: Given): readonly Problem[] {
  const { problems, unknown } = checkValue(schema, config);
  const malformed = new Set(problems.map(({ field }) => field.split(/[.[]/)[0]));
  const sound = Object.fromEntries(Object.entries(config).filter(([section]) => !malformed.has(section)));
  const { disabled = [], thresholds = {}, suppressions = [] } = sound as Partial<AuditConfig>;
  return [
    ...problems,
    ...unknown,
    ...disabled.flatMap((id, at) => unknownCheck(`disabled[${at}]`, id)),
    ...Object.entries(thresholds).flatMap(([id, values]) => thresholdProblems(id, values)),
    ...suppressions.flatMap(({ check, until }, at) => [
      ...unknownCheck(`suppressions[${at}].check`, check),
      ...(isDay(until) ? [] : [invalid(`suppressions[${at}].until`, 'must be a date, such as 2027-01-31')]),
    ]),
  ];
}

const ids = checks.map(({ id }) => id);

const unknownCheck = (field: string, id: string): Problem[] =>
  ids.includes(id) ? [] : [invalid(field, `is not the ID of a check${didYouMean(id, ids)}`)];

function thresholdProblems(id: string, values: Readonly<Record<string, number>>): Problem[] {
  const field = `thresholds.${id}`;
  const check = checks.find((each) => each.id === id);
  if (!check) return unknownCheck(field, id);
  const { thresholds = {} } = check;
  return Object.entries(values).flatMap(([name, value]) => {
    const threshold = ownMember(thresholds, name);
    const path = `${field}.${name}`;
    if (!threshold) return [invalid(path, `is not a limit of ${id}${didYouMean(name, Object.keys(thresholds))}`)];
    return value < threshold.least ? [invalid(path, `must be at least ${threshold.least}`)] : [];
  });
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

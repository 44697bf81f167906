/**
 * The search phrase of the audit log. Public platform, Searching the audit log: `QUALIFIER:VALUE`, excluded by a leading
 * `-`; several values of one qualifier are alternatives, and entries cannot be searched by text.
 */
import { invalid } from '../../platform/validate.ts';
import { validationFailed } from '../refusals.ts';
import type { AuditRecord } from './audit-log.ts';

type Test = (event: AuditRecord, value: string) => boolean;

const equals =
  (field: 'actor' | 'user' | 'org' | 'repo'): Test =>
  (event, value) =>
    event[field]?.toLowerCase() === value;

const qualifiers: Readonly<Record<string, Test>> = {
  action: ({ action }, value) => action === value || action.startsWith(`${value}.`),
  actor: equals('actor'),
  user: equals('user'),
  org: equals('org'),
  repo: equals('repo'),
  operation: ({ action }, value) => operationOf(action) === value,
  created: ({ time }, value) => isCreated(time, value),
  country: (_, value) => value === country.code || value === country.name,
};

/** Every actor of the sandbox is in one country. */
export const country = { code: 'no', name: 'norway' };

interface Term {
  readonly qualifier: string;
  readonly value: string;
  readonly isExcluded: boolean;
}

/** Returns the filter that a phrase describes. Throws 422 for text and for qualifiers that the platform does not document. */
export function auditFilter(phrase: string): (event: AuditRecord) => boolean {
  const terms = [...phrase.toLowerCase().matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([text]) => termOf(text));
  const matches = (event: AuditRecord) => (term: Term) => qualifiers[term.qualifier]?.(event, term.value);
  const wanted = Object.values(Object.groupBy(terms, ({ qualifier, isExcluded }) => `${isExcluded} ${qualifier}`));
  return (event) =>
    wanted.every((alternatives = []) =>
      alternatives[0]?.isExcluded ? !alternatives.some(matches(event)) : alternatives.some(matches(event)),
    );
}

function termOf(text: string): Term {
  const [, minus, qualifier = '', value = ''] = /^(-?)([a-z]+):(.+)$/.exec(text.replaceAll('"', '')) ?? [];
  if (!Object.hasOwn(qualifiers, qualifier))
    throw validationFailed('AuditLog', [
      invalid(
        'phrase',
        `must be made of qualifiers (${Object.keys(qualifiers).join(', ')}), such as action:repo.create`,
      ),
    ]);
  if (qualifier === 'created' && !createdPattern.test(value))
    throw validationFailed('AuditLog', [invalid('phrase', 'created must be a date, a time, or a range of them')]);
  return { qualifier, value, isExcluded: minus === '-' };
}

const createdPattern =
  /^(>=|<=|>|<)?(\*|[\d-]+(?:t[\d:.]+(?:z|[+-]\d\d:\d\d)?)?)(?:\.\.(\*|[\d-]+(?:t[\d:.]+(?:z|[+-]\d\d:\d\d)?)?))?$/;

/** The range of time that a date, a time, or `*` stands for, in epoch milliseconds. */
function rangeOf(text: string): readonly [start: number, end: number] {
  if (text === '*') return [-Infinity, Infinity];
  const start = Date.parse(text.toUpperCase());
  return text.includes('t') ? [start, start] : [start, start + 24 * 60 * 60 * 1000 - 1];
}

function isCreated(time: number, wanted: string): boolean {
  const [, operator, from = '', until = from] = createdPattern.exec(wanted) ?? [];
  const [start, end] = rangeOf(from);
  if (operator === '>=') return time >= start;
  if (operator === '<=') return time <= end;
  if (operator === '>') return time > end;
  if (operator === '<') return time < start;
  return time >= start && time <= rangeOf(until)[1];
}

const operations: readonly (readonly [pattern: RegExp, operation: string])[] = [
  [/\.transfer$/, 'transfer'],
  [/\.(?:create|add_member|\w+_create|request)$/, 'create'],
  [/\.(?:destroy|remove_member|\w+_delete|destroy_file)$/, 'remove'],
  [/^git\./, 'access'],
];

/** Returns the kind of an action, as `operation_type` names it. */
export const operationOf = (action: string): string =>
  operations.find(([pattern]) => pattern.test(action))?.[1] ?? 'modify';

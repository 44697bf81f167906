/** The columns of the outcomes of `each`. */
import { asText, isObject } from '../../json/exact-json.ts';
import { counted } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import type { TargetOutcome } from './outcomes.ts';

const target: Column<TargetOutcome> = { header: 'Target', get: 'target', as: 'name', priority: 1 };
const error: Column<TargetOutcome> = { header: 'Error', get: 'error.message', as: 'message', optional: true };

export const outcomeColumns: readonly Column<TargetOutcome>[] = [
  target,
  { header: 'Status', get: 'status', as: 'state', priority: 1 },
  { header: 'Result', get: ({ result }) => shortResult(result), as: 'text', optional: true },
  error,
];

/** Returns a result on one line: text unchanged, and a list by its length. */
function shortResult(result: unknown): string | undefined {
  if (Array.isArray(result)) return counted(result.length, 'item');
  return typeof result === 'object' || result === undefined ? undefined : asText(result);
}

/** Returns the columns of a dry run, whose results are requests. */
export const requestColumns = (baseUrl: string): readonly Column<TargetOutcome>[] => [
  target,
  {
    header: 'Change',
    get: ({ result }) =>
      requestsIn(result)
        .map(({ method, url }) => `${asText(method)} ${asText(url).replace(baseUrl, '')}`)
        .join(', '),
    as: 'text',
    priority: 1,
  },
  {
    header: 'Body',
    get: ({ result }) =>
      requestsIn(result)
        .flatMap(({ body }) => (body === undefined ? [] : [JSON.stringify(body)]))
        .join(', '),
    as: 'text',
  },
  error,
];

const requestsIn = (result: unknown) => [result].flat().filter(isObject);

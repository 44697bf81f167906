/** What can go wrong on request. */

/**
 * `reset`, the statuses and `html` come instead of the platform, which does not act on the request; `slow` and
 * `truncated` happen to its answer.
 */
export const faultKinds = ['reset', '500', '502', '503', 'slow', 'truncated', 'html'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The share of requests that each kind happens to, from 0 to 1; together at most 1. */
export type FaultRates = Readonly<Partial<Record<FaultKind, number>>>;

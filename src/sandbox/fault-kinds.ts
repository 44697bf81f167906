/** Faults that can be injected. */

/**
 * `reset`, the statuses and `html` replace the response, and the platform ignores the request; `slow` and `truncated`
 * change the response.
 */
export const faultKinds = ['reset', '500', '502', '503', 'slow', 'truncated', 'html'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Share of the requests with each fault, from 0 to 1; at most 1 in total. */
export type FaultRates = Readonly<Partial<Record<FaultKind, number>>>;

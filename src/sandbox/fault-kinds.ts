/** Faults that can be injected. */

/**
 * `reset`, the statuses and `html` replace the response, and the platform ignores the request; `slow` and `truncated`
 * change the response.
 */
export const requestFaults = ['reset', '500', '502', '503', 'slow', 'truncated', 'html'] as const;
export type RequestFault = (typeof requestFaults)[number];

/** `fresh-token` rejects installation tokens in their first second with a 401. */
export const faultKinds = [...requestFaults, 'fresh-token'] as const;
export type FaultKind = (typeof faultKinds)[number];

/**
 * Share of the requests with each fault, from 0 to 1; at most 1 in total. `fresh-token` is a share of the requests with
 * such a token, and does not count.
 */
export type FaultRates = Readonly<Partial<Record<FaultKind, number>>>;

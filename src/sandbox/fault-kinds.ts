/** Faults that can be injected, and their rates. */

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

export type Fault = readonly [kind: FaultKind, rate: number];

/** Returns the fault in `KIND=RATE`, or the problem with the text. */
export function readFault(text: string): Fault | string {
  const [word = '', rate = ''] = text.split('=');
  const kind = faultKinds.find((known) => known === word);
  if (!kind) return `must be KIND=RATE, where KIND is one of ${faultKinds.join(', ')}`;
  if (!/^(?:0|1|0?\.\d+|1\.0+)$/.test(rate) || text.split('=').length !== 2)
    return `must be ${kind}=RATE, where RATE is the share of requests, from 0 to 1, such as 0.05`;
  return [kind, Number(rate)];
}

/** Returns the rates by kind, and the problems with them. */
export function faultRates(faults: readonly Fault[]): { readonly rates: FaultRates; readonly problems: string[] } {
  const rates: Partial<Record<FaultKind, number>> = {};
  const problems: string[] = [];
  for (const [kind, rate] of faults) {
    if (rates[kind] !== undefined) problems.push(`repeats ${kind}`);
    rates[kind] = rate;
  }
  if (requestFaults.reduce((sum, kind) => sum + (rates[kind] ?? 0), 0) > 1 + Number.EPSILON * 8)
    problems.push('rates must not exceed 1 in total');
  return { rates, problems };
}

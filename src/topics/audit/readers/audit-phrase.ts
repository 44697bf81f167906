import { dayBefore } from '../../../foresight/audit/periods.ts';

/** Returns the part of a search phrase for the audit log that selects the events of the last days. */
export const createdSince = (now: number, days: number): string => `created:>=${dayBefore(now, days)}`;

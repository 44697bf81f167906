/** Periods that checks look back, in days. */

const day = 24 * 60 * 60 * 1000;

/** Of changes that loosen protection, and of rulesets in evaluate. */
export const recentDays = 30;

/** Of events in the audit log that show that a person is active. */
export const activityDays = 90;

/** Returns whether a date is more days ago than that. */
export const isOlder = (date: string, days: number, now: number): boolean => now - Date.parse(date) > days * day;

/** Returns the whole days since a date. */
export const daysSince = (date: string, now: number): number => Math.floor((now - Date.parse(date)) / day);

/** Returns the day so many days ago, as `2026-11-01`. */
export const dayBefore = (now: number, days: number): string => new Date(now - days * day).toISOString().slice(0, 10);

/** Time windows of lists. */
const hour = 60 * 60 * 1000;
const lengths: Readonly<Record<string, number>> = {
  hour,
  day: 24 * hour,
  week: 7 * 24 * hour,
  month: 30 * 24 * hour,
  quarter: 90 * 24 * hour,
  year: 365 * 24 * hour,
};

/** Start of a window that ends now, in epoch milliseconds. */
export const windowStart = ({ clock }: { readonly clock: () => Date }, period: string): number =>
  clock().getTime() - (lengths[period] ?? 0);

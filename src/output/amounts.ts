/** Formats numbers for people. (`Intl.NumberFormat` takes 10 ms to start.) */

/** `3,907` */
export const formatCount = (number: number): string => {
  const [whole = '', decimals] = String(number).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
};

/** `1 column`, `1,200 columns` */
export const counted = (number: number, noun: string): string =>
  `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `512 B`, `1.5 KB`, `12.3 MB`: by 1,024, one decimal below a hundred. */
export function bytes(number: number): string {
  let [amount, unit] = [number, 0];
  // A value that would be rounded to 1,024 is shown in the next unit.
  while (Math.round(Math.abs(amount)) >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  const rounded = unit === 0 || Math.abs(amount) >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10;
  return `${rounded} ${units[unit]}`;
}

/** `$1,200`, or `$12.40` with cents. */
export function usd(number: number): string {
  const amount = Math.abs(number);
  const [whole = '', cents] = amount.toFixed(2).split('.');
  const digits = Number.isInteger(amount) ? formatCount(amount) : `${formatCount(Number(whole))}.${cents}`;
  return `${number < 0 ? '-' : ''}$${digits}`;
}

/** A fraction of one as `62.1%`; small values are shown as `<0.1%` instead of zero. */
export function percent(part: number): string {
  if (part > 0 && part < 0.0005) return '<0.1%';
  return `${(part * 100).toFixed(1)}%`;
}

/** Returns a duration as `31 min`. */
export function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

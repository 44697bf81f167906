/** Compares figures with those of the last results. */

/** Growth of a figure that is marked: beyond what two runs on one machine differ by. */
const noticed = 0.05;

/** Returns the figure of forgectl for each measure of a page of results. */
export const lastFigures = (page: string): Map<string, string> =>
  new Map(
    page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.replaceAll('\\|', '|').split(' | '))
      .map(([title = '', ours = '']) => [title.slice(2), ours]),
  );

/** Returns the change of a figure in per cent, marked if it grew by more than 5 %; empty for a new measure. */
export function changeSince(last: string | undefined, now: string): string {
  const growth = Number.parseFloat(now) / Number.parseFloat(last ?? '') - 1;
  if (!Number.isFinite(growth)) return '';
  const text = `${growth < 0 ? '−' : '+'}${Math.abs(growth * 100).toFixed(0)} %`;
  return growth > noticed ? `**${text}**` : text;
}

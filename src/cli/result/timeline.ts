/** The distribution of a list's events over time: in words and, if possible, as a chart. */
import { formatCount } from '../../output/amounts.ts';
import { barStyle, sparkline } from '../../output/table/bars.ts';
import type { Terminal } from '../../output/terminal.ts';

const day = 86_400_000;
/** The maximum width of the chart; beyond it, each character covers several days. */
const mostSteps = 60;

const dateOf = (days: number) => new Date(days * day).toISOString().slice(0, 10);

/** The days of the events, in UTC. Invalid times are ignored. */
export class Timeline {
  readonly #perDay = new Map<number, number>();
  #events = 0;

  see(time: unknown): void {
    const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
    if (Number.isNaN(at)) return;
    const date = Math.floor(at / day);
    this.#perDay.set(date, (this.#perDay.get(date) ?? 0) + 1);
    this.#events++;
  }

  /** Returns nothing if all events are on one day. */
  lines(what: string, terminal: Pick<Terminal, 'stdoutIsTTY' | 'plain' | 'utf8'>): string[] {
    const days = [...this.#perDay.keys()].sort((one, other) => one - other);
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined || first === last) return [];
    const [busiest, most] = [...this.#perDay].reduce((one, other) => (other[1] > one[1] ? other : one));
    const words = `${formatCount(this.#events)} ${what} from ${dateOf(first)} to ${dateOf(last)}, most on ${dateOf(busiest)}: ${formatCount(most)}.`;
    const daysInStep = Math.ceil((last - first + 1) / mostSteps);
    const drawn = sparkline(this.#steps(first, last, daysInStep), barStyle(terminal));
    return drawn === '' ? [words] : [`${daysInStep === 1 ? 'Each day' : `Every ${daysInStep} days`}: ${drawn}`, words];
  }

  #steps(first: number, last: number, daysInStep: number): number[] {
    const steps = new Array<number>(Math.floor((last - first) / daysInStep) + 1).fill(0);
    for (const [date, events] of this.#perDay) {
      const step = Math.floor((date - first) / daysInStep);
      steps[step] = (steps[step] ?? 0) + events;
    }
    return steps;
  }
}

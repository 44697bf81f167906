/** The progress of a run over targets, with its rate and the time left. */
import { counted, formatCount, timeText } from '../../output/amounts.ts';
import type { OutcomeSummary } from '../each/outcomes.ts';

export class RunProgress {
  readonly #total: number;
  readonly #summary: OutcomeSummary;
  readonly #now: () => number;
  readonly #start: number;

  /** `now` counts milliseconds. */
  constructor(total: number, summary: OutcomeSummary, now: () => number) {
    this.#total = total;
    this.#summary = summary;
    this.#now = now;
    this.#start = now();
  }

  /** The time that the run has taken, such as `31 min`. */
  get elapsed(): string {
    return timeText(this.#seconds);
  }

  /** Returns the line that a terminal shows: `120 of 2,310 targets, 18/s, 2 min left, 1 failed`. */
  line(): string {
    const { total: ended, skipped, failures } = this.#summary;
    const parts = [`${formatCount(ended)} of ${counted(this.#total, 'target')}`];
    const seconds = this.#seconds;
    // Skipped targets take no time.
    const rate = seconds > 0 ? (ended - skipped) / seconds : 0;
    if (rate > 0) parts.push(rateText(rate), `${timeText((this.#total - ended) / rate)} left`);
    if (failures > 0) parts.push(`${formatCount(failures)} failed`);
    return parts.join(', ');
  }

  get #seconds(): number {
    return (this.#now() - this.#start) / 1000;
  }
}

const rateText = (perSecond: number) =>
  perSecond >= 2 ? `${formatCount(Math.round(perSecond))}/s` : `${formatCount(Math.round(perSecond * 60))}/min`;

/** What can go wrong in a run over many targets, beside what a client meets. */

/** A journal that cannot be used: damaged, of another run, or in use. Nothing was sent. */
export class JournalError extends Error {
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.name = 'JournalError';
    this.advice = advice;
  }
}

/** A write without a response of which looking at the platform does not tell whether it happened. It is not sent again. */
export class UnverifiedWriteError extends Error {
  constructor(step: string) {
    super(`Whether ${step} happened is not known, so it was not sent again`);
    this.name = 'UnverifiedWriteError';
  }
}

/** Errors of a run over many targets, in addition to the client's. */

/** A journal that cannot be used: damaged, of another run, or in use. Nothing was sent. */
export class JournalError extends Error {
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.name = 'JournalError';
    this.advice = advice;
  }
}

/** A write without a response whose outcome cannot be read from the platform. It is not sent again. */
export class UnverifiedWriteError extends Error {
  constructor(step: string) {
    super(`Whether ${step} happened is not known, so it was not sent again`);
    this.name = 'UnverifiedWriteError';
  }
}

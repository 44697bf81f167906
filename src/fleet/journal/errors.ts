/** A journal that cannot be used: damaged, of another run, or in use. Nothing was sent. */
export class JournalError extends Error {
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.name = 'JournalError';
    this.advice = advice;
  }
}

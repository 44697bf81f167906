/** A value that a setting does not take. The message names the setting and what is allowed. */
export class BadSetting extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadSetting';
  }
}

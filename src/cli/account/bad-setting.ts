/** An invalid value of a setting. The message names the setting and the allowed values. */
export class BadSetting extends Error {}

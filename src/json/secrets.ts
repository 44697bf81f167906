/** Detects secrets in JSON: names of members, and parameters of signed URLs. */

/** Replaces masked secrets. */
export const secretMask = '********';

/**
 * Names of members whose text is a secret, also as the last words of a longer name (`temp_clone_token`, `webhook-secret`,
 * `accessToken`). A public `key`, a `key_id`, `secret_type` or `secret_scanning` is not.
 */
export const secretNames = [
  'token',
  'secret',
  'password',
  'passwd',
  'passphrase',
  'credential',
  'credentials',
  'private_key',
  'signing_key',
  'access_key',
  'api_key',
  'apikey',
  'pem',
  'authorization',
  'encrypted_value',
  'encoded_jit_config',
] as const;

/**
 * Query parameters that grant access by themselves, beside those with the name of a secret: storage signatures (AWS,
 * Google, Azure's `sig`). Case-insensitive. Without them, expiry and permission parameters are not secret.
 */
export const secretQueryParameters = [
  'X-Amz-Signature',
  'X-Amz-Credential',
  'X-Amz-Security-Token',
  'X-Goog-Signature',
  'X-Goog-Credential',
  'AWSAccessKeyId',
  'Signature',
  'sig',
  'jwt',
] as const;

const secretName = new RegExp(`(?:^|[_-])(?:${secretNames.join('|').replaceAll('_', '[_-]')})$`, 'i');

/** The parameters that are secret. A platform may encode the underscores of names. */
const secretParameters = `(?:(?:[\\w-]*?(?:[_-]|%5f))?(?:${secretNames.join('|').replaceAll('_', '(?:[_-]|%5f)')})|${secretQueryParameters.join('|')})`;

/** A signing parameter in a URL; masking keeps the first group. */
export const secretParameter = new RegExp(`([?&;#]${secretParameters}=)[^&#\\s"'<>()]+`, 'gi');

/**
 * The password in a URL's authority; masking keeps the first group. As in URL parsers, the last `@` precedes the host.
 */
const urlPassword = /(:\/\/[^\s/?#:]*:)[^\s/?#]+(?=@)/g;

/** A user name in a URL without a password, if it is long enough for a token; masking keeps the first group. */
export const urlToken = /(:\/\/)[^\s/?#:@"]{20,}(?=@)/g;

/** Whether a member of this name is a secret. */
export const isSecretName = (name: string): boolean =>
  secretName.test(name) || secretName.test(name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_'));

/** Headers whose values are shown: those that describe the content. Any other may carry a key. */
const shownHeader = /^(?:accept|content-type|x-[\w-]*api-version)$/i;

/** Returns the value of a header as it may be shown. */
export const maskHeader = (name: string, value: string): string =>
  shownHeader.test(name) || value.endsWith(secretMask) ? value : secretMask;

/** Masks the signing parameters and passwords of URLs in any text. */
export function maskUrlSecrets(text: string): string {
  const shown = text.includes('=') ? text.replace(secretParameter, `$1${secretMask}`) : text;
  return shown.includes('@')
    ? shown.replace(urlPassword, `$1${secretMask}`).replace(urlToken, `$1${secretMask}`)
    : shown;
}

/** Whether `maskUrlSecrets` would mask something. */
export const containsUrlSecret = (text: string): boolean =>
  [secretParameter, urlPassword, urlToken].some((place) => text.search(place) !== -1);

/** Whether a text contains masked secrets: as a whole, or in a URL. */
export const isMasked = (text: string): boolean =>
  text === secretMask || (text.includes(secretMask) && maskedInUrl.test(text));

const maskedInUrl = new RegExp(`[?&;#]${secretParameters}=[*]{8}|://(?:[^\\s/?#:]*:)?[*]{8}@`, 'i');

/** Detects secrets in JSON: names of fields, parameters of signed URLs, and private keys. */

/** Replaces masked secrets. */
export const secretMask = '********';

/**
 * Names of fields whose text is a secret, also as the last words of a longer name (`temp_clone_token`, `webhook-secret`,
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

/** Names after any other character, such as in `config[secret]` and `client.secret`. */
const secretName = new RegExp(`(?:^|[^a-z\\d])(?:${secretNames.join('|').replaceAll('_', '[^a-z\\d]?')})\\]*$`, 'i');

/**
 * The parameters that are secret, also as `config[secret]`, `secret[value]` or `refreshToken`. A platform may encode the
 * other characters of names. What follows the name of a secret is limited, so that long texts take linear time.
 * Words of names may be joined, as in `accessKey`.
 */
const secretParameters = `(?:(?:(?!%(?:3f|26|3b|23))[\\w.%[\\]:+/~$!*()@',|-])*?(?:${secretNames.join('|').replaceAll('_', '(?:[_.+-]|%[\\da-f]{2})?')})(?:(?:\\[|\\]|%5b|%5d)[\\w.-]{0,40}){0,20}|${secretQueryParameters.join('|')})`;

/** Starts a parameter; the encoded characters are those of a URL within another one. */
const parameterStart = '(?:[?&;#]|%(?:3f|26|3b|23))';

/**
 * A signing parameter in a URL; masking keeps the first group. URLs may contain quotes and parentheses, but text around them
 * may, too: those at the end are no part of the value.
 */
export const secretParameter = new RegExp(
  `(${parameterStart}${secretParameters}(?:=|%3d))[^&#\\s"<>]*[^&#\\s"'<>(),.;]`,
  'gi',
);

/**
 * The password in a URL's authority; masking keeps the first group. As in URL parsers, the last `@` precedes the host.
 */
const urlPassword = /(\/\/[^\s/?#:]*:)[^\s/?#]+(?=@)/g;

/** A user name in a URL without a password, if it is long enough for a token; masking keeps the first group. */
export const urlToken = /(\/\/)[^\s/?#:@"]{20,}(?=@)/g;

/** The same two in a URL within another one, whose slashes are encoded; masking keeps the first group. */
const encodedUser = String.raw`(?:(?!%(?:2f|3a|3f|23|40))[^\s/?#&:@"])`;
const encodedUserInfo = new RegExp(
  String.raw`(%2f%2f(?:${encodedUser}*(?::|%3a)|(?=${encodedUser}{20,}(?:@|%40))))(?:(?!%(?:2f|3f|23))[^\s/?#&"])+(?=@|%40)`,
  'gi',
);

/** Whether a field of this name is a secret. */
export const isSecretName = (name: string): boolean =>
  secretName.test(name) || secretName.test(name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_'));

const mediaType = String.raw`[\w.+*-]+/[\w.+*-]+(?: *; *(?:q|charset|boundary|version)="?[\w.-]{1,70}"?)*`;

/** Headers whose values are shown: those that describe the content, with media types or a version. Any other may carry a key. */
const shownHeader = new RegExp(
  String.raw`^(?:(?:accept|content-type): *${mediaType}(?: *, *${mediaType})*|x-[\w-]*api-version: *[\w.-]{1,20})$`,
  'i',
);

/** A value that is masked already. */
const maskedHeader = /^(?:Bearer )?\*{8}$/;

/** As forgectl sets it; a value of the user may carry a key. */
const ownUserAgent = /^user-agent: forgectl\/\d[\w.-]*$/i;

/** Returns the value of a header of a request as it may be shown. */
export const maskHeader = (name: string, value: string): string =>
  maskedHeader.test(value) || [shownHeader, ownUserAgent].some((shown) => shown.test(`${name}: ${value}`))
    ? value
    : secretMask;

/** Returns the line of a header of a response, whose value is masked if it has the name of a secret. */
export const responseHeader = (name: string, value: string): string =>
  `${name}: ${isSecretName(name) && value ? secretMask : value}`;

/** A private key in PEM, or of OpenPGP, up to its last line or the end of the text; masking keeps the first group. */
export const privateKey = /(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----).+?(?=-----END|$)/gs;

/** What every private key in PEM, and every one of OpenPGP, contains. */
export const privateKeyMark = 'PRIVATE KEY';

/** Masks the signing parameters and passwords of URLs, and private keys, in any text. */
export function maskTextSecrets(text: string): string {
  let shown = text;
  const isEncoded = text.includes('%');
  if (isEncoded || text.includes('=')) shown = shown.replace(secretParameter, `$1${secretMask}`);
  if (isEncoded || text.includes('@'))
    for (const pattern of [urlPassword, urlToken, encodedUserInfo]) shown = shown.replace(pattern, `$1${secretMask}`);
  return shown.includes(privateKeyMark) ? shown.replace(privateKey, `$1${secretMask}`) : shown;
}

/** In each, the first group is no secret. */
const textPatterns = [secretParameter, urlPassword, urlToken, encodedUserInfo, privateKey];

/** Whether `maskTextSecrets` would mask something. */
export const containsTextSecret = (text: string): boolean => textPatterns.some((place) => text.search(place) !== -1);

/** Returns what `maskTextSecrets` masks. */
export const textSecrets = (text: string): string[] =>
  textPatterns.flatMap((place) => Array.from(text.matchAll(place), ([whole, kept = '']) => whole.slice(kept.length)));

/** Whether a text contains masked secrets: as a whole, in a URL, or as a private key. */
export const isMasked = (text: string): boolean =>
  text === secretMask || (text.includes(secretMask) && maskedInText.test(text));

const maskedInText = new RegExp(
  `${parameterStart}${secretParameters}(?:=|%3d)[*]{8}|(?://|%2f%2f)(?:[^\\s/?#:]*(?::|%3a))?[*]{8}(?:@|%40)|${privateKeyMark}(?: BLOCK)?-----[*]{8}`,
  'i',
);

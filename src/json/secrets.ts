/** Detects secrets in JSON: names of fields, parameters of signed URLs, and private keys. */

import { type Range, withMasks } from './ranges.ts';

/** Replaces masked secrets. */
export const secretMask = '********';

/**
 * Names of fields whose text is a secret, also at the end of a longer name (`temp_clone_token`, `webhook-secret`,
 * `accessToken`), whatever joins the words. A public `key`, a `key_id`, `secret_type`, `secret_scanning` or `tokens` is not.
 */
export const secretNames = [
  'token',
  'auth_token',
  'secret',
  'secret_key',
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

/** Names before any other characters, such as in `config[secret]`, and after any: words may be joined without a sign of it. */
const secretName = new RegExp(`(?:${secretNames.join('|').replaceAll('_', '[^a-z\\d]*')})[^a-z\\d]*$`, 'i');

const secretQueryParameter = new RegExp(`^[^a-z\\d]*(?:${secretQueryParameters.join('|')})[^a-z\\d]*$`, 'i');

/**
 * Starts a parameter; encoded characters are those of a URL within another one. In a word of a command line, a name may
 * contain anything, but prose has white space before it.
 */
const parameterStart = /[?&;#]|%(?:3f|26|3b|23)/gi;

const parameterStartInWord = /[?&;](?!\s)|#(?=[^\s#=]*?=)|%(?:3f|26|3b|23)/gi;

/** Ends its name. */
const nameEnd = /=|[\s?&;#"<>]|%(?:3f|26|3b|23)|$/gi;

const nameEndInWord = /=|[?&;#]|%(?:3f|26|3b|23)|$/gi;

/** URLs may contain quotes and parentheses, but text around them may, too: those at the end are no part of the value. */
const valueInText = /[^&#\s"<>]*[^&#\s"'<>(),.;]/y;

const valueInWord = /[^&#]+/y;

/**
 * Where a URL is. In a word of a command line, it may contain characters that would end it in other text; a message may be
 * JSON, in which a quotation mark ends it.
 */
export type Context = 'text' | 'word' | 'message';

/** Yields the values of parameters that are secret, also as `secret[value]`. */
function* secretParametersIn(text: string, context: Context = 'text'): Generator<Range> {
  const [opening, nameEnds, value] =
    context === 'word' ? [parameterStartInWord, nameEndInWord, valueInWord] : [parameterStart, nameEnd, valueInText];
  let end = 0;
  for (const { index, 0: mark } of text.matchAll(opening)) {
    // The value of an earlier one may look like others.
    if (index < end) continue;
    const start = index + mark.length;
    nameEnds.lastIndex = start;
    const { index: last, 0: sign } = nameEnds.exec(text) as RegExpExecArray;
    const length = endOfSecretName(text.slice(start, sign === '=' ? last + 1 : last));
    if (length === undefined) continue;
    value.lastIndex = start + length;
    end = start + length + (value.exec(text)?.[0].length ?? 0);
    if (end > start + length) yield { start: start + length, end };
  }
}

/** Returns the offset after the sign that ends the name of a secret: `=`, or encoded, of a URL within another one. */
function endOfSecretName(text: string): number | undefined {
  let from = 0;
  for (const { index, 0: sign } of text.matchAll(/=|%3d/gi)) {
    if (isSecretParameter(text.slice(from, index))) return index + sign.length;
    from = index + sign.length;
  }
  return undefined;
}

/** A platform may encode names, even twice. */
function isSecretParameter(name: string): boolean {
  const plain = name.replace(/%(?:25)*([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.split(/[[\]]/).some((part) => isSecretName(part) || secretQueryParameter.test(part));
}

/** Starts an authority; it is encoded in a URL within another one. */
const authorityStart = /\/\/|%2f%2f/gi;

const encodedAuthorityEnd = /[\s/?#&"]|%(?:2f|3f|23)|$/gi;

/** A user name with this password is a token. */
const noPassword = /^x-oauth-basic$/i;

/** A user name without a password that is long enough for a token. */
const longUser = /^[^@"]{20}/;

/**
 * Yields passwords of URLs, and user names that are tokens. In a word of a command line, those of web addresses without a
 * password are, and all with an empty one.
 */
function* userInfoIn(text: string, context: Context = 'text'): Generator<Range> {
  for (const { index, 0: opening } of text.matchAll(authorityStart)) {
    const start = index + opening.length;
    const isEncoded = opening !== '//';
    const ending = isEncoded ? encodedAuthorityEnd : context === 'message' ? /[\s/?#"]|$/g : /[\s/?#]|$/g;
    ending.lastIndex = start;
    const authority = text.slice(start, ending.exec(text)?.index);
    // As in URL parsers, the last `@` precedes the host.
    const host = Math.max(authority.lastIndexOf('@'), isEncoded ? authority.lastIndexOf('%40') : -1);
    const info = authority.slice(0, Math.max(host, 0));
    const [user = '', colon = '', password = ''] = info.split(isEncoded ? /(:|%3a)(.*)/is : /(:)(.*)/s);
    const standsAlone = colon !== '' || /https?(?::|%3a)$/i.test(text.slice(Math.max(index - 8, 0), index));
    const isToken =
      password === ''
        ? longUser.test(user) || user === secretMask || (context === 'word' && standsAlone)
        : noPassword.test(password);
    if (isToken && user !== '') yield { start, end: start + user.length };
    if (password !== '') yield { start: start + user.length + colon.length, end: start + info.length };
  }
}

/** Yields the secrets in URLs: parameters, passwords, and user names that are tokens. */
export function* urlSecretsIn(text: string, context?: Context): Generator<Range> {
  const isEncoded = text.includes('%');
  if (isEncoded || text.includes('=')) yield* secretParametersIn(text, context);
  if (isEncoded || text.includes('@')) yield* userInfoIn(text, context);
}

/** Whether a field of this name is a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);

const mediaType = String.raw`[\w.+*-]+/[\w.+*-]+(?: *; *(?:q|charset|boundary|version)="?[\w.-]{1,70}"?)*`;

/** Headers whose values are shown: those that describe the content, with media types or a version. Any other may carry a key. */
const shownHeader = new RegExp(
  String.raw`^(?:(?:accept|content-type): *${mediaType}(?: *, *${mediaType})*|x-[\w-]*api-version: *\d{4}-\d\d-\d\d)$`,
  'i',
);

/** A value that is masked already. */
const maskedHeader = /^(?:Bearer )?\*{8}$/;

/** As forgectl sets it, with only a version; a value of the user may carry a key. */
const ownUserAgent = /^user-agent: forgectl\/\d{1,3}\.\d{1,3}\.\d{1,3}$/i;

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

/** Yields the signing parameters and passwords of URLs, and private keys. */
function* textSecretsIn(text: string, context?: Context): Generator<Range> {
  yield* urlSecretsIn(text, context);
  if (!text.includes(privateKeyMark)) return;
  for (const { index, 0: whole, 1: kept = '' } of text.matchAll(privateKey))
    yield { start: index + kept.length, end: index + whole.length };
}

/** Most texts contain none of what every such secret has. */
const mayBeSecret = (text: string): boolean =>
  text.includes('=') || text.includes('@') || text.includes('%') || text.includes(privateKeyMark);

/** Masks the signing parameters and passwords of URLs, and private keys, in any text. */
export const maskTextSecrets = (text: string, context?: Context): string =>
  mayBeSecret(text) ? withMasks(text, textSecretsIn(text, context), secretMask) : text;

/** Whether `maskTextSecrets` would mask something. */
export const containsTextSecret = (text: string): boolean => mayBeSecret(text) && !textSecretsIn(text).next().done;

/** Returns what `maskTextSecrets` masks. */
export const textSecrets = (text: string, context?: Context): string[] =>
  Array.from(textSecretsIn(text, context), ({ start, end }) => text.slice(start, end));

/** Whether a text contains masked secrets: as a whole, in a URL, or as a private key. */
export const isMasked = (text: string): boolean =>
  text === secretMask ||
  (text.includes(secretMask) && [...textSecretsIn(text)].some(({ start }) => text.startsWith(secretMask, start)));

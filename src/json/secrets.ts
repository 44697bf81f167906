/** What of JSON is a secret by its name or place: names of members, and parameters of signed URLs. */

/** What stands in a secret's place wherever it is masked. */
export const secretMask = '********';

/**
 * Names of members whose text is a secret. A longer name that ends in one of them after an underscore counts too
 * (`temp_clone_token`, `webhook_secret`). A public `key`, a `key_id`, `secret_type` or `secret_scanning` does not.
 */
export const secretNames = [
  'token',
  'secret',
  'password',
  'passphrase',
  'credential',
  'credentials',
  'private_key',
  'signing_key',
  'access_key',
  'api_key',
  'pem',
  'authorization',
  'encrypted_value',
  'encoded_jit_config',
] as const;

/**
 * Query parameters by which a URL alone opens what it points to: storage signatures (AWS, Google, Azure's `sig`) and
 * tokens. Compared without regard to case. Expiry and permission parameters beside them are no secret without them.
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
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'private_token',
  'api_key',
  'jwt',
] as const;

const secretName = new RegExp(`(?:^|_)(?:${secretNames.join('|')})$`, 'i');

/** A signing parameter in a URL; the first group stays when its value is masked. */
export const secretParameter = new RegExp(`([?&;#](?:${secretQueryParameters.join('|')})=)[^&#\\s"'<>()]+`, 'gi');

/** The password in a URL's authority, in the same way. The last `@` is the one before the host, as URL parsers have it. */
const urlPassword = /(:\/\/[^\s/?#:]*:)[^\s/?#]+(?=@)/g;

/** Whether the text of a member of this name is a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** Masks the signing parameters and passwords of URLs in any text. */
export function maskUrlSecrets(text: string): string {
  const shown = text.includes('=') ? text.replace(secretParameter, `$1${secretMask}`) : text;
  return shown.includes('@') ? shown.replace(urlPassword, `$1${secretMask}`) : shown;
}

/** Whether `maskUrlSecrets` would mask something. */
export const holdsUrlSecret = (text: string): boolean =>
  text.search(secretParameter) !== -1 || text.search(urlPassword) !== -1;

/** Whether a text was masked when it was printed: the whole of it, or a part of a URL. */
export const isMasked = (text: string): boolean =>
  text === secretMask || (text.includes(secretMask) && maskedInUrl.test(text));

const maskedInUrl = new RegExp(`[?&;#](?:${secretQueryParameters.join('|')})=[*]{8}|://[^\\s/?#:]*:[*]{8}@`, 'i');

/** What in the platform's answers is a secret: names of members, and parameters of signed URLs. */

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

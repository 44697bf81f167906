/** The secrets of private registries: policies and plans name their sources, and only an apply reads them. */
import { isUtf8 } from 'node:buffer';
import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { type SealedSecret, seal, startsWithByteOrderMark, withoutNewline } from '../../../client/seal.ts';
import { readRegularFile, UnsuitableFileError } from '../../../disk/regular-file.ts';
import { whyUnreadable } from '../../../disk/system-errors.ts';
import { ownMember } from '../../../json/exact-json.ts';
import { getRegistryPublicKey } from '../../../platform/endpoints/registries.ts';
import { SecretError } from '../errors.ts';
import type { PlannedChange } from '../live/change.ts';
import type { SecretReference } from '../wanted/model.ts';
import type { SecretLocation } from '../wanted/secret-sources.ts';

/** Returns the secret of a reference. */
export type Secrets = (reference: SecretReference) => Uint8Array;

/** Returns why a secret may not come from a source; undefined if it may. */
type WhyNot = (location: SecretLocation) => string | undefined;

/**
 * Reads the secrets of changes from environment variables and files; a file loses one trailing newline. Throws SecretError
 * with everything that cannot be read, and for the credentials of forgectl itself.
 */
export async function readSecrets(
  changes: readonly PlannedChange[],
  env: NodeJS.ProcessEnv,
  whyNot: WhyNot,
): Promise<Secrets> {
  const references = new Map(changes.flatMap(({ secret }) => (secret ? [[nameOf(secret), secret] as const] : [])));
  const secrets = new Map<string, Uint8Array>();
  const problems: string[] = [];
  for (const [name, reference] of references) {
    const read = whyNot(reference) ?? readSource(reference, env, whyNot);
    if (typeof read === 'string') problems.push(problemOf(reference, read));
    else secrets.set(name, read);
  }
  if (problems.length) throw new SecretError(problems.sort(byLine.compare));
  return (reference) => secrets.get(nameOf(reference)) as Uint8Array;
}

/** Throws SecretError if a saved plan, which may have any source, takes a secret from one that is not allowed. */
export function requireSources(changes: readonly PlannedChange[], whyNot: WhyNot): void {
  const problems = changes.flatMap(({ secret }) => {
    const why = secret && whyNot(secret);
    return why === undefined ? [] : [problemOf(secret as SecretReference, why)];
  });
  if (problems.length) throw new SecretError([...new Set(problems)].sort(byLine.compare));
}

/** Each problem is one line, whatever the file of a plan says of its source. */
const problemOf = (reference: SecretReference, why: string): string =>
  `${reference.source.replaceAll(/\p{Cc}/gu, ' ')}: ${nameOf(reference)} ${why}`;

/** Line 9 before line 10. */
const byLine = new Intl.Collator('en', { numeric: true });

const nameOf = (reference: SecretReference): string =>
  'env' in reference ? `environment variable ${reference.env}` : `file ${reference.file}`;

const readSource = (reference: SecretReference, env: NodeJS.ProcessEnv, whyNot: WhyNot) =>
  'env' in reference ? fromEnvironment(env, reference.env) : fromFile(reference.file, whyNot);

/** Returns the secret, or why there is none. Node replaces bytes that are not UTF-8 with U+FFFD. */
function fromEnvironment(env: NodeJS.ProcessEnv, name: string): Uint8Array | string {
  // A plain `env.toString` is a function.
  const value = ownMember(env, name);
  if (value?.includes('\uFFFD')) return 'contains bytes that are not UTF-8, or U+FFFD';
  return value ? Buffer.from(value) : `is ${value === undefined ? 'not set' : 'empty'}`;
}

/** In bytes. */
const largestSecret = 64 * 1024;

/**
 * The first line of a private key, which may follow a certificate or a remark. A JSON file with a key in it, as cloud services
 * give them for their registries, has no such line.
 */
const keyLine = /^[^\S\r\n]*-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/m;

/** Returns the secret, or why there is none. Secrets are often mounted as links. */
function fromFile(path: string, whyNot: WhyNot): Uint8Array | string {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path, largestSecret, (file) => {
      const why = whyNot({ file });
      if (why !== undefined) throw new UnsuitableFileError(why);
    });
  } catch (error) {
    if (error instanceof UnsuitableFileError) return error.message;
    return `cannot be read: ${whyUnreadable(error) ?? 'unknown error'}`;
  }
  if (!isUtf8(bytes)) return 'is not UTF-8 text';
  if (startsWithByteOrderMark(bytes)) return 'starts with a byte order mark';
  // A sign command can name the key of an app in any way.
  if (keyLine.test(bytes.toString('latin1'))) return 'is a private key';
  const secret = withoutNewline(bytes);
  return secret.length === 0 ? 'is empty' : secret;
}

/**
 * Seals a secret with the current key of an organization and sends it. If the platform refuses it because it has changed the
 * key, seals it with the new one. Throws what the client throws, and PublicKeyError.
 */
export async function sendSealed<T>(
  secret: Uint8Array,
  org: string,
  client: Client,
  send: (sealed: SealedSecret) => Promise<T>,
): Promise<T> {
  const sealed = async () => {
    const { data } = await client.send(client.plan(getRegistryPublicKey, { path: { org } }));
    return seal(data, secret);
  };
  const first = await sealed();
  try {
    return await send(first);
  } catch (error) {
    if (!(error instanceof ApiError) || error.refusal.status !== 422) throw error;
    const second = await sealed();
    if (second.key_id === first.key_id) throw error;
    return send(second);
  }
}

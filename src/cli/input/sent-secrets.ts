/** The secrets in the body of a request, which dry runs show and responses may repeat. */
import { secretsInText } from '../../client/redact.ts';
import { withoutEscapes } from '../../client/unescaped.ts';
import { textSecrets } from '../../json/secrets.ts';
import { isSecretField } from './masked-words.ts';

/**
 * Returns the texts and numbers below the name of a secret, such as the value of a custom property of that name, and the
 * secrets in other texts: those in URLs, private keys, and those that their context reveals.
 */
export function secretsInValue(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret ? [value] : secretsOfText(value);
  if (typeof value === 'number') return isSecret ? [String(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  const { property_name: property } = value as { readonly property_name?: unknown };
  const isSecretToo = isSecret || (typeof property === 'string' && isSecretField(property));
  return Object.entries(value).flatMap(([name, member]) =>
    secretsInValue(member, name === 'property_name' ? isSecret : isSecretToo || isSecretField(name)),
  );
}

/** Returns secrets also without escapes, as responses may repeat them. */
function secretsOfText(text: string): string[] {
  const found = [...secretsInText(text), ...textSecrets(text, 'word')];
  return found.flatMap((secret) => [secret, withoutEscapes(secret)?.text ?? []].flat());
}

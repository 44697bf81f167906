/** Secrets in the open, which policies must not contain. */
import { containsSecrets } from '../../../client/redact.ts';
import { containsTextSecret, isSecretName } from '../../../json/secrets.ts';

/** Returns whether plans would mask a text or, after a mark at its end, what follows it. */
export const isMaskedText = (text: string): boolean => containsTextSecret(`${text}.`) || containsSecrets(text);

/** Returns whether a value is a secret, judged by the name of its field or by its contents. */
export function openSecretIn(name: string, value: unknown): 'field' | 'text' | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (isSecretName(name)) return 'field';
  return typeof value === 'string' && isMaskedText(value) ? 'text' : undefined;
}

/** Returns whether a value, or one at any depth in it, is such a secret. */
export function containsOpenSecret(value: unknown, name = ''): boolean {
  if (typeof value !== 'object' || value === null) return openSecretIn(name, value) !== undefined;
  // The elements of a list have its name.
  return Object.entries(value).some(([field, part]) => containsOpenSecret(part, Array.isArray(value) ? name : field));
}

/** The secrets of a request, which responses may repeat. */
import { isSecretField } from '../../cli/input/masked-words.ts';
import type { RawRequest } from '../../client/raw-request.ts';
import { secretsInText } from '../../client/redact.ts';
import { withoutEscapes } from '../../client/unescaped.ts';
import { maskHeader, textSecrets } from '../../json/secrets.ts';

/** Headers whose values are masked although they are not secrets: responses may contain them. */
const describingHeader = /^(?:accept-.*|content-.*|if-.*|cache-control|prefer|range)$/i;

/**
 * Returns the values of headers that do not describe the content, the text of fields with the name of a secret, also from
 * files and standard input, and the secrets in URLs and private keys.
 */
export function secretsOf({ path, headers = {}, query, body, text = '' }: RawRequest): string[] {
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) =>
    maskHeader(name, value) === value || describingHeader.test(name) ? [] : secretsOfHeader(value),
  );
  // Text may be a form.
  return [...ofHeaders, ...secretsIn([path, query, body, `?${text}`])];
}

/** Responses may repeat one of several values, and each without a scheme such as `Bearer`, or without the name of a parameter. */
function secretsOfHeader(value: string): string[] {
  const values = [value, ...value.split(', '), ...value.split(/[,;]/)].map((each) => each.trim());
  const bare = (each: string) => [each, each.replace(/^\S+\s+/, ''), each.replace(/^[^=]*=/, '').replace(/^"|"$/g, '')];
  return [...new Set(values.flatMap(bare))];
}

function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret ? [value] : secretsOfText(value);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => secretsIn(member, isSecret || isSecretField(name)));
}

/** Returns secrets also without escapes, as responses may repeat them. */
function secretsOfText(text: string): string[] {
  const found = [...secretsInText(text), ...textSecrets(text, 'word')];
  return found.flatMap((secret) => [secret, withoutEscapes(secret)?.text ?? []].flat());
}

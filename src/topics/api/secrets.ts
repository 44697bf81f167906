/** The secrets of a request, which responses may repeat. */
import { secretsInValue } from '../../cli/input/sent-secrets.ts';
import type { RawRequest } from '../../client/raw-request.ts';
import { maskHeader } from '../../json/secrets.ts';

/** Headers whose values are masked although they are not secrets: responses may contain them. */
const describingHeader = /^(?:accept-.*|content-.*|if-.*|cache-control|prefer|range)$/i;

/**
 * Returns the values of headers that do not describe the content, the texts and numbers of fields with the name of a secret, also
 * from files and standard input, and the secrets in URLs and private keys.
 */
export function secretsOf({ path, headers = {}, query, body, text = '' }: RawRequest): string[] {
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) =>
    maskHeader(name, value) === value || describingHeader.test(name) ? [] : secretsOfHeader(value),
  );
  // Text may be a form.
  return [...ofHeaders, ...secretsInValue([path, query, body, `?${text}`])];
}

/** Responses may repeat one of several values, and each without a scheme such as `Bearer`, or without the name of a parameter. */
function secretsOfHeader(value: string): string[] {
  const values = [value, ...value.split(', '), ...value.split(/[,;]/)].map((each) => each.trim());
  const bare = (each: string) => [each, each.replace(/^\S+\s+/, ''), each.replace(/^[^=]*=/, '').replace(/^"|"$/g, '')];
  return [...new Set(values.flatMap(bare))];
}

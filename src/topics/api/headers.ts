/** The `-H` and `-p` flags of `api`, and the headers that `-i` prints. */
import type { ApiResponse } from '../../client/client.ts';
import { responseHeader } from '../../json/secrets.ts';
import { invalid, type Problem } from '../../platform/validate.ts';

/** Platforms, and proxies before them, may take the method from a header. */
const methodHeader = /^x-(?:http-)?method(?:-override)?$/i;

/**
 * Parses `Name: value` pairs. Repeated headers become one list. A header that replaces the method is a problem: what is
 * confirmed depends on the method. Messages omit the values, which may be secret.
 */
export function apiHeaders(typed: readonly string[] = []): { headers: Record<string, string>; problems: Problem[] } {
  const headers: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const text of typed) {
    const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+):(.*)$/s.exec(text) ?? [];
    if (name === undefined) problems.push(invalid('--header', 'must have the form Name: value'));
    else if (methodHeader.test(name)) problems.push(invalid('--header', `must not contain ${name}; use --method`));
    else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      problems.push(invalid('--header', `${name} contains characters that are not allowed in headers`));
    else {
      const same = Object.keys(headers).find((other) => other.toLowerCase() === name.toLowerCase()) ?? name;
      headers[same] = headers[same] === undefined ? value.trim() : `${headers[same]}, ${value.trim()}`;
    }
  }
  return { headers, problems };
}

/** Returns the names of previews; one text may have several, separated by commas. */
export function previewNames(typed: readonly string[] = []): { previews: string[]; problems: Problem[] } {
  const previews = typed.flatMap((text) => text.split(',')).map((name) => name.trim());
  const isName = (name: string) => /^[a-z0-9-]+$/i.test(name);
  const problems = previews.every(isName)
    ? []
    : [invalid('--preview', 'must be a preview name such as mercy, or several separated by commas')];
  return { previews, problems };
}

/** The text is not escaped. */
export function headerText({ status, headers }: ApiResponse<unknown>): string {
  const lines = Object.entries(headers).map(([name, value]) => responseHeader(name, value));
  return `${[`HTTP ${status}`, ...lines].join('\n')}\n\n`;
}

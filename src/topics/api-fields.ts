/** The `-f`, `-F` and `-H` flags of `api`. */
import type { Readable } from 'node:stream';
import { readJson } from '../cli/input/typed-fields.ts';
import { BadValue, NotJson } from '../cli/input/values.ts';
import { invalid, type Problem } from '../platform/validate.ts';

interface ApiFields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/** Parses `name=text` and `name=JSON` pairs; JSON may come from a file. The last value of a repeated name wins. */
export async function apiFields(
  texts: readonly string[] = [],
  jsons: readonly string[] = [],
  stdin: Readable,
): Promise<ApiFields> {
  const problems: Problem[] = [];
  const entries: [string, unknown][] = [];
  for (const typed of texts) {
    const pair = split(typed, '=');
    if (pair) entries.push(pair);
    else problems.push(invalid('--raw-field', 'must have the form name=value'));
  }
  for (const typed of jsons) {
    const pair = split(typed, '=');
    if (!pair) problems.push(invalid('--field', 'must have the form name=JSON'));
    else {
      const [name, json] = pair;
      try {
        entries.push([name, await readJson(json, stdin)]);
      } catch (error) {
        if (!(error instanceof BadValue)) throw error;
        const advice = error instanceof NotJson ? '; use -f for text without quotes' : '';
        problems.push(invalid('--field', `${name} ${error.message}${advice}`));
      }
    }
  }
  return { values: Object.fromEntries(entries), problems };
}

/** Parses `Name: value` pairs. Messages omit the values, which may be secret. */
export function apiHeaders(typed: readonly string[] = []): { headers: Record<string, string>; problems: Problem[] } {
  const pairs = typed.map((text) => split(text, ':'));
  const good = pairs.filter((pair) => pair !== undefined && /^[\w!#$%&'*+.^`|~-]+$/.test(pair[0]));
  const headers = Object.fromEntries((good as [string, string][]).map(([name, value]) => [name, value.trim()]));
  const problems = good.length === typed.length ? [] : [invalid('--header', 'must have the form Name: value')];
  return { headers, problems };
}

function split(text: string, separator: string): [string, string] | undefined {
  const at = text.indexOf(separator);
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)];
}

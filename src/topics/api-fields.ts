/** The `-f`, `-F` and `-H` of `api`: values for a request that no command declares. */
import type { Readable } from 'node:stream';
import { readJson } from '../cli/input/typed-fields.ts';
import { BadValue, NotJson } from '../cli/input/values.ts';
import { invalid, type Problem } from '../platform/validate.ts';

interface ApiFields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/** Reads `name=text` and `name=JSON` pairs, of which JSON may be in a file. A name that is given twice keeps its last value. */
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
    else problems.push(invalid('--raw-field', 'must be written name=value'));
  }
  for (const typed of jsons) {
    const pair = split(typed, '=');
    if (!pair) problems.push(invalid('--field', 'must be written name=JSON'));
    else {
      const [name, json] = pair;
      try {
        entries.push([name, await readJson(json, stdin)]);
      } catch (error) {
        if (!(error instanceof BadValue)) throw error;
        const advice = error instanceof NotJson ? '; text without quotes goes with -f' : '';
        problems.push(invalid('--field', `${name} ${error.message}${advice}`));
      }
    }
  }
  return { values: Object.fromEntries(entries), problems };
}

/** Reads `Name: value` pairs. A bad one is told without its value, which may be secret. */
export function apiHeaders(typed: readonly string[] = []): { headers: Record<string, string>; problems: Problem[] } {
  const pairs = typed.map((text) => split(text, ':'));
  const good = pairs.filter((pair) => pair !== undefined && /^[\w!#$%&'*+.^`|~-]+$/.test(pair[0]));
  const headers = Object.fromEntries((good as [string, string][]).map(([name, value]) => [name, value.trim()]));
  const problems = good.length === typed.length ? [] : [invalid('--header', 'must be written Name: value')];
  return { headers, problems };
}

function split(text: string, separator: string): [string, string] | undefined {
  const at = text.indexOf(separator);
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)];
}

/** The fields that `--fields` can name, read off the JSON Schema of what a command prints. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** For each command, by its id, the fields of its record or of the records that it lists; none for what has no schema. */
export function fieldNames(root: string): (id: string) => readonly string[] {
  return (id) => {
    const file = join(root, 'schemas', `${id.replaceAll(':', '-')}.json`);
    if (!existsSync(file)) return [];
    const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
    return [...new Set(namesIn(schema, schema.$defs ?? {}))];
  };
}

function namesIn(
  { $ref, items, anyOf = [], properties = {} }: Schema,
  definitions: Readonly<Record<string, Schema>>,
): string[] {
  const others = [$ref && definitions[$ref.replace('#/$defs/', '')], items, ...anyOf].filter((other) => !!other);
  return [...Object.keys(properties), ...others.flatMap((other) => namesIn(other, definitions))];
}

/** Reads the schema of a declared field, for flags, prompts and messages. */
import type * as v from 'valibot';
import type { FieldNotes } from '../../platform/schema.ts';
import type { Given } from '../../platform/validate.ts';

export type Kind = 'boolean' | 'string' | 'integer' | 'word' | 'strings' | 'integers' | 'json';

/** The properties of a field's schema, found inside its wrappers. */
export interface FieldShape {
  readonly kind: Kind;
  readonly required: boolean;
  readonly description: string;
  readonly notes: FieldNotes;
  /** The words that the field accepts. */
  readonly words: readonly string[];
  /** Limits as shown in help, such as `at most 160 characters`. */
  readonly limits: string;
}

interface Introspected {
  readonly type: string;
  readonly wrapped?: Introspected;
  readonly options?: readonly string[];
  readonly item?: Introspected;
  readonly pipe?: readonly {
    readonly type: string;
    readonly description?: string;
    readonly metadata?: object;
    readonly requirement?: unknown;
  }[];
}

/** Returns a field's kind, words and limits from its schema. */
export function fieldShape(schema: v.GenericSchema): FieldShape {
  let current = schema as unknown as Introspected;
  let required = true;
  let description = '';
  let notes: FieldNotes = {};
  const limits: string[] = [];
  for (;;) {
    for (const action of current.pipe ?? []) {
      description = action.description ?? description;
      notes = { ...notes, ...action.metadata };
    }
    limits.push(...limitsOf(current));
    if (current.type === 'optional') required = false;
    const inner = current.wrapped ?? (current.pipe?.[0] as Introspected | undefined);
    if (!inner || inner === current) break;
    current = inner;
  }
  if (notes.maxCharacters !== undefined) limits.push(`at most ${notes.maxCharacters} characters`);
  return {
    kind: kindOf(current),
    required,
    description,
    notes,
    words: current.options ?? [],
    limits: [...new Set(limits)].join(', '),
  };
}

function kindOf({ type, item }: Introspected): Kind {
  if (type === 'boolean' || type === 'string') return type;
  if (type === 'number') return 'integer';
  if (type === 'picklist') return 'word';
  const element = item?.pipe?.[0] ?? item;
  if (type === 'array' && element?.type === 'string') return 'strings';
  if (type === 'array' && element?.type === 'number') return 'integers';
  return 'json';
}

function limitsOf({ pipe }: Introspected): string[] {
  const limit = (type: string) => pipe?.find((action) => action.type === type)?.requirement as number | undefined;
  const said: string[] = [];
  const longest = limit('max_length');
  const least = limit('min_value');
  const most = limit('max_value');
  if (longest !== undefined) said.push(`at most ${longest}`);
  if (least !== undefined && least > Number.MIN_SAFE_INTEGER && most !== undefined && most < Number.MAX_SAFE_INTEGER)
    said.push(`${least} to ${most}`);
  else if (least !== undefined && least > 1) said.push(`at least ${least}`);
  return said;
}

/** Returns the given fields that the specification calls closing down, with their replacements. */
export function closingDownFields(
  entries: v.ObjectEntries,
  values: Given,
): readonly { name: string; replacement: string }[] {
  return Object.entries(entries).flatMap(([name, schema]) => {
    const replacement = fieldShape(schema as v.GenericSchema).notes.closingDown;
    return replacement && values[name] !== undefined ? [{ name, replacement }] : [];
  });
}

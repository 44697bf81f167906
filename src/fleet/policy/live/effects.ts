/** Whether changes loosen or tighten protection, by a table of fields for each kind. */
import { asText, isExactInteger, isObject } from '../../../json/exact-json.ts';
import { type FieldChange, withoutLabels } from '../../diff.ts';

/** `loosens` if any part does. */
export type Effect = 'tightens' | 'loosens' | 'neutral';

/**
 * The effect of a change of a field: of an element (`added`), a number, a list (`more`), a switch, or whatever its values are
 * (`changed`). `a < b < c` lists the values of a field, the most protective last.
 */
export type Direction =
  | `${'added' | 'larger' | 'more' | 'true'} ${'tightens' | 'loosens'}`
  | 'changed loosens'
  | 'neutral'
  | `${string} < ${string}`;

/** A row of the effects of a kind. */
export interface EffectRow {
  /** The path of the field in changes; `[]` is any element of a list, at most once. */
  readonly field: string;
  readonly direction: Direction;
  /** The sentence of the platform’s documentation that supports it. */
  readonly source: string;
}

/** How changes of a kind of object affect protection. The effect of fields without a row is unknown. */
export interface KindEffects {
  readonly effects: readonly EffectRow[];
  /** Returns whether a change puts an object in force. No other change made with it can loosen protection. */
  activates?(change: FieldChange): boolean;
}

/** Returns the rows of a table that has the sentence of each field, by direction. */
export const effectRows = (
  table: Readonly<Partial<Record<Direction, Readonly<Record<string, string>>>>>,
): readonly EffectRow[] =>
  Object.entries(table).flatMap(([direction, fields]) =>
    Object.entries(fields ?? {}).map(([field, source]) => ({ field, direction: direction as Direction, source })),
  );

/** Returns the effect of each change of one object; undefined if it is unknown. */
export function effectsOf(kind: KindEffects, changes: readonly FieldChange[]): readonly (Effect | undefined)[] {
  const activates = changes.some((change) => kind.activates?.(change));
  return changes.map((change) => {
    if (!activates) return effectOf(kind, change);
    return kind.activates?.(change) ? 'tightens' : 'neutral';
  });
}

/** Returns the effect of a change by itself; undefined if it is unknown. */
export function effectOf(kind: KindEffects, change: FieldChange): Effect | undefined {
  const row = kind.effects.find(({ field }) => isField(field, change.path));
  // The platform may take a value of another type, such as the text of a number, for any value.
  if (isMistyped(kind, row, change)) return 'loosens';
  if (row) return effectIn(row.direction, change);
  // A label with brackets of its own may be that of an element of several lists.
  const possible = kind.effects.filter(({ field }) => mayBeField(field, change.path));
  if (possible.some(({ direction }) => effectIn(direction, change) === 'loosens')) return 'loosens';
  if (!kind.effects.some(({ field }) => isPartOf(field, change.path))) return undefined;
  // What is removed as a whole may have protected something.
  if (change.to === undefined) return 'loosens';
  const parts = partsOf(change);
  return parts && combined(parts.map((part) => effectOf(kind, part)));
}

/** Returns whether a field with an effect is part of the value at a path. */
function isPartOf(field: string, path: string): boolean {
  const [part, whole] = [field, path].map(withoutLabels) as [string, string];
  return part.startsWith(`${whole}.`) || (part === whole && field.endsWith('[]'));
}

/** Returns the addition of a whole value as those of its parts; undefined for any other change, and for an object without fields. */
function partsOf({ path, from, to }: FieldChange): readonly FieldChange[] | undefined {
  if (from !== undefined) return undefined;
  if (Array.isArray(to)) return to.map((each: unknown) => ({ path: `${path}[${asText(each)}]`, to: each }));
  const fields = isObject(to) ? Object.entries(to) : [];
  return fields.length > 0 ? fields.map(([name, each]) => ({ path: `${path}.${name}`, to: each })) : undefined;
}

/** Returns whether the new value of a field, or of what contains fields, has a type that its effect does not. */
function isMistyped({ effects }: KindEffects, row: EffectRow | undefined, { path, to }: FieldChange): boolean {
  if (to === undefined) return false;
  if (row) return !isOfType(row.direction, to);
  const isWithin = (start: string) => effects.some(({ field }) => field.startsWith(start));
  return (isWithin(`${path}[`) && !Array.isArray(to)) || (isWithin(`${path}.`) && !isObject(to));
}

function isOfType(direction: Direction, value: unknown): boolean {
  const [measure] = direction.split(' ');
  if (['neutral', 'added', 'changed'].includes(measure ?? '')) return true;
  if (measure === 'more') return Array.isArray(value);
  if (measure === 'larger') return typeof value === 'number' || isExactInteger(value);
  return typeof value === (measure === 'true' ? 'boolean' : 'string');
}

/** Returns the effect of the changes of one object together; undefined if it is unknown. */
export const jointEffect = (kind: KindEffects, changes: readonly FieldChange[]): Effect | undefined =>
  combined(effectsOf(kind, changes));

/** Returns the effect of several changes together: any loosening counts. Undefined if one effect is unknown. */
export function combined(effects: readonly (Effect | undefined)[]): Effect | undefined {
  if (effects.includes('loosens')) return 'loosens';
  if (effects.includes(undefined)) return undefined;
  return effects.includes('tightens') ? 'tightens' : 'neutral';
}

/** Labels of elements may contain dots and pairs of brackets: `conditions.ref_name.include[release/[0-9].x]`. */
function isField(field: string, path: string): boolean {
  const [start = '', end] = field.split('[]');
  if (end === undefined) return field === path;
  return mayBeField(field, path) && !/^[^[]*\]/.test(path.slice(start.length + 1, -1 - end.length));
}

/** Returns whether a path is that of a field for some label. */
function mayBeField(field: string, path: string): boolean {
  const [start = '', end] = field.split('[]');
  return end !== undefined && path.startsWith(`${start}[`) && path.endsWith(`]${end}`);
}

function effectIn(direction: Direction, { from, to }: FieldChange): Effect | undefined {
  if (direction === 'neutral') return direction;
  if (direction === 'changed loosens') return 'loosens';
  const [measure, effect] = direction.split(' ');
  if (measure === 'more') return effectOfList(from, to, effect as Effect);
  const [before, after] = [from, to].map((value) => rankOf(value, direction, measure));
  if (before === undefined || after === undefined) return undefined;
  if (before === after) return measure === 'added' ? undefined : 'neutral';
  return after > before === (effect !== 'loosens') ? 'tightens' : 'loosens';
}

/** Returns the effect of a change of a list, of which new elements have an effect; undefined if a value is no list. */
function effectOfList(from: unknown, to: unknown, ofMore: Effect): Effect | undefined {
  if (!Array.isArray(from) || !Array.isArray(to)) return undefined;
  const isWithin = (some: readonly unknown[], others: readonly unknown[]) =>
    some.every((each) => others.includes(each));
  const [keepsAll, addsNone] = [isWithin(from, to), isWithin(to, from)];
  if (keepsAll && addsNone) return 'neutral';
  const ofFewer = ofMore === 'loosens' ? 'tightens' : 'loosens';
  return combined([addsNone ? 'neutral' : ofMore, keepsAll ? 'neutral' : ofFewer]);
}

/** Returns the size of a value in the measure of a direction; undefined for a value without one. */
function rankOf(value: unknown, direction: string, measure: string | undefined): number | undefined {
  if (measure === 'added') return value === undefined ? 0 : 1;
  if (measure === 'larger')
    return typeof value === 'number' || isExactInteger(value) ? Number(asText(value)) : undefined;
  // An absent value is not set.
  if (measure === 'true') return value === undefined ? 0 : typeof value === 'boolean' ? Number(value) : undefined;
  // The platform may ignore case.
  const rank = direction.toLowerCase().split(' < ').indexOf(asText(value).toLowerCase());
  return rank === -1 ? undefined : rank;
}

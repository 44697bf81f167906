/** The fields of planned changes as lines: old → new, lists as added and removed lines, text as a line diff. */
import { type FieldChange, fieldsOf } from '../../../fleet/diff.ts';
import { kindNamed } from '../../../fleet/policy/kinds/lookup.ts';
import { leastOwnersKey } from '../../../fleet/policy/kinds/people/owner-guard.ts';
import type { PlannedChange } from '../../../fleet/policy/live/change.ts';
import { type Effect, effectsOf } from '../../../fleet/policy/live/effects.ts';
import { secretText } from '../../../fleet/policy/wanted/secret-sources.ts';
import { asText, isObject } from '../../../json/exact-json.ts';
import { formatCount } from '../../../output/amounts.ts';
import { lineDiff } from './diff.ts';

/** A line of a plan, before it is escaped and laid out. */
export interface ViewLine {
  /** Levels of indentation. */
  readonly depth: number;
  /** The sign of the line: added, removed, changed, or (`|`) part of a text. */
  readonly sign: '+' | '-' | '~' | '?' | '|' | '';
  readonly text: string;
  /** The effect of the field or the change that starts here. */
  readonly effect?: Effect | undefined;
  /** True for a change that commands make only after a confirmation. */
  readonly asks?: boolean;
  /** The color of the line (default: that of `effect`). */
  readonly tone?: Effect | 'changed' | undefined;
}

/** Where lines are put. */
interface At {
  readonly depth: number;
  /** Whether values are added or removed: the sign of the elements of lists. */
  readonly bullet: '+' | '-';
  /** The sign of the first line (default: none). */
  readonly sign?: '+' | '-';
}

/** Kept lines shown around changed ones. */
const contextLines = 2;

/** Returns the fields of a change: all that it creates or loses, or the changed ones. */
export function fieldLines(change: PlannedChange): readonly ViewLine[] {
  const { action, before = {}, effect: tone, name } = change;
  const toned = (lines: readonly ViewLine[]) => lines.map((each) => ({ ...each, tone }));
  const isNew = (field: FieldChange) => !(field.path === 'name' && (field.to ?? field.from) === name);
  switch (action) {
    case 'create':
      return toned(
        madeFields(change)
          .filter(isNew)
          .flatMap((field) => secretLine(change, field) ?? valueLines(field.path, field.to, { depth: 2, bullet: '+' })),
      );
    case 'update':
      return [...changedLines(change), ...selectionLine(change), ...leastLine(change)];
    case 'delete':
    case 'unset':
      return toned(
        fieldsOf(before)
          .filter(isNew)
          .flatMap(({ path, to }) => valueLines(path, to, { depth: 2, bullet: '-' }))
          .concat(leastLine(change)),
      );
    case 'resend':
      return change.changes.flatMap((field) =>
        field.path === 'repositories'
          ? selectionLine(change)
          : [secretLine(change, field) ?? changedLine(`${field.path} sent again`)],
      );
    default:
      return [];
  }
}

/** Returns what a guard goes by, which the platform does not have; undefined without one. */
export const leastText = ({ least }: PlannedChange): string | undefined =>
  least === undefined ? undefined : `${leastOwnersKey}: ${least}`;

function leastLine(change: PlannedChange): readonly ViewLine[] {
  const text = leastText(change);
  return text === undefined ? [] : [changedLine(text)];
}

/** Settings of hooks that are created again have only a body. */
const madeFields = ({ changes, body }: PlannedChange): readonly FieldChange[] =>
  changes.length > 0 ? changes : fieldsOf(body ?? {});

function secretLine({ action, secret }: PlannedChange, { path }: FieldChange): ViewLine | undefined {
  if (path !== 'secret' || !secret) return undefined;
  return action === 'create' ? line(secretText(secret), { depth: 2 }) : changedLine(`${secretText(secret)} sent again`);
}

function selectionLine({ writeOnly }: PlannedChange): readonly ViewLine[] {
  const ids = writeOnly?.selected_repository_ids;
  return Array.isArray(ids)
    ? [changedLine(`repositories: ${formatCount(ids.length)} selected, with the IDs ${ids.map(asText).join(', ')}`)]
    : [];
}

const line = (text: string, { depth, sign = '' }: Partial<ViewLine> & { readonly depth: number }): ViewLine => ({
  depth,
  sign,
  text,
});

const changedLine = (text: string): ViewLine => ({ depth: 2, sign: '', text, tone: 'changed' });

/** Returns the changed fields, with those within the same element of a list below a line with its name. */
function changedLines(change: PlannedChange): readonly ViewLine[] {
  const effects = effectsOf(kindNamed(change.kind), change.changes);
  // An omitted value may have protected something.
  const effectAt = ({ omitted }: FieldChange, at: number) => (omitted ? 'loosens' : effects[at]);
  const placed = change.changes.map((field, at) => ({ ...placeOf(field), field, effect: effectAt(field, at) }));
  return [...Map.groupBy(placed, ({ parent }) => parent)].flatMap(([parent, fields]) => [
    ...(parent === '' ? [] : [line(`${parent}:`, { depth: 2 })]),
    ...fields.flatMap(({ leaf, field, effect }) => {
      const tone: ViewLine['tone'] = effect && effect !== 'neutral' ? effect : 'changed';
      const lines = changeLines(leaf, field, parent === '' ? 2 : 3);
      return lines.map((each, at): ViewLine => ({ ...each, tone, ...(at === 0 && { effect }) }));
    }),
  ]);
}

interface FieldPlace {
  /** The list, or the element of a list, that has the field; empty for others. */
  readonly parent: string;
  /** The name of the field there; empty for an element. */
  readonly leaf: string;
}

function placeOf({ path, from, to }: FieldChange): FieldPlace {
  const element = from ?? to;
  if (path.endsWith(']') && (from === undefined || to === undefined)) {
    const start =
      typeof element === 'string' && path.endsWith(`[${element}]`) ? path.length - element.length - 2 : opening(path);
    return { parent: path.slice(0, start), leaf: '' };
  }
  const closing = path.lastIndexOf('].');
  const dot = path.lastIndexOf('.');
  return closing === -1 ? { parent: '', leaf: path } : { parent: path.slice(0, dot), leaf: path.slice(dot + 1) };
}

/** Returns the position of the bracket that the last one closes. */
function opening(path: string): number {
  let depth = 0;
  for (let at = path.length - 1; at > 0; at--) {
    if (path[at] === ']') depth++;
    if (path[at] === '[' && --depth === 0) return at;
  }
  return path.length;
}

function changeLines(leaf: string, { from, to }: FieldChange, depth: number): readonly ViewLine[] {
  const linesOf = (value: unknown, bullet: '+' | '-') =>
    leaf === '' ? elementLines(value, { depth, bullet }) : valueLines(leaf, value, { depth, bullet, sign: bullet });
  if (from === undefined) return linesOf(to, '+');
  if (to === undefined) return linesOf(from, '-');
  const heading = line(`${leaf}:`, { depth });
  if (Array.isArray(from) && Array.isArray(to)) return [heading, ...listDiff(from, to, depth + 1)];
  if (typeof from === 'string' && typeof to === 'string' && (isText(from) || isText(to)))
    return [heading, ...textDiff(from, to, depth + 1)];
  if (!isScalar(from) || !isScalar(to) || isText(from) || isText(to))
    return [...linesOf(from, '-'), ...linesOf(to, '+')];
  return [line(`${leaf}: ${scalarText(from)} → ${scalarText(to)}`, { depth })];
}

function listDiff(from: readonly unknown[], to: readonly unknown[], depth: number): readonly ViewLine[] {
  const elements = new Map([...from, ...to].map((element) => [JSON.stringify(element), element]));
  const texts = (list: readonly unknown[]) => list.map((element) => JSON.stringify(element));
  return lineDiff(texts(from), texts(to)).flatMap(({ sign, text }) =>
    sign === ' ' ? [] : elementLines(elements.get(text), { depth, bullet: sign }),
  );
}

function textDiff(from: string, to: string, depth: number): readonly ViewLine[] {
  const diff = lineDiff(from.split('\n'), to.split('\n'));
  const isNear = (at: number) =>
    diff.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(({ sign }) => sign !== ' ');
  return diff.flatMap(({ sign, text }, at): ViewLine[] => {
    if (isNear(at)) return [line(text, { depth, sign: sign === ' ' ? '|' : sign })];
    return at === 0 || isNear(at - 1) ? [line('…', { depth, sign: '|' })] : [];
  });
}

/** Returns a field with its whole value. */
function valueLines(label: string, value: unknown, at: At): readonly ViewLine[] {
  if (isText(value))
    return [line(`${label}:`, at), ...value.split('\n').map((text) => line(text, { depth: at.depth + 1, sign: '|' }))];
  if (isScalar(value)) return [line(`${label}: ${scalarText(value)}`, at)];
  if (isPlainList(value)) return [line(`${label}: [${listText(value)}]`, at)];
  const below = { depth: at.depth + 1, bullet: at.bullet };
  const parts = Array.isArray(value)
    ? value.flatMap((element) => elementLines(element, below))
    : memberLines(value as object, below);
  return parts.length > 0 ? [line(`${label}:`, at), ...parts] : [line(`${label}: {}`, at)];
}

const memberLines = (value: object, at: At): readonly ViewLine[] =>
  Object.entries(value).flatMap(([name, member]) => valueLines(name, member, at));

/** Returns an element of a list: its scalars in one line, and everything else below. */
function elementLines(element: unknown, { depth, bullet }: At): readonly ViewLine[] {
  const first = (text: string) => line(text, { depth, sign: bullet });
  const below = { depth: depth + 1, bullet };
  if (isText(element)) return [first('text:'), ...valueLines('', element, below).slice(1)];
  if (!isObject(element))
    return isScalar(element)
      ? [first(scalarText(element))]
      : [first('list:'), ...(element as unknown[]).flatMap((each) => elementLines(each, below))];
  const [inline, rest] = [true, false].map((isIt) =>
    Object.entries(element).filter(([, value]) => ((isScalar(value) && !isText(value)) || isPlainList(value)) === isIt),
  );
  const texts = inline?.map(
    ([name, value]) => `${name}: ${isPlainList(value) ? `[${listText(value)}]` : listText([value])}`,
  );
  return [first(texts?.join(', ') || '{}'), ...memberLines(Object.fromEntries(rest ?? []), below)];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.includes('\n');

const isScalar = (value: unknown): boolean => !isObject(value) && !Array.isArray(value);

const isPlainList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every((element) => isScalar(element) && !isText(element));

/** Returns scalars separated by commas; those that contain a comma or look like a field are quoted. */
const listText = (list: readonly unknown[]): string =>
  list
    .map((value) => (typeof value === 'string' && /,|: /.test(value) ? JSON.stringify(value) : scalarText(value)))
    .join(', ');

/** Text that cannot be mistaken for another value or for a mark of the plan. */
const plainText = /^[\p{L}\p{N}~@*./_$-](?:[\p{L}\p{M}\p{N}~@*./:_$'’!?&%#=,-]| (?=[^ ]))*$/u;

/** The pattern would overflow the stack for millions of characters. */
const longestPlainText = 10_000;

/** Returns a scalar as text: quoted, as in JSON, if it could be mistaken for something else. */
export function scalarText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? '';
  const isOther = ['true', 'false', 'null', 'undefined'].includes(value) || !Number.isNaN(Number(value));
  return !isOther && value.length <= longestPlainText && plainText.test(value) ? value : JSON.stringify(value);
}

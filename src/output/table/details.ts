/** Details of one record: one line per field, nested values indented below their names. */

import { isObject } from '../../json/exact-json.ts';
import { safeLines, safeText } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { TooLargeError } from '../too-large.ts';
import { cellStyle, unstyled } from './cell-style.ts';
import { humanText, isPlainList } from './cells.ts';
import { bold } from './colors.ts';
import { appearanceOf, isDrawn, memberColumns, type ShownColumn } from './columns.ts';
import { cut, type Width, widthOf } from './width.ts';
import { wrapped } from './wrap.ts';

type Screen = Pick<Terminal, 'columns' | 'color' | 'links' | 'plain' | 'now'>;

/** Pads names to the same width, so that the values line up. */
type Grid = (names: readonly string[]) => string[];

/** Returns the details of a record: the given columns, with group headings, or all fields. */
export async function detailsOf(record: unknown, columns: readonly ShownColumn[], screen: Screen): Promise<string> {
  const shown = (columns.length > 0 ? columns : memberColumns([record])).filter(
    (column) => !isDrawn(column) && (column.group === undefined || column.value(record) !== undefined),
  );
  const json = JSON.stringify(record) ?? '';
  if (json.length > mostJson) throw new TooLargeError('The record is too large to show as details');
  const width = await widthOf([json]);
  const lines = new Details(screen, width, await loadGrid()).block(record, shown, screen.columns);
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** In characters of JSON; measured and escaped lines need a hundred times as much memory. */
const mostJson = 2 * 1024 * 1024;

/** Limit for all names, including nested ones: cli-table3's time grows with the square of the rows. */
const mostNames = 5_000;

/** In columns. Longer names are truncated: cli-table3's time grows with the square of a cell's length. */
const widestName = 80;

/**
 * Returns a function that pads names in a one-column table without lines. Values are not laid out by cli-table3, which
 * takes 0.1 to 0.3 ms per line, and minutes for a cell with many lines.
 */
async function loadGrid(): Promise<Grid> {
  const { default: Table } = await import('cli-table3');
  const edges = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((edge) => [edge, `${edge}-mid`]);
  const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'middle'];
  const chars = Object.fromEntries([...edges, ...corners].map((place) => [place, '']));
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': gap };
  let count = 0;
  return (names) => {
    count += names.length;
    if (count > mostNames) throw new TooLargeError('The record is too large to show as details');
    const table = new Table({ chars, style });
    for (const name of names) table.push([name]);
    return table.toString().split('\n');
  };
}

/**
 * Minimum width of a value beside its name; otherwise it is written below the name, as are values that would be broken.
 */
const leastRoom = 12;
/** Minimum width of nested details. */
const narrowest = 20;

const gap = 2;

class Details {
  readonly #screen: Screen;
  readonly #now: Date;
  readonly #width: Width;
  readonly #grid: Grid;

  constructor(screen: Screen, width: Width, grid: Grid) {
    this.#screen = screen;
    this.#now = screen.now();
    this.#width = width;
    this.#grid = grid;
  }

  /** Returns a line for each field, with further lines of its text, or its nested fields, below it. */
  block(record: unknown, columns: readonly ShownColumn[], available: number): string[] {
    const names = columns.map(({ header, group }) => (group === undefined ? '' : '  ') + this.#name(header));
    // Comes first, as it rejects records that are far too large.
    const padded = this.#grid(names);
    const indent = names.reduce((most, name) => Math.max(most, this.#width(name)), 0) + gap;
    const room = available - indent;
    const fields = columns.map((column) => {
      const value = column.value(record);
      const margin = column.group === undefined ? gap : 2 * gap;
      const below = available - margin;
      const parts = this.#nested(value, below, column.exactNames) ?? this.#below(value, column, record, room, below);
      const texts = parts ? [''] : this.#plain(value, column, record, room);
      const indented = parts?.map((line) => ' '.repeat(margin) + line) ?? [];
      return { group: column.group, texts, parts: indented };
    });
    return fields.flatMap(({ group, texts, parts }, index) => [
      ...(group === undefined || group === fields[index - 1]?.group ? [] : this.#heading(group, index)),
      `${padded[index]}${texts[0] ?? ''}`,
      ...texts.slice(1).map((line) => ' '.repeat(indent) + line),
      ...parts,
    ]);
  }

  #name(header: string): string {
    const name = safeText(header);
    return this.#width(name) <= widestName ? name : cut(name, widestName, this.#width)[0];
  }

  #heading(group: string, index: number): string[] {
    const heading = this.#screen.color ? bold(group) : group;
    return index === 0 ? [heading] : ['', heading];
  }

  /**
   * Returns the lines of an object, or of a list of objects or lists; undefined for a value that fits beside its name.
   */
  #nested(value: unknown, available: number, exactNames: true | undefined): string[] | undefined {
    const room = Math.max(available, narrowest);
    if (isObject(value))
      return Object.keys(value).length > 0 ? this.block(value, memberColumns([value], exactNames), room) : undefined;
    if (!Array.isArray(value) || isPlainList(value)) return undefined;
    const elements = value as readonly unknown[];
    return elements.flatMap((element) =>
      hanging(this.#nested(element, room - gap, exactNames) ?? this.#plain(element, undefined, element, room - gap)),
    );
  }

  /** Returns the lines of a value that is written below its name because it does not fit beside it. */
  #below(value: unknown, column: ShownColumn, record: unknown, room: number, below: number): string[] | undefined {
    const text = this.#lines(value, column, record);
    const fits = text.every((line) => this.#width(line) <= room || (room >= leastRoom && line.includes(' ')));
    return fits ? undefined : this.#plain(value, column, record, Math.max(below, narrowest));
  }

  #plain(value: unknown, column: ShownColumn | undefined, record: unknown, room: number): string[] {
    const dress = column ? cellStyle(column, this.#screen)(record) : unstyled;
    return this.#lines(value, column, record).flatMap((line) =>
      wrapped(line, Math.max(room, leastRoom), this.#width).map(dress),
    );
  }

  #lines(value: unknown, column: ShownColumn | undefined, record: unknown): string[] {
    const text = typeof value === 'string' ? value.trimEnd() : '';
    return text.includes('\n')
      ? safeLines(text).split('\n')
      : [humanText(value, this.#now, column && appearanceOf(column, record))];
  }
}

const hanging = (lines: readonly string[]): string[] =>
  lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);

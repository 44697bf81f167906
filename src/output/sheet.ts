/** One record as a sheet for people: a line for each field, the parts of nested values indented below their name. */
import { humanText, isPlainList } from './cells.ts';
import { isObject, memberColumns, type ShownColumn } from './columns.ts';
import { safeLines, safeText } from './safe-text.ts';
import type { Terminal } from './terminal.ts';
import { widthOf } from './width.ts';

/** The given columns of the record, or all its members. */
export async function sheet(
  record: unknown,
  columns: readonly ShownColumn[],
  terminal: Pick<Terminal, 'now'>,
): Promise<string> {
  const shown = columns.length > 0 ? columns : memberColumns([record]);
  const lines = await block(record, shown, terminal.now());
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

async function block(record: unknown, columns: readonly ShownColumn[], now: Date): Promise<string[]> {
  const labels = columns.map(({ header }) => safeText(header));
  const width = await widthOf(labels);
  const indent = Math.max(...labels.map(width)) + 2;
  const lines: string[] = [];
  for (const [index, column] of columns.entries()) {
    const label = labels[index] as string;
    const value = column.value(record);
    const parts = await nestedLines(value, now);
    if (parts) lines.push(label, ...parts.map((line) => `  ${line}`));
    else
      lines.push(
        ...hanging(label + ' '.repeat(indent - width(label)), ' '.repeat(indent), textLines(value, column, now)),
      );
  }
  return lines;
}

/** The lines of an object, or of a list that holds more than plain values; nothing for what fits beside its label. */
async function nestedLines(value: unknown, now: Date): Promise<string[] | undefined> {
  if (isObject(value)) return Object.keys(value).length > 0 ? block(value, memberColumns([value]), now) : undefined;
  if (!Array.isArray(value) || isPlainList(value)) return undefined;
  const lines: string[] = [];
  for (const element of value as readonly unknown[])
    lines.push(...hanging('- ', '  ', (await nestedLines(element, now)) ?? textLines(element, {}, now)));
  return lines;
}

function textLines(value: unknown, { as }: Pick<ShownColumn, 'as'>, now: Date): string[] {
  const text = typeof value === 'string' ? value.trimEnd() : '';
  return text.includes('\n') ? safeLines(text).split('\n') : [humanText(value, now, as)];
}

function hanging(first: string, rest: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? first : rest) + line);
}

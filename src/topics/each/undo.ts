/** The command lines that undo a run of `each`: the updates of settings whose earlier values its journal has. */
import { isDeepStrictEqual } from 'node:util';
import type * as v from 'valibot';
import { fieldShape } from '../../cli/input/field-shape.ts';
import { flagName } from '../../cli/input/fields.ts';
import { commandLineOf, type PrintedLine } from '../../cli/input/printed-line.ts';
import { flagWords } from '../../cli/input/prompts/command-line.ts';
import { type HttpRequest, valueOfBody } from '../../client/request.ts';
import { requireJournal } from '../../fleet/journal/read.ts';
import { isObject } from '../../json/exact-json.ts';
import { secretMask } from '../../json/secrets.ts';
import { updateOrganization } from '../../platform/endpoints/orgs.ts';
import { updateRepository } from '../../platform/endpoints/repos.ts';
import type { Given } from '../../platform/validate.ts';
import { type JournalRecord, JournalRecords } from './journal-records.ts';

/** Maximum number of command lines; each different set of earlier values requires one. */
const mostLines = 3;

const noLine = 'This run cannot be undone with one command. Its journal contains the values before each change.';

interface RunToUndo {
  /** The journal of the run. */
  readonly path: string;
  /** One of its writes, and whether all have the same body. */
  readonly write: HttpRequest & { readonly isLikeAll: boolean };
  readonly baseUrl: string;
  /** The command line with what the undoing run has in common with it. */
  readonly typed: PrintedLine;
}

/**
 * Returns the command lines that undo a run, or a sentence if there are none; undefined if nothing is known to have
 * changed.
 */
export function undoText({ path, write, baseUrl, typed }: RunToUndo): string | undefined {
  const records = new JournalRecords();
  requireJournal(path, (line) => records.take(line));
  const changed = records.all.filter(
    ({ outcome, writes }) => writes > 0 && (outcome === 'ok' || outcome === 'unknown'),
  );
  if (!changed.some(({ before }) => before !== undefined)) return undefined;
  const settings =
    changed.every(({ writes, before }) => writes === 1 && isObject(before)) && settingsIn(write, baseUrl);
  if (!settings) return changed.some(({ before }) => hasValues(before)) ? noLine : undefined;
  const { wanted } = settings;
  // A value that the platform left out is unknown.
  const isKnown = (before: unknown) => Object.keys(wanted).every((name) => Object.hasOwn(before as Given, name));
  if (!changed.every(({ before }) => isKnown(before))) return noLine;
  const groups = Map.groupBy(
    changed.filter(({ before }) => !hasAll(before as Given, wanted)),
    ({ before }) => conditionOn(before as Given, wanted),
  );
  if (groups.size === 0) return undefined;
  const failed = records.all.some(({ outcome }) => outcome === 'failed');
  const lines = [...groups].map(([condition, [sample]]) => {
    const command = commandFor(sample as JournalRecord, settings);
    const where = failed ? `.outcome != "failed" and ${condition}` : condition;
    const line = command && commandLineOf({ ...typed, flags: ['--from', path, '--where', where], rest: command });
    return line && isPrintable(line.text) && line.masked.length === 0 ? line.text : undefined;
  });
  if (lines.length > mostLines || !lines.every((line) => line !== undefined)) return noLine;
  return ['Undo with:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Returns whether a journal has what a write changed: of a transfer, it has only the ID of the repository. */
const hasValues = (before: unknown): boolean =>
  isObject(before) ? Object.keys(before).some((name) => name !== 'id') : before !== undefined;

/** The settings that a run changed. */
interface Settings {
  /** The command that updates them. */
  readonly command: readonly string[];
  readonly wanted: Given;
  /** The fields that have flags. */
  readonly entries: v.ObjectEntries;
}

/** Returns the settings that a write changes; undefined for any other write, and for a new name, which no later run finds. */
function settingsIn(
  { method, url, body = '{}', isLikeAll }: RunToUndo['write'],
  baseUrl: string,
): Settings | undefined {
  const [, kind] = /^\/(repos(?=\/[^/]+\/[^/]+$)|orgs(?=\/[^/]+$))/.exec(url.slice(baseUrl.length)) ?? [];
  const wanted = valueOfBody(body);
  if (!isLikeAll || method !== 'PATCH' || kind === undefined || !isObject(wanted)) return undefined;
  const { entries } = (kind === 'repos' ? updateRepository : updateOrganization).body;
  if (kind === 'repos' && 'name' in wanted) return undefined;
  return { command: [kind, 'update', '{}'], wanted, entries };
}

const hasAll = (before: Given, wanted: Given): boolean =>
  Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(before[name], value));

/** Returns the jq condition on a record of the journal with the same values before. */
const conditionOn = (before: Given, wanted: Given): string =>
  Object.keys(wanted)
    .map((name) => `.before.${name} == ${JSON.stringify(before[name] ?? null)}`)
    .join(' and ');

/** Returns the words that set the values before; undefined if flags cannot set one of them. */
function commandFor({ before }: JournalRecord, { command, wanted, entries }: Settings): readonly string[] | undefined {
  const words = Object.entries(wanted).map(([name, value]) => {
    const earlier = (before as Given)[name];
    const schema = entries[name];
    if (isDeepStrictEqual(earlier, value)) return [];
    return schema && wordsFor(name, earlier ?? '', fieldShape(schema as v.GenericSchema).notes.mayBeEmpty ?? false);
  });
  return words.every((each) => each !== undefined) ? [...command, ...words.flat()] : undefined;
}

function wordsFor(name: string, value: unknown, mayBeEmpty: boolean): readonly string[] | undefined {
  if (typeof value === 'boolean') return flagWords(flagName(name), value);
  // `each` would put the target in place of {}, and a mask hides the earlier value.
  const isExact = typeof value === 'string' && !value.includes(secretMask) && !/\{(?:org|name)?\}/.test(value);
  return isExact && (value !== '' || mayBeEmpty) ? flagWords(flagName(name), value) : undefined;
}

/** Returns whether a line is printed as it is. */
const isPrintable = (line: string): boolean => !/[\p{C}\p{Zl}\p{Zp}]/u.test(line);

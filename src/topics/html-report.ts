/** Reports in HTML, which commands write with --html. */
import * as Flags from '@oclif/core/flags';
import { fileOnly } from '../cli/input/file-flags.ts';
import { textFlag } from '../cli/input/flags.ts';
import type { Report } from '../output/report/report.ts';
import { invalid, type Problem } from '../platform/validate.ts';
import { requireNewFile, writeNewFile } from './new-file.ts';

export const htmlFlags = {
  html: textFlag('--html', {
    ...fileOnly,
    description: 'Write a report in HTML to a file, with plots and all details',
  }),
  force: Flags.boolean({ description: 'Overwrite an existing file, with --html' }),
};

export interface HtmlFlags {
  readonly html?: string | undefined;
  readonly force: boolean;
}

/** Returns the problems of flags that cannot be combined. */
export const htmlProblems = ({ html, force }: HtmlFlags): Problem[] =>
  force && html === undefined ? [invalid('--force', 'requires --html')] : [];

const place = { flag: '--html', isPrivate: true } as const;

/** Throws UsageError if a report certainly cannot be written, for a message before any request. */
export function requireReportFile({ html, force }: HtmlFlags): void {
  if (html !== undefined) requireNewFile(html, force, place);
}

/**
 * Writes a report that only its owner can read: it may show what is not protected. Returns the notice of that. Throws
 * UsageError and FileError.
 */
export async function writeReport(
  file: string,
  report: Report,
  { force }: HtmlFlags,
  { bin, version }: { readonly bin: string; readonly version: string },
): Promise<string> {
  const { reportHtml } = await import('../output/report/report.ts');
  writeNewFile(file, await reportHtml(report, `${bin} ${version}`), force, place);
  return `Wrote the report to ${file}.`;
}

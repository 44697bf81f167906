/** How a run prints its result: what its flags, the settings and the terminal say. */
import type { Format, RenderOptions } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import { outputSetting } from './account/settings.ts';
import type { Messages } from './messages.ts';
import type { OutputFlags } from './output-flags.ts';
import type { Clock, Runtime } from './runtime.ts';

export interface PrintingFlags extends OutputFlags {
  readonly 'csv-safe'?: boolean;
  readonly 'show-secrets'?: boolean;
  readonly debug?: boolean;
  readonly profile?: string;
}

export interface Printing {
  readonly options: RenderOptions;
  /** True where a result is its ids. */
  readonly quiet: boolean;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly notice: (text: string) => void;
}

interface Surroundings {
  readonly runtime: Runtime;
  readonly messages: Messages;
  /** The directory of the settings. */
  readonly settingsDirectory: string;
  /** The command's own format, for a result that is a document. */
  readonly documentFormat: Format | undefined;
  /** True for commands that exist to print a secret. */
  readonly showsSecrets: boolean;
}

/** How a run prints, and why the output setting is not used, if it is not. */
export function printingFor(
  flags: PrintingFlags,
  { runtime, messages, settingsDirectory, documentFormat, showsSecrets }: Surroundings,
): Printing & { readonly problem?: string | undefined } {
  const { fields, jq, debug } = flags;
  const { format, problem } = chooseFormat(flags, documentFormat, runtime, settingsDirectory);
  const notice = (text: string) => messages.notice(text);
  const options: RenderOptions = {
    format,
    showSecrets: showsSecrets || (flags['show-secrets'] ?? false),
    mask: (text) => messages.recordRedactor.maskKnown(text),
    mayMask: (text) => messages.recordRedactor.mayMask(text),
    csvSafe: flags['csv-safe'] ?? false,
    inWorkflow: Boolean(runtime.env.GITHUB_ACTIONS),
    ...(fields ? { fields } : {}),
    ...(jq === undefined ? {} : { jq }),
    ...(debug
      ? { misfit: (column, { message }) => notice(`A record has nothing for the column ${column}: ${message}`) }
      : {}),
  };
  const { terminal, clock } = runtime;
  return { options, quiet: flags.quiet ?? false, terminal, clock, notice, problem };
}

/** Flags, the command's own format, the settings, and what suits the terminal, in this order. */
function chooseFormat(
  { output, quiet, json, jq, profile }: PrintingFlags,
  documentFormat: Format | undefined,
  { env, terminal }: Runtime,
  directory: string,
): { readonly format: Format; readonly problem?: string | undefined } {
  if (output) return { format: output };
  if (quiet) return { format: 'tsv' };
  if (json || jq !== undefined) return { format: 'json' };
  if (documentFormat) return { format: documentFormat };
  const { format, problem } = outputSetting(directory, profile ?? env.FORGECTL_PROFILE);
  return { format: format ?? (terminal.stdoutIsTTY ? 'table' : 'tsv'), problem };
}

import type { Failure } from '../../cli/report/report.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Client } from '../../client/client.ts';

/** The context of a run over many targets: everything that it requires from its command. */
export interface RunContext {
  readonly runtime: Runtime;
  readonly client: Client;
  readonly describe: (error: unknown) => Promise<Failure>;
  /** Aborts the run. Writes that have not been sent are not sent. */
  readonly signal: AbortSignal;
  /** Called when all writes in flight have a response. */
  readonly onQuiet: () => void;
  readonly notice: (text: string) => void;
  /** Masks the secrets of the run. */
  readonly mask: (text: string) => string;
}

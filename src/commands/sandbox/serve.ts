import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { collecting } from '../../cli/input/args.ts';
import { parseTimeout } from '../../cli/input/duration.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { BadValue, wholeNumber } from '../../cli/input/values.ts';
import { FileError } from '../../client/errors.ts';
import { whyUnwritable } from '../../disk/system-errors.ts';
import { write } from '../../output/writer.ts';
import { invalid } from '../../platform/validate.ts';
import { type FaultKind, type FaultRates, faultKinds, requestFaults } from '../../sandbox/fault-kinds.ts';
import type { TokenName } from '../../sandbox/seed/tokens.ts';
import type { AppInstallation, Sandbox, SandboxOptions } from '../../sandbox/serve.ts';

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535)
    throw new BadValue('must be a port from 0 to 65535, where 0 selects a free port');
  return value;
}

function ipAddress(text: string): string {
  if (!isIPv4(text) && text !== '::') throw new BadValue('must be an IPv4 address or ::, such as 0.0.0.0');
  return text;
}

function hostNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => !/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(name)))
    throw new BadValue('must be host names without ports, separated by commas, such as sandbox,forge.test');
  return names;
}

type Fault = readonly [kind: FaultKind, rate: number];

function fault(text: string): Fault {
  const [word = '', rate = ''] = text.split('=');
  const kind = faultKinds.find((known) => known === word);
  if (!kind) throw new BadValue(`must be KIND=RATE, where KIND is one of ${faultKinds.join(', ')}`);
  if (!/^(?:0|1|0?\.\d+|1\.0+)$/.test(rate) || text.split('=').length !== 2)
    throw new BadValue(`must be ${kind}=RATE, where RATE is the share of requests, from 0 to 1, such as 0.05`);
  return [kind, Number(rate)];
}

/** Writes the private key of the app to a file in a new directory, and returns its path. Throws FileError. */
async function writeKey(key: string): Promise<string> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), 'forgectl-sandbox-'));
    const file = join(folder, 'app.private-key.pem');
    await writeFile(file, key, { mode: 0o600 });
    return file;
  } catch (error) {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    throw new FileError(
      `Cannot write the private key of the app in ${tmpdir()}: ${whyUnwritable(error) ?? (error as Error).message}.`,
      { cause: error, advice: 'Choose another directory for temporary files with TMPDIR.' },
    );
  }
}

/** The JSON output of a sandbox that is ready. */
export interface Announcement {
  base_url: string;
  /** The classic token. */
  token: string;
  /** A token of each kind, tokens of people with a role in acme, and a token without scopes. */
  tokens: Readonly<Record<TokenName, string>>;
  /** An app, with the file of its private key; the file is removed when the sandbox stops. */
  app: {
    id: number;
    private_key_file: string;
    installations: readonly AppInstallation[];
  };
}

export default class SandboxServe extends ForgectlCommand<undefined> {
  static override summary = 'Run an embedded platform for testing';
  static override description =
    `Serves the platform’s API on 127.0.0.1 with generated organizations and repositories, which are the same for the same
--seed. When ready, it prints the lines that configure forgectl and tokens of other kinds; noteworthy requests are
logged to stderr in lines that start with “sandbox:”. It runs until interrupted. The enterprise is named sandbox.

Without --state nothing is saved. With --state, the file contains every acknowledged change, even if the process is
killed, along with --orgs, --repos, --seed and the tokens. Only one sandbox at a time can use a file.

--fault injects faults: reset closes the connection before the request is processed, truncated in the middle of the
response to a processed request; 500, 502 and 503 (with retry-after) are error responses; html is a page with status
200, as from a proxy that requires a sign-in; slow delays responses by two seconds; fresh-token rejects installation
tokens in their first second with a 401. Repeating the same requests in a run produces the same faults.

The sandbox has an app with a private key of its own, to log in as with “auth login --app-id”. It is installed on the
first and the fourth organization and, suspended, on the second.`;
  static override examples = [
    { description: 'Run a sandbox on a free port', command: '<%= config.bin %> sandbox serve' },
    {
      description: 'Run a sandbox on a fixed port for a script',
      command: '<%= config.bin %> sandbox serve --port 8787 --orgs 2 --repos 250 --json',
    },
    {
      description: 'Test a script against latency, rate limits and faults',
      command:
        '<%= config.bin %> sandbox serve --latency 200 --rate-limit 500 --fault 502=0.05 --fault reset=0.02 --state sandbox.db',
    },
  ];
  static override flags = {
    port: valueFlag('--port', port, {
      helpValue: 'NUMBER',
      description: 'Port to listen on (default: a free port)',
    }),
    host: valueFlag('--host', ipAddress, {
      helpValue: 'ADDRESS',
      description: 'Address to listen on; others than 127.0.0.1 require --allow-host (default: 127.0.0.1)',
    }),
    'allow-host': valueFlag('--allow-host', hostNames, {
      helpValue: 'NAME,…',
      description: 'Names that other machines may use in requests (default: none)',
    }),
    state: Flags.string({ ...fileOnly, description: 'File that saves the state and restores it on the next start' }),
    orgs: valueFlag('--orgs', wholeNumber(1), {
      helpValue: 'NUMBER',
      description: 'Number of organizations (default: 3)',
    }),
    repos: valueFlag('--repos', wholeNumber(0), {
      helpValue: 'NUMBER',
      description: 'Number of repositories per organization (default: 12)',
    }),
    seed: valueFlag('--seed', wholeNumber(0), {
      helpValue: 'NUMBER',
      description: 'Seed of the generated records (default: 1)',
    }),
    latency: valueFlag('--latency', wholeNumber(0, 600_000), {
      helpValue: 'MS',
      description: 'Minimum duration of each request in milliseconds',
    }),
    'rate-limit': valueFlag('--rate-limit', wholeNumber(1), {
      helpValue: 'NUMBER',
      description:
        'Requests per hour and token; also limits to 100 concurrent requests, and 900 points per minute and path (reads 1, writes 5)',
    }),
    'token-lifetime': valueFlag('--token-lifetime', parseTimeout, {
      helpValue: 'DURATION',
      description: 'Lifetime of new installation tokens, such as 2s (default: 1h)',
    }),
    fault: Flags.custom<Fault>({
      parse: async (text, context) => (await collecting('--fault', fault)(text, context)) ?? undefined,
      helpValue: 'KIND=RATE',
      multiple: true,
      multipleNonGreedy: true,
      description: `Share of requests with a fault, from 0 to 1: ${faultKinds.join(', ')}; repeatable`,
    })(),
  };

  async run() {
    const { flags } = await this.collect(SandboxServe);
    const { port, state, orgs, repos, seed, latency, 'rate-limit': rateLimit, 'token-lifetime': tokenLifetime } = flags;
    const { host, 'allow-host': allowedHosts } = flags;
    if (host !== undefined && host !== '127.0.0.1' && !allowedHosts)
      this.problems.push(invalid('--host', 'requires --allow-host with the names that clients use'));
    const faults = this.faultRates(flags.fault?.filter((each) => each !== undefined));
    this.input.refuseProblems();
    const { FORGECTL_VENDOR: vendor, FORGECTL_ALERTS_SEGMENT: alertsSegment } = this.runtime.env;
    const interrupted = Promise.race([
      new Promise<void>((resolve) => this.runtime.onInterrupt(resolve)).then(() => exitCodes.interrupted),
      once(process, 'SIGTERM').then(() => exitCodes.done),
    ]);
    const sandbox = await this.start({
      ...(host !== undefined && { host }),
      ...(allowedHosts && { allowedHosts }),
      port,
      state,
      orgs,
      repos,
      seed,
      latency,
      rateLimit,
      tokenLifetime,
      faults,
      vendor,
      alertsSegment,
      log: (text) => this.tell(text),
    });
    const { stdout, stdoutIsTTY } = this.runtime.terminal;
    const { saysJson } = this.output;
    let keyFile: string | undefined;
    try {
      keyFile = await writeKey(sandbox.app.privateKey());
      await write(stdout, saysJson ? announcementJson(sandbox, keyFile) : announcement(sandbox, keyFile));
      if (stdoutIsTTY && !saysJson)
        this.tell(
          'Paste these lines into another terminal and try “forgectl orgs list”. Press Ctrl-C to stop the sandbox.',
        );
      this.runtime.exit(await interrupted);
    } finally {
      await sandbox.close();
      if (keyFile !== undefined) await rm(dirname(keyFile), { recursive: true, force: true });
    }
    return undefined;
  }

  /** Writes to stderr, prefixed to stand out among the output of other commands. */
  private tell(text: string): void {
    this.notice(text.replace(/^/gm, 'sandbox: '));
  }

  /** Returns the rates by kind; unreadable ones are already reported. */
  private faultRates(faults: readonly Fault[] = []): FaultRates {
    const rates: Partial<Record<FaultKind, number>> = {};
    for (const [kind, rate] of faults) {
      if (rates[kind] !== undefined) this.problems.push(invalid('--fault', `repeats ${kind}`));
      rates[kind] = rate;
    }
    if (requestFaults.reduce((sum, kind) => sum + (rates[kind] ?? 0), 0) > 1 + Number.EPSILON * 8)
      this.problems.push(invalid('--fault', 'rates must not exceed 1 in total'));
    return rates;
  }

  private async start(options: SandboxOptions): Promise<Sandbox> {
    const { startSandbox, StateDiskError, StateError } = await import('../../sandbox/serve.ts');
    try {
      return await startSandbox(options);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES')
        throw new UsageError(`Permission denied for port ${options.port}.`, 'Choose a port from 1024 with --port.');
      if (code === 'EADDRINUSE')
        throw new UsageError(
          `Port ${options.port} is already in use.`,
          'Choose another with --port, or omit it to use a free port.',
        );
      if (error instanceof StateDiskError) throw new FileError(error.message);
      if (error instanceof StateError) throw new UsageError(error.message);
      throw error;
    }
  }
}

/** Returns lines for a shell: `eval "$(…)"` runs the first two and ignores the rest. */
function announcement({ baseUrl, tokens, app }: Sandbox, keyFile: string): string {
  const { classic, ...others } = tokens;
  return [
    `export FORGECTL_BASE_URL=${baseUrl}`,
    `export FORGECTL_TOKEN=${classic}`,
    ...Object.entries(others).map(([kind, token]) => `# ${kind}: ${token}`),
    `# app: id ${app.id}, private key in ${keyFile}`,
    '',
  ].join('\n');
}

function announcementJson({ baseUrl, tokens, app: { id, installations } }: Sandbox, keyFile: string): string {
  const app = { id, private_key_file: keyFile, installations };
  const said: Announcement = { base_url: baseUrl, token: tokens.classic, tokens, app };
  return `${JSON.stringify(said)}\n`;
}

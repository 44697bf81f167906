import { once } from 'node:events';
import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { collecting } from '../../cli/input/args.ts';
import { parseTimeout } from '../../cli/input/duration.ts';
import { fileOnly, fileOrStdin } from '../../cli/input/file-flags.ts';
import { textFlag, valueFlag } from '../../cli/input/flags.ts';
import { hostNames, ipAddress, portNumber } from '../../cli/input/listen-address.ts';
import { BadValue, plainName, wholeNumber } from '../../cli/input/values.ts';
import { FileError } from '../../client/errors.ts';
import { write } from '../../output/writer.ts';
import { invalid } from '../../platform/validate.ts';
import { announcementJson, announcementLines } from '../../sandbox/announcement.ts';
import { type Fault, faultKinds, faultRates, readFault } from '../../sandbox/fault-kinds.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/serve.ts';
import { KeyFile, loginsIn } from '../../topics/sandbox-files.ts';

function fault(text: string): Fault {
  const read = readFault(text);
  if (typeof read === 'string') throw new BadValue(read);
  return read;
}

export default class SandboxServe extends ForgectlCommand<undefined> {
  static override summary = 'Run an embedded platform for testing';
  static override description =
    `Serves the platform’s API on 127.0.0.1 with generated organizations and repositories, which are the same for the
same --seed. When ready, it prints the lines that configure forgectl, and tokens of other kinds. Noteworthy requests are
logged to stderr in lines that start with “sandbox:”. It runs until interrupted. The enterprise is named sandbox.

Without --state nothing is saved. With --state, the file contains every acknowledged change, even if the process is
killed, along with --orgs, --repos, --seed and the tokens. Only one sandbox at a time can use the file.

--fault injects faults: reset closes the connection before the request is processed, truncated in the middle of the
response to a processed request; 500, 502 and 503 (with retry-after) are error responses; html is a page with status
200, as from a proxy that requires a sign-in; slow delays responses by two seconds; fresh-token rejects installation
tokens in their first second with a 401. Repeating the same requests in a run produces the same faults.

The sandbox has an app with a private key of its own, to log in as with “auth login --app-id”. It is installed on the
first and the fourth organization and, suspended, on the second.`;
  static override examples = examples({
    'Run a sandbox on a free port': 'forgectl sandbox serve',
    'Run a sandbox on a fixed port for a script': 'forgectl sandbox serve --port 8787 --orgs 2 --repos 250 --json',
    'Test a script against latency, rate limits and faults':
      'forgectl sandbox serve --latency 200 --rate-limit 500 --fault 502=0.05 --fault reset=0.02 --state sandbox.db',
  });
  static override flags = {
    port: valueFlag('--port', portNumber, {
      helpValue: 'NUMBER',
      description: 'Port to listen on (default: a free port)',
    }),
    host: valueFlag('--host', ipAddress, {
      helpValue: 'ADDRESS',
      description: 'Address to listen on; any other than 127.0.0.1 requires --allow-host (default: 127.0.0.1)',
    }),
    'allow-host': valueFlag('--allow-host', hostNames, {
      helpValue: 'NAME,…',
      description: 'Host names that other machines may use in requests (default: none)',
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
    'empty-organization': Flags.custom<string>({
      parse: async (text, context) => (await collecting('--empty-organization', plainName)(text, context)) ?? undefined,
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
      description:
        'One more organization, which has an owner and nothing else, and where any team ID exists; repeatable',
    })(),
    'known-logins': textFlag('--known-logins', {
      ...fileOrStdin,
      description: 'File with the logins of more people, and the teams and apps of empty organizations, one per line',
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
    const { host, 'allow-host': allowedHosts, 'empty-organization': emptyOrganizations, 'known-logins': known } = flags;
    if (host !== undefined && host !== '127.0.0.1' && !allowedHosts)
      this.problems.push(invalid('--host', 'requires --allow-host with the host names that clients use'));
    const faults = faultRates(flags.fault?.filter((each) => each !== undefined) ?? []);
    this.problems.push(...faults.problems.map((problem) => invalid('--fault', problem)));
    this.input.refuseProblems();
    const { FORGECTL_VENDOR: vendor, FORGECTL_ALERTS_SEGMENT: alertsSegment } = this.runtime.env;
    const knownLogins = known === undefined ? undefined : await loginsIn(known, this.runtime);
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
      emptyOrganizations,
      knownLogins,
      seed,
      latency,
      rateLimit,
      tokenLifetime,
      faults: faults.rates,
      vendor,
      alertsSegment,
      log: (text) => this.tell(text),
    });
    const { stdout, stdoutIsTTY } = this.runtime.terminal;
    const { saysJson } = this.output;
    let keyFile: KeyFile | undefined;
    let code: number;
    try {
      keyFile = KeyFile.write(sandbox.app.privateKey());
      await write(
        stdout,
        saysJson ? announcementJson(sandbox, keyFile.path) : announcementLines(sandbox, keyFile.path),
      );
      if (stdoutIsTTY && !saysJson)
        this.tell(
          'Paste these lines into another terminal and try “forgectl orgs list”. Press Ctrl-C to stop the sandbox.',
        );
      code = await interrupted;
    } finally {
      await sandbox.close();
      keyFile?.remove();
    }
    // May end the process at once.
    this.runtime.exit(code);
    return undefined;
  }

  /** Writes to stderr, prefixed to stand out among the output of other commands. */
  private tell(text: string): void {
    this.notice(text.replace(/^/gm, 'sandbox: '));
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
      if (code === 'EADDRNOTAVAIL') throw new UsageError(`${options.host} is not an address of this machine.`);
      if (error instanceof StateDiskError) throw new FileError(error.message);
      if (error instanceof StateError) throw new UsageError(error.message);
      throw error;
    }
  }
}

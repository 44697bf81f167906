import { once } from 'node:events';
import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { collecting } from '../../cli/input/args.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { BadValue, wholeNumber } from '../../cli/input/values.ts';
import { write } from '../../output/writer.ts';
import { invalid } from '../../platform/validate.ts';
import { type FaultKind, type FaultRates, faultKinds } from '../../sandbox/fault-kinds.ts';
import type { TokenName } from '../../sandbox/seed/tokens.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/serve.ts';

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535) throw new BadValue('must be a port, 0 to 65535; 0 takes a free one');
  return value;
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

/** What a script is told of a sandbox that is ready. */
export interface Announcement {
  base_url: string;
  /** The classic token. */
  token: string;
  /** A token of each kind, tokens of people with a role in acme, and a weak one, without scopes. */
  tokens: Readonly<Record<TokenName, string>>;
}

export default class SandboxServe extends ForgectlCommand<undefined> {
  static override summary = 'Run the platform itself, embedded, for trying and testing';
  static override description =
    `Serves the platform’s API on 127.0.0.1 with made-up organizations and repositories, the same ones for the same --seed. Once it is ready
it prints the lines that point forgectl at it, and further tokens; what clients did that is worth telling goes
to stderr, in lines that begin with “sandbox:”. It runs until it is interrupted. The enterprise is called sandbox.

Without --state it keeps nothing. With it, what was answered is in the file, even when the process is killed; --orgs, --repos,
--seed and the tokens are kept with it. One sandbox at a time can use a file.

--fault makes requests go wrong: reset cuts the connection before the request is acted on, truncated in the middle of the
answer to one that was acted on; 500, 502 and 503 (with retry-after) are refusals; html is a page with status 200, as
from a proxy that wants people to sign in; slow answers come two seconds late. The same requests of a run have the same
faults each time.`;
  static override examples = [
    { description: 'On a free port, in another terminal', command: '<%= config.bin %> sandbox serve' },
    {
      description: 'For a script, on a fixed port',
      command: '<%= config.bin %> sandbox serve --port 8787 --orgs 2 --repos 250 --json',
    },
    {
      description: 'To see how a script takes a bad day',
      command:
        '<%= config.bin %> sandbox serve --latency 200 --rate-limit 500 --fault 502=0.05 --fault reset=0.02 --state sandbox.db',
    },
  ];
  static override flags = {
    port: valueFlag('--port', port, {
      helpValue: 'NUMBER',
      description: 'Port to listen on; the default is a free one',
    }),
    state: Flags.string({ ...fileOnly, description: 'Keep the state in a file, and go on from what it holds' }),
    orgs: valueFlag('--orgs', wholeNumber(1), {
      helpValue: 'NUMBER',
      description: 'How many organizations there are; the default is 3',
    }),
    repos: valueFlag('--repos', wholeNumber(0), {
      helpValue: 'NUMBER',
      description: 'How many repositories each organization has; the default is 12',
    }),
    seed: valueFlag('--seed', wholeNumber(0), {
      helpValue: 'NUMBER',
      description: 'What the made-up records are made from; the default is 1',
    }),
    latency: valueFlag('--latency', wholeNumber(0, 600_000), {
      helpValue: 'MS',
      description: 'How long each request takes at least, in milliseconds',
    }),
    'rate-limit': valueFlag('--rate-limit', wholeNumber(1), {
      helpValue: 'NUMBER',
      description:
        'Requests an hour for each token; also limits to 100 at once, and 900 points a minute for each path (reads 1, writes 5)',
    }),
    fault: Flags.custom<Fault>({
      parse: async (text, context) => (await collecting('--fault', fault)(text, context)) ?? undefined,
      helpValue: 'KIND=RATE',
      multiple: true,
      multipleNonGreedy: true,
      description: `Share of requests, from 0 to 1, that something goes wrong with: ${faultKinds.join(', ')}; can be repeated`,
    })(),
  };

  async run() {
    const { flags } = await this.collect(SandboxServe);
    const { port, state, orgs, repos, seed, latency, 'rate-limit': rateLimit } = flags;
    const faults = this.faultRates(flags.fault?.filter((each) => each !== undefined));
    this.input.refuseProblems();
    const { FORGECTL_VENDOR: vendor, FORGECTL_ALERTS_SEGMENT: alertsSegment } = this.runtime.env;
    const interrupted = Promise.race([
      new Promise<void>((resolve) => this.runtime.onInterrupt(resolve)).then(() => exitCodes.interrupted),
      once(process, 'SIGTERM').then(() => exitCodes.done),
    ]);
    const sandbox = await this.start({
      port,
      state,
      orgs,
      repos,
      seed,
      latency,
      rateLimit,
      faults,
      vendor,
      alertsSegment,
      log: (text) => this.tell(text),
    });
    const { stdout, stdoutIsTTY } = this.runtime.terminal;
    const { saysJson } = this.output;
    try {
      await write(stdout, saysJson ? announcementJson(sandbox) : announcement(sandbox));
      if (stdoutIsTTY && !saysJson)
        this.tell(
          'Paste the lines into another terminal, and try “forgectl orgs list” there. Ctrl-C ends the sandbox.',
        );
      this.runtime.exit(await interrupted);
    } finally {
      await sandbox.close();
    }
    return undefined;
  }

  /** Writes to stderr, where the lines of a sandbox stand between those of the commands that use it. */
  private tell(text: string): void {
    this.notice(text.replace(/^/gm, 'sandbox: '));
  }

  /** Rates by kind; those that could not be read are told already. */
  private faultRates(faults: readonly Fault[] = []): FaultRates {
    const rates: Partial<Record<FaultKind, number>> = {};
    for (const [kind, rate] of faults) {
      if (rates[kind] !== undefined) this.problems.push(invalid('--fault', `says ${kind} twice`));
      rates[kind] = rate;
    }
    if (Object.values(rates).reduce((sum, rate) => sum + rate, 0) > 1 + Number.EPSILON * 8)
      this.problems.push(invalid('--fault', 'rates must not add up to more than 1'));
    return rates;
  }

  private async start(options: SandboxOptions): Promise<Sandbox> {
    const { startSandbox, StateError } = await import('../../sandbox/serve.ts');
    try {
      return await startSandbox(options);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES')
        throw new UsageError(`Port ${options.port} is not for this user.`, 'Choose one from 1024 on with --port.');
      if (code === 'EADDRINUSE')
        throw new UsageError(
          `Port ${options.port} is taken.`,
          'Choose another with --port, or leave it out for a free one.',
        );
      if (error instanceof StateError) throw new UsageError(error.message);
      throw error;
    }
  }
}

/** Lines for a shell: `eval "$(…)"` takes the first two and passes over the rest. */
function announcement({ baseUrl, tokens }: Sandbox): string {
  const { classic, ...others } = tokens;
  return [
    `export FORGECTL_BASE_URL=${baseUrl}`,
    `export FORGECTL_TOKEN=${classic}`,
    ...Object.entries(others).map(([kind, token]) => `# ${kind}: ${token}`),
    '',
  ].join('\n');
}

function announcementJson({ baseUrl, tokens }: Sandbox): string {
  const said: Announcement = { base_url: baseUrl, token: tokens.classic, tokens };
  return `${JSON.stringify(said)}\n`;
}

import { once } from 'node:events';
import { BadValue } from '../../cli/args.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { valueFlag, wholeNumber } from '../../cli/flags.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/serve.ts';

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535) throw new BadValue('must be a port, 0 to 65535; 0 takes a free one');
  return value;
}

export default class SandboxServe extends ForgectlCommand<undefined> {
  static override summary = 'Run the platform itself, embedded, for trying and testing';
  static override description =
    `Serves the platform's API on 127.0.0.1 with made-up organizations and repositories, the same ones for the same --seed. Once it is ready
it prints the lines that point forgectl at it, and the tokens of the other kinds; what clients did that is worth telling goes
to stderr. It runs until it is interrupted, and keeps nothing. The enterprise is called sandbox.`;
  static override examples = [
    { description: 'On a free port, in another terminal', command: '<%= config.bin %> sandbox serve' },
    {
      description: 'For a script, on a fixed port',
      command: '<%= config.bin %> sandbox serve --port 8787 --orgs 2 --repos 250 --json',
    },
  ];
  static override flags = {
    port: valueFlag('--port', port, {
      helpValue: 'NUMBER',
      description: 'Port to listen on; the default is a free one',
    }),
    orgs: valueFlag('--orgs', wholeNumber(1), { helpValue: 'NUMBER', description: 'How many organizations there are' }),
    repos: valueFlag('--repos', wholeNumber(0), {
      helpValue: 'NUMBER',
      description: 'How many repositories each organization has',
    }),
    seed: valueFlag('--seed', wholeNumber(0), {
      helpValue: 'NUMBER',
      description: 'What the made-up records are made from',
    }),
  };

  async run() {
    const { flags } = await this.parse(SandboxServe);
    const { port, orgs, repos, seed } = flags;
    const { FORGECTL_VENDOR: vendor, FORGECTL_ALERTS_SEGMENT: alertsSegment } = this.runtime.env;
    const interrupted = Promise.race([
      once(process, 'SIGINT').then(() => exitCodes.interrupted),
      once(process, 'SIGTERM').then(() => exitCodes.done),
    ]);
    const sandbox = await this.start({
      port,
      orgs,
      repos,
      seed,
      vendor,
      alertsSegment,
      log: (line) => this.notice(line),
    });
    this.runtime.terminal.stdout.write(this.saysJson() ? announcementJson(sandbox) : announcement(sandbox));
    this.runtime.exit(await interrupted);
    await sandbox.close();
    return undefined;
  }

  private async start(options: SandboxOptions): Promise<Sandbox> {
    const { startSandbox } = await import('../../sandbox/serve.ts');
    try {
      return await startSandbox(options);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
        throw new UsageError(
          `Port ${options.port} is taken.`,
          'Choose another with --port, or leave it out for a free one.',
        );
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
  return `${JSON.stringify({ base_url: baseUrl, token: tokens.classic, tokens })}\n`;
}

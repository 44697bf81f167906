/** Help: oclif's own, and for each command what access it needs, read off the endpoints that it asks. */
import type { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import { CommandHelp, Help, normalizeArgv } from '@oclif/core/help';
import { write } from '../output/writer.ts';
import type { Endpoint, Route } from '../platform/endpoint.ts';
import { permissionText, tokenKindNames } from './advice.ts';
import { fullConfig } from './config.ts';
import type { Runtime } from './runtime.ts';
import { unknownCommand } from './unknown-command.ts';

type Endpoints = ReadonlyMap<string, Endpoint>;

/** Shows the help that the words of a command line ask for. Throws UsageError for words that name nothing. */
export async function showHelp(argv: readonly string[], { terminal }: Pick<Runtime, 'terminal'>): Promise<void> {
  const config = await fullConfig();
  const words = argv.filter((word) => word !== '--help' && word !== '-h');
  const [id] = normalizeArgv(config, [...words]);
  if (id && !config.findCommand(id) && !config.findTopic(id)) throw unknownCommand(config, id);
  const help = new ForgectlHelp(
    config,
    id && config.findCommand(id) ? await allEndpoints() : new Map(),
    terminal.columns,
  );
  await help.showHelp(words);
  await write(terminal.stdout, help.text);
}

/** A command's help alone shows what its endpoints need: they take longer to load than the rest of it. */
async function allEndpoints(): Promise<Endpoints> {
  const { endpointsByRoute } = await import('../platform/endpoints/index.ts');
  return endpointsByRoute;
}

class ForgectlHelp extends Help {
  text = '';

  constructor(config: Config, endpoints: Endpoints, columns: number) {
    super(config, { ...config.pjson.oclif.helpOptions, maxWidth: Math.min(columns, 120) });
    this.CommandHelpClass = class extends CommandHelpWithAccess {
      protected override readonly endpoints = endpoints;
    };
  }

  protected override log(...lines: string[]): void {
    this.text += `${lines.join(' ')}\n`;
  }
}

class CommandHelpWithAccess extends CommandHelp {
  protected readonly endpoints: Endpoints = new Map();

  protected override sections() {
    const sections = super.sections();
    const description = sections.findIndex(({ header }) => header === 'DESCRIPTION');
    sections.splice(description + 1, 0, { header: 'ACCESS', generate: () => this.access() });
    return sections;
  }

  /** The arguments in their order; the flags have a section of their own. */
  protected override usage(): string {
    const args = Object.values(this.command.args ?? {}).map(({ name, required, multiple }) => {
      const word = `${name.toUpperCase()}${multiple ? '…' : ''}`;
      return required ? word : `[${word}]`;
    });
    return ['$', this.config.bin, this.command.id, ...args, '[FLAGS]'].join(' ');
  }

  /** With their descriptions, which name the words that they take. */
  protected override args(args: Parameters<CommandHelp['args']>[0]) {
    return super.args(args.map(({ options: _, ...arg }) => arg));
  }

  /** Summary and description, each paragraph wrapped anew: where its source breaks lines means nothing. */
  protected override description(): string | undefined {
    const { summary, description } = this.command;
    const paragraphs = [summary ?? '', ...(description ?? '').split(/\n{2,}/)].filter((text) => text !== '');
    return this.wrap(paragraphs.map((text) => text.replaceAll('\n', ' ')).join('\n\n'));
  }

  /** Commands stay on one line: folded, a quoted argument would hold the fold. */
  protected override examples(examples: Command.Example[] | undefined): string | undefined {
    const shown = (examples ?? []).map((example) => {
      const { description, command } = typeof example === 'string' ? { description: '', command: example } : example;
      return `${description}\n\n  $ ${command.replaceAll('<%= config.bin %>', this.config.bin)}`;
    });
    return shown.length ? shown.join('\n\n') : undefined;
  }

  private access(): string | undefined {
    const routes = (this.command as { requests?: readonly Route[] }).requests ?? [];
    const lines = routes.flatMap((route) => {
      const endpoint = this.endpoints.get(route);
      return endpoint ? [accessLine(endpoint)] : [];
    });
    return lines.length ? lines.join('\n') : undefined;
  }
}

/** What one endpoint needs of a token and of its owner, in one line. */
export function accessLine(endpoint: Endpoint): string {
  const { route, permission, scopes, role, tokens, anonymous, editions } = endpoint;
  const needs = [
    anonymous ? 'public resources without a token' : '',
    tokens ? `only ${tokenKindNames(tokens)}` : '',
    scopes ? `scope ${scopes.join(' or ')} (classic and OAuth tokens)` : '',
    permission ? `permission ${permissionText(permission)} (fine-grained tokens)` : '',
    role ? `role ${role}` : '',
    editions ? `only on ${editions.join(', ')}` : '',
  ].filter(Boolean);
  return `${route}: ${needs.length ? needs.join('; ') : 'any token'}`;
}

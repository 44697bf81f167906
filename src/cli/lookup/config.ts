/** oclif's config in two sizes: for a run, and with all commands. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core/config';
import { homeOfUser, settingsDirectory } from '../../disk/locations.ts';

/** The folder of package.json, from both the sources and the build. */
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns the config of a run. It lists no commands: the command is found by its file. */
export async function runConfig(): Promise<Config> {
  const config = new RunConfig({ root });
  await config.load();
  return config;
}

/** Returns the config with all commands and topics, as help needs it, from oclif.manifest.json. */
export async function fullConfig(): Promise<Config> {
  const config = new FullConfig({ root });
  await config.load();
  return config;
}

/** A user without a home directory gets the one that container runtimes report in that case. */
function homeOrRoot(): string {
  const home = homeOfUser();
  // Libraries that are loaded later look it up as well.
  if (home === undefined) process.env.HOME = '/';
  return home ?? '/';
}

/** The properties that oclif's own `load` finds for this package, without manifest, theme, shell and plugins. */
class RunConfig extends Config {
  override async load(): Promise<void> {
    this.root = root;
    this.pjson = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
    const { name, version, oclif } = this.pjson;
    this.name = name;
    this.version = version;
    this.bin = oclif.bin ?? name;
    this.dirname = oclif.dirname ?? name;
    this.topicSeparator = ' ';
    this.arch = process.arch as Config['arch'];
    this.platform = process.platform as Config['platform'];
    this.userAgent = `${name}/${version} ${this.platform}-${this.arch} node-${process.version}`;
    this.windows = process.platform === 'win32';
    this.home = process.env.HOME || (this.windows && this.windowsHome()) || homeOrRoot();
    this.configDir = settingsDirectory(process.env);
  }

  /** Only plugins add hooks, and there are no plugins. */
  override async runHook() {
    return { failures: [], successes: [] };
  }
}

type Commands = Config['commands'];
type Topics = Config['topics'];

class FullConfig extends RunConfig {
  readonly #commands = new Map<string, Commands[number]>();
  readonly #topics = new Map<string, Topics[number]>();

  override async load(): Promise<void> {
    await super.load();
    const manifest = JSON.parse(readFileSync(`${root}/oclif.manifest.json`, 'utf8')) as {
      readonly commands: Readonly<Record<string, Commands[number]>>;
    };
    for (const [name, topic] of Object.entries(this.pjson.oclif.topics ?? {}))
      this.#topics.set(name, { ...topic, name });
    for (const [id, command] of Object.entries(manifest.commands)) {
      this.#commands.set(id, command);
      // Help treats commands with others below them as topics, so it needs all of them.
      if (!this.#topics.has(id)) this.#topics.set(id, { name: id, description: command.summary });
    }
  }

  override get commands(): Commands {
    return [...this.#commands.values()];
  }

  override get commandIDs(): string[] {
    return [...this.#commands.keys()];
  }

  override get topics(): Topics {
    return [...this.#topics.values()];
  }

  // biome-ignore lint/suspicious/noExplicitAny: oclif's overloads answer differently to `must`, which nobody here sets
  override findCommand(id: string): any {
    return this.#commands.get(id);
  }

  // biome-ignore lint/suspicious/noExplicitAny: as for findCommand
  override findTopic(name: string): any {
    return this.#topics.get(name);
  }
}

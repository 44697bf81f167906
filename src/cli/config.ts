/** oclif's config in two sizes: what a run needs, and with all commands. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core/config';

/** The folder that holds package.json, both from the sources and from what is built of them. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The config of a run. It knows no commands: the one that runs is found by its file. */
export async function runConfig(): Promise<Config> {
  const config = new RunConfig({ root });
  await config.load();
  return config;
}

/** The config with all commands and topics, as help needs it: read off oclif.manifest.json. */
export const fullConfig = (): Promise<Config> => Config.load({ root });

/** What oclif's own `load` finds out about this package, without the manifest, the theme, the shell and plugins. */
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
    this.platform = process.platform as Config['platform'];
    this.windows = process.platform === 'win32';
    this.home = process.env.HOME || (this.windows && this.windowsHome()) || homedir();
    this.cacheDir = this.scopedEnvVar('CACHE_DIR') || this.macosCacheDir() || this.dir('cache');
    this.configDir = this.scopedEnvVar('CONFIG_DIR') || this.dir('config');
  }

  /** Hooks are what plugins add, and there are none. */
  override async runHook() {
    return { failures: [], successes: [] };
  }
}

import { examples, ForgectlCommand } from '../cli/command/command.ts';

interface VersionRecord {
  version: string;
  node: string;
  platform: string;
}

export default class Version extends ForgectlCommand<VersionRecord> {
  static override summary = 'Show the version of forgectl';
  static override description = 'Shows the versions of forgectl and Node for bug reports. Sends no requests.';
  static override examples = examples({
    'Show details': 'forgectl version',
    'Print only the version number': 'forgectl version --jq .version',
  });

  protected override readonly idField = 'version';

  async run() {
    await this.parse(Version);
    return {
      version: this.config.version,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    };
  }
}

import { ForgectlCommand } from '../cli/command/command.ts';

interface VersionRecord {
  version: string;
  node: string;
  platform: string;
}

export default class Version extends ForgectlCommand<VersionRecord> {
  static override summary = 'Show the version of forgectl';
  static override description = 'Shows which forgectl runs on which Node, as bug reports need it. Nothing is sent.';
  static override examples = [
    { description: 'As a sheet', command: '<%= config.bin %> version' },
    { description: 'The number alone', command: '<%= config.bin %> version --jq .version' },
  ];

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

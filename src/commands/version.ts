import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../cli/command/command.ts';
import type { Column } from '../output/table/columns.ts';

interface Component {
  name: string;
  /** Null for a library without one. */
  version: string | null;
  /** SPDX expression. */
  license: string;
}

interface VersionRecord {
  version: string;
  node: string;
  platform: string;
  /** With --verbose: changes with every change of the code. */
  build?: string;
  /** With --verbose: `package` or `executable`. */
  distribution?: 'package' | 'executable';
  /** With --verbose. */
  license?: string;
  /** With --verbose: packages and programs whose code forgectl contains; for an executable, also Node. */
  components?: readonly Component[];
}

export default class Version extends ForgectlCommand<VersionRecord> {
  static override summary = 'Show the version of forgectl';
  static override description =
    `Shows the versions of forgectl and Node for bug reports. --verbose adds the build and the licenses: that of forgectl
and those of the code that it contains. The texts of the licenses are in THIRD_PARTY_LICENSES. Sends no requests.`;
  static override examples = examples({
    'Show details': 'forgectl version',
    'Print only the version number': 'forgectl version --jq .version',
    'List the licenses of the code that forgectl contains': "forgectl version --verbose -o csv --jq '.components[]'",
  });
  static override flags = {
    verbose: Flags.boolean({ description: 'Also show the build and the licenses' }),
  };

  protected override columns: readonly Column<VersionRecord>[] = [
    { header: 'Version', get: 'version' },
    { header: 'Node', get: 'node' },
    { header: 'Platform', get: 'platform' },
  ];

  protected override readonly idField = 'version';

  async run(): Promise<VersionRecord> {
    const { flags } = await this.parse(Version);
    const versions = {
      version: this.config.version,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    };
    if (!flags.verbose) return versions;
    this.columns = [...this.columns, ...verboseColumns];
    return { ...versions, ...this.#verbose() };
  }

  #verbose() {
    const file = readFileSync(join(this.config.root, 'dist/package.json'), 'utf8');
    const { build, components } = JSON.parse(file) as { build: string; components: readonly Component[] };
    const node = { name: 'node', version: process.versions.node, license: 'MIT' };
    return {
      build,
      distribution: isSea() ? 'executable' : 'package',
      license: this.config.pjson.license,
      components: isSea() ? [...components, node] : components,
    } as const;
  }
}

const componentText = ({ name, version, license }: Component) =>
  `${name}${version === null ? '' : ` ${version}`} (${license})`;

const verboseColumns: readonly Column<VersionRecord>[] = [
  { header: 'Build', get: 'build' },
  { header: 'Distribution', get: 'distribution' },
  { header: 'License', get: 'license' },
  { header: 'Contains', get: ({ components }) => components?.map(componentText) },
];

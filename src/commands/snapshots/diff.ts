import { existsSync } from 'node:fs';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { fileArg, orAddress, readRepoName } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { BadValue } from '../../cli/input/values.ts';
import type { Column } from '../../output/table/columns.ts';
import { compareDependencies } from '../../platform/endpoints/snapshots.ts';
import type { DependencyChange } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { changesOf, compareDocuments, type PackageChange, readDocument } from '../../topics/snapshots/comparison.ts';
import { strictFlag } from '../../topics/snapshots/sbom.ts';

export default class SnapshotsDiff extends ForgectlCommand<PackageChange[]> {
  static override summary = 'Compare the packages of two snapshots';
  static override description =
    `Lists the packages that were added, removed or changed version between two snapshots, by manifest. Either may be an
SBOM; manifests are then ignored.

With a repository and BASE...HEAD, lists the changes that the platform finds between two branches, tags or commits, and
the known vulnerabilities of the new versions in the JSON. Comparing files sends no requests and needs no login.`;
  static override examples = examples({
    'Show what changed since the last snapshot': 'forgectl snapshots diff last.json snapshot.json',
    'List the packages that a branch changes': 'forgectl snapshots diff acme/site main...develop',
    'List the added packages':
      'forgectl snapshots diff last.json snapshot.json --jq \'.[] | select(.change == "added").package\'',
  });
  static override requests = [compareDependencies.route];
  static override args = {
    before: fileArg('Earlier snapshot or SBOM, or - for standard input; or a repository (OWNER/NAME)'),
    after: fileArg('Later snapshot or SBOM; or BASE...HEAD'),
  };
  static override flags = { ...queryFlags(compareDependencies.query), ...strictFlag };

  protected override readonly emptyText = 'No differences.';

  protected override readonly columns: readonly Column<PackageChange>[] = [
    { header: 'Change', get: 'change', as: 'state', priority: 1 },
    { header: 'Package', get: 'package', as: 'name', priority: 1 },
    { header: 'Before', get: 'before', as: 'text', priority: 1 },
    { header: 'After', get: 'after', as: 'text', priority: 1 },
    { header: 'Relationship', get: 'relationship', priority: 2, optional: true },
    { header: 'Scope', get: 'scope', priority: 3, optional: true },
    { header: 'Manifest', get: 'manifest', as: 'name', priority: 2, optional: true },
  ];

  async run() {
    const { args, flags } = await this.collect(SnapshotsDiff);
    const { before, after } = args;
    if (after !== undefined && isRange(after)) {
      if (flags.strict) this.problems.push(invalid('--strict', 'cannot be used with commits'));
      return this.#compareCommits(before, after, flags);
    }
    this.input.refuseProblems();
    if (after !== undefined && hasTwoDots(after) && !existsSync(after))
      throw new UsageError(
        `“${after}” has two dots. Nothing was sent.`,
        `Compare commits with three: ${after.replace('..', '...')}`,
      );
    const { stdin } = this.runtime;
    const changes = await compareDocuments(
      await readDocument(before, stdin),
      await readDocument(after, stdin),
      flags.strict ? undefined : (text) => this.notice(text),
    );
    return flags.name === undefined ? changes : changes.filter(({ manifest }) => manifest === flags.name);
  }

  async #compareCommits(name: string, basehead: string, flags: { name?: unknown }): Promise<PackageChange[]> {
    const repository = await this.#repository(name);
    const { query } = await this.inputFor(compareDependencies, flags);
    const input = { path: { ...this.valid({ repository }).repository, basehead }, query: { ...query } };
    const client = await this.session.clientFor(compareDependencies, input);
    const records: DependencyChange[] = [];
    for await (const { items } of client.pages(compareDependencies, input))
      for (const item of items) records.push(item);
    return changesOf(records);
  }

  /** Only the second argument shows that the first one is not a file. */
  async #repository(name: string) {
    try {
      const repository = orAddress('REPO', readRepoName)(name, this);
      if (this.addresses.length > 0) await this.requireOwnHosts();
      return repository;
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      this.problems.push(invalid('REPO', error.message));
      return null;
    }
  }
}

/** Git allows no consecutive dots in names. */
const isRange = (text: string): boolean => /^(?:(?!\.\.).)+\.\.\.(?:(?!\.\.).)+$/.test(text);

/** Returns whether a text is a two-dot range of git and not a path with a parent directory. */
const hasTwoDots = (text: string): boolean => /^(?:(?!\.\.).)+\.\.[^./]/.test(text);

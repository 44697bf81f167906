import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { isRepo, targetArg, targetName } from '../../cli/input/args.ts';
import { unknownFlag } from '../../cli/input/flags.ts';
import { NotFoundError } from '../../client/errors.ts';
import { UnnamedTargetError } from '../../fleet/policy/errors.ts';
import { createdBy } from '../../fleet/policy/wanted/created.ts';
import { type Declared, declaredOfEntries, declaredOfOwner } from '../../fleet/policy/wanted/explain.ts';
import type { OwnerPolicy, RepositoryEntry, SelectableRepository } from '../../fleet/policy/wanted/model.ts';
import { nameMatcher, readsRecords, select } from '../../fleet/policy/wanted/select.ts';
import { targetOfOwner } from '../../fleet/policy/wanted/target.ts';
import type { JqLimits } from '../../jq/jq.ts';
import type { Column } from '../../output/table/columns.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import { policyPathsArg } from '../../topics/policy/files.ts';
import { policyOf } from '../../topics/policy/run.ts';

export default class PolicyExplain extends ForgectlCommand<Declared[]> {
  static override summary = 'Show what a policy declares for a target';
  static override description =
    `Lists what policy files declare for an organization or a repository, field by field, with the file and the line. For a
repository, these are the entries that select it, and values that an entry with override replaces name its line. Works offline while their selectors have only names; otherwise the
repository is read. What a policy does not declare is not managed and not listed. An enterprise is enterprise:SLUG; a target whose organization
or enterprise no file names ends with exit code 3.`;
  static override examples = examples({
    'Find the file that sets something': 'forgectl policy explain acme/site',
    'List the files that declare its settings': `forgectl policy explain acme/site policy --jq '.[] | select(.kind == "settings") | .source'`,
  });
  static override requests = [getRepository.route];
  static override args = { target: targetArg(), path: policyPathsArg() };
  static override flags = unknownFlag;

  protected override readonly recordsName = 'values';
  protected override readonly idField = 'source';
  protected override readonly columns: readonly Column<Declared>[] = [
    { header: 'Kind', get: 'kind', as: 'text', priority: 1 },
    { header: 'Name', get: 'name', as: 'name', priority: 1 },
    { header: 'Field', get: 'field', as: 'text', priority: 1 },
    { header: 'Value', get: 'value', priority: 1 },
    { header: 'Source', get: 'source', as: 'text', priority: 1 },
    { header: 'Overridden by', get: 'overridden_by', as: 'text', priority: 1, optional: true },
  ];

  async run() {
    const { args, flags } = await this.parse(PolicyExplain);
    const { target } = args;
    const { owners } = await policyOf(args.path ?? [], this.runtime, flags, this.config.root);
    this.emptyText = `The policy declares nothing for ${targetName(target)}.`;
    const owner = isRepo(target) ? target.owner : target.org;
    const named = owners.filter((each) => targetOfOwner(each).toLowerCase() === owner.toLowerCase());
    if (named.length === 0) throw new UnnamedTargetError(owner);
    if (!isRepo(target)) return named.flatMap(declaredOfOwner);
    return declaredOfEntries(await this.selecting(named, target, { timeoutMs: flags.timeout }));
  }

  /** Returns the entries that select a repository, which is read only if their selectors need more than its name. */
  private async selecting(
    owners: readonly OwnerPolicy[],
    path: { readonly owner: string; readonly repo: string },
    limits: JqLimits,
  ): Promise<readonly RepositoryEntry[]> {
    const named = owners
      .flatMap(({ repositories }) => repositories)
      .filter((entry) => nameMatcher(entry.select)(path.repo));
    if (!named.some((entry) => readsRecords(entry.select))) return named;
    const { repository, isNew } = await this.repositoryAt(path, owners);
    const decided = isNew ? named.filter((entry) => entry.select.where === undefined) : named;
    if (decided.length < named.length)
      this.notice(`${path.owner}/${path.repo} does not exist yet. Entries whose where may select it are not listed.`);
    const selections = await Promise.all(decided.map((entry) => select(entry.select, [repository], limits)));
    return decided.filter((_entry, index) => selections[index]?.selected.length);
  }

  /** Reads a repository. One that does not exist is as the policy that creates it declares. */
  private async repositoryAt(
    path: { readonly owner: string; readonly repo: string },
    owners: readonly OwnerPolicy[],
  ): Promise<{ readonly repository: SelectableRepository; readonly isNew: boolean }> {
    try {
      return { repository: await this.call(getRepository, { path }), isNew: false };
    } catch (error) {
      const created = owners.flatMap((owner) => createdBy(owner));
      const repository = created.find(({ name }) => name.toLowerCase() === path.repo.toLowerCase());
      if (repository && error instanceof NotFoundError) return { repository, isNew: true };
      throw error;
    }
  }
}

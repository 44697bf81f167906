import { examples, ForgectlCommand } from '../../../cli/command/command.ts';
import { orgArg, repositoryIdOrRepoArg } from '../../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../../cli/input/flags.ts';
import { removeImmutableReleasesRepository } from '../../../platform/endpoints/orgs.ts';
import { getRepository } from '../../../platform/endpoints/repos.ts';
import type { Repository } from '../../../platform/records.ts';
import { repositoryColumns } from '../../../topics/repos/columns.ts';
import { namedRepository } from '../../../topics/repos/named.ts';

export default class OrgsImmutableReleasesRemove extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Stop enforcing immutable releases for a repository';
  static override description =
    `Removes a repository, given by ID or as OWNER/NAME, from the organization’s list for immutable releases. Existing
immutable releases stay immutable.`;
  static override examples = examples({
    'Remove a repository by name': 'forgectl orgs immutable-releases remove acme acme/site --yes',
    'Preview the request': 'forgectl orgs immutable-releases remove acme acme/site --dry-run',
  });
  static override requests = [removeImmutableReleasesRepository.route, getRepository.route];
  static override args = { org: orgArg(), repository: repositoryIdOrRepoArg() };
  static override flags = confirmedWriteFlags;

  async run() {
    const { args } = await this.parse(OrgsImmutableReleasesRemove);
    const { org, repository } = args;
    const name = typeof repository === 'number' ? String(repository) : `${repository.owner}/${repository.repo}`;
    const effect = `stops enforcing immutable releases for ${name}`;
    if (typeof repository === 'number') {
      await this.input.confirm(name, effect);
      return this.removeFrom(org, repository, name);
    }
    const find = () => namedRepository(this.session, repository);
    let found: Repository | undefined;
    await this.input.confirm(name, effect, async () => {
      found = await find();
      return { record: found, columns: repositoryColumns };
    });
    found ??= await find();
    return this.removeFrom(org, found.id, name);
  }

  private removeFrom(org: string, repository_id: number, name: string) {
    const verifyCommand = `forgectl api GET /orgs/${org}/settings/immutable-releases/repositories`;
    const done = `Immutable releases are no longer enforced for ${name}.`;
    return this.write(removeImmutableReleasesRepository, { path: { org, repository_id } }, { verifyCommand, done });
  }
}

import { examples } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { getRepository, updateRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { ArchivingCommand } from '../../topics/repos/archiving.ts';

export default class ReposArchive extends ArchivingCommand {
  static override summary = 'Archive a repository';
  static override description =
    `Makes a repository read-only: code, issues, pull requests and settings are kept but cannot be changed. “repos
unarchive” reverses it.`;
  static override examples = examples({
    'Preview the request': 'forgectl repos archive acme/site --dry-run',
    'Archive without confirmation': 'forgectl repos archive acme/site --yes',
  });
  static override requests = [getRepository.route, updateRepository.route];
  static override args = { repo: repoArg() };
  static override flags = confirmedWriteFlags;

  protected override readonly made = ({ full_name, archived }: Repository) =>
    archived ? `Archived ${full_name}.` : undefined;

  async run() {
    const { args, flags } = await this.parse(ReposArchive);
    return this.setArchived(args.repo, true, flags);
  }
}

import { examples } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { getRepository, updateRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { ArchivingCommand } from '../../topics/repos/archiving.ts';

export default class ReposUnarchive extends ArchivingCommand {
  static override summary = 'Unarchive a repository';
  static override description = 'Makes an archived repository writable again with all its contents.';
  static override examples = examples({
    'Preview the request': 'forgectl repos unarchive acme/site --dry-run',
    'Unarchive without confirmation': 'forgectl repos unarchive acme/site --yes',
  });
  static override requests = [getRepository.route, updateRepository.route];
  static override args = { repo: repoArg() };
  static override flags = confirmedWriteFlags;

  protected override readonly made = ({ full_name, archived }: Repository) =>
    !archived ? `Unarchived ${full_name}.` : undefined;

  async run() {
    const { args, flags } = await this.parse(ReposUnarchive);
    return this.setArchived(args.repo, false, flags);
  }
}

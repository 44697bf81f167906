import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { writeFlags } from '../../cli/input/flags.ts';
import type { Column } from '../../output/table/columns.ts';
import { getTopics, replaceTopics } from '../../platform/endpoints/repos.ts';
import type { RepositoryTopics } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';

const { names } = replaceTopics.body.entries;
const { set } = fieldFlags({ set: names });

export default class ReposTopics extends ForgectlCommand<RepositoryTopics> {
  static override summary = 'Show or replace the topics of a repository';
  static override description =
    `Without flags, shows the topics. --set replaces all of them, and --clear removes all. The platform saves topics in lower case.`;
  static override examples = examples({
    'Show the topics': 'forgectl repos topics acme/site',
    'Replace the topics': 'forgectl repos topics acme/site --set web,public',
  });
  static override requests = [getTopics.route, replaceTopics.route];
  static override args = { repo: repoArg() };
  static override flags = {
    set: { ...set, helpGroup: undefined, description: 'Topics that replace the current ones; at most 20' },
    clear: Flags.boolean({ description: 'Remove all topics' }),
    ...writeFlags,
  };

  protected override readonly columns: readonly Column<{ topic: string }>[] = [{ header: 'Topic', get: 'topic' }];
  protected override readonly recordsName = 'topics';
  protected override readonly rowsOf = ({ names: topics }: Partial<RepositoryTopics>) =>
    [topics ?? []].flat().map((topic) => ({ topic }));
  protected override readonly idField = 'topic';
  protected override readonly emptyText = 'No topics.';

  async run() {
    const { args, flags } = await this.collect(ReposTopics);
    if (flags.set !== undefined && flags.clear)
      this.problems.push(invalid('--set and --clear', 'cannot be used together'));
    const path = () => ({ ...this.valid(args).repo });
    const current = () => this.call(getTopics, { path: path() });
    if (flags.set === undefined && !flags.clear) return current();
    const { body } = await this.inputFor(
      replaceTopics,
      { names: flags.set },
      { current, body: flags.clear ? { names: [] } : {} },
    );
    const { owner, repo } = path();
    const verifyCommand = `forgectl repos topics ${owner}/${repo}`;
    return this.write(replaceTopics, { path: { owner, repo }, body }, { verifyCommand });
  }
}

import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg, textArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { dispatchRepositoryEvent } from '../../platform/endpoints/repos.ts';

const { event_type: _fromArgument, ...fields } = dispatchRepositoryEvent.body.entries;

export default class ReposDispatch extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Send a repository_dispatch event to workflows and apps';
  static override description =
    `Sends a custom event with an optional payload to workflows and apps that subscribe to it. The platform does not report
whether any of them received it.`;
  static override examples = examples({
    'Send an event': 'forgectl repos dispatch acme/site rebuild',
    'Send an event with a payload': `forgectl repos dispatch acme/site deploy --client-payload '{"environment":"staging"}'`,
  });
  static override requests = [dispatchRepositoryEvent.route];
  static override args = {
    repo: repoArg(),
    event_type: textArg('EVENT_TYPE', 'Event type, at most 100 characters'),
  };
  static override flags = { ...fieldFlags(fields), ...inputFlags, ...writeFlags };

  async run() {
    const { args, flags } = await this.collect(ReposDispatch);
    const { body } = await this.inputFor(dispatchRepositoryEvent, flags, { body: { event_type: args.event_type } });
    const {
      repo: { owner, repo },
      event_type,
    } = this.valid(args);
    const done = `Sent the event ${event_type} to ${owner}/${repo}.`;
    const verifyCommand = `forgectl repos activity ${owner}/${repo}`;
    return this.write(dispatchRepositoryEvent, { path: { owner, repo }, body }, { verifyCommand, done });
  }
}

import { defaultBranchRule, pullRequestRule, ruleDocuments } from '../../default-branch-rule.ts';
import { flagIn } from '../../effective-protection.ts';

export const defaultBranchLastPush = defaultBranchRule({
  id: 'default-branch-last-push',
  severity: 'low',
  title: 'Someone other than the last pusher approves a pull request',
  description: 'Otherwise, the person who pushes the last commit to the pull request of somebody else can approve it.',
  documents: ruleDocuments,
  maps: { scorecard: ['Branch-Protection'] },
  requirement: { types: ['pull_request'], isStrict: flagIn('require_last_push_approval'), onMerge: true },
  missing: 'does not require approval by someone other than the last pusher',
  fix: { name: 'Approval of the last push', rule: pullRequestRule({ require_last_push_approval: true }) },
});

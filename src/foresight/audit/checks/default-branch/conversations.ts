import { defaultBranchRule, pullRequestRule, ruleDocuments } from '../../default-branch-rule.ts';
import { flagIn } from '../../effective-protection.ts';

export const defaultBranchConversations = defaultBranchRule({
  id: 'default-branch-conversations',
  severity: 'low',
  title: 'Conversations are resolved before a merge',
  description: 'Otherwise, objections in a review can be overlooked or ignored.',
  documents: ruleDocuments,
  maps: { legitify: ['no_conversation_resolution'], steampipe: ['cis_supply_chain_v100_1_1_11'] },
  requirement: { types: ['pull_request'], isStrict: flagIn('required_review_thread_resolution'), onMerge: true },
  missing: 'accepts pull requests with open conversations',
  fix: { name: 'Resolved conversations', rule: pullRequestRule({ required_review_thread_resolution: true }) },
});

/** What each type of rule says about a push. Each cites the page of the platform’s documentation that it follows. */
import { isObject } from '../json/exact-json.ts';
import type { Given } from '../platform/validate.ts';
import { allowed, type JudgedRule, type Judgement, joined, type Push, refused, shortOf, unknown } from './facts.ts';
import { extensionRestriction, fileSize, judgeFiles, pathLength, pathRestriction } from './push-rules.ts';
import { judgeCommits, judgeName } from './text-rules.ts';

type Judge = (parameters: Given, push: Push) => Judgement | Promise<Judgement>;

/** Judges a push by one rule, as if nobody could bypass it. */
export async function judge({ type, parameters }: JudgedRule, push: Push): Promise<Judgement> {
  return Object.hasOwn(judges, type) && judges[type] !== undefined
    ? judges[type](parameters, push)
    : unknown(`what the rule ${type} means`);
}

const refuses =
  (update: Push['update']): Judge =>
  (_parameters, push) =>
    push.update === update ? refused() : allowed;

/** A rule that only a pull request can satisfy. Creations and deletions have rules of their own. */
const onlyMerged =
  (what: string): Judge =>
  (_parameters, { update, isMerge }) => {
    if (update !== 'update') return allowed;
    return isMerge ? unknown(`whether the pull request ${what}`) : refused();
  };

/** Available rules for rulesets. */
const judges: Readonly<Record<string, Judge>> = {
  creation: refuses('create'),
  update: refuses('update'),
  deletion: refuses('delete'),
  non_fast_forward: (_parameters, { update, isForced }) => {
    if (update !== 'update') return allowed;
    if (isForced === undefined) return unknown('whether the push is forced');
    return isForced ? refused() : allowed;
  },
  required_linear_history: (_parameters, { update, commits, isMerge }) => {
    if (update === 'delete') return allowed;
    if (isMerge) return unknown('how the pull request is merged');
    if (commits === undefined) return unknown('the commits of the push');
    return joined(commits.map(({ id, parents }) => (parents > 1 ? refused([{ commit: id }]) : allowed)));
  },
  required_signatures: (_parameters, { update, commits }) => {
    if (update === 'delete') return allowed;
    if (commits === undefined) return unknown('the commits of the push');
    return joined(
      commits.map(({ id, isVerified }) => {
        if (isVerified === undefined)
          return unknown(`whether the platform verifies the signature of ${shortOf(id)}`, [{ commit: id }]);
        return isVerified ? allowed : refused([{ commit: id }]);
      }),
    );
  },
  pull_request: onlyMerged('has the required approvals'),
  merge_queue: onlyMerged('goes through the merge queue'),
  workflows: ({ do_not_enforce_on_create: sparesCreation }, { update, isMerge }) => {
    if (update === 'delete' || (update === 'create' && sparesCreation === true)) return allowed;
    return isMerge ? unknown('whether the workflows have passed') : refused();
  },
  required_status_checks: statusChecks,
  required_deployments: ({ required_deployment_environments: environments }, { update, head, deployedTo }) => {
    if (update !== 'update') return allowed;
    return joined(
      (Array.isArray(environments) ? environments : []).map((environment) => {
        if (deployedTo === undefined) return unknown(`whether commit ${shortOf(head)} was deployed to ${environment}`);
        return deployedTo.includes(environment) ? allowed : refused([{ commit: head, value: String(environment) }]);
      }),
    );
  },
  code_scanning: (_parameters, { update }) => (update === 'update' ? unknown('the results of code scanning') : allowed),
  commit_message_pattern: (parameters, push) => judgeCommits(parameters, push, ({ message }) => message),
  commit_author_email_pattern: (parameters, push) => judgeCommits(parameters, push, ({ authorEmail }) => authorEmail),
  committer_email_pattern: (parameters, push) => judgeCommits(parameters, push, ({ committerEmail }) => committerEmail),
  branch_name_pattern: judgeName,
  tag_name_pattern: judgeName,
  file_path_restriction: (parameters, push) => judgeFiles(pathRestriction, parameters, push),
  max_file_path_length: (parameters, push) => judgeFiles(pathLength, parameters, push),
  file_extension_restriction: (parameters, push) => judgeFiles(extensionRestriction, parameters, push),
  max_file_size: (parameters, push) => judgeFiles(fileSize, parameters, push),
  branch_protection: () => unknown('whether the branch has classic protection, and what it refuses'),
};

/** A commit that has passed the checks elsewhere may be pushed. */
function statusChecks(
  { required_status_checks: required, do_not_enforce_on_create: sparesCreation }: Given,
  { update, head, passedChecks }: Push,
): Judgement {
  if (update === 'delete' || (update === 'create' && sparesCreation === true)) return allowed;
  return joined(
    (Array.isArray(required) ? required.filter(isObject) : []).map(({ context, integration_id: app }) => {
      if (passedChecks === undefined) return unknown(`whether commit ${shortOf(head)} has passed ${context}`);
      const hasPassed = passedChecks.some(
        (each) => each.context === context && (app === undefined || app === null || each.app === app),
      );
      return hasPassed ? allowed : refused([{ commit: head, value: String(context) }]);
    }),
  );
}

/**
 * What each type of rule says about a push. Each quotes the sentence that it follows: of the page Available rules for
 * rulesets, unless the comment names another.
 */
import { asText, isObject } from '../json/exact-json.ts';
import type { Given } from '../platform/validate.ts';
import {
  allowed,
  type JudgedRule,
  type Judgement,
  joined,
  type Push,
  type ReportedCheck,
  refused,
  shortOf,
  unknown,
} from './facts.ts';
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

/** Returns whether a rule requires more than that there is a pull request. */
function requiresReview(parameters: Given): boolean {
  const { allowed_merge_methods: methods, dismiss_stale_reviews_on_push: _, ...required } = parameters;
  const { dismissal_restriction: __, ...rest } = required;
  const isRestricted = Array.isArray(methods) && methods.length < 3;
  return (
    isRestricted || Object.values(rest).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
  );
}

const judges: Readonly<Record<string, Judge>> = {
  // “… only users with bypass permissions can create branches or tags whose name matches the pattern you specify.”
  creation: refuses('create'),
  // “… only users with bypass permissions can push to branches or tags whose name matches the pattern you specify.”
  update: refuses('update'),
  // “… only users with bypass permissions can delete branches or tags whose name matches the pattern you specify.”
  deletion: refuses('delete'),
  // “You can prevent users from force pushing to the targeted branches or tags.”
  non_fast_forward: (_parameters, { update, isForced, isMerge }) => {
    if (update !== 'update' || isMerge) return allowed;
    if (isForced === undefined) return unknown('whether the push is forced');
    return isForced ? refused() : allowed;
  },
  // “Enforcing a linear commit history prevents collaborators from pushing merge commits to the targeted branches or tags.”
  required_linear_history: (_parameters, { update, commits, isMerge, mergedBy }) => {
    if (update === 'delete') return allowed;
    if (isMerge && mergedBy === undefined) return unknown('how the pull request is merged');
    if (commits === undefined) return unknown('the commits of the push');
    return joined(commits.map(({ id, parents }) => (parents > 1 ? refused([{ commit: id }]) : allowed)));
  },
  // “… contributors can only push commits that have been signed and verified to the branch.”
  required_signatures: (_parameters, { update, commits, isMerge, mergedBy }) => {
    if (update === 'delete') return allowed;
    // A squash has a commit of its own, which the platform signs.
    if (isMerge && mergedBy === undefined) return unknown('how the pull request is merged');
    if (commits === undefined) return unknown('the commits of the push');
    return joined(
      commits.map(({ id, isVerified }) => {
        if (isVerified === undefined)
          return unknown(`whether the platform verifies the signature of ${shortOf(id)}`, [{ commit: id }]);
        return isVerified ? allowed : refused([{ commit: id }]);
      }),
    );
  },
  // “You can require that all changes to the target branch be associated with a pull request.”
  pull_request: (parameters, push) =>
    push.mergedBy !== undefined && !requiresReview(parameters)
      ? allowed
      : onlyMerged('has the required approvals')(parameters, push),
  // “You can require that merges must be performed with a merge queue at the repository level.”
  merge_queue: (parameters, push) =>
    push.mergedBy === 'queue' ? allowed : onlyMerged('goes through the merge queue')(parameters, push),
  // “Applying this rule will block direct pushes because the ruleset workflows run as part of the pull request and merge queue
  // experience. … Optionally, you can select "Do not require workflows checks on creation".”
  workflows: ({ do_not_enforce_on_create: sparesCreation }, { update, isMerge }) => {
    if (update === 'delete' || (update === 'create' && sparesCreation === true)) return allowed;
    return isMerge ? unknown('whether the workflows have passed') : refused();
  },
  required_status_checks: statusChecks,
  // “You can require that changes are successfully deployed to specific environments before a branch can be merged.”
  required_deployments: ({ required_deployment_environments: environments }, { update, head, deployedTo }) => {
    if (update !== 'update') return allowed;
    if (!Array.isArray(environments)) return unknown('the required_deployment_environments of the rule');
    return joined(
      environments.map((environment) => {
        if (deployedTo === undefined)
          return unknown(`whether commit ${shortOf(head)} was deployed to ${asText(environment)}`);
        return deployedTo.includes(environment) ? allowed : refused([{ commit: head, value: asText(environment) }]);
      }),
    );
  },
  // “… you can use rulesets to prevent pull requests from being merged …”, whose results no endpoint has for a commit.
  code_scanning: (_parameters, { update }) => (update === 'update' ? unknown('the results of code scanning') : allowed),
  // “If a contributor tries to update a branch or tag with a commit that doesn't meet your requirements, the contributor will see
  // an error.”
  commit_message_pattern: (parameters, push) => judgeCommits(parameters, push, ({ message }) => message),
  commit_author_email_pattern: (parameters, push) => judgeCommits(parameters, push, ({ authorEmail }) => authorEmail),
  committer_email_pattern: (parameters, push) => judgeCommits(parameters, push, ({ committerEmail }) => committerEmail),
  // “You can also control the format of new branch names and tag names.”
  branch_name_pattern: judgeName,
  tag_name_pattern: judgeName,
  // “Prevent commits that include changes in specified file paths from being pushed to the repository.”
  file_path_restriction: (parameters, push) => judgeFiles(pathRestriction, parameters, push),
  // “Prevent commits that include file paths that exceed a specified character limit from being pushed to the repository.”
  max_file_path_length: (parameters, push) => judgeFiles(pathLength, parameters, push),
  // “Prevent commits that include files with specified file extensions from being pushed to the repository.”
  file_extension_restriction: (parameters, push) => judgeFiles(extensionRestriction, parameters, push),
  // “Prevent commits that exceed a specified file size limit from being pushed to the repository.”
  max_file_size: (parameters, push) => judgeFiles(fileSize, parameters, push),
  // Rules of classic protection, which branch-protection.ts quotes.
  branch_protection: ({ missing }) => (typeof missing === 'string' ? unknown(missing) : allowed),
  lock_branch: (_parameters, { update }) => (update === 'create' ? allowed : refused()),
  restrictions: ({ isAllowed }, { update }) => {
    if (update !== 'update' || isAllowed === true) return allowed;
    return isAllowed === false ? refused() : unknown('whether the pusher is among those who may push');
  },
  // About protected branches: “Requires all comments on the pull request to be resolved before it can be merged.”
  required_conversation_resolution: (_parameters, { isMerge }) =>
    isMerge ? unknown('whether all comments on the pull request are resolved') : allowed,
};

/**
 * About protected branches: “After all required status checks pass, any commits must either be pushed to another branch and
 * then merged or pushed directly to the protected branch.” The other sentences are from Available rules for rulesets and
 * Troubleshooting required status checks.
 */
function statusChecks(
  {
    required_status_checks: required,
    do_not_enforce_on_create: sparesCreation,
    strict_required_status_checks_policy: isStrict,
  }: Given,
  push: Push,
): Judgement {
  const { update, isForced, isMerge, head } = push;
  if (update === 'delete' || (update === 'create' && sparesCreation === true)) return allowed;
  // “The branch must be up to date with the base branch before merging.”
  if (isMerge && isStrict === true && isForced !== false)
    return isForced ? refused([{ commit: head }]) : unknown('whether the pull request is up to date');
  if (!Array.isArray(required) || !required.every(isObject)) return unknown('the required_status_checks of the rule');
  return joined(required.map((check) => statusCheck(check, push)));
}

function statusCheck(
  { context, integration_id: app }: Given,
  { head, isMerge, commits, passedChecks, failedChecks = [] }: Push,
): Judgement {
  if (passedChecks === undefined) return unknown(`whether commit ${shortOf(head)} has passed ${asText(context)}`);
  const named = (checks: readonly ReportedCheck[]) => checks.filter((each) => each.context === context);
  const isAsked = (each: ReportedCheck) => app === undefined || app === null || each.app === app;
  const [passed, failed] = [named(passedChecks), named(failedChecks)];
  // “If you have a check and a status with the same name, … both the check and the status are required.”
  if (passed.some(isAsked))
    return failed.some((each) => isAsked(each) || each.app === undefined)
      ? unknown(`which report of ${asText(context)} counts`)
      : allowed;
  // “If the status is set by any other person or integration, merging won't be allowed.”
  if (passed.some((each) => each.app === undefined)) return unknown(`which app reported ${asText(context)}`);
  // “If the test merge commit has a status, the test merge commit must pass.”
  if (isMerge) return unknown(`whether the test merge commit has passed ${asText(context)}`);
  // “Pull requests that are up-to-date and pass required status checks can be merged locally and pushed to the protected branch.
  // This can be done without status checks running on the merge commit itself.”
  const parents = commits?.find(({ id }) => id === head)?.parents;
  return commits === undefined || (parents ?? 0) > 1
    ? unknown(`whether ${shortOf(head)} merges a pull request that has passed ${asText(context)}`)
    : refused([{ commit: head, value: asText(context) }]);
}

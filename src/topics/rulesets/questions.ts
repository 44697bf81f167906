/** Prompts for the conditions and rules of a ruleset. Loaded only for prompts. */
import type { FieldQuestion } from '../../cli/input/prompts/field-question.ts';
import type { Choice, PromptTerminal } from '../../cli/input/prompts/prompt-types.ts';
import { checkWith, promptSeveral, promptText } from '../../cli/input/prompts/prompts.ts';
import { listOfNames, wholeNumber } from '../../cli/input/values.ts';
import type { Given } from '../../platform/validate.ts';

type Rule = { readonly type: string; readonly parameters?: object };

/** Completes a rule by prompting for its parameters. */
type RuleQuestion = (asking: PromptTerminal) => Promise<Rule>;

const names = (question: string, asking: PromptTerminal): Promise<string[]> =>
  promptText(`${question}, comma-separated:`, asking, checkWith(listOfNames)).then(listOfNames);

const number = (
  question: string,
  limits: readonly [least: number, most: number],
  asking: PromptTerminal,
  current?: string,
) =>
  promptText(`${question} (${limits[0]} to ${limits[1]}):`, asking, checkWith(wholeNumber(...limits)), current).then(
    Number,
  );

const plain = (type: string, name: string): Choice<RuleQuestion> => ({
  name,
  short: type,
  value: async () => ({ type }),
});

const withParameters = (
  type: string,
  name: string,
  ask: (asking: PromptTerminal) => Promise<object>,
): Choice<RuleQuestion> => ({
  name,
  short: type,
  value: async (asking) => ({ type, parameters: await ask(asking) }),
});

const ofRefs = [
  plain('deletion', 'Block deletions'),
  plain('non_fast_forward', 'Block force pushes'),
  plain('creation', 'Restrict creations'),
  plain('update', 'Restrict updates'),
  plain('required_signatures', 'Require signed commits'),
];

const ofBranches = [
  ...ofRefs,
  plain('required_linear_history', 'Require linear history'),
  withParameters('pull_request', 'Require a pull request before merging', async (asking) => ({
    required_approving_review_count: await number('Required approvals', [0, 10], asking, '1'),
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_review_thread_resolution: false,
  })),
  withParameters('required_status_checks', 'Require status checks to pass', async (asking) => ({
    required_status_checks: (await names('Names of the status checks', asking)).map((context) => ({ context })),
    strict_required_status_checks_policy: false,
  })),
];

const ofPushes = [
  withParameters('file_path_restriction', 'Restrict file paths', async (asking) => ({
    restricted_file_paths: await names('Restricted file paths', asking),
  })),
  withParameters('file_extension_restriction', 'Restrict file extensions', async (asking) => ({
    restricted_file_extensions: await names('Restricted file extensions', asking),
  })),
  withParameters('max_file_size', 'Restrict file size', async (asking) => ({
    max_file_size: await number('Maximum file size in megabytes', [1, 100], asking),
  })),
  withParameters('max_file_path_length', 'Restrict file path length', async (asking) => ({
    max_file_path_length: await number('Maximum file path length', [1, 32_767], asking),
  })),
];

const rules: FieldQuestion = async ({ body, asking }) => {
  const choices = body.target === 'push' ? ofPushes : body.target === 'tag' ? ofRefs : ofBranches;
  const chosen: Rule[] = [];
  for (const complete of await promptSeveral('Which rules? (--rules)', choices, asking))
    chosen.push(await complete(asking));
  return JSON.stringify(chosen);
};

const patterns = Symbol('enter patterns');

/** Prompts for names and patterns, offering the common ones as choices. */
async function included(
  question: string,
  choices: readonly Choice<string | typeof patterns>[],
  typed: string,
  asking: PromptTerminal,
): Promise<{ include: string[]; exclude: string[] }> {
  const chosen = await promptSeveral(
    `${question} (--conditions)`,
    [...choices, { name: 'others by name or pattern', value: patterns }],
    asking,
  );
  const include = chosen.filter((each) => each !== patterns);
  return { include: chosen.includes(patterns) ? [...include, ...(await names(typed, asking))] : include, exclude: [] };
}

async function refs(target: unknown, asking: PromptTerminal) {
  const isTag = target === 'tag';
  const all = { name: isTag ? 'all tags' : 'all branches', value: '~ALL' };
  const choices = isTag ? [all] : [{ name: 'the default branch', value: '~DEFAULT_BRANCH' }, all];
  const typed = isTag ? 'Tags, such as v*' : 'Branches, such as main or release/*';
  const { include, exclude } = await included(isTag ? 'Which tags?' : 'Which branches?', choices, typed, asking);
  // The platform matches patterns against full names.
  const full = (name: string) => (/^(~|refs\/)/.test(name) ? name : `refs/${isTag ? 'tags' : 'heads'}/${name}`);
  return { include: include.map(full), exclude };
}

/** Returns whether a ruleset selects branches or tags; push and repository rulesets do not. */
const namesRefs = ({ target = 'branch' }: Given) => target === 'branch' || target === 'tag';

const repositoriesOf = (asking: PromptTerminal) =>
  included('Which repositories?', [{ name: 'all repositories', value: '~ALL' }], 'Repositories, such as api-*', asking);

/** Returns the prompts for a ruleset of an organization or repository. */
export const rulesetQuestions = (ofOrganization: boolean): Readonly<Record<string, FieldQuestion>> => ({
  rules,
  conditions: async ({ body, asking }) =>
    JSON.stringify({
      ...(namesRefs(body) ? { ref_name: await refs(body.target, asking) } : {}),
      ...(ofOrganization ? { repository_name: await repositoriesOf(asking) } : {}),
    }),
});

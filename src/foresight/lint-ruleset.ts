/** Finds parts of a ruleset that the platform accepts although they do not do what they seem to. */
import { asText, isObject, ownMember } from '../json/exact-json.ts';
import type { Given } from '../platform/validate.ts';
import { matchesBelow, matchesName } from './name-pattern.ts';

/** More would take minutes; no real ruleset has as many. */
const mostRegexes = 100;

/** In instructions of all expressions, which take a few seconds to compile; an ordinary expression has a hundred. */
const mostInstructions = 200_000;

/** In pairs of characters of what is included and what is excluded. */
const mostComparisons = 4_000_000;

export interface RulesetFinding {
  /** The dotted path in the ruleset, with list indexes in brackets. */
  readonly field: string;
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Checks a ruleset, whose fields may have any type. */
export async function lintRuleset(ruleset: Given): Promise<readonly RulesetFinding[]> {
  const rules = objectsIn(ruleset.rules).map(([index, rule]) => ({
    at: `rules[${index}].parameters`,
    type: rule.type,
    parameters: isObject(rule.parameters) ? rule.parameters : {},
  }));
  return [
    ...wideBypasses(ruleset),
    ...conditionFindings(ruleset),
    ...contradictions(rules),
    ...mixedExtensions(rules),
    ...rules.flatMap(({ at, parameters: { restricted_file_paths: paths } }) =>
      textsIn(paths).flatMap(([index, path]) => patternSyntax(`${at}.restricted_file_paths[${index}]`, path)),
    ),
    ...(await patternFindings(rules)),
  ];
}

interface RuleParameters {
  readonly at: string;
  readonly type: unknown;
  readonly parameters: Given;
}

const warning = (field: string, code: string, message: string): RulesetFinding => ({
  field,
  code,
  severity: 'warning',
  message,
});

const error = (field: string, code: string, message: string): RulesetFinding => ({
  ...warning(field, code, message),
  severity: 'error',
});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const objectsIn = (value: unknown): (readonly [number, Given])[] =>
  [...listOf(value).entries()].filter((entry): entry is [number, Given] => isObject(entry[1]));

const textsIn = (value: unknown): (readonly [number, string])[] =>
  [...listOf(value).entries()].filter((entry): entry is [number, string] => typeof entry[1] === 'string');

/** The base roles below admin, by their ID and their name in policies. */
const baseRoles: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [2, 'maintain'],
  [4, 'write'],
  ['role:maintain', 'maintain'],
  ['role:write', 'write'],
]);

function wideBypasses({ bypass_actors: actors }: Given): RulesetFinding[] {
  return objectsIn(actors).flatMap(([index, { actor_type: type, actor_id: id, bypass_mode: mode = 'always' }]) => {
    const role = type === 'RepositoryRole' ? baseRoles.get(id) : undefined;
    if (role === undefined || mode !== 'always') return [];
    return [
      warning(
        `bypass_actors[${index}]`,
        'bypass-wide',
        `lets everyone with the role ${role} bypass all rules at any time`,
      ),
    ];
  });
}

function conditionFindings({ conditions, target = 'branch' }: Given): RulesetFinding[] {
  if (!isObject(conditions)) return [];
  const prefix = target === 'branch' ? 'refs/heads/' : target === 'tag' ? 'refs/tags/' : undefined;
  return [
    ...namesFindings('ref_name', conditions.ref_name, ['~ALL', '~DEFAULT_BRANCH'], prefix),
    ...namesFindings('repository_name', conditions.repository_name, ['~ALL']),
  ];
}

/** Checks the patterns of a condition. `prefix` is that of the names, if all have one. */
function namesFindings(
  name: string,
  condition: unknown,
  keywords: readonly string[],
  prefix: string | undefined = undefined,
): RulesetFinding[] {
  if (!isObject(condition)) return [];
  const at = `conditions.${name}`;
  const includes = textsIn(condition.include);
  const excludes = textsIn(condition.exclude);
  const found = [...keywordFindings(at, includes, excludes, keywords)];
  if (Array.isArray(condition.include) && condition.include.length === 0)
    found.push(warning(`${at}.include`, 'empty-include', 'is empty, so the ruleset applies to nothing'));
  for (const [list, patterns] of [
    ['include', includes],
    ['exclude', excludes],
  ] as const)
    for (const [index, pattern] of patterns) {
      if (pattern.startsWith('~')) continue;
      const field = `${at}.${list}[${index}]`;
      found.push(...patternSyntax(field, pattern));
      if (prefix !== undefined && !matchesBelow(pattern, prefix))
        found.push(warning(field, 'never-matches', `matches nothing, because names begin with ${prefix}`));
    }
  if (lengthOf(includes) * lengthOf(excludes) > mostComparisons)
    return [
      ...found,
      warning(`${at}.exclude`, 'unchecked', 'is not compared with include: too many or too long patterns'),
    ];
  for (const [index, pattern] of includes) {
    const cover = excludes.find(([, exclude]) => covers(exclude, pattern, prefix))?.[1];
    if (cover !== undefined)
      found.push(warning(`${at}.include[${index}]`, 'never-matches', `matches only what “${cover}” excludes`));
  }
  return found;
}

const lengthOf = (patterns: readonly (readonly [number, string])[]): number =>
  patterns.reduce((sum, [, pattern]) => sum + pattern.length, 0);

function keywordFindings(
  at: string,
  includes: readonly (readonly [number, string])[],
  excludes: readonly (readonly [number, string])[],
  keywords: readonly string[],
): RulesetFinding[] {
  const known = keywords.join(' or ');
  return [
    ...includes
      .filter(([, pattern]) => pattern.startsWith('~') && !keywords.includes(pattern))
      .map(([index]) => error(`${at}.include[${index}]`, 'unknown-tilde', `must be a pattern, ${known}`)),
    ...excludes
      .filter(([, pattern]) => pattern.startsWith('~'))
      .map(([index]) =>
        error(`${at}.exclude[${index}]`, 'unknown-tilde', `must be a pattern: ${known} can only be included`),
      ),
  ];
}

/** Returns whether an excluded pattern certainly matches everything that an included one does. */
function covers(exclude: string, include: string, prefix = ''): boolean {
  if (exclude === include || exclude === `${prefix}**/*`) return true;
  return !/^~|[*?[\\]/.test(include) && matchesName(exclude, include) === true;
}

function patternSyntax(field: string, pattern: string): RulesetFinding[] {
  const found: RulesetFinding[] = [];
  if (pattern.endsWith('/**'))
    found.push(warning(field, 'final-double-star', `matches only one level; to match all levels, use ${pattern}/*`));
  const unsupported = [
    [/\\/, 'a backslash does not escape'],
    [/\[\^/, '[^…] does not negate; use [!…]'],
    [/\{[^{},]*,[^{}]*\}/, '{a,b} alternatives do not work; use one pattern for each'],
  ] as const;
  for (const [syntax, message] of unsupported)
    if (syntax.test(pattern))
      found.push(warning(field, 'unsupported-pattern', `is not supported as a pattern: ${message}`));
  return found;
}

const isPatternRule = ({ type, parameters }: RuleParameters): boolean =>
  typeof type === 'string' && type.endsWith('_pattern') && typeof parameters.pattern === 'string';

function contradictions(rules: readonly RuleParameters[]): RulesetFinding[] {
  const seen = new Map<string, boolean>();
  return rules.filter(isPatternRule).flatMap(({ at, type, parameters }) => {
    const { operator, pattern, negate = false } = parameters;
    const key = JSON.stringify([type, operator, pattern]);
    const earlier = seen.get(key);
    seen.set(key, negate === true);
    if (earlier === undefined || earlier === (negate === true)) return [];
    return [
      warning(
        `${at}.pattern`,
        'never-matches',
        'refuses everything: another rule has the same pattern with the opposite negate',
      ),
    ];
  });
}

function mixedExtensions(rules: readonly RuleParameters[]): RulesetFinding[] {
  return rules.flatMap(({ at, parameters: { restricted_file_extensions: given } }) => {
    const extensions = textsIn(given);
    const hasStar = (text: string) => text.startsWith('*.');
    const odd = extensions.find(([, text]) => hasStar(text) !== hasStar(extensions[0]?.[1] ?? ''));
    if (odd === undefined) return [];
    const field = `${at}.restricted_file_extensions[${odd[0]}]`;
    return [
      warning(field, 'extension-form', 'has a different form from the first: use *. for all extensions or for none'),
    ];
  });
}

/** The committer of merges that the platform makes itself. */
const noreply = 'noreply@github.com';

async function patternFindings(rules: readonly RuleParameters[]): Promise<RulesetFinding[]> {
  const found: RulesetFinding[] = [];
  let instructions = 0;
  for (const [place, { at, type, parameters }] of rules.filter(isPatternRule).entries()) {
    const { operator, negate } = parameters;
    const pattern = parameters.pattern as string;
    const field = `${at}.pattern`;
    if (place === mostRegexes || instructions > mostInstructions) {
      const why = place === mostRegexes ? `more than ${mostRegexes} patterns` : 'those before it are too large';
      return [...found, warning(field, 'unchecked', `is not checked, nor are those after it: ${why}`)];
    }
    const regex = operator === 'regex' ? await import('./regex.ts') : undefined;
    if (regex && pattern.length > regex.longestRegex) {
      found.push(warning(field, 'unchecked', 'is not checked: more than 1,000 characters'));
      continue;
    }
    const problem = regex?.regexProblem(pattern);
    if (problem !== undefined) {
      found.push(error(field, 'regex-syntax', `is not a valid RE2 regular expression: ${problem}`));
      continue;
    }
    const expression = regex?.compiled(pattern);
    instructions += expression?.size ?? 0;
    if (type === 'commit_message_pattern' && regex?.dependsOnLines(pattern))
      found.push(
        warning(
          field,
          'regex-lines',
          'contains ^ or $, which may refer to lines or to the whole message; use (?m), or \\A and \\z',
        ),
      );
    if (type !== 'committer_email_pattern') continue;
    const isMatch = expression
      ? expression.finds(noreply)
      : ownMember(literalTests, asText(operator))?.(noreply, pattern);
    if (isMatch !== undefined && isMatch === (negate === true))
      found.push(warning(field, 'noreply-refused', `refuses merges made on the platform, such as those by ${noreply}`));
  }
  return found;
}

const literalTests: Readonly<Record<string, (text: string, pattern: string) => boolean>> = {
  starts_with: (text, pattern) => text.startsWith(pattern),
  ends_with: (text, pattern) => text.endsWith(pattern),
  contains: (text, pattern) => text.includes(pattern),
};

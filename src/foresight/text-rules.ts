/** Rules over texts: names of branches and tags, commit messages, and addresses. Available rules for rulesets, Metadata restrictions. */
import { asText, ownMember } from '../json/exact-json.ts';
import type { Given } from '../platform/validate.ts';
import { allowed, type Commit, type Evidence, type Judgement, joined, type Push, refused, unknown } from './facts.ts';

/** Returns whether a text matches; undefined, with the open question, if readings of the documentation differ. */
type Test = (text: string) => { readonly matches: boolean | undefined; readonly question?: string };

/** In instructions of an expression times characters of all texts: some seconds for one that was made to be slow. */
const mostSteps = 200_000_000;

/** Judges the name of a branch or tag, without `refs/heads/` or `refs/tags/`. */
export async function judgeName(parameters: Given, { ref, update }: Push): Promise<Judgement> {
  if (update === 'delete') return allowed;
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '');
  const judgement = judgeText(await testOf(parameters), parameters, name, { value: name });
  return judgement.verdict === 'refused' && update === 'update'
    ? unknown('whether name patterns apply to updates of existing refs', judgement.evidence)
    : judgement;
}

/** Judges a text of every new commit, merges included. */
export async function judgeCommits(
  parameters: Given,
  { commits, isMerge, update }: Push,
  textOf: (commit: Commit) => string,
): Promise<Judgement> {
  if (update === 'delete') return allowed;
  // How a squash is judged is documented in two ways.
  if (isMerge) return unknown('which commits the platform judges when it merges');
  if (commits === undefined) return unknown('the commits of the push');
  const test = await testOf(parameters);
  return joined(
    commits.map((commit) => judgeText(test, parameters, textOf(commit), { commit: commit.id, value: textOf(commit) })),
  );
}

function judgeText(test: Test, { negate = false }: Given, text: string, evidence: Evidence): Judgement {
  const { matches, question } = test(text);
  if (matches === undefined) return unknown(question ?? 'what the pattern means', [evidence]);
  return matches === (negate === true) ? refused([evidence]) : allowed;
}

/** The tests of rules: compiling an expression takes longer than matching a text. */
const tests = new WeakMap<Given, Promise<Test>>();

function testOf(parameters: Given): Promise<Test> {
  const test = tests.get(parameters) ?? newTest(parameters);
  tests.set(parameters, test);
  return test;
}

async function newTest({ operator, pattern: text, negate }: Given): Promise<Test> {
  if (typeof text !== 'string' || typeof (negate ?? false) !== 'boolean')
    return () => ({ matches: undefined, question: 'the pattern of the rule' });
  if (operator === 'regex') {
    const { compiled, dependsOnLines, longestRegex, regexProblem } = await import('./regex.ts');
    if (text.length > longestRegex || regexProblem(text) !== undefined)
      return () => ({ matches: undefined, question: 'what the pattern means: it is too long, or not valid in RE2' });
    const ofText = compiled(text);
    const ofLines = dependsOnLines(text) ? compiled(text, true) : ofText;
    let steps = 0;
    return (each) => {
      steps += ofText.size * each.length;
      if (steps > mostSteps)
        return { matches: undefined, question: 'whether the pattern matches: that takes too long' };
      // Documented since 2025 as the ends of the text, before as those of lines.
      if (ofLines !== ofText && ofText.finds(each) !== ofLines.finds(each))
        return { matches: undefined, question: 'whether ^ and $ mean lines' };
      return withFinalLine(ofText.finds, each);
    };
  }
  const literal = ownMember(literalTests, asText(operator));
  if (literal === undefined)
    return () => ({ matches: undefined, question: `what the operator ${asText(operator)} means` });
  return (each) => withFinalLine((value) => literal(value, text), each);
}

const literalTests: Readonly<Record<string, (text: string, pattern: string) => boolean>> = {
  starts_with: (text, pattern) => text.startsWith(pattern),
  ends_with: (text, pattern) => text.endsWith(pattern),
  contains: (text, pattern) => text.includes(pattern),
};

/** Whether the line feed at the end of a message belongs to it is not documented. */
function withFinalLine(test: (text: string) => boolean, text: string): ReturnType<Test> {
  const matches = test(text);
  return test(text.replace(/\n$/, '')) === matches
    ? { matches }
    : { matches: undefined, question: 'whether the final line feed belongs to the message' };
}

/** The client’s predictions against the sandbox’s own judgements, which share no code. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluatePush, type PushVerdict } from '../../../../src/foresight/evaluate.ts';
import type { JudgedRuleset, Push, Verdict } from '../../../../src/foresight/facts.ts';
import type { Given } from '../../../../src/platform/validate.ts';
import { judgeUpdate, type TriedUpdate } from '../../../../src/sandbox/state/pushes/push-rules.ts';
import type { RepositoryState } from '../../../../src/sandbox/state/repositories.ts';
import type { RulesetState } from '../../../../src/sandbox/state/rulesets.ts';

const repository = { name: 'site', default_branch: 'main' } as RepositoryState;
const head = '2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e';

const names = ['main', 'develop', 'release/1', 'release/1/fix', 'feature/a', 'v1', 'v1.0', '[x]', '.hidden', 'a-b_c'];
const ref = fc
  .tuple(fc.constantFrom('refs/heads/', 'refs/tags/'), fc.constantFrom(...names))
  .map(([kind, name]) => `${kind}${name}`);

/** Pieces of names and wildcards in any order, and names with some of their characters replaced. */
const glob = fc.oneof(
  fc.array(fc.constantFrom('*', '**', '**/', '?', '/', 'release', 'v', '1', '[a-m]', '[!v]', '.', 'main'), {
    maxLength: 5,
  }),
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('*', '?', '**'), fc.nat(8))
    .map(([name, wildcard, at]) => [name.slice(0, at), wildcard, name.slice(at + 1)]),
);
const pattern = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('~ALL', '~DEFAULT_BRANCH') },
  { weight: 2, arbitrary: fc.constantFrom('refs/heads/**/*', 'refs/tags/**/*', 'refs/**/*') },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('refs/heads/', 'refs/tags/', 'refs/*/', 'refs/**/'), glob)
      .map(([kind, parts]) => `${kind}${parts.join('')}`),
  },
);

const rule: fc.Arbitrary<Given> = fc.oneof(
  fc.constantFrom(
    ...['creation', 'update', 'deletion', 'non_fast_forward', 'pull_request', 'merge_queue', 'required_signatures'].map(
      (type) => ({ type }),
    ),
  ),
  fc.record({ type: fc.constant('workflows'), parameters: fc.record({ do_not_enforce_on_create: fc.boolean() }) }),
  fc.record({
    type: fc.constantFrom('branch_name_pattern', 'tag_name_pattern'),
    parameters: fc.record({
      operator: fc.constantFrom('starts_with', 'ends_with', 'contains', 'regex'),
      pattern: fc.constantFrom('main', 'v1', 'release/', '1', 'a.b', '^v[0-9]+', 'fix$', '^(main|develop)$'),
      negate: fc.boolean(),
    }),
  }),
);

const bypass = fc.constantFrom('always', 'exempt', 'pull_requests_only', 'never');

const ruleset = fc.record({
  target: fc.constantFrom('branch', 'tag'),
  enforcement: fc.constantFrom('active', 'active', 'evaluate', 'disabled'),
  include: fc.array(pattern, { minLength: 1, maxLength: 3 }),
  exclude: fc.oneof(fc.constant<string[]>([]), fc.array(pattern, { maxLength: 2 })),
  rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
  bypass,
});
type Drawn = typeof ruleset extends fc.Arbitrary<infer T> ? T : never;

const update: fc.Arbitrary<TriedUpdate> = fc.record({
  ref,
  change: fc.constantFrom('creation', 'update', 'update', 'deletion'),
  isForced: fc.boolean(),
  merge: fc.constantFrom(undefined, undefined, 'pull request'),
});

const ofClient = (drawn: Drawn, id: number): JudgedRuleset => ({
  id,
  name: `ruleset ${id}`,
  source: id % 2 ? 'acme' : 'acme/site',
  target: drawn.target,
  enforcement: drawn.enforcement,
  conditions: { ref_name: { include: drawn.include, exclude: drawn.exclude } },
  rules: drawn.rules.map(({ type, parameters = {} }) => ({ type: String(type), parameters: parameters as Given })),
  bypass: drawn.bypass,
});

const ofSandbox = (drawn: Drawn, id: number): RulesetState => ({
  id,
  name: `ruleset ${id}`,
  target: drawn.target,
  enforcement: drawn.enforcement,
  bypass_actors: [],
  conditions: { ref_name: { include: drawn.include, exclude: drawn.exclude } },
  rules: drawn.rules as unknown as RulesetState['rules'],
  created_at: '',
  updated_at: '',
});

const pushOf = ({ ref: name, change, isForced, merge }: TriedUpdate): Push => ({
  repository: repository.name,
  ref: name,
  update: ({ creation: 'create', update: 'update', deletion: 'delete' } as const)[change],
  isForced: change === 'update' && isForced,
  isDefaultBranch: name === 'refs/heads/main',
  isMerge: merge !== undefined,
  head,
  commits: undefined,
  files: undefined,
  passedChecks: undefined,
  deployedTo: undefined,
});

/** Whether a rule is broken, according to the client’s verdict for somebody who may not bypass it. */
const broken: Readonly<Record<Verdict, boolean | undefined>> = {
  allowed: false,
  refused: true,
  bypassed: undefined,
  unknown: undefined,
};

const verdictsOf = ({ rules }: PushVerdict, id: number): Verdict[] =>
  rules.filter((each) => each.ruleset.id === id).map(({ verdict, would = verdict }) => would);

const resultOf = { allowed: 'pass', refused: 'fail', bypassed: 'bypass' } as const;

const fuzz = { seed: Number(process.env.FUZZ_SEED ?? 20_261_123), numRuns: Number(process.env.FUZZ_RUNS ?? 200) };

it('never contradicts what the client predicts', async () => {
  let known = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(ruleset, { minLength: 1, maxLength: 4 }), update, async (drawn, tried) => {
      const all = drawn.map(ofClient);
      const predicted = await evaluatePush(pushOf(tried), all);
      const strict = await evaluatePush(
        pushOf(tried),
        all.map((each) => ({ ...each, bypass: 'never' })),
      );
      const mayBypass = ({ id }: Pick<RulesetState, 'id'>) => {
        const mode = drawn[id]?.bypass;
        return mode === 'pull_requests_only' ? tried.merge !== undefined : mode !== 'never';
      };
      const judged = judgeUpdate(tried, { repository, rulesets: drawn.map(ofSandbox), mayBypass });
      for (const id of drawn.keys()) {
        const own = judged.rules.filter((each) => each.ruleset.id === id);
        const theirs = verdictsOf(predicted, id);
        const strictly = verdictsOf(strict, id);
        expect(own.length === 0 || own.length === theirs.length).toBe(true);
        for (const [at, verdict] of theirs.entries()) {
          const isBroken = broken[strictly[at] ?? 'unknown'];
          // A ruleset that does not apply breaks nothing.
          const rule = own[at] ?? { type: 'none', isBroken: false };
          if (isBroken !== undefined && rule.isBroken !== undefined) expect({ ...rule, isBroken }).toEqual(rule);
          if (verdict === 'refused' || verdict === 'bypassed') expect(mayBypass({ id })).toBe(verdict === 'bypassed');
          known += Number(isBroken !== undefined);
        }
      }
      const isKnown = judged.rules.every(({ isBroken }) => isBroken !== undefined);
      const isOpen = strict.rules.some(({ verdict }) => verdict === 'unknown');
      if (isKnown && !isOpen && predicted.verdict !== 'unknown')
        expect(judged.result).toBe(resultOf[predicted.verdict]);
    }),
    fuzz,
  );
  expect(known).toBeGreaterThan(fuzz.numRuns / 3);
});

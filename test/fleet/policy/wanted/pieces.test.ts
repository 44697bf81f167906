import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOfPolicy } from '../../../../src/fleet/policy/planning/digest.ts';
import { declaredOfOwner } from '../../../../src/fleet/policy/wanted/explain.ts';
import { policySchema } from '../../../../src/fleet/policy/wanted/json-schema.ts';
import { checkPolicy, loadPolicy } from '../../../../src/fleet/policy/wanted/load.ts';
import type { OwnerPolicy } from '../../../../src/fleet/policy/wanted/model.ts';
import { placeText } from '../../../../src/fleet/policy/wanted/placed.ts';
import { policyOf } from '../embedded-policies.ts';
import { documentsOf, policy } from '../random-policies.ts';

/** `POLICY_CASES=10000` and another `POLICY_SEED` are for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 60);
const seed = Number(process.env.POLICY_SEED ?? 1);

/** Checks a document as editors do. */
const isAccepted = new Ajv({ strict: true }).compile(policySchema());

/** Moves random parts of documents to pieces. */
class Factoring {
  readonly pieces: Record<string, unknown> = {};
  readonly #choices: Iterator<number>;
  #count = 0;

  constructor(choices: Iterator<number>) {
    this.#choices = choices;
  }

  /** Returns whether something happens that happens once in so many times. */
  #once(times: number): boolean {
    return (this.#choices.next().value as number) % times === 0;
  }

  /** Returns a value with pieces in place of some of its parts. The keys of `properties` are names. */
  of(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return this.#list(value);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, each]) => [name, this.of(each, name)] as const);
    if (key === '' || key === 'properties' || !this.#once(3)) return Object.fromEntries(members);
    const own = members.filter(() => this.#once(3));
    const others = members.filter((each) => !own.includes(each));
    const replaced = own.filter(() => this.#once(2)).map(([name]) => [name, null] as const);
    return { use: this.#piece(Object.fromEntries([...others, ...replaced])), ...Object.fromEntries(own) };
  }

  #list(list: readonly unknown[]): unknown {
    const elements = list.map((each) => this.of(each, 'element'));
    if (!this.#once(3)) return elements;
    const from = elements.findIndex(() => this.#once(2));
    return [...elements.slice(0, from), { use: this.#piece(elements.slice(from)) }];
  }

  #piece(content: unknown): string {
    const name = `piece ${this.#count++}`;
    const other = this.#once(4) && { use: this.#piece(content) };
    this.pieces[name] = other ? (Array.isArray(content) ? [other] : other) : content;
    return name;
  }
}

it('a policy with pieces is the policy written out', async () => {
  const choices = fc.infiniteStream(fc.nat({ max: 59 }));
  await fc.assert(
    fc.asyncProperty(policy, choices, fc.boolean(), async (random, stream, isApart) => {
      const documents = documentsOf(random, () => true);
      const factoring = new Factoring(stream);
      const factored = Object.entries(documents).map(([file, document]) => [file, factoring.of(document)] as const);
      const define = { define: factoring.pieces };
      const files = isApart
        ? [...factored, ['pieces.yaml', define] as const]
        : factored.map(([file, document], at) => [file, at === 0 ? { ...(document as object), ...define } : document]);
      expect(files.filter(([, document]) => !isAccepted(document))).toEqual([]);
      const written = await policyOf(documents);
      expect(digestOfPolicy(await policyOf(Object.fromEntries(files) as Record<string, object>))).toBe(
        digestOfPolicy(written),
      );
    }),
    { numRuns, seed },
  );
});

const token = ['ghp_', 'a'.repeat(36)].join('');
const acme = 'organizations: [acme]\n';

describe('a piece', () => {
  it('may lie in any file, and its values keep their positions', async () => {
    const { owners } = await loadPolicy([
      {
        file: 'acme.yaml',
        text: `${acme}settings: { use: base, company: Acme }\nrulesets: [{ use: guard, enforcement: evaluate }]`,
      },
      {
        file: 'pieces.yaml',
        text: 'define:\n  base:\n    company: Replaced\n    blog: https://acme.example\n  guard:\n    name: Guard\n    enforcement: active\n    rules: [{ use: deletion }]\n  deletion: { type: deletion }',
      },
    ]);
    expect(declaredOfOwner(owners[0] as OwnerPolicy).map(({ field, value, source }) => [field, value, source])).toEqual(
      [
        ['company', 'Acme', 'acme.yaml:2'],
        ['blog', 'https://acme.example', 'pieces.yaml:4'],
        ['enforcement', 'evaluate', 'acme.yaml:3'],
        ['rules', [{ type: 'deletion' }], 'pieces.yaml:8'],
      ],
    );
  });

  it('may be a list, an entry of repositories or a selector; names in properties stay names', async () => {
    const { owners } = await loadPolicy([
      {
        file: 'a.yaml',
        text: `${acme}define:
  services: { select: { use: active, names: [{ use: names }, "!svc-tmp"] }, properties: { use: gold } }
  active: { visibility: [private], names: [replaced] }
  names: [svc-a, svc-b]
repositories: [{ use: services }]`,
      },
    ]);
    const [entry] = owners[0]?.repositories ?? [];
    expect(entry?.select.names?.map(({ value }) => value)).toEqual(['svc-a', 'svc-b', '!svc-tmp']);
    expect(entry?.select.visibility).toEqual(['private']);
    expect(entry?.wanted.get('properties')).toEqual([expect.objectContaining({ name: 'use' })]);
  });

  it.each([
    [
      'does not exist',
      'settings: { use: bse }\ndefine: { base: {} }',
      '2:13: settings.use is not a piece of define (did you mean base?)',
    ],
    [
      'has a secret as its name',
      `settings: { use: ${token} }`,
      [
        '2:13: settings.use must not contain a password, a token, a signature or a private key',
        '2:13: settings.use is not a piece of define',
      ],
    ],
    ['has no name', 'settings: { use: { a: 1 } }', '2:13: settings.use must be the name of a piece'],
    [
      'uses itself',
      'settings: { use: a }\ndefine:\n  a: { use: b }\n  b: { company: { use: a } }',
      '5:19: define.b.company.use is circular: a → b → a',
    ],
    ['is text', 'define: { a: text }', '2:11: define.a must be a mapping or a list'],
    [
      'is a list beside other keys',
      'settings: { use: a, blog: x }\ndefine: { a: [] }',
      '2:13: settings.use is a list, so that no other keys can be given',
    ],
    ['takes the place of a document', 'use: a\ndefine: { a: {} }', '2:1: use is not a known field'],
    [
      'contains a mistake',
      'hooks: [{ use: a }]\ndefine:\n  a: { name: x, enforcement: of }',
      '4:17: hooks[0].enforcement must be one of enabled, disabled, testing, inherit',
    ],
    [
      'lacks a field',
      'rulesets: [{ use: a }]\ndefine: { a: { enforcement: active } }',
      '2:12: rulesets[0].name is required',
    ],
    [
      'contains a secret',
      `define: { a: { token: x } }`,
      '2:16: define.a.token must not contain a secret: use secret: { env: NAME } or { file: PATH }',
    ],
  ])('that %s is an error with its position', async (_mistake, text, problem) => {
    const { problems } = await checkPolicy([{ file: 'a.yaml', text: `${acme}${text}` }]);
    expect(problems.map(({ place, message }) => `${place.line}:${place.column}: ${message}`)).toEqual([problem].flat());
  });

  it('is declared once in all files, and a file of pieces names no owner', async () => {
    const { problems, warnings } = await checkPolicy([
      { file: 'a.yaml', text: 'define: { a: {}, b: [] }' },
      { file: 'b.yaml', text: 'define: { a: {} }' },
    ]);
    const textsOf = (all: typeof problems) => all.map(({ place, message }) => `${placeText(place)}: ${message}`);
    expect(textsOf(problems)).toEqual(['b.yaml:1:11: define.a is declared twice (first at a.yaml:1:11)']);
    expect(textsOf(warnings)).toEqual(['a.yaml:1:11: define.a is not used', 'a.yaml:1:18: define.b is not used']);
  });

  it('cannot multiply without limit', async () => {
    const levels = [1, 2, 3, 4, 5, 6].map((n) => `  a${n}: [${`{ use: a${n - 1} },`.repeat(10)}]`).join('\n');
    const text = `${acme}rulesets: [{ use: a6 }]\ndefine:\n  a0: [x, x]\n${levels}`;
    const { problems } = await checkPolicy([{ file: 'a.yaml', text }]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('adds more than 200,000 values by use'),
    ]);
  });

  it('cannot multiply without limit in many files', async () => {
    const define = `define: { a: [${'x,'.repeat(1000)}], b: [${'{ use: a },'.repeat(190)}] }`;
    const users = Array.from({ length: 11 }, (_, n) => ({
      file: `${n + 1}.yaml`,
      text: `organizations: [a${n}]\nrulesets: { use: b }`,
    }));
    const { problems } = await checkPolicy([{ file: '0.yaml', text: define }, ...users]);
    const found = problems.filter(({ message }) => message.includes('by use'));
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringContaining('adds more than 2,000,000 values to all files by use'),
    ]);
  });
});

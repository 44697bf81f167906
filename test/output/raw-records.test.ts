/** Lists that are printed without being read, against the same lists read and masked as records. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Redactor } from '../../src/client/redact.ts';
import { parseJson } from '../../src/json/exact-json.ts';
import { type Records, RecordText } from '../../src/json/record-text.ts';
import { secretNames, secretQueryParameters } from '../../src/json/secrets.ts';
import { type RenderOptions, renderList } from '../../src/output/render.ts';
import { screen } from './screen.ts';

/** After a change of the scanner: `FUZZ_RUNS=100000 FUZZ_SEED=1 npm test -- test/output/raw-records`. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 1_000);
const fuzz = { seed: Number(process.env.FUZZ_SEED ?? 20_240_610), numRuns };

/** Every secret has it, in one spelling or another, and nothing else. */
const marker = 'hunter2';

/** A secret that the run knows. */
const known = `${marker}, "known" to the rün`;
const redactor = new Redactor();
redactor.add(known);

const options: RenderOptions = {
  format: 'ndjson',
  showSecrets: false,
  mask: (text) => redactor.maskKnown(text),
  mayMask: (bytes, records) => redactor.mayMask(bytes, records),
};

async function printed(page: Records<unknown>): Promise<string> {
  const { terminal, out } = screen();
  const pages = (async function* () {
    yield page;
  })();
  await renderList(pages, [], options, terminal);
  return out();
}

const secretKeys = [
  ...['token', 'secret', 'password', 'passwd', 'passphrase', 'credential', 'credentials', 'private_key', 'signing_key'],
  ...['access_key', 'api_key', 'apikey', 'pem', 'authorization', 'encrypted_value', 'encoded_jit_config'],
  ...['api-key', 'webhook-secret', 'temp_clone_token', 'webhook_secret', 'a_b_pem', '_token', '__secret'],
  ...['ключ_token', '🔑_api_key', 'auth_token', 'secret_key', 'token_', 'token"', 'token\n', 'secret ]'],
];
/** Capitals separate the words of these. */
const joinedKeys = ['accessToken', 'clientSecret', 'x1Password', 'webhookPrivate_key'];
const otherKeys = [
  ...['id', 'name', 'url', 'key', 'key_id', 'secret_type', 'secret_scanning', 'tokens', 'mytoken'],
  ...['tem', 'en', '', ' ', '__proto__', 'constructor', 'Grüße', '🚀', 'a\\token', '\u2028'],
];
const parameters = [
  ...['X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-Security-Token', 'X-Goog-Signature', 'X-Goog-Credential'],
  ...['AWSAccessKeyId', 'Signature', 'sig', 'token', 'access_token', 'refresh_token', 'client_secret'],
  ...['private_token', 'api_key', 'jwt', 'access%5ftoken', 'client-secret', 'passwd'],
  ...['token+', 'x[secret]', 'secret[x]', 'x^pem', 'password%20', 'secret[a]x', 'token[]a'],
];

const inAnyCase = (words: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...words), fc.constantFrom('lower', 'lower', 'upper', 'mixed'))
    .map(([word, way]) =>
      way === 'lower'
        ? word
        : way === 'upper'
          ? word.toUpperCase()
          : word.replace(/(.)(.?)/g, (_, a, b) => a.toUpperCase() + b),
    );

const host = fc.constantFrom('ghe.example.com', 'h', 'ünï.example', '[::1]:8443', 'u@h');
const secretUrl = fc.oneof(
  fc
    .tuple(
      host,
      fc.constantFrom('?', '?v=4&', '#', '?a;', '&amp;x&'),
      inAnyCase(parameters),
      fc.constantFrom('', '&y=2', '#z'),
    )
    .map(([at, before, name, after]) => `https://${at}/p${before}${name}=${marker}${after}`),
  fc
    .tuple(fc.constantFrom('', 'ada', 'a.b'), fc.constantFrom('', 'p@', 'p:'), host)
    .map(([user, before, at]) => `see https://${user}:${before}${marker}@${at}/`),
  // In place of a user name, only what is as long as a token is one.
  host.map((at) => `git+https://${marker.repeat(3)}@${at}/`),
);
const plainText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    'a@b',
    '=',
    'sig=',
    '?sig=',
    '?x=1&y=2',
    'https://h/?v=4',
    'git@h:a/b.git',
    'x:y@z',
    '://:@',
    '\u007f',
  ),
  fc.constantFrom('null', '[{"token":"x"}]', '\\', '"', '\ud800', '\ufeff', '9007199254740993', '********'),
);

/** How often a page may differ from what platforms send: most pages are to be such as the scanner takes. */
const spelling = fc.record({
  escapes: fc.constantFrom(0, 0, 0, 0.2),
  spaces: fc.constantFrom(0, 0, 0, 0, 0, 0.05),
  numbers: fc.constantFrom('whole', 'whole', 'whole', 'whole', 'any'),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never;

type Value =
  | { readonly text: string }
  | { readonly word: 'true' | 'false' | 'null' }
  | { readonly whole: bigint; readonly other: string }
  | { readonly list: readonly Value[] }
  | { readonly members: readonly (readonly [name: string, value: Value])[] };

const secretValues: readonly Value[] = [
  { text: marker },
  { text: '' },
  { list: [{ text: marker }, { list: [{ text: marker }] }] },
];

const member = (value: fc.Arbitrary<Value>): fc.Arbitrary<readonly [string, Value]> =>
  fc.oneof(
    fc.tuple(
      fc.oneof(inAnyCase(secretKeys), fc.constantFrom(...joinedKeys)),
      fc.oneof(fc.constantFrom<Value[]>(...secretValues), value),
    ),
    fc.tuple(
      fc.oneof(inAnyCase(otherKeys), plainText).map((name) => (/^\d/.test(name) ? `n${name}` : name)),
      value,
    ),
  );

const { object } = fc.letrec<{ value: Value; object: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { weight: 8, arbitrary: plainText.map((text) => ({ text })) },
    secretUrl.map((text) => ({ text })),
    { weight: 1, arbitrary: fc.constantFrom(known, encodeURIComponent(known)).map((text) => ({ text })) },
    fc.constantFrom('true', 'false', 'null').map((word) => ({ word })),
    fc.record({
      whole: fc.oneof(fc.nat().map(BigInt), fc.bigInt({ min: 0n, max: 10n ** 30n })),
      other: fc.constantFrom('-1', '-0', '0.50', '1e3', '1E-2', '-12345678901234567890', '12.0e+1', '1e400'),
    }),
    fc.array(tie('value'), { maxLength: 4 }).map((list) => ({ list })),
    tie('object'),
  ),
  object: fc.array(member(tie('value')), { maxLength: 6 }).map((members) => ({ members })),
}));

/** Whether each object names each of its members once. */
const namesOnce = (each: Value): boolean =>
  'list' in each
    ? each.list.every(namesOnce)
    : !('members' in each) ||
      (new Set(each.members.map(([name]) => name)).size === each.members.length &&
        each.members.every(([, inner]) => namesOnce(inner)));

/** JSON of a page. `random` gives numbers below one. */
function written(page: readonly Value[], { escapes, spaces, numbers }: Spelling, random: () => number): string {
  const space = () => (random() < spaces ? [' ', '\n', '\t', '\r\n'][Math.floor(random() * 4)] : '');
  const text = (plain: string) =>
    `"${JSON.stringify(plain)
      .slice(1, -1)
      .replace(/\\?./gsu, (character) =>
        character.length > 1 || random() >= escapes
          ? character
          : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )}"`;
  const of = (each: Value): string => {
    if ('text' in each) return text(each.text);
    if ('word' in each) return each.word;
    if ('whole' in each) return numbers === 'whole' ? String(each.whole) : each.other;
    if ('list' in each) return `[${each.list.map((inner) => space() + of(inner) + space()).join(',')}]`;
    return `{${each.members.map(([name, inner]) => `${space()}${text(name)}${space()}:${space()}${of(inner)}${space()}`).join(',')}}`;
  };
  return of({ list: page });
}

/** The numbers of a small generator, so that a case is the same whenever it is run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const page = fc
  .tuple(fc.array(object, { minLength: 1, maxLength: 4 }), spelling, fc.nat())
  .map(([records, how, seed]) => ({ records, text: written(records, how, numbersFrom(seed)) }));

it('covers all names of secrets', () => {
  expect(secretKeys).toEqual(expect.arrayContaining([...secretNames]));
  expect(parameters).toEqual(expect.arrayContaining([...secretQueryParameters]));
});

it('prints the records of a list byte by byte like parsed ones', async () => {
  let scanned = 0;
  await fc.assert(
    fc.asyncProperty(page, async ({ records, text }) => {
      fc.pre(records.every(namesOnce));
      const raw = RecordText.of(Buffer.from(text));
      if (!raw) return;
      scanned++;
      expect(await printed(raw)).toBe(await printed(parseJson(text) as unknown[]));
    }),
    fuzz,
  );
  expect(scanned / numRuns).toBeGreaterThan(0.5);
}, 600_000);

it('masks every secret of a raw list, even with duplicate names in an object', async () => {
  let scanned = 0;
  await fc.assert(
    fc.asyncProperty(page, async ({ records, text }) => {
      const raw = RecordText.of(Buffer.from(text));
      if (!raw) return;
      scanned++;
      const lines = await printed(raw);
      expect(lines).not.toContain(marker);
      // Which of two members of one name JSON.parse takes is not always the last, as V8 has it: the values are not compared.
      expect(lines.trimEnd().split('\n')).toHaveLength(records.length);
    }),
    fuzz,
  );
  expect(scanned / numRuns).toBeGreaterThan(0.5);
}, 600_000);

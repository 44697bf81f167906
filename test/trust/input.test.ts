/** Whatever is typed, given in a file or answered: never a stack trace, and never exit code 1, which means a bug. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BaseUrlError } from '../../src/client/errors.ts';
import { parseLinks } from '../../src/client/link.ts';
import { normalizeBaseUrl } from '../../src/client/platform.ts';
import { commands } from '../contracts/commands.ts';
import { pathOf, type ScriptedPlatform, scriptedPlatform } from '../support/platform.ts';
import { type RunResult, run, temporaryDirectory } from '../support/run.ts';

/** What a run must never end in. */
function isSound({ code, stderr }: RunResult): void {
  expect({ code, stderr }).not.toMatchObject({ code: 1 });
  expect(stderr).not.toMatch(/inside forgectl|\n\s+at .+:\d+/);
}

/** A folder of its own, for whatever a command may write where it stands. */
async function inFolder(): Promise<void> {
  const before = process.cwd();
  process.chdir(await temporaryDirectory());
  onTestFinished(() => process.chdir(before));
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '',
    '-',
    '--',
    '..',
    '.',
    '/',
    '%2f',
    '\0',
    '\ud800',
    '__proto__',
    '=',
    '@',
    '@/',
    '1e999',
    '-0',
    '{}',
    '[',
    'null',
  ),
);

describe('arguments of a command line', () => {
  // It would serve until it is interrupted.
  const able = commands.filter(({ name }) => name !== 'sandbox serve');
  const word = fc.oneof(
    anyText,
    fc.constantFrom(
      'acme',
      'acme/site',
      '7',
      'json',
      ...able.flatMap(({ flags }) => flags.map(({ name }) => `--${name}`)),
    ),
    fc
      .tuple(fc.constantFrom(...able.flatMap(({ flags }) => flags.map(({ name }) => name))), anyText)
      .map(([name, value]) => `--${name}=${value}`),
  );

  it('end in a result or a message', async () => {
    await inFolder();
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const line = fc.tuple(fc.constantFrom(...able), fc.array(word, { maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(line, async ([{ name }, words]) => {
        isSound(await run([...name.split(' '), ...words, '--max-wait=0', '--no-cache'], { env: platform.env }));
      }),
      { numRuns: 300 },
    );
  });

  it('without a known command end in a message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { maxLength: 4 }), async (words) => isSound(await run(words))),
      { numRuns: 100 },
    );
  });
});

describe('--input', () => {
  const lines = [
    'api POST /x',
    'budgets create acme',
    'repos create acme/site',
    'rulesets create acme',
    'rulesets update acme 7',
    'snapshots submit acme/site',
    'registries create acme',
    'orgs update acme',
  ];

  const deep = (open: string, close: string) => `${open.repeat(5_000)}${close.repeat(5_000)}`;
  const laughs = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, index) => {
      const before = 'abcdefg'[index];
      return `${name}: &${name} [${`*${before},`.repeat(9)}]`;
    }),
  ].join('\n');

  it.each([
    ['nested deep in lists', `{"a":${deep('[', ']')}}`],
    ['nested deep in objects', deep('{"a":', '}').replace('}', '1}')],
    ['nested deep in YAML', `a: ${deep('[', ']')}`],
    ['that holds itself', 'a: &a\n  b: *a\n'],
    ['that grows by its aliases', laughs],
    ['of a YAML tag', 'a: !!js/function "function () {}"'],
    ['of bytes', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['of nothing', ''],
  ])('%s ends in a result or a message', async (_what, stdin) => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    for (const line of lines.filter((each) => !each.startsWith('api'))) {
      const result = await run([...line.split(' '), '--input', '-', '--max-wait', '0'], { env: platform.env, stdin });
      isSound(result);
    }
  });

  it('of any JSON or YAML ends in a result or a message', async () => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const text = fc.oneof(
      fc.json(),
      fc
        .object({
          key: fc.constantFrom('name', 'rules', 'conditions', 'budget_alerting', 'manifests', '__proto__', 'a'),
        })
        .map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom('a', ':', ' ', '\n', '-', '&', '*', '!', '[', '{', '"', "'", '|', '>', '#', '?'),
        maxLength: 40,
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lines), text, async (line, stdin) =>
        isSound(await run([...line.split(' '), '--input', '-', '--max-wait', '0'], { env: platform.env, stdin })),
      ),
      { numRuns: 200 },
    );
  });
});

describe('answers', () => {
  it('of any JSON end in a result or a message', async () => {
    let body = '';
    const platform = await scriptedPlatform(() => ({ body }));
    const format = fc.constantFrom('table', 'tsv', 'csv', 'json', 'ndjson', 'yaml');
    await fc.assert(
      fc.asyncProperty(fc.json(), format, fc.boolean(), async (answer, output, tty) => {
        body = answer;
        const result = await run(['api', 'GET', '/x', '-o', output, '--no-cache'], { env: platform.env, tty });
        isSound(result);
        expect(result.code).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('with any Link header end, and never lead to another origin', () => {
    const unit = fc.constantFrom('<', '>', ';', ',', '=', '"', '\\', ' ', 'rel', 'next', 'a', '/', '?page=2', '\u00e9');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (header) => {
        for (const target of Object.values(parseLinks(header))) expect(header).toContain(`<${target}>`);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('base URLs', () => {
  it('must be https, or http to this machine, without secrets', () => {
    const url = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc
        .tuple(
          fc.constantFrom('', 'http://', 'https://', 'ftp://', 'file://', '//', 'HTTPS://'),
          fc.string({ maxLength: 30 }),
        )
        .map(([scheme, rest]) => scheme + rest),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    fc.assert(
      fc.property(url, (text) => {
        let base: URL;
        try {
          base = new URL(normalizeBaseUrl(text));
        } catch (error) {
          expect(error).toBeInstanceOf(BaseUrlError);
          return;
        }
        expect([base.username, base.password, base.search, base.hash]).toEqual(['', '', '', '']);
        if (base.protocol !== 'https:') expect(base.hostname).toMatch(/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a path parameter', () => {
  /** Nothing was sent, or the name is one segment, whole. */
  async function staysInItsSegment(platform: ScriptedPlatform, name: string): Promise<void> {
    const before = platform.requests.length;
    const result = await run(['registries', 'get', 'acme', '--no-cache', '--', name], { env: platform.env });
    isSound(result);
    const sent = platform.requests.slice(before);
    if (result.code === 2) expect(sent).toEqual([]);
    else
      expect(sent.map((request) => pathOf(request).split('/').map(decodeURIComponent))).toEqual([
        ['', 'orgs', 'acme', 'private-registries', name],
      ]);
  }

  it('cannot leave its segment', async () => {
    const platform = await scriptedPlatform(() => ({ body: { name: 'x' } }));
    const names = [
      '..',
      '.',
      '',
      ' ',
      '../secrets',
      'a/../b',
      '%2e%2e',
      '%2f',
      '..%2f..',
      '\\..\\',
      'a\0b',
      '?x=1',
      '#x',
      ';x',
      'a//b',
    ];
    for (const name of names) await staysInItsSegment(platform, name);
    await fc.assert(
      fc.asyncProperty(anyText, async (name) => staysInItsSegment(platform, name)),
      { numRuns: 150 },
    );
  });

  it.each([
    '/../../etc',
    '/orgs/../../../x',
    '/%2e%2e/%2e%2e/x',
    '/..\\..\\x',
    '//evil.example.com/x',
    'https:/evil.example.com',
    '/a\tb',
    '/\0',
  ])('of api cannot leave the platform: %j', async (path) => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const result = await run(['api', 'GET', path], { env: platform.env });
    isSound(result);
    for (const { url } of platform.requests) expect(url).toMatch(/^\/api\/v3\//);
  });
});

/** The command lines that a run prints do what they say, whatever was typed. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, asyncProperty, constantFrom, record, string, subarray } from 'fast-check';
import { expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';
import { onSandbox } from './policy/support.ts';

/** Returns the words of the printed line, as a shell reads them, without forgectl itself. */
function wordsAfter(label: string, stderr: string): string[] {
  const [, line = ''] =
    new RegExp(`^${label}:\\n {2}(forgectl [^]*?)\\n(?=[A-Z{]|forgectl:|$)`, 'm').exec(stderr) ?? [];
  const words = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' }).split('\0');
  expect(words.shift()).toBe('forgectl');
  expect(words.pop()).toBe('');
  return words;
}

/** Flags of the connection and the output, in the forms in which they are typed. */
const carried = [
  ['--max-wait', '5s'],
  ['--timeout=9s'],
  ['--api-version', '2026-03-10'],
  ['--no-cache'],
  ['-o', 'ndjson'],
  ['--fields=target,status'],
  ['--plain'],
] as const;

const text = string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(
  (each) => !/[\0\r\n]|\{|^-|^@/.test(each) && each.trim() === each && each === each.normalize(),
);

const typed = record({
  flags: subarray([...carried]),
  kind: constantFrom('repos', 'where', 'from', 'replaced'),
  description: text,
  name: constantFrom('--journal', '--resume-or-start'),
});

it('continues a run of each with the line that was printed, and the one that journal list prints', async () => {
  await assert(
    asyncProperty(typed, async ({ flags, kind, description, name }) => {
      let status = 403;
      const platform = await scriptedPlatform({
        'GET /orgs/acme/repos': {
          body: ['site', 'api'].map((each, id) => ({ id: id + 1, full_name: `acme/${each}` })),
        },
        'GET /repos/acme/site': { body: { id: 1, full_name: 'acme/site' } },
        'GET /repos/acme/api': { body: { id: 2, full_name: 'acme/api' } },
        'PATCH /repos/acme/site': { body: {} },
        'PATCH /repos/acme/api': () => ({ status, body: {} }),
      });
      const { FORGECTL_BASE_URL: baseUrl = '', ...env } = platform.env;
      const directory = await temporaryDirectory();
      writeFileSync(join(directory, 'targets'), 'acme/site\nacme/api\n');
      const journals = join(directory, 'run.ndjson');
      const selection = {
        repos: ['repos', 'acme'],
        where: ['repos', 'acme', '--where', '.archived | not'],
        from: ['--from', join(directory, 'targets')],
        replaced: ['repos', 'acme', '--replace', '@@'],
      }[kind];
      const mark = kind === 'replaced' ? '@@' : '{}';
      const command = ['repos', 'update', mark, '--description', description];
      const own = [...flags.flat(), ...selection, '--base-url', baseUrl, name, journals];
      const first = await run(['each', ...own, '--', ...command], { env });
      expect(first.code, first.stderr).toBe(9);
      const line = wordsAfter('Continue with', first.stderr);
      expect(line).toEqual(['each', ...flags.flat(), '--base-url', baseUrl, '--resume', journals]);
      const listed = await run(['journal', 'list', directory, '-o', 'json', '--jq', '.[].continue_with']);
      expect(wordsAfter('Line', `Line:\n  ${listed.stdout}`)).toEqual(line);
      status = 200;
      const sent = () => platform.requests.filter(({ method }) => method === 'PATCH');
      const before = sent().at(-1);
      const again = await run(line, { env });
      expect(again.code, again.stderr).toBe(0);
      expect(sent()).toHaveLength(3);
      expect(sent().at(-1)?.headers).toMatchObject({
        'x-github-api-version': before?.headers['x-github-api-version'],
      });
      expect(sent().at(-1)).toMatchObject({ url: '/api/v3/repos/acme/api', body: JSON.stringify({ description }) });
    }),
    { numRuns: 25 },
  );
}, 120_000);

it('does the same without prompts', async () => {
  const flags = [...carried.slice(0, 4), ['--json']];
  await assert(
    asyncProperty(subarray(flags), text, async (given, event) => {
      const platform = await scriptedPlatform({ 'POST /repos/acme/site/dispatches': { status: 204 } });
      const { FORGECTL_BASE_URL: baseUrl = '', ...env } = platform.env;
      const own = ['repos', 'dispatch', ...given.flat(), 'acme/site', '--base-url', baseUrl];
      const asked = await run(own, { env, person: [['(EVENT_TYPE)', `${event}\r`]] });
      expect(asked.code, asked.stderr).toBe(0);
      const again = await run(wordsAfter('Without prompts', asked.stderr.replaceAll('\r', '')), { env });
      expect(again.code, again.stderr).toBe(0);
      const [first, second] = platform.requests;
      expect(second).toMatchObject({ method: first?.method, url: first?.url, body: first?.body });
      expect(second?.headers['x-github-api-version']).toBe(first?.headers['x-github-api-version']);
    }),
    { numRuns: 25 },
  );
}, 120_000);

it('continues policy apply, and undoes it', async () => {
  const flags = [
    ...carried.slice(0, 2),
    ['--no-cache'],
    ['--concurrency', '2'],
    ['--allow=archived'],
    ['--deny', 'loosens'],
  ];
  await assert(
    asyncProperty(subarray(flags), async (given) => {
      const { forgectl, write, folder } = await onSandbox({ orgs: 1, repos: 3 });
      write('p.yaml', 'organizations: [acme]\nrepositories: [{ select: {}, settings: { description: fleet } }]\n');
      const names = async () =>
        (await forgectl('repos list acme --all --where .description=="fleet" --jq .[].name')).stdout.split('\n')
          .length - 1;
      const own = [...given.flat(), '--journal', 'FOLDER/run.ndjson', '--undo-out', 'FOLDER/undo.ndjson'];
      const first = await forgectl(`policy apply FOLDER/p.yaml ${own.join(' ')} --limit 1 --yes`);
      expect(first.code, first.stderr).toBe(0);
      expect(await names()).toBe(1);
      const [, part = ''] = /changes left\. (Continue with:\n.*\n)/.exec(first.stderr) ?? [];
      const line = wordsAfter('Continue with', part);
      const undoOut = ['--undo-out', `${folder}/undo.ndjson`];
      expect(line).toEqual([
        'policy',
        'apply',
        ...given.flat(),
        ...undoOut,
        '--resume',
        `${folder}/run.ndjson`,
        '--yes',
      ]);
      const again = await forgectl(line.join(' '));
      expect(again.code, again.stderr).toBe(0);
      expect(await names()).toBeGreaterThan(1);
      const undo = wordsAfter('Undo with', again.stderr);
      expect(await forgectl([...undo, '--yes'].join(' '))).toMatchObject({ code: 0 });
      expect(await names()).toBe(0);
    }),
    { numRuns: 5 },
  );
}, 120_000);

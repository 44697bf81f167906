import { expect, it } from 'vitest';
import { drawnFindings } from '../../../src/topics/audit/drawn.ts';

const finding = (target: string, hint: string | null) => ({
  check: 'default-branch-up-to-date',
  severity: 'info' as const,
  target,
  status: 'fail' as const,
  message: 'main accepts old tests.',
  fix: { command: null, policy: null, hint },
});

it('wraps titles at words, and shows a hint that findings share once', async () => {
  const findings = [finding('acme/site', 'Add a merge queue.'), finding('acme/docs', 'Add a merge queue.')];
  const terminal = { columns: 50, color: false, stdoutIsTTY: false };
  expect(await drawnFindings([...findings, finding('acme/blog', 'Or not.')], terminal)).toBe(
    `info  default-branch-up-to-date: Pull requests are
      tested with the latest default branch
  acme/site: main accepts old tests.
  acme/docs: main accepts old tests.
      Add a merge queue.
  acme/blog: main accepts old tests.
      Or not.
`,
  );
});

it('keeps a command in a hint whole, on its own lines if there is no room beside the text', async () => {
  const hint = 'List the errors: forgectl repos codeowners-errors acme/site --ref main';
  const shown = async (columns: number) =>
    (await drawnFindings([finding('acme/site', hint)], { columns, color: false, stdoutIsTTY: false }))
      .split('\n')
      .slice(3);
  expect(await shown(80)).toEqual([`      ${hint}`, '']);
  expect(await shown(60)).toEqual([
    '      List the errors:',
    '      forgectl repos codeowners-errors acme/site \\',
    '          --ref main',
    '',
  ]);
});

/** Every relative link of a hand-written document leads to an existing file and heading. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../contracts/commands.ts';

const markdownIn = (directory: string) =>
  readdirSync(join(root, directory))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(directory, name));

const anchorsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

it.each(['.', 'docs', 'bench'].flatMap(markdownIn))('%s links to existing files and headings', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(root, document) : join(root, dirname(document), path);
    expect(existsSync(target), link).toBe(true);
    if (anchor !== undefined && statSync(target).isFile()) expect(anchorsOf(target), link).toContain(anchor);
  }
});

/** What administrators ask, and the page that tells them. */
const questions: Readonly<Record<string, string>> = {
  'How do I install it?': 'docs/install.md',
  'How do I upgrade or remove it?': 'docs/install.md',
  'Which systems and versions of Node does it run on?': 'docs/compatibility.md',
  'Which versions of the platform does it support?': 'docs/compatibility.md',
  'What can it not do?': 'docs/compatibility.md#what-it-cannot-do',
  'How do I add people to an organization?': 'docs/people.md',
  'How does it compare with gh and Terraform?': 'docs/comparison.md',
  'Can I try it without a platform?': 'docs/sandbox.md',
  'How do I log in?': 'docs/configuration.md#log-in',
  'Which scopes does my token need?': 'docs/configuration.md#log-in',
  'How do I use two platforms?': 'docs/configuration.md#profiles',
  'Which environment variables does it read?': 'docs/configuration.md#settings',
  'Where does it keep tokens, caches and journals?': 'docs/configuration.md#files',
  'How do I get completion?': 'docs/configuration.md#shell-completion',
  'How do I change a setting in all repositories?': 'docs/fleet.md',
  'How do I keep settings in files?': 'docs/policy.md',
  'How do I detect drift?': 'docs/policy.md#in-ci',
  'How do I move from Terraform?': 'docs/from-terraform.md',
  'How do I move from another tool?': 'docs/from-other-tools.md',
  'How do I undo a change?': 'docs/troubleshooting.md#undo-a-change',
  'How do I resume an interrupted run?': 'docs/scripting.md#journals',
  'How do I set hooks?': 'docs/hooks.md',
  'How do I limit spending?': 'docs/budgets.md',
  'What do exit codes mean?': 'docs/scripting.md#exit-codes-and-errors',
  'Which output can scripts rely on?': 'docs/scripting.md#output',
  'How do I log in as an app in CI?': 'docs/ci.md#as-an-app',
  'How do I use a proxy or my own certificate authority?': 'docs/ci.md#proxies-and-certificates',
  'Why do I get 401, 403 or 404?': 'docs/troubleshooting.md',
  'Why does it wait, or stop with exit code 7?': 'docs/troubleshooting.md#the-rate-limit-is-exceeded',
  'There is no keyring: what now?': 'docs/troubleshooting.md#the-keyring',
  'What does it guarantee about my token?': 'SECURITY.md',
};

const linksOf = (document: string) =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) =>
    join(dirname(document), link),
  );

it('README.md and the index of the guides lead to the answer of each question in one click', () => {
  const inOneClick = new Set([...linksOf('README.md'), ...linksOf('docs/README.md')]);
  expect(Object.entries(questions).filter(([, page]) => !inOneClick.has(page))).toEqual([]);
  expect(Object.keys(questions)).toHaveLength(31);
});

it('the index of the guides lists every guide', () => {
  const listed = new Set(linksOf('docs/README.md').map((link) => link.split('#')[0]));
  expect(markdownIn('docs').filter((page) => page !== 'docs/README.md' && !listed.has(page))).toEqual([]);
});

/** Rejects unidiomatic phrases in messages, help and documents, and suggests the usual ones. CONTRIBUTING.md has the rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './commands.ts';

const phrases: readonly (readonly [phrase: RegExp, usual: string])[] = [
  [
    /there (?:is|are|was) no (?:place|flag|command|argument|field|setting|script|completion)\b/i,
    'unknown …, unexpected …',
  ],
  [/\bthere is nothing\b/i, 'nothing …'],
  [/\b(?:is|are|was|were) answered\b/i, 'returned'],
  [/\bname that cannot be found\b/i, 'could not resolve host'],
  [/\basking again\b/i, 'retrying'],
  [/\bwhat (?:is|was) (?:typed|missing|so|there|about to)\b/i, 'a noun: the argument, the missing values, the default'],
  [/\bgo(?:es)? before (?:it|them|the|a|all|[A-Z`])/, 'takes precedence'],
  [/\bsent as (?:it is|they are)\b/i, 'sent unchanged'],
  [/\bnothing is (?:known|said) of\b/i, 'no data for'],
  [/\bknown to be needed\b/i, 'documented'],
  [/\b(?:as a|record|short) sheets?\b|\bsheets? of\b/i, 'details'],
  [/\b(?:platform|same|command|it|that) tells\b/i, 'shows, returns'],
  [/\bfare[sd]?\b/i, 'result'],
  [/\bunless told\b/i, 'by default'],
  [/\b(?:is|are|was|were|be) asked for\b/i, 'prompts for, is required, is requested'],
  [/\b(?:go|goes) on (?:by itself|where)\b/i, 'continues, resumes'],
  [/\bis no (?:command|flag|argument) for\b/i, 'is not'],
  [/\btext from elsewhere\b/i, 'untrusted text'],
  [/\bpass(?:ed|es) over\b/i, 'ignored, skipped'],
  [/\bkept (?:answer|response)s?\b/i, 'cached responses'],
  [/\bgeneral client\b/i, 'gh'],
  [/\btime-outs?\b/i, 'timeout'],
  [/\bin vain\b/i, 'without a match'],
  [/\b(?:whoever|whomever|whosoever)\b/i, 'anyone who'],
  [/\bbeforehand\b/i, 'in advance'],
];

const filesIn = (directory: string, extension: string) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(directory, name));

const files = [
  'package.json',
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesIn('docs', '.md'),
  ...filesIn('bench', '.md'),
  ...filesIn('src', '.ts'),
  ...filesIn('scripts', '.ts'),
];

/** The file without comments, which only contributors read; lines keep their numbers. */
const textOf = (file: string) => {
  const text = readFileSync(join(root, file), 'utf8');
  if (!file.endsWith('.ts')) return text;
  const blank = (comment: string) => comment.replaceAll(/[^\n]/g, '');
  return text.replaceAll(/^\s*\/\*[\s\S]*?\*\/$/gm, blank).replaceAll(/^\s*\/\/.*$/gm, blank);
};

it.each(phrases)('%s: say %s', (phrase) => {
  const found = files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (phrase.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

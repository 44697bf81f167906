/** Push rules: over all files of a push, in the whole fork network. Available rules for rulesets, Push rulesets. */
import type { Given } from '../platform/validate.ts';
import { allowed, type Judgement, joined, type Push, type PushedFile, refused, unknown } from './facts.ts';
import { matchesName } from './name-pattern.ts';

type FileRule = (parameters: Given, file: PushedFile) => Judgement;

/** Judges every file that a new commit adds or changes, those that a later one removes again included. */
export function judgeFiles(rule: FileRule, parameters: Given, { update, files }: Push): Judgement {
  if (update === 'delete') return allowed;
  if (files === undefined) return unknown('the files of the push');
  return joined(files.map((file) => rule(parameters, file)));
}

const evidenceOf = ({ commit, path }: PushedFile) => [{ commit, path }];

const unreadable = (name: string, file: PushedFile): Judgement => unknown(`the ${name} of the rule`, evidenceOf(file));

/** Judges a file by each text of a list in the parameters. */
function judgeByEach(
  name: string,
  { [name]: texts }: Given,
  file: PushedFile,
  byOne: (text: string) => Judgement,
): Judgement {
  const isReadable = Array.isArray(texts) && texts.every((each: unknown) => typeof each === 'string');
  return isReadable ? joined(texts.map(byOne)) : unreadable(name, file);
}

export const pathRestriction: FileRule = (parameters, file) =>
  judgeByEach('restricted_file_paths', parameters, file, (pattern) => {
    const matches = matchesName(pattern, file.path);
    if (matches === undefined) return unknown(`whether ${pattern} matches ${file.path}`, evidenceOf(file));
    return matches ? refused(evidenceOf(file)) : allowed;
  });

export const pathLength: FileRule = ({ max_file_path_length: limit }, file) => {
  if (typeof limit !== 'number') return unreadable('max_file_path_length', file);
  if ([...file.path].length > limit) return refused(evidenceOf(file));
  return Buffer.byteLength(file.path) > limit
    ? unknown('whether the limit counts characters or bytes', evidenceOf(file))
    : allowed;
};

/** Whether extensions may have wildcards is not documented. */
function withWildcards(patterns: readonly string[], file: PushedFile): Judgement {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  return patterns.every((pattern) => matchesName(pattern, name) === false)
    ? allowed
    : unknown('whether extensions may have wildcards', evidenceOf(file));
}

/** Extensions are written as `exe`, `.exe` or `*.exe`. */
export const extensionRestriction: FileRule = (parameters, file) =>
  judgeByEach('restricted_file_extensions', parameters, file, (extension) => {
    const ending = `.${extension.replace(/^\*?\./, '')}`;
    if (/[*?[]/.test(ending)) return withWildcards([extension, `*${ending}`], file);
    if (file.path.endsWith(ending)) return refused(evidenceOf(file));
    return file.path.toLowerCase().endsWith(ending.toLowerCase())
      ? unknown('whether extensions ignore case', evidenceOf(file))
      : allowed;
  });

/** The unit is documented as MB, not in bytes: sizes close to the limit are unknown. */
export const fileSize: FileRule = ({ max_file_size: limit }, file) => {
  if (file.size === undefined) return unknown(`the size of ${file.path}`, evidenceOf(file));
  if (typeof limit !== 'number') return unreadable('max_file_size', file);
  const bytes = limit * 1_048_576;
  if (file.size > bytes * 1.05) return refused(evidenceOf(file));
  return file.size > bytes * 0.95 ? unknown('how many bytes the limit has', evidenceOf(file)) : allowed;
};

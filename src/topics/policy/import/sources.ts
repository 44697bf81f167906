/** Parses the files of other tools. */
import { parsePolicyFile } from '../../../fleet/policy/wanted/parse.ts';
import { elements, members, type Placed, type PolicyProblem, withParts } from '../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../json/exact-json.ts';
import type { SourceFile } from './model.ts';
import type { Refuse } from './source.ts';

interface ParsedSources {
  readonly files: readonly SourceFile[];
  readonly problems: readonly PolicyProblem[];
}

/** Returns the contents of files in YAML or JSON, and all problems of these. */
export function parseSources(texts: readonly { readonly file: string; readonly text: string }[]): ParsedSources {
  const files: SourceFile[] = [];
  const problems: PolicyProblem[] = [];
  for (const { file, text } of texts) {
    if (/\.tf(?:\.json)?$/i.test(file)) {
      const message = 'is Terraform configuration, not state: import the output of “terraform show -json”';
      problems.push({ place: { file, line: 1, column: 1 }, message });
      continue;
    }
    const { root, problems: wrong } = parsePolicyFile(file, text);
    for (const problem of wrong) problems.push(problem);
    if (root && (isObject(root.value) || Array.isArray(root.value)))
      files.push({ file, root: withMerges(root, (part, message) => problems.push({ place: part.place, message })) });
    else if (wrong.length === 0)
      problems.push({ place: { file, line: 1, column: 1 }, message: 'must be a mapping or a list' });
  }
  return { files, problems };
}

/** Returns a value with its merge keys (`<<`) resolved, which YAML 1.1 has. A key of the mapping itself takes precedence. */
function withMerges(part: Placed, refuse: Refuse): Placed {
  if (part.value instanceof Uint8Array) refuse(part, 'must be text: binary values are not supported');
  if (part.parts.size === 0) return part;
  const own = [...part.parts].map(([key, each]): [string | number, Placed] => [key, withMerges(each, refuse)]);
  const merged = own.find(([key]) => key === '<<')?.[1];
  if (!merged) return own.every(([key, each]) => part.parts.get(key) === each) ? part : withParts(part, own);
  const bases = Array.isArray(merged.value) ? elements(merged) : [merged];
  for (const base of bases) if (!isObject(base.value)) refuse(base, '<< must be a mapping or a list of mappings');
  const inherited = bases.toReversed().flatMap((base) => members(base));
  return withParts(part, [...inherited, ...own.filter(([key]) => key !== '<<')]);
}

/** Where the policies in the folder `policy` declare targets, for the locations of findings. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../cli/errors.ts';
import { largestYaml, readTextBelow } from '../../cli/input/sources.ts';
import { parsePolicyFile } from '../../fleet/policy/wanted/parse.ts';
import { elements, member, mostValuesTogether, type Placed } from '../../fleet/policy/wanted/placed.ts';
import { nameMatcher } from '../../fleet/policy/wanted/select.ts';
import { asText } from '../../json/exact-json.ts';
import type { Given } from '../../platform/validate.ts';
import { defaultPolicyFiles, defaultPolicyFolder, largestTogether } from '../policy/files.ts';
import type { OpenFinding } from './report.ts';
import type { Location } from './sarif.ts';

export class PolicyPlaces {
  readonly #documents: readonly Placed[];

  private constructor(documents: readonly Placed[]) {
    this.#documents = documents;
  }

  /** Reads the folder `policy` in the current directory. What cannot be read, or exceeds the limits of policies, has no places. */
  static async read(): Promise<PolicyPlaces> {
    if (!existsSync(defaultPolicyFolder)) return new PolicyPlaces([]);
    const files = await defaultPolicyFiles().catch(unlessUnreadable);
    const documents: Placed[] = [];
    let [size, values] = [0, 0];
    for (const file of files ?? []) {
      const text = textOf(file);
      size += text.length;
      if (size > largestTogether) break;
      const { root, values: added } = parsePolicyFile(file, text);
      values += added;
      if (values > mostValuesTogether) break;
      if (root) documents.push(root);
    }
    return new PolicyPlaces(documents);
  }

  /** Returns the section that the policy of a fix changes, or else the place where the target is declared. */
  of({ target, fix }: Pick<OpenFinding, 'target' | 'fix'>): Location | undefined {
    const [owner = '', name] = target.split('/');
    const ofOwner = this.#documents.filter((document) => declares(document, owner));
    const entries = ofOwner.flatMap((document) => elements(member(document, 'repositories')));
    const found = name === undefined ? ofOwner : entries.filter((entry) => selects(entry, name));
    const section = found.flatMap((part) => sectionsOf(fix).flatMap((key) => member(part, key) ?? []))[0];
    const [first] = found.length > 0 ? found : ofOwner;
    const place = (section ?? first)?.place;
    return place && { file: place.file, line: place.line };
  }
}

/** Returns the empty text for a file that cannot be read. */
function textOf(file: string): string {
  try {
    return readTextBelow(defaultPolicyFolder, file, largestYaml);
  } catch (error) {
    return unlessUnreadable(error) ?? '';
  }
}

/** Throws errors of forgectl itself. */
function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error;
}

/** The sections that a fix declares, for an owner or a repository. */
function sectionsOf(fix: OpenFinding['fix']): readonly string[] {
  const { organizations: _organizations, enterprise: _enterprise, repositories, ...own } = fix?.policy ?? {};
  const [entry = {}] = (repositories ?? []) as readonly Given[];
  return Object.keys({ ...own, ...entry }).filter((key) => key !== 'select');
}

function declares(document: Placed, owner: string): boolean {
  const [slug] = owner.startsWith('enterprise:') ? [owner.slice('enterprise:'.length)] : [];
  if (slug !== undefined) return member(document, 'enterprise')?.value === slug;
  return elements(member(document, 'organizations')).some(
    ({ value }) => asText(value).toLowerCase() === owner.toLowerCase(),
  );
}

function selects(entry: Placed, name: string): boolean {
  const names = elements(member(member(entry, 'select'), 'names')) as readonly Placed<string>[];
  return names.length > 0 && names.every(({ value }) => typeof value === 'string') && nameMatcher({ names })(name);
}

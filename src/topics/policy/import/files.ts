/** The policy files of an organization that was imported. */
import type { Exported } from '../../../fleet/policy/kinds/kind.ts';
import { kindsIn } from '../../../fleet/policy/kinds/lookup.ts';
import type { Place, Placed } from '../../../fleet/policy/wanted/placed.ts';
import { formatCount } from '../../../output/amounts.ts';
import { safeText } from '../../../output/safe-text.ts';
import type { Given } from '../../../platform/validate.ts';
import type { WrittenPolicy } from '../export.ts';
import { sectionsOf } from './draft.ts';
import { type FoldedEntry, folded } from './fold.ts';
import { layoutOf } from './layout.ts';
import type { OrganizationDraft } from './model.ts';
import { withPieces } from './repeated.ts';
import type { Commented } from './source.ts';

/** Characters of a file, as JSON. A policy file has at most 1 MiB. */
const largestFile = 400_000;

/** Returns the files of an organization, in the order of their names. */
export function importedFiles(draft: OrganizationDraft): readonly WrittenPolicy[] {
  const { organization } = draft;
  const head = { organizations: [organization] };
  const { entries, pieces } = withPieces(folded(draft.entries), organization);
  const writer = new Writer();
  const define = Object.fromEntries(pieces.map(({ name, content, origins }) => [name, writer.value(content, origins)]));
  const files = [
    ...writer.sections(draft).map(([path, part]) => ({ path, document: { ...head, ...part } })),
    ...(pieces.length > 0 ? [{ path: 'pieces.yaml', document: { define } }] : []),
    ...writer.repositories(entries).map(([path, repositories]) => ({ path, document: { ...head, repositories } })),
  ];
  const arrange = layoutOf(writer.comments);
  return files.map((file) => ({ ...file, arrange })).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

class Writer {
  /** Where mappings and lists come from. */
  readonly comments = new Map<object, string>();

  /** Returns a value, with a comment about where it comes from. */
  value(part: Commented, origins: readonly Place[] = [part.place]): unknown {
    const value = this.#plain(part);
    if (typeof value === 'object' && value !== null) this.comments.set(value, commentOf(origins, part));
    return value;
  }

  /** Returns a value of its own, as comments belong to one place. */
  #plain(part: Commented): unknown {
    const { value, parts, comment } = part;
    if (typeof value !== 'object' || value === null) return value;
    const own = Array.isArray(value)
      ? [...parts.values()].map((each) => this.#plain(each))
      : Object.fromEntries([...parts].map(([key, each]) => [key, this.#plain(each)]));
    if (comment !== undefined) this.comments.set(own, comment);
    return own;
  }

  /** Returns the files of the organization itself, as an export has them. */
  sections({ items }: OrganizationDraft): readonly (readonly [path: string, part: Given])[] {
    const sections = new Map(sectionsOf(items));
    return kindsIn('organization').flatMap((kind) => {
      const section = sections.get(kind.section);
      if (!section) return [];
      const value = this.#section(section);
      return (kind.files?.(value) ?? [[`${kind.section}.yaml`, value] as const]).flatMap(([path, part]) => {
        if (Object.keys(part).length === 0) return [];
        const isCommented = Object.values(part).some((each) => this.comments.has(each as object));
        if (!isCommented) this.comments.set(part, originText([section.place]));
        return [[path, { [kind.section]: part }] as const];
      });
    });
  }

  /** Returns a section whose objects or lists have comments. */
  #section({ value, parts }: Placed): Exported {
    const each = [...parts].map(([key, part]) => [String(key), this.value(part)] as const);
    return (Array.isArray(value) ? each.map(([, part]) => part) : Object.fromEntries(each)) as Exported;
  }

  /** Returns the files of the repositories: one, unless it would be too large. */
  repositories(entries: readonly FoldedEntry[]): readonly (readonly [path: string, repositories: readonly Given[]])[] {
    const files: { readonly entries: Given[]; size: number }[] = [];
    for (const entry of entries) {
      const value = this.#entry(entry);
      const size = JSON.stringify(value).length;
      const last = files.at(-1);
      if (last && last.size + size <= largestFile) {
        last.entries.push(value);
        last.size += size;
      } else files.push({ entries: [value], size });
    }
    return files.map(({ entries }, at) => [`repositories${at === 0 ? '' : `-${at + 1}`}.yaml`, entries]);
  }

  #entry({ head: [key, head], isOverride, items, origins }: FoldedEntry): Given {
    const sections = new Map(sectionsOf(items));
    const ordered = entrySections.flatMap((name) => {
      const section = sections.get(name);
      return section ? [[name, this.#plain(section)] as const] : [];
    });
    const entry = {
      [key]: this.#plain({ ...head, comment: undefined }),
      ...(isOverride && { override: true }),
      ...Object.fromEntries(ordered),
    };
    this.comments.set(entry, commentOf(origins, head));
    return entry;
  }
}

/** Sections of an entry in the order of the documents. */
const entrySections = [
  'settings',
  'properties',
  'access',
  'topics',
  'alerts',
  'labels',
  'rulesets',
  'hooks',
  'absent',
  'manage',
];

const commentOf = (origins: readonly Place[], { comment }: Commented): string =>
  [originText(origins), ...(comment === undefined ? [] : [comment])].join('; ');

/** Returns where a part comes from: its first line, and the number of others. */
function originText(origins: readonly Place[]): string {
  const [first, ...others] = [...new Set(origins.map(({ file, line }) => `${file}:${line}`))];
  return `from ${safeText(first ?? '')}${others.length > 0 ? ` and ${formatCount(others.length)} more` : ''}`;
}

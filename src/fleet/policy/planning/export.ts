/** Exports the live state of organizations and enterprises as policy documents. Applying them changes nothing. */
import { asText } from '../../../json/exact-json.ts';
import type { Given } from '../../../platform/validate.ts';
import { readAll } from '../../read-all.ts';
import { distinctFileNames, fileNameOf, isReservedName } from '../file-names.ts';
import type { Exported, ExportReadings, KindDeclaration } from '../kinds/kind.ts';
import { kindsOf } from '../kinds/lookup.ts';
import { ownerReadings } from '../live/owner-readings.ts';
import { invalidRepository } from '../live/repositories.ts';
import type { Reader, Unreadable } from '../live/requests.ts';
import type { ListedRepository, OwnerPolicy } from '../wanted/model.ts';
import { containsOpenSecret } from '../wanted/open-secrets.ts';
import { fieldsRead } from '../wanted/select.ts';
import { targetOfOwner } from '../wanted/target.ts';

/** A policy file. */
export interface ExportedFile {
  /** Below the folder of the owner, with `/`. */
  readonly path: string;
  readonly document: Given;
  readonly comment?: string | undefined;
}

export interface ExportOptions {
  readonly reader: Reader;
  readonly owner: Pick<OwnerPolicy, 'kind' | 'name'>;
  /** Who the token belongs to; null or absent if that is unknown. */
  readonly identity?: string | null | undefined;
  /** Exports the repositories too. */
  readonly repositories: boolean;
  /** The number of repositories read concurrently. */
  readonly concurrency?: number | undefined;
  /** Receives notices that are not errors, such as the number of archived repositories. */
  readonly warn: (text: string) => void;
  /** Receives a notice for each part that the files lack, because it could not be read. */
  readonly lacks: (text: string) => void;
}

/** Returns the files of an organization or an enterprise. Throws what the client throws. */
export async function exportOwner(options: ExportOptions): Promise<readonly ExportedFile[]> {
  const { owner, reader } = options;
  const { kind, name: org } = owner;
  const target = targetOfOwner(owner);
  const head = kind === 'enterprise' ? { enterprise: org } : { organizations: [org] };
  const warned = new Set<string>();
  const once = (report: (text: string) => void) => (text: string) => {
    if (!warned.has(text)) report(text);
    warned.add(text);
  };
  const [warn, lacks] = [once(options.warn), once(options.lacks)];
  const unexported = new Unexported();
  const readings: ExportReadings = {
    ...ownerReadings({ reader, owner: org, identity: options.identity ?? undefined, fields: fieldsRead([]), warn }),
    notExported: (part, of, reading) => unexported.add(part, of, reading),
    lacks,
  };
  const files: ExportedFile[] = [];
  for (const kind of kindsOf(target)) {
    const { section, comment, files: filesOf } = kind;
    const objects = await exportedOf(kind, target, readings);
    for (const [path, part] of filesOf?.(objects) ?? [[`${section}.yaml`, objects] as const])
      if (!isEmpty(part)) files.push({ path, comment, document: { ...head, [section]: part } });
  }
  unexported.lines(org).forEach(lacks);
  if (!options.repositories || kind === 'enterprise') return files;
  const all = await readings.repositories();
  if ('unreadable' in all) {
    lacks(`The repositories of ${org} were not exported: ${all.unreadable}.`);
    return files;
  }
  const archived = all.value.filter((repository) => repository.archived).length;
  if (archived) warn(`${archived} archived ${archived === 1 ? 'repository' : 'repositories'} of ${org} skipped.`);
  const active = all.value.filter((repository) => !repository.archived).toSorted(byName);
  const reserved = active.find(({ name }) => isReservedName(name));
  if (reserved)
    throw invalidRepository(org, `a repository named ${reserved.name}, which is the name of a device on Windows`);
  const stems = distinctFileNames(active.map(({ name }) => fileNameOf(name)));
  const fileOf = async ([at, { name, full_name: target }]: [number, ListedRepository]) => {
    const entry: Record<string, unknown> = { select: { names: [name] } };
    for (const kind of kindsOf(target)) {
      const objects = await exportedOf(kind, target, { ...readings, reader: reader.forTask() });
      if (!isEmpty(objects)) entry[kind.section] = objects;
    }
    if (Object.keys(entry).length === 1) return undefined;
    return { path: `repositories/${stems[at]}.yaml`, document: { ...head, repositories: [entry] } };
  };
  const ofRepositories: ExportedFile[] = [];
  for await (const file of readAll(active.entries(), fileOf, options.concurrency)) if (file) ofRepositories.push(file);
  unexported.lines(org).forEach(lacks);
  return [...files, ...ofRepositories.toSorted((a, b) => (a.path < b.path ? -1 : 1))];
}

/** Returns the objects of a kind that a target has, without those that a policy must not contain. */
async function exportedOf(kind: KindDeclaration, target: string, readings: ExportReadings): Promise<Exported> {
  const exported = await kind.export(target, readings);
  const isAllowed = (value: unknown, field: string, what: string): boolean => {
    const hasSecret = containsOpenSecret(value, field);
    if (hasSecret)
      readings.warn(
        `The ${what} of ${target} was not exported: it contains a password, a signature, a private key or another secret.`,
      );
    return !hasSecret;
  };
  if (Array.isArray(exported))
    return exported.filter((each: Given | string) => isAllowed(each, '', `${kind.name} “${asText(nameOf(each))}”`));
  return Object.fromEntries(Object.entries(exported).filter(([field, value]) => isAllowed(value, field, field)));
}

/** Parts that could not be read, with one line for all repositories that refuse for the same reason. */
class Unexported {
  readonly #targets = new Map<string, { readonly part: string; readonly reasons: string[]; readonly of: string[] }>();

  add(part: string, target: string, { unreadable: reason, isElsewhere }: Unreadable): void {
    if (isElsewhere) return;
    const key = `${part}: ${reason.replace(target, '')}`;
    const known = this.#targets.get(key) ?? { part, reasons: [], of: [] };
    this.#targets.set(key, known);
    known.reasons.push(reason);
    known.of.push(target);
  }

  /** Returns the lines about the parts added since the last time. */
  lines(org: string): readonly string[] {
    const lines = [...this.#targets.values()].map(({ part, reasons: [reason = ''], of: [target = '', ...others] }) => {
      if (others.length === 0) return `The ${part} of ${target} were not exported: ${reason}.`;
      const common = reason.replace(target, '{owner}/{repo}');
      return `The ${part} of ${others.length + 1} repositories of ${org} were not exported: ${common}.`;
    });
    this.#targets.clear();
    return lines;
  }
}

const byName = (a: ListedRepository, b: ListedRepository): number => (a.name < b.name ? -1 : 1);

const nameOf = (exported: Given | string): unknown =>
  typeof exported === 'string' ? exported : (exported.name ?? exported.url);

const isEmpty = (objects: Exported): boolean => Object.keys(objects).length === 0;

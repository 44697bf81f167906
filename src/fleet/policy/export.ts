/** Exports the live state of an organization as policy documents. Applying them changes nothing. */
import { listOrganizationRepositories } from '../../platform/endpoints/repos.ts';
import type { Given } from '../../platform/validate.ts';
import { kinds } from './kinds/index.ts';
import type { Exported, ExportReadings } from './kinds/kind.ts';
import { propertyValues } from './kinds/properties.ts';
import { Names } from './names.ts';
import type { Reader } from './requests.ts';

/** A policy file. */
export interface ExportedFile {
  /** Below the folder of the organization, with `/`. */
  readonly path: string;
  readonly document: Given;
}

export interface ExportOptions {
  readonly reader: Reader;
  readonly org: string;
  /** Exports the repositories too. */
  readonly repositories: boolean;
  /** Receives a notice for each part that cannot be exported. */
  readonly warn: (text: string) => void;
}

/** Returns the files of an organization. Throws what the client throws. */
export async function exportOrganization(options: ExportOptions): Promise<readonly ExportedFile[]> {
  const { org, reader } = options;
  const organizations = [org];
  const warned = new Set<string>();
  const warn = (text: string) => {
    if (!warned.has(text)) options.warn(text);
    warned.add(text);
  };
  const listed = once(() => reader.list(listOrganizationRepositories, { path: { org } }));
  const readings: ExportReadings = {
    reader,
    names: new Names(reader, org, listed),
    propertyValues: once(() => propertyValues(reader, org)),
    warn,
  };
  const files: ExportedFile[] = [];
  for (const { section, export: exported, files: filesOf } of Object.values(kinds)) {
    const objects = await exported({ org }, readings);
    for (const [path, part] of filesOf?.(objects) ?? [[`${section}.yaml`, objects] as const])
      if (!isEmpty(part)) files.push({ path, document: { organizations, [section]: part } });
  }
  if (!options.repositories) return files;
  const all = await listed();
  if ('unreadable' in all) {
    warn(`The repositories of ${org} were not exported: ${all.unreadable}.`);
    return files;
  }
  const archived = all.value.filter((repository) => repository.archived).length;
  if (archived) warn(`${archived} archived ${archived === 1 ? 'repository' : 'repositories'} of ${org} skipped.`);
  for (const { name, owner, archived } of all.value) {
    if (archived) continue;
    const entry: Record<string, unknown> = { select: { names: [name] } };
    for (const { section, export: exported } of Object.values(kinds)) {
      const objects = await exported({ owner: owner.login, repo: name }, readings);
      if (!isEmpty(objects)) entry[section] = objects;
    }
    if (Object.keys(entry).length > 1)
      files.push({ path: `repositories/${name}.yaml`, document: { organizations, repositories: [entry] } });
  }
  return files;
}

const isEmpty = (objects: Exported): boolean => Object.keys(objects).length === 0;

function once<T>(fetch: () => Promise<T>): () => Promise<T> {
  let fetched: Promise<T> | undefined;
  return () => {
    fetched ??= fetch();
    return fetched;
  };
}

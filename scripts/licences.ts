/** Licences of the bundled packages, which must be distributed with their code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RolldownOutput } from 'rolldown';

interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: string | { readonly name: string };
}

/** Returns the licences of all packages in a build, sorted by name. */
export function licencesOf(output: readonly RolldownOutput['output'][number][]): string {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const folders = modules.flatMap((id) => /.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].map(licenceIn).sort();
  return `forgectl contains code of the following packages.\n\n${texts.join('\n')}`;
}

function licenceIn(folder: string): string {
  const facts = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFacts;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const author = typeof facts.author === 'object' ? facts.author.name : (facts.author ?? 'its contributors');
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const text = texts.length ? texts.join('\n\n') : `Copyright (c) ${author}`;
  return `${facts.name} ${facts.version} (${facts.license})\n\n${text}\n\n${'-'.repeat(80)}\n`;
}

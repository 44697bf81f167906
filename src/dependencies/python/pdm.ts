/** pdm.lock, version 4. The pyproject.toml beside it lists the direct dependencies. */
import {
  type Companions,
  fieldOf,
  type JsonObject,
  type LockManifest,
  listOf,
  objectOf,
  type Package,
  ParseError,
  textOf,
} from '../dependency-graph.ts';
import { parseToml, parseTomlBeside } from '../text/toml.ts';
import {
  type DirectNames,
  groupedNames,
  type LockedPackage,
  namesIn,
  projectManifest,
  standardNames,
} from './locked-project.ts';
import { normalName, pythonPurl } from './python.ts';

export function parsePdm(text: string, companions: Companions): readonly LockManifest[] {
  const lock = parseToml(text);
  if (!/^4(?:\.|$)/.test(textOf(fieldOf(fieldOf(lock, 'metadata'), 'lock_version')) ?? ''))
    throw new ParseError('not a PDM lockfile (supported: version 4)');
  const project = parseTomlBeside(companions, 'pyproject.toml');
  const extraGroups = objectOf(fieldOf(fieldOf(project, 'project'), 'optional-dependencies'));
  const extras = project && new Set(Object.keys(extraGroups).map(normalName));
  // A package has a second entry for its extras.
  const packages = listOf(fieldOf(lock, 'package')).map((table): LockedPackage => {
    const name = textOf(fieldOf(table, 'name'));
    if (name === undefined) throw new ParseError('a [[package]] without a name');
    return {
      name,
      purl: purlOf(name, table),
      requires: namesIn(fieldOf(table, 'dependencies')),
      scope: lockedScope(fieldOf(table, 'groups'), extras),
    };
  });
  return projectManifest(packages, project && directNames(project));
}

function purlOf(name: string, table: unknown): string | undefined {
  const path = textOf(fieldOf(table, 'path'));
  if (path !== undefined && !/\.(?:whl|zip|tar\.\w+)$/.test(path)) return undefined;
  return pythonPurl(name, textOf(fieldOf(table, 'version')), {
    git: textOf(fieldOf(table, 'git')),
    revision: textOf(fieldOf(table, 'revision')),
    folder: textOf(fieldOf(table, 'subdirectory')),
    archive: textOf(fieldOf(table, 'url')),
  });
}

/** Versions before 4.4 write no groups. All groups except the default are extras of the project, or for development. */
function lockedScope(groups: unknown, extras: ReadonlySet<string> | undefined): Package['scope'] {
  if (!Array.isArray(groups)) return undefined;
  if (groups.includes('default')) return 'runtime';
  if (groups.some((group) => typeof group === 'string' && extras?.has(normalName(group)))) return 'runtime';
  return extras && 'development';
}

function directNames(project: JsonObject): DirectNames {
  const { runtime, development } = standardNames(project);
  const groups = fieldOf(fieldOf(fieldOf(project, 'tool'), 'pdm'), 'dev-dependencies');
  return { runtime, development: [...development, ...groupedNames(groups)] };
}

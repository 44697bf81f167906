/**
 * Generates schemas/, the JSON output of each command, from the types of the code; with --check, only checks that they
 * are up to date.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  API,
  type Checker,
  type InterfaceType,
  type Symbol as Name,
  type Project,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync';
import { type Schema, TypeSchemas } from './type-schemas.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'schemas');

/** Schemas without a command of their own: title, description, file and type. */
const others: Readonly<Record<string, readonly [title: string, description: string, file: string, type: string]>> = {
  error: [
    'Error',
    'The last line that a failing command with JSON output writes to stderr. Notices may precede it.',
    'cli/report/report',
    'ErrorLine',
  ],
  'audit-config': [
    'Configuration of audits',
    'audit.yaml: limits of checks, checks that are not run, and findings that are accepted until a date.',
    'topics/audit/config',
    'AuditConfig',
  ],
  'dry-run': [
    'Dry run',
    'JSON output of commands with --dry-run: the request that would be sent, or a list of requests from commands that can send several.',
    'cli/result/result',
    'DryRun',
  ],
  journal: [
    'Journal',
    'A line of the journal of a run over many targets. The first line is a JournalHeader, all others follow it.',
    'fleet/journal/lines',
    'JournalLine',
  ],
  plan: [
    'Plan',
    'A line of a saved plan. The first line is a PlanHeader, the last a PlanTrailer, and all others are changes.',
    'fleet/policy/planning/plan-file',
    'PlanLine',
  ],
  'extensions-file': [
    'extensions.json',
    'The extensions that may run, in the settings directory.',
    'cli/account/allowed-extensions',
    'ExtensionsFile',
  ],
  'sandbox-serve': [
    'forgectl sandbox serve',
    'JSON output of “forgectl sandbox serve --json” when the sandbox is ready.',
    'sandbox/announcement',
    'Announcement',
  ],
};

interface Manifest {
  readonly commands: Readonly<
    Record<string, { readonly summary: string; readonly relativePath: readonly [string, string, ...string[]] }>
  >;
}

function exported(project: Project, file: string, name: string): Name {
  const source = project.program.getSourceFile(join(root, 'src', `${file}.ts`));
  const module = source && project.checker.getSymbolAtLocation(source);
  const symbol = module && project.checker.getExportsOfModule(module).find((each) => each.name === name);
  if (!symbol) throw new Error(`src/${file}.ts does not export ${name}.`);
  return symbol;
}

/**
 * Returns the `T` of the `ForgectlCommand<T>` that a class extends, or one of its own parameters if it leaves `T` open.
 */
function resultOf(checker: Checker, command: Type): Type {
  for (const base of checker.getBaseTypes(command as InterfaceType)) {
    const given = checker.getTypeArguments(base as TypeReference);
    const generic = base.isTypeReference() ? (base.getTarget() as InterfaceType) : undefined;
    const result = base.getSymbol()?.name === 'ForgectlCommand' ? given[0] : resultOf(checker, generic ?? base);
    const place = generic?.getTypeParameters().findIndex(({ id }) => id === result?.id) ?? -1;
    const settled = given[place] ?? result;
    if (settled) return settled;
  }
  throw new Error(`${checker.typeToString(command)} is not a command.`);
}

function allSchemas(): Map<string, string> {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    if (!project) throw new Error('Cannot open tsconfig.json.');
    const schemas = new TypeSchemas(project.checker);
    const documents = new Map<string, Schema>();
    const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as Manifest;
    for (const [id, { summary, relativePath }] of Object.entries(commands)) {
      const [, ...path] = relativePath;
      const command = exported(project, path.join('/').replace(/\.js$/, ''), 'default');
      const result = resultOf(project.checker, project.checker.getDeclaredTypeOfSymbol(command));
      if (result.flags & TypeFlags.Undefined) continue;
      const typed = `forgectl ${id.replaceAll(':', ' ')}`;
      const description = `JSON output of “${typed}”. ${summary}.`;
      documents.set(id.replaceAll(':', '-'), { title: typed, description, ...documentOf(schemas, result, typed) });
    }
    for (const [name, [title, description, file, type]] of Object.entries(others)) {
      const declared = project.checker.getDeclaredTypeOfSymbol(exported(project, file, type));
      documents.set(name, { title, description, ...documentOf(schemas, declared, title) });
    }
    return new Map([...documents].map(([name, document]) => [`${name}.json`, text(`${name}.json`, document)]));
  } finally {
    api.close();
  }
}

/** Throws an error that names the command whose type cannot be expressed as a schema. */
function documentOf(schemas: TypeSchemas, type: Type, printer: string): Schema {
  try {
    return schemas.document(type);
  } catch (error) {
    throw new Error(`${printer}: ${(error as Error).message}`, { cause: error });
  }
}

const text = ($id: string, document: Schema) =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id, ...document }, null, 2)}\n`;

mkdirSync(folder, { recursive: true });
const current = allSchemas();
const present = readdirSync(folder);
const stale = [
  ...present.filter((file) => !current.has(file)),
  ...[...current]
    .filter(([file, schema]) => !present.includes(file) || readFileSync(join(folder, file), 'utf8') !== schema)
    .map(([file]) => file),
];
if (process.argv.includes('--check')) {
  if (stale.length) {
    process.stderr.write(`schemas/ is out of date (${stale.join(', ')}): run npm run build and commit it.\n`);
    process.exitCode = 1;
  }
} else {
  for (const file of stale) {
    const schema = current.get(file);
    if (schema === undefined) rmSync(join(folder, file));
    else writeFileSync(join(folder, file), schema);
  }
}

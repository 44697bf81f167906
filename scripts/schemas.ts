/**
 * Writes schemas/: what each command prints as JSON, read off the types of its code; with --check it only says whether
 * the files are current. A member is required where its type says that it is always there, nothing is forbidden, and a
 * number is a whole one unless its doc comment says `@asType number`.
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
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
  type UnionType,
} from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'schemas');

type Schema = Readonly<Record<string, unknown>>;

/** What has no command of its own, or is printed while a command runs: title, description, and the type in its file. */
const others: Readonly<Record<string, readonly [title: string, description: string, file: string, type: string]>> = {
  error: [
    'Error',
    'The last line on stderr of any command that fails with JSON output. Notices may come before it.',
    'cli/report/report',
    'ErrorLine',
  ],
  'dry-run': [
    'Dry run',
    'What any command that changes something prints with --dry-run and JSON output: the request that it would send.',
    'cli/result/result',
    'PreviewedRequest',
  ],
  'sandbox-serve': [
    'forgectl sandbox serve',
    'What “forgectl sandbox serve --json” prints once it is ready.',
    'commands/sandbox/serve',
    'Announcement',
  ],
};

interface Manifest {
  readonly commands: Readonly<
    Record<string, { readonly summary: string; readonly relativePath: readonly [string, string, ...string[]] }>
  >;
}

/** Types → schemas. Types with a name of their own become definitions, which `definitions` hands over. */
class Schemas {
  readonly #checker: Checker;
  #definitions = new Map<string, { readonly type: number; schema: Schema }>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /** The document of one type, with the definitions that it needs. */
  document(type: Type): Schema {
    this.#definitions = new Map();
    const schema = this.of(type);
    const sorted = [...this.#definitions].sort(([one], [other]) => (one < other ? -1 : 1));
    const definitions = Object.fromEntries(sorted.map(([name, definition]) => [name, definition.schema]));
    return { ...schema, ...(sorted.length ? { $defs: definitions } : {}) };
  }

  of(type: Type): Schema {
    if (type.flags & TypeFlags.AnyOrUnknown) return {};
    if (type.flags & TypeFlags.StringLike && !type.isStringLiteralType()) return { type: 'string' };
    if (type.flags & TypeFlags.Number) return { type: 'integer' };
    if (type.flags & TypeFlags.Null) return { type: 'null' };
    if (type.isLiteralType()) return { const: type.value };
    if (type.isUnionType()) return this.#union(type);
    if (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) return this.#object(type);
    throw new Error(`No schema is known for the type ${this.#checker.typeToString(type)}.`);
  }

  #union(type: UnionType): Schema {
    const parts = type.getTypes().filter((part) => !(part.flags & TypeFlags.Undefined));
    const booleans = parts.filter((part) => part.flags & TypeFlags.BooleanLiteral);
    const texts = parts.filter((part) => part.isStringLiteralType());
    const schemas = [
      ...(booleans.length === 2 ? [{ type: 'boolean' }] : booleans.map((part) => this.of(part))),
      ...(texts.length > 1 ? [{ enum: texts.map(({ value }) => value) }] : texts.map((part) => this.of(part))),
      ...parts
        .filter((part) => !booleans.includes(part) && !texts.some((text) => text === part))
        .map((part) => this.of(part)),
    ];
    const [first = {}] = schemas;
    if (schemas.length === 1) return first;
    const plain = schemas.every((schema) => Object.keys(schema).join() === 'type');
    if (plain) return { type: schemas.map((schema) => (schema as { type: string }).type).sort(nullLast) };
    return { anyOf: schemas.sort((one, other) => nullLast(String(one.type ?? ''), String(other.type ?? ''))) };
  }

  #object(type: Type): Schema {
    const name = type.getSymbol()?.name;
    if (name === 'PlainText') return { type: 'string' };
    if (this.#checker.isTupleType(type)) return this.#tuple(type as TypeReference);
    if (name === 'Listing' || name === 'Array' || name === 'ReadonlyArray') {
      const [item] = this.#checker.getTypeArguments(type as TypeReference);
      return { type: 'array', items: item ? this.of(item) : {} };
    }
    const named = nameOf(type);
    return named ? this.#reference(named, type) : this.#members(type);
  }

  #tuple(type: TypeReference): Schema {
    const items = this.#checker.getTypeArguments(type).map((item) => this.of(item));
    return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length };
  }

  #reference(name: Name, type: Type): Schema {
    const known = this.#definitions.get(name.name);
    if (known && known.type !== type.id) throw new Error(`Two types are called ${name.name}.`);
    if (!known) {
      const definition = { type: type.id, schema: {} };
      this.#definitions.set(name.name, definition);
      definition.schema = { ...this.#described(name), ...this.#members(type) };
    }
    return { $ref: `#/$defs/${name.name}` };
  }

  #members(type: Type): Schema {
    const members = this.#checker.getPropertiesOfType(type);
    const [index] = this.#checker.getIndexInfosOfType(type);
    const required = members.filter((member) => !this.#mayBeAbsent(member)).map((member) => member.name);
    const others = index && !(index.valueType.flags & TypeFlags.Never) ? this.of(index.valueType) : {};
    return {
      type: 'object',
      ...(members.length
        ? { properties: Object.fromEntries(members.map((member) => [member.name, this.#member(member)])) }
        : {}),
      ...(required.length ? { required } : {}),
      ...(Object.keys(others).length ? { additionalProperties: others } : {}),
    };
  }

  #mayBeAbsent(member: Name): boolean {
    const type = this.#typeOf(member);
    const parts = type.isUnionType() ? type.getTypes() : [type];
    return Boolean(member.flags & SymbolFlags.Optional) || parts.some((part) => part.flags & TypeFlags.Undefined);
  }

  #member(member: Name): Schema {
    const schema = this.of(this.#typeOf(member));
    const asNumber = this.#checker.getJsDocTagsOfSymbol(member).some(({ name }) => name === 'asType');
    return { ...this.#described(member), ...schema, ...(asNumber ? { type: 'number' } : {}) };
  }

  #typeOf(member: Name): Type {
    const type = this.#checker.getTypeOfSymbol(member);
    if (!type) throw new Error(`${member.name} has no type.`);
    return type;
  }

  #described(symbol: Name): Schema {
    const description = this.#checker.getDocumentationCommentOfSymbol(symbol).replace(/\s+/g, ' ').trim();
    return description ? { description } : {};
  }
}

const nullLast = (one: string, other: string) => Number(one === 'null') - Number(other === 'null');

/** The name that a type was given where it was declared: of an interface, or of an alias for an object. */
function nameOf(type: Type): Name | undefined {
  const alias = type.getAliasSymbol();
  if (alias) return type.getAliasTypeArguments().length ? undefined : alias;
  const symbol = type.getSymbol();
  return symbol && symbol.flags & SymbolFlags.Interface ? symbol : undefined;
}

function exported(project: Project, file: string, name: string): Name {
  const source = project.program.getSourceFile(join(root, 'src', `${file}.ts`));
  const module = source && project.checker.getSymbolAtLocation(source);
  const symbol = module && project.checker.getExportsOfModule(module).find((each) => each.name === name);
  if (!symbol) throw new Error(`src/${file}.ts does not export ${name}.`);
  return symbol;
}

/** The `T` of the `ForgectlCommand<T>` that a class extends; one of its own parameters where it leaves `T` open. */
function resultOf(checker: Checker, command: Type): Type {
  for (const base of checker.getBaseTypes(command as InterfaceType)) {
    const given = checker.getTypeArguments(base as TypeReference);
    const generic = base.isTypeReference() ? (base.getTarget() as InterfaceType) : undefined;
    const result = base.getSymbol()?.name === 'ForgectlCommand' ? given[0] : resultOf(checker, generic ?? base);
    const place = generic?.getTypeParameters().findIndex(({ id }) => id === result?.id) ?? -1;
    const settled = given[place] ?? result;
    if (settled) return settled;
  }
  throw new Error(`${checker.typeToString(command)} is no command.`);
}

function allSchemas(): Map<string, string> {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    if (!project) throw new Error('tsconfig.json cannot be opened.');
    const schemas = new Schemas(project.checker);
    const documents = new Map<string, Schema>();
    const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as Manifest;
    for (const [id, { summary, relativePath }] of Object.entries(commands)) {
      const [, ...path] = relativePath;
      const command = exported(project, path.join('/').replace(/\.js$/, ''), 'default');
      const result = resultOf(project.checker, project.checker.getDeclaredTypeOfSymbol(command));
      if (result.flags & TypeFlags.Undefined) continue;
      const typed = `forgectl ${id.replaceAll(':', ' ')}`;
      const description = `What “${typed} --json” prints. ${summary}.`;
      documents.set(id.replaceAll(':', '-'), { title: typed, description, ...schemas.document(result) });
    }
    for (const [name, [title, description, file, type]] of Object.entries(others)) {
      const declared = project.checker.getDeclaredTypeOfSymbol(exported(project, file, type));
      documents.set(name, { title, description, ...schemas.document(declared) });
    }
    return new Map([...documents].map(([name, document]) => [`${name}.json`, text(`${name}.json`, document)]));
  } finally {
    api.close();
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
    process.stderr.write(`schemas/ is not current (${stale.join(', ')}): run npm run build and commit it.\n`);
    process.exitCode = 1;
  }
} else {
  for (const file of stale) {
    const schema = current.get(file);
    if (schema === undefined) rmSync(join(folder, file));
    else writeFileSync(join(folder, file), schema);
  }
}

/** Converts TypeScript types to JSON Schema. */
import {
  type Checker,
  type Symbol as Name,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
  type UnionType,
} from 'typescript/unstable/sync';

export type Schema = Readonly<Record<string, unknown>>;

/**
 * Converts types to schemas. Named types become definitions. Members are required unless optional, additional members
 * are allowed, and numbers are integers unless their doc comment says `@asType number`.
 */
export class TypeSchemas {
  readonly #checker: Checker;
  #definitions = new Map<string, { readonly type: number; schema: Schema }>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /** Returns the document of one type with the definitions that it needs. */
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
    throw new Error(`No schema for the type ${this.#checker.typeToString(type)}.`);
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
    if (name === 'Listing' || name === 'LazyList' || name === 'Array' || name === 'ReadonlyArray') {
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
    if (known && known.type !== type.id) throw new Error(`Two types are named ${name.name}.`);
    if (!known) {
      const definition = { type: type.id, schema: {} };
      this.#definitions.set(name.name, definition);
      definition.schema = { ...this.#described(name), ...this.#members(type) };
    }
    return { $ref: `#/$defs/${name.name}` };
  }

  #members(type: Type): Schema {
    // A member that can only be undefined is one of other types of a union.
    const members = this.#checker
      .getPropertiesOfType(type)
      .filter((member) => !(this.#typeOf(member).flags & TypeFlags.Undefined));
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

/** Returns the declared name of a type: of an interface, or of an alias for an object. */
function nameOf(type: Type): Name | undefined {
  const alias = type.getAliasSymbol();
  if (alias) return type.getAliasTypeArguments().length ? undefined : alias;
  const symbol = type.getSymbol();
  return symbol && symbol.flags & SymbolFlags.Interface ? symbol : undefined;
}

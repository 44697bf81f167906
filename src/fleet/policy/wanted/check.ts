/** Checks one policy file against its schema and the rules of the endpoints; the rest is checked across files. */
import { isObject } from '../../../json/exact-json.ts';
import { didYouMean } from '../../../platform/suggest.ts';
import { checkValue, type Given, isFieldName, joinPath, type Problem } from '../../../platform/validate.ts';
import type { KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import { canMatchName } from './name-pattern.ts';
import { openSecretIn } from './open-secrets.ts';
import type { Pieces } from './pieces.ts';
import { elements, member, type Placed, type PolicyProblem, partAt, placeText, withParts } from './placed.ts';
import { withoutReferences } from './references.ts';
import { enterpriseDocument, organizationDocument } from './schema.ts';
import type { TargetKind } from './target.ts';

export interface Checked {
  /** The document with its pieces and short forms expanded; its parts may still have problems. Absent if it declares nothing. */
  readonly document?: Placed;
  readonly problems: readonly PolicyProblem[];
  /** Unknown fields and rule types, which a newer platform may support. */
  readonly warnings: readonly PolicyProblem[];
}

interface DocumentOptions {
  readonly allowsUnknown: boolean;
  /** The pieces of all files. */
  readonly pieces: Pieces;
}

/** Checks the content of a file without its pieces. Never throws, and never repeats a value that may be secret. */
export function checkDocument(root: Placed, { allowsUnknown, pieces }: DocumentOptions): Checked {
  if (!isObject(root.value)) return { problems: [{ place: root.place, message: mustBeMapping }], warnings: [] };
  const config = member(root, 'audit');
  if (config) return { problems: [{ place: config.place, message: configOfAudits }], warnings: [] };
  const check = new Check();
  check.findOpenSecrets(root);
  const { document: whole, problems } = pieces.expanded(
    root,
    isOfEnterprise(root) ? enterpriseDocument : organizationDocument,
  );
  // Without its pieces, a document would lack everything in them.
  if (problems.length > 0) return { problems: [...check.problems, ...problems], warnings: [] };
  // A file of pieces declares nothing itself.
  if (whole.parts.size === 0 && root.parts.size > 0) return { problems: check.problems, warnings: [] };
  const document = check.expanded(whole);
  check.owners(document);
  check.shape(document, allowsUnknown);
  check.rules(document);
  check.selectors(document);
  return { document, problems: check.problems, warnings: check.warnings };
}

const isOfEnterprise = (document: Placed): boolean =>
  (document.value as Given).organizations === undefined && member(document, 'enterprise') !== undefined;

const configOfAudits = 'is the configuration of “forgectl audit”, not a policy: keep it outside the folder of policies';

const mustBeMapping = 'must be a mapping with organizations, or with enterprise';

const kindsOfOwners = kindsIn('organization');
const kindsOfRepositories = kindsIn('repository');
const allKinds = [...new Set([...kindsOfOwners, ...kindsOfRepositories])];

/** Fields of the platform, which may have more than this version knows. */
const platformFields = new RegExp(
  `^(?:repositories\\[\\d+\\]\\.)?(?:${allKinds.flatMap(({ openPaths = [] }) => openPaths).join('|')})[.[]`,
);

/** Fields that a policy cannot manage, with the reason. */
const refusedFields: readonly (readonly [path: RegExp, message: string])[] = [
  ...allKinds.flatMap(({ unmanageable = [] }) => unmanageable),
  [
    /\.(?:encrypted_value|key_id)$/,
    'is sealed by forgectl; name the secret with secret: { env: NAME } or { file: PATH }',
  ],
  [/\["<<"\]$/, 'is not supported: merge keys are not part of YAML 1.2; declare a piece with define'],
];

class Check {
  readonly problems: PolicyProblem[] = [];
  readonly warnings: PolicyProblem[] = [];
  /** One mistake is reported once. */
  readonly #known = new Set<string>();

  #refuse({ place }: Placed, path: string, message: string): void {
    // What several values share, such as a piece, has one position and several paths.
    const key = `${placeText(place)} ${path.split(/[.\]]/).at(-1)}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.problems.push({ place, message: path ? `${path} ${message}` : message });
  }

  #refuseAt(document: Placed, { field, message }: Problem): void {
    this.#refuse(partAt(document, field), field, message);
  }

  /** Secrets written in the file: fields named like a secret, and URLs with a password or a signature. */
  findOpenSecrets(root: Placed, path = '', name = ''): void {
    const { value, parts } = root;
    for (const [key, part] of parts)
      this.findOpenSecrets(part, joinPath(path, key), typeof key === 'number' ? name : key);
    const found = parts.size > 0 ? undefined : openSecretIn(name, value);
    if (found === 'field')
      this.#refuse(root, path, `must not contain a secret: use secret: { env: NAME } or { file: PATH }`);
    else if (found === 'text')
      this.#refuse(root, path, 'must not contain a password, a token, a signature or a private key');
  }

  /** Returns a document with the short forms of objects expanded. */
  expanded(root: Placed): Placed {
    const owner = this.#withExpanded(root, kindsOfOwners);
    const entries = owner.parts.get('repositories');
    if (!entries || !Array.isArray(entries.value)) return owner;
    const each = [...entries.parts].map(([index, entry]): [string | number, Placed] => [
      index,
      isObject(entry.value) ? this.#withExpanded(entry, kindsOfRepositories) : entry,
    ]);
    return withParts(owner, [...owner.parts, ['repositories', withParts(entries, each)]]);
  }

  #withExpanded(owner: Placed, kinds: readonly KindDeclaration[]): Placed {
    const sections = kinds.flatMap((kind): [string, Placed][] => {
      const list = owner.parts.get(kind.section);
      if (!kind.expand || !list || !Array.isArray(list.value)) return [];
      const each = [...list.parts].map(([index, object]): [string | number, Placed] => [
        index,
        kind.expand?.(object, (part, field, message) => this.#refuse(part, field, message)) ?? object,
      ]);
      return [[kind.section, withParts(list, each)]];
    });
    const expanded = sections.length ? withParts(owner, [...owner.parts, ...sections]) : owner;
    return kinds.reduce(
      (whole, kind) => kind.expandOwner?.(whole, (part, field, message) => this.#refuse(part, field, message)) ?? whole,
      expanded,
    );
  }

  owners(document: Placed): void {
    const { organizations, enterprise } = document.value as Given;
    if (organizations === undefined && enterprise === undefined)
      this.#refuse(document, 'organizations', 'is required, or enterprise for budgets');
    if (organizations !== undefined && enterprise !== undefined)
      this.#refuse(
        member(document, 'enterprise') ?? document,
        'enterprise',
        'cannot be combined with organizations: use a file for each',
      );
    const owners = [
      ...elements(member(document, 'organizations')),
      ...(enterprise === undefined ? [] : [member(document, 'enterprise')]),
    ];
    for (const owner of owners)
      if (owner && typeof owner.value === 'string' && owner.value !== '' && !/^[\w.-]+$/.test(owner.value))
        this.#refuse(owner, owner.value, 'is not a login');
  }

  shape(document: Placed, allowsUnknown: boolean): void {
    const { body, problems: wrongReferences } = withoutReferences(document.value);
    const isEnterprise = isOfEnterprise(document);
    const schema = isEnterprise ? enterpriseDocument : organizationDocument;
    const { problems, unknown } = checkValue(schema, body);
    for (const problem of unknown) {
      const { field, code, isMisspelled } = problem;
      const refused = refusedFields.find(([path]) => path.test(field));
      const isError =
        refused ||
        isMisspelled ||
        !platformFields.test(field) ||
        (code === 'unknown_field' && !isFieldName(field.slice(field.lastIndexOf('.') + 1))) ||
        (code === 'unknown_word' && !allowsUnknown);
      if (isError)
        this.#refuseAt(
          document,
          refused ? { ...problem, message: refused[1] } : this.#suggested(problem, isEnterprise),
        );
      else this.warnings.push({ place: partAt(document, field).place, message: `${field} ${problem.message}` });
    }
    for (const problem of [...problems, ...wrongReferences]) {
      const isOwner = problem.field === 'organizations' && problem.code === 'missing_field';
      if (!isOwner) this.#refuseAt(document, problem);
    }
  }

  /** Adds a suggestion for a key at the top of a document that is far from the one meant. */
  #suggested(problem: Problem, isEnterprise: boolean): Problem {
    const { field, isMisspelled } = problem;
    if (isMisspelled || /[.[]/.test(field)) return problem;
    const known = isEnterprise
      ? ['organizations', ...Object.keys(enterpriseDocument.entries)]
      : ['enterprise', ...Object.keys(organizationDocument.entries)];
    const elsewhere =
      isEnterprise && Object.hasOwn(organizationDocument.entries, field) ? ': an enterprise has only budgets' : '';
    return { ...problem, message: `${problem.message}${elsewhere || didYouMean(field, known)}` };
  }

  /** The rules across the fields of one body. */
  rules(document: Placed): void {
    const owner = member(document, 'enterprise') === undefined ? 'organization' : 'enterprise';
    this.#rulesOf(document, '', kindsOfOwners, owner);
    for (const [index, entry] of elements(member(document, 'repositories')).entries())
      this.#rulesOf(entry, `repositories[${index}]`, kindsOfRepositories, 'repository');
  }

  #rulesOf(owner: Placed, path: string, kinds: readonly KindDeclaration[], target: TargetKind): void {
    for (const kind of kinds) {
      const { rules = [] } = kind.checkedAs[target] ?? kind.checkedAs.organization ?? {};
      const section = member(owner, kind.section);
      for (const [within, body] of section ? kind.bodies(section) : []) {
        if (!isObject(body.value)) continue;
        const given = body.value;
        const problems = [...rules.flatMap((rule) => rule(given)), ...(kind.rules?.(given) ?? [])];
        const at = `${joinPath(path, kind.section)}${within}`;
        for (const problem of problems) {
          // Sealed values are rejected as a whole.
          if (/^(?:key_id|encrypted_value)$/.test(problem.field)) continue;
          this.#refuse(partAt(body, problem.field), `${at}.${problem.field}`, problem.message);
        }
      }
    }
  }

  selectors(document: Placed): void {
    for (const [index, entry] of elements(member(document, 'repositories')).entries()) {
      const path = `repositories[${index}].select`;
      const isSelecting = member(entry, 'select') !== undefined;
      if (isSelecting === (member(entry, 'create') !== undefined))
        this.#refuse(entry, path, isSelecting ? 'cannot be combined with create' : 'is required, or create');
      const names = elements(member(member(entry, 'select'), 'names'));
      for (const each of names) {
        if (typeof each.value !== 'string') continue;
        if (each.value.includes('/'))
          this.#refuse(each, `${path}.names`, 'must be patterns of names without the organization');
        else if (!canMatchName(each.value.replace(/^!/, '')))
          this.warnings.push({ place: each.place, message: `${each.value} cannot match any repository name` });
      }
      const [first] = names;
      if (typeof first?.value === 'string' && first.value.startsWith('!'))
        this.#refuse(first, `${path}.names`, `begins with an exclusion, before anything is selected: put "*" first`);
    }
  }
}

/** Checks one policy file against its schema and the rules of the endpoints; the rest is checked across files. */
import { isObject } from '../../../json/exact-json.ts';
import { containsTextSecret, isSecretName } from '../../../json/secrets.ts';
import { updateEnterpriseBudget, updateOrganizationBudget } from '../../../platform/endpoints/budgets.ts';
import { updateRegistry } from '../../../platform/endpoints/registries.ts';
import { updateRepository } from '../../../platform/endpoints/repos.ts';
import { updateOrganizationRuleset } from '../../../platform/endpoints/rulesets.ts';
import { didYouMean } from '../../../platform/suggest.ts';
import {
  type Checkable,
  checkValue,
  type Given,
  invalid,
  joinPath,
  missing,
  type Problem,
} from '../../../platform/validate.ts';
import { elements, member, type Placed, type PolicyProblem, partAt, withParts } from './placed.ts';
import { expandActors, withoutReferences } from './references.ts';
import { enterpriseDocument, organizationDocument } from './schema.ts';
import { isSecretLocation, sourceName, whyNoSource } from './secret-sources.ts';

export interface Checked {
  /** The document with its short forms expanded; its parts may still have problems. */
  readonly document: Placed;
  readonly problems: readonly PolicyProblem[];
  /** Unknown fields and rule types, which a newer platform may support. */
  readonly warnings: readonly PolicyProblem[];
}

/** Checks the content of a file. Never throws, and never repeats a value that may be secret. */
export function checkDocument(root: Placed, { allowsUnknown }: { readonly allowsUnknown: boolean }): Checked {
  if (!isObject(root.value))
    return { document: root, problems: [{ place: root.place, message: mustBeMapping }], warnings: [] };
  const check = new Check();
  check.findOpenSecrets(root);
  const document = check.expanded(root);
  check.owners(document);
  check.shape(document, allowsUnknown);
  check.rules(document);
  check.selectors(document);
  return { document, problems: check.problems, warnings: check.warnings };
}

const mustBeMapping = 'must be a mapping with organizations, or with enterprise';

/** Fields of the platform, which may have more than this version knows. */
const platformFields = /^(?:repositories\[\d+\]\.)?(?:settings|(?:rulesets|registries|budgets|hooks)\[\d+\])[.[]/;

/** Fields that a policy cannot manage, with the reason. */
const refusedFields: readonly (readonly [path: RegExp, message: string])[] = [
  [
    /^repositories\[\d+\]\.settings\.name$/,
    'cannot be managed by a policy; rename with “forgectl repos update --name”',
  ],
  [
    /\.(?:encrypted_value|key_id)$/,
    'is sealed by forgectl; name the secret with secret: { env: NAME } or { file: PATH }',
  ],
  [/^registries\[\d+\]\.selected_repository_ids$/, 'is set by repositories, which lists name patterns'],
  [/(?:^|\.)absent\.hooks$/, 'cannot be deleted; use enforcement: inherit to remove a setting'],
  [/\["<<"\]$/, 'is not supported: merge keys are not part of YAML 1.2; repeat the fields'],
];

class Check {
  readonly problems: PolicyProblem[] = [];
  readonly warnings: PolicyProblem[] = [];
  /** One mistake is reported once. */
  readonly #known = new Set<string>();

  #refuse({ place }: Placed, path: string, message: string): void {
    const key = `${place.line}:${place.column} ${path}`;
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
    for (const [key, part] of parts) this.findOpenSecrets(part, joinPath(path, key), String(key));
    if (parts.size > 0 || value === null || typeof value === 'boolean') return;
    if (isSecretName(name))
      this.#refuse(root, path, `must not contain a secret: use secret: { env: NAME } or { file: PATH }`);
    else if (typeof value === 'string' && containsTextSecret(value))
      this.#refuse(root, path, 'must not contain a password, a signature or a private key');
  }

  expanded(root: Placed): Placed {
    const rulesets = (owner: Placed): Placed => {
      const list = owner.parts.get('rulesets');
      if (!list || !Array.isArray(list.value)) return owner;
      const each = [...list.parts].map(([index, ruleset]): [string | number, Placed] => [
        index,
        expandActors(ruleset, (part, message) => this.#refuse(part, 'bypass_actors', message)),
      ]);
      return withParts(owner, [...owner.parts, ['rulesets', withParts(list, each)]]);
    };
    const entries = root.parts.get('repositories');
    if (!entries || !Array.isArray(entries.value)) return rulesets(root);
    const each = [...entries.parts].map(([index, entry]): [string | number, Placed] => [
      index,
      isObject(entry.value) ? rulesets(entry) : entry,
    ]);
    return rulesets(withParts(root, [...root.parts, ['repositories', withParts(entries, each)]]));
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
    const isEnterprise = (document.value as Given).organizations === undefined && member(document, 'enterprise');
    const schema = isEnterprise ? enterpriseDocument : organizationDocument;
    const { problems, unknown } = checkValue(schema, body);
    for (const problem of unknown) {
      const { field, code, isMisspelled } = problem;
      const refused = refusedFields.find(([path]) => path.test(field));
      const isError =
        refused || isMisspelled || !platformFields.test(field) || (code === 'unknown_word' && !allowsUnknown);
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
  #suggested(problem: Problem, isEnterprise: unknown): Problem {
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
    const isEnterprise = member(document, 'enterprise') !== undefined;
    this.#each(document, '', 'rulesets', updateOrganizationRuleset);
    this.#each(document, '', 'budgets', isEnterprise ? updateEnterpriseBudget : updateOrganizationBudget, budgetRules);
    this.#each(document, '', 'registries', updateRegistry, registryRules);
    this.#each(document, '', 'hooks', {}, hookRules);
    for (const [index, entry] of elements(member(document, 'repositories')).entries()) {
      const path = `repositories[${index}]`;
      this.#each(document, path, 'rulesets', updateOrganizationRuleset);
      this.#each(document, path, 'hooks', {}, hookRules);
      this.#body(document, `${path}.settings`, member(entry, 'settings'), updateRepository);
    }
  }

  #each(
    document: Placed,
    path: string,
    kind: string,
    endpoint: Checkable,
    more?: (body: Given) => readonly Problem[],
  ): void {
    const owner = path ? partAt(document, path) : document;
    for (const [index, item] of elements(member(owner, kind)).entries())
      this.#body(document, joinPath(joinPath(path, kind), index), item, endpoint, more);
  }

  #body(
    document: Placed,
    path: string,
    body: Placed | undefined,
    { rules = [] }: Checkable,
    more: (body: Given) => readonly Problem[] = () => [],
  ): void {
    if (!body || !isObject(body.value)) return;
    const given = body.value;
    // Sealed values are rejected as a whole.
    for (const problem of [...rules.flatMap((rule) => rule(given)), ...more(given)])
      if (!/^(?:key_id|encrypted_value)$/.test(problem.field))
        this.#refuseAt(document, { ...problem, field: `${path}.${problem.field}` });
  }

  selectors(document: Placed): void {
    for (const [index, entry] of elements(member(document, 'repositories')).entries()) {
      const path = `repositories[${index}].select`;
      const names = elements(member(member(entry, 'select'), 'names'));
      for (const each of names)
        if (typeof each.value === 'string' && each.value.includes('/'))
          this.#refuse(each, `${path}.names`, 'must be patterns of names without the organization');
      const [first] = names;
      if (typeof first?.value === 'string' && first.value.startsWith('!'))
        this.#refuse(first, `${path}.names`, `begins with an exclusion, before anything is selected: put "*" first`);
    }
  }
}

/** Returns the problems of what a policy adds to the body of a registry. */
function registryRules(registry: Given): Problem[] {
  const { repositories, visibility, secret, auth_type: authType } = registry;
  const problems: Problem[] = [];
  if (repositories !== undefined && visibility !== undefined && visibility !== 'selected')
    problems.push(invalid('repositories', 'is only valid with visibility selected'));
  if (secret !== undefined && typeof authType === 'string' && authType.startsWith('oidc_'))
    problems.push(invalid('secret', `is not supported with auth_type ${authType}, which stores no secret`));
  if (isSecretLocation(secret)) {
    const why = whyNoSource(secret);
    if (why !== undefined) problems.push(invalid('secret', `cannot come from ${sourceName(secret)}, which ${why}`));
  }
  return problems;
}

/** Budgets for one user never alert; the platform ignores alert settings in updates of them. */
function budgetRules({ budget_scope: scope, budget_alerting: alerting }: Given): Problem[] {
  if (scope !== 'user' || !isObject(alerting)) return [];
  const { will_alert: alerts, alert_recipients: recipients } = alerting;
  return alerts === true || (Array.isArray(recipients) && recipients.length > 0)
    ? [invalid('budget_alerting', 'is not supported with budget_scope user: these budgets never alert')]
    : [];
}

function hookRules({ enforcement, allow_downstream_configuration: allows }: Given): Problem[] {
  if (enforcement === undefined && allows === undefined) return [missing('enforcement', 'is required')];
  return enforcement === 'inherit' && allows !== undefined
    ? [invalid('allow_downstream_configuration', 'cannot be combined with enforcement inherit')]
    : [];
}

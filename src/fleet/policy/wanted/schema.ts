/**
 * The schemas of policy files. Bodies sent to the platform are declared with their endpoints; only the additions of
 * policies are declared here.
 */
import * as v from 'valibot';
import { updateEnterpriseBudget, updateOrganizationBudget } from '../../../platform/endpoints/budgets.ts';
import { setOrganizationHook, setRepositoryHook } from '../../../platform/endpoints/hooks.ts';
import { updateOrganization } from '../../../platform/endpoints/orgs.ts';
import { updateRegistry } from '../../../platform/endpoints/registries.ts';
import { updateRepository } from '../../../platform/endpoints/repos.ts';
import { updateOrganizationRuleset, updateRepositoryRuleset } from '../../../platform/endpoints/rulesets.ts';
import { boolean, fields, nested, oneOf, optional, optionalFields, string, strings } from '../../../platform/schema.ts';
import { isSecretLocation, type SecretLocation } from './secret-sources.ts';

/** Mappings that exist only in policies, so that all of their keys are known. */
export const closedMappings = new Set<v.GenericSchema>();

function mapping<const E extends v.ObjectEntries>(entries: E) {
  const schema = fields(entries);
  closedMappings.add(schema);
  return schema;
}

const list = <S extends v.GenericSchema>(item: S, description: string) =>
  optional(nested(v.array(item, 'must be a list'), description));

const optionalText = (description: string) => optional(string(description));

const wasField = optionalText('Earlier name; a ruleset of that name is renamed');

const organizationRuleset = fields({
  ...updateOrganizationRuleset.body.entries,
  name: string('Ruleset name, which identifies it'),
  was: wasField,
});

const repositoryRuleset = fields({
  ...updateRepositoryRuleset.body.entries,
  name: string('Ruleset name, which identifies it'),
  was: wasField,
});

/** A secret is given by its source, never by its value. */
const secretMessage = 'must be { env: NAME } or { file: PATH }: a policy never contains the secret itself';

export const secretSource = v.custom<SecretLocation>(isSecretLocation, secretMessage);

const {
  encrypted_value: _value,
  key_id: _key,
  selected_repository_ids: _ids,
  ...registryFields
} = updateRegistry.body.entries;

const registry = fields({
  ...registryFields,
  registry_type: v.unwrap(registryFields.registry_type),
  url: string('Registry URL; with the type, it identifies the registry'),
  name: optionalText('Name that selects one of several registries with the same type and URL; ignored on creation'),
  repositories: optional(strings('Name patterns of the repositories that may use it, with visibility selected')),
  secret: optional(nested(secretSource, 'Where the secret is: { env: NAME } or { file: PATH }')),
});

function budget<E extends typeof updateEnterpriseBudget.body.entries | typeof updateOrganizationBudget.body.entries>(
  entries: E,
) {
  return fields({
    ...entries,
    budget_scope: v.unwrap(entries.budget_scope as typeof updateEnterpriseBudget.body.entries.budget_scope),
    budget_type: v.unwrap(entries.budget_type),
  });
}

const budgetKey = <E extends { readonly budget_scope: v.GenericSchema }>(scope: E['budget_scope']) => {
  const { budget_entity_name, budget_type, budget_product_sku, user } = updateEnterpriseBudget.body.entries;
  return mapping({
    budget_scope: scope,
    budget_type: v.unwrap(budget_type),
    budget_entity_name,
    budget_product_sku,
    user,
  });
};

const enforcement = oneOf(
  ['enabled', 'disabled', 'testing', 'inherit'],
  'Enforcement; inherit removes the setting of the organization or repository itself',
);
const hookName = string('Hook name, which identifies it');

const organizationHook = fields({
  ...setOrganizationHook.body.entries,
  name: hookName,
  enforcement: optional(enforcement),
});

const repositoryHook = fields({ ...setRepositoryHook.body.entries, name: hookName, enforcement });

const extent = optional(
  oneOf(['declared', 'all'], 'Leave what is not declared alone (declared), or delete it with --prune (all)', {
    default: 'declared',
  }),
);

const manageDescription = 'Kinds of which everything that is not declared is to be deleted; hooks are unset';
const absentDescription = 'What is to be deleted';
const absentRulesets = optional(strings('Names of rulesets'));

const range = v.custom<string | number>((value) => {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  const [, least, most] = (typeof value === 'string' && /^(\d{1,9})\.\.(\d{1,9})$/.exec(value)) || [];
  return least !== undefined && Number(least) <= Number(most);
}, 'must be a count, or a range such as 40..120');

const propertyValue = v.nullable(
  v.union([v.string(), v.array(v.string())], 'must be a string, a list of strings, or null'),
);

const selector = mapping({
  names: optional(strings('Name patterns, such as svc-*; ! excludes, and the last one that matches decides')),
  visibility: optional(
    nested(v.array(oneOf(['public', 'private', 'internal'], 'Visibility'), 'must be a list'), 'Any of these'),
  ),
  archived: optional(boolean('Select archived repositories instead of the others', { default: false })),
  topics: optional(strings('Topics, all of which the repository has')),
  properties: optional(
    nested(v.record(v.string(), strings('Any of these values'), 'must be an object'), 'Custom property values by name'),
  ),
  where: optionalText('jq expression that is true for the repository, such as .size < 500000'),
  expect: optional(nested(range, 'How many repositories must match, such as 40..120')),
});

const { name: _name, ...repositorySettings } = updateRepository.body.entries;

const repositoryEntry = mapping({
  select: nested(selector, 'Repositories that the entry applies to'),
  settings: optional(nested(optionalFields(repositorySettings), 'Settings of the repositories')),
  properties: optional(
    nested(v.record(v.string(), propertyValue, 'must be an object'), 'Custom property values by name; null unsets one'),
  ),
  rulesets: list(repositoryRuleset, 'Rulesets of the repositories'),
  hooks: list(repositoryHook, 'Pre-receive hooks of the repositories'),
  absent: optional(nested(mapping({ rulesets: absentRulesets }), absentDescription)),
  manage: optional(nested(mapping({ rulesets: extent, hooks: extent }), manageDescription)),
});

const scopeOfOrganization = v.unwrap(updateOrganizationBudget.body.entries.budget_scope);
const scopeOfEnterprise = v.unwrap(updateEnterpriseBudget.body.entries.budget_scope);

/** A document that names organizations. */
export const organizationDocument = mapping({
  organizations: nested(
    v.pipe(v.array(string('Login'), 'must be a list'), v.minLength(1, 'must name at least one organization')),
    'Logins of the organizations that the document applies to',
  ),
  manage: optional(
    nested(mapping({ rulesets: extent, registries: extent, budgets: extent, hooks: extent }), manageDescription),
  ),
  settings: optional(nested(optionalFields(updateOrganization.body.entries), 'Settings of the organizations')),
  rulesets: list(organizationRuleset, 'Rulesets of the organizations'),
  registries: list(registry, 'Private registries'),
  budgets: list(budget(updateOrganizationBudget.body.entries), 'Budgets of the organizations'),
  hooks: list(organizationHook, 'Pre-receive hooks of the organizations'),
  absent: optional(
    nested(
      mapping({
        rulesets: absentRulesets,
        registries: list(
          mapping({
            registry_type: registry.entries.registry_type,
            url: registry.entries.url,
            name: registry.entries.name,
          }),
          'Registries by type and URL',
        ),
        budgets: list(budgetKey(scopeOfOrganization), 'Budgets by the fields that identify them'),
      }),
      absentDescription,
    ),
  ),
  repositories: list(repositoryEntry, 'Repositories by selector, with what is wanted of them'),
});

/** A document that names an enterprise, which has only budgets. */
export const enterpriseDocument = mapping({
  enterprise: string('Slug of the enterprise that the document applies to'),
  manage: optional(nested(mapping({ budgets: extent }), manageDescription)),
  budgets: list(budget(updateEnterpriseBudget.body.entries), 'Budgets of the enterprise'),
  absent: optional(
    nested(
      mapping({ budgets: list(budgetKey(scopeOfEnterprise), 'Budgets by the fields that identify them') }),
      absentDescription,
    ),
  ),
});

/** Parts whose JSON Schema does not follow from their declaration. */
export const jsonForms: ReadonlyMap<v.GenericSchema, Readonly<Record<string, unknown>>> = new Map<
  v.GenericSchema,
  Readonly<Record<string, unknown>>
>([
  [
    secretSource,
    {
      oneOf: [
        {
          type: 'object',
          properties: { env: { type: 'string', pattern: '^[A-Za-z_]\\w*$' } },
          required: ['env'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { file: { type: 'string', minLength: 1 } },
          required: ['file'],
          additionalProperties: false,
        },
      ],
    },
  ],
  [
    range,
    {
      anyOf: [
        { type: 'integer', minimum: 0 },
        { type: 'string', pattern: '^\\d{1,9}\\.\\.\\d{1,9}$' },
      ],
    },
  ],
]);

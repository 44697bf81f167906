/** The schemas of policy files: the sections of all kinds, and the keys around them. */
import * as v from 'valibot';
import { boolean, nested, oneOf, optional, string, strings } from '../../../platform/schema.ts';
import type { KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import { custom, extent, list, mapping, optionalText } from './schema-parts.ts';
import type { TargetKind } from './target.ts';

const range = custom<string | number>(
  (value) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
    const [, least, most] = (typeof value === 'string' && /^(\d{1,9})\.\.(\d{1,9})$/.exec(value)) || [];
    return least !== undefined && Number(least) <= Number(most);
  },
  'must be a count, or a range such as 40..120',
  {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^\\d{1,9}\\.\\.\\d{1,9}$' },
    ],
  },
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

type Entries = Readonly<Record<string, v.GenericSchema>>;

/** Returns an entry for each kind of a target that has a schema, by the name of its section. */
const entriesOf = (target: TargetKind, schemaOf: (kind: KindDeclaration) => v.GenericSchema | undefined): Entries =>
  Object.fromEntries(
    kindsIn(target).flatMap((kind) => {
      const schema = schemaOf(kind);
      return schema ? [[kind.section, schema] as const] : [];
    }),
  );

const sectionsOf = (target: TargetKind): Entries => entriesOf(target, ({ schema }) => schema[target]);

const manage = (target: TargetKind) => {
  const kinds = entriesOf(target, ({ isManageable }) => (isManageable ? extent : undefined));
  return optional(nested(mapping(kinds), 'Kinds whose undeclared objects are deleted; hooks are reset'));
};

const absent = (target: TargetKind) =>
  optional(nested(mapping(entriesOf(target, ({ absentSchema }) => absentSchema?.[target])), 'Objects to delete'));

export const repositoryEntry = mapping({
  select: optional(nested(selector, 'Repositories that the entry applies to')),
  override: optional(boolean('Win over entries without it that select the same repositories', { default: false })),
  ...sectionsOf('repository'),
  absent: absent('repository'),
  manage: manage('repository'),
});

/** Pieces are checked where they are used. */
const define = optional(
  nested(
    custom<unknown>(() => true, '', {
      type: 'object',
      additionalProperties: { anyOf: [{ type: 'object' }, { type: 'array' }] },
    }),
    'Pieces by name, which use takes anywhere in the policy',
  ),
);

/** A document that names organizations. */
export const organizationDocument = mapping({
  organizations: nested(
    v.pipe(v.array(string('Login'), 'must be a list'), v.minLength(1, 'must name at least one organization')),
    'Logins of the organizations that the document applies to',
  ),
  define,
  manage: manage('organization'),
  ...sectionsOf('organization'),
  absent: absent('organization'),
  repositories: list(repositoryEntry, 'Repositories by selector, with what is wanted of them'),
});

/** A document that names an enterprise, which has only budgets. */
export const enterpriseDocument = mapping({
  enterprise: string('Slug of the enterprise that the document applies to'),
  define,
  manage: manage('enterprise'),
  ...sectionsOf('enterprise'),
  absent: absent('enterprise'),
});

/** The settings of pre-receive hooks in an organization or repository. */
import * as v from 'valibot';
import { setOrganizationHook, setRepositoryHook } from '../../../platform/endpoints/hooks.ts';
import type { PreReceiveHook } from '../../../platform/records.ts';
import { preReceiveHooks } from '../../../platform/resources/hooks.ts';
import { fields, oneOf, optional, string } from '../../../platform/schema.ts';
import { type Given, invalid, missing, type Problem } from '../../../platform/validate.ts';
import { fieldsOf } from '../../diff.ts';
import type { PlannedChange } from '../live/change.ts';
import { effectRows } from '../live/effects.ts';
import { checked, shape } from '../live/record-shapes.ts';
import type { Reader, Reading } from '../live/requests.ts';
import type { Wanted } from '../wanted/model.ts';
import { type Placed, textOf, without } from '../wanted/placed.ts';
import { list } from '../wanted/schema-parts.ts';
import { ownerOf, pathOf } from '../wanted/target.ts';
import { fieldUpdate, liveFields } from './field-update.ts';
import type { Details, ObjectContext } from './object-declaration.ts';
import { explainedFields } from './object-defaults.ts';
import { objectKind } from './objects.ts';

interface HookName {
  readonly name: string;
}

/** The setting of a pre-receive hook. */
interface WantedHook extends HookName, Wanted {
  /** True if the owner's own setting is to be removed (`enforcement: inherit`); the body is then empty. */
  readonly inherits: boolean;
  /** The body of the endpoint that sets the hook, without the name. */
  readonly body: Placed<Given>;
}

interface LiveHook extends HookName {
  readonly id: number;
  readonly setting: Given;
  /** Whether the setting is certainly the target's own, not inherited. */
  readonly isOwn: boolean;
}

const enforcement = oneOf(
  ['enabled', 'disabled', 'testing', 'inherit'],
  'Enforcement; inherit removes the setting of the organization or repository itself',
);
const hookName = string('Hook name, which identifies it');

export const hooks = objectKind<WantedHook, HookName, LiveHook>({
  name: 'hook',
  targets: ['organization', 'repository'],
  schema: {
    organization: list(
      fields({ ...setOrganizationHook.body.entries, name: hookName, enforcement: optional(enforcement) }),
      'Pre-receive hooks of the organizations',
    ),
    repository: list(
      fields({ ...setRepositoryHook.body.entries, name: hookName, enforcement }),
      'Pre-receive hooks of the repositories',
    ),
  },
  isInEveryDigest: true,
  checkedAs: {},
  rules: hookRules,
  unmanageable: [[/(?:^|\.)absent\.hooks$/, 'cannot be deleted; use enforcement: inherit to remove a setting']],
  parseObject(hook) {
    const name = textOf(hook, 'name');
    if (name === undefined) return undefined;
    const inherits = textOf(hook, 'enforcement') === 'inherit';
    return { name, inherits, body: without<Given>(hook, inherits ? ['name', 'enforcement'] : ['name']) };
  },
  labelOf: ({ name }) => `hook “${name.toLowerCase()}”`,
  explain: (hook) =>
    hook.inherits
      ? [{ name: hook.name, field: 'enforcement', value: 'inherit', place: hook.body.place }]
      : explainedFields(hook.name, hook, []),
  keyFields: [],
  actions: ['create', 'update', 'unset'],
  ids: 'always',
  replacesInherited: true,
  isNamed: () => true,
  resource: preReceiveHooks,
  idParameter: 'pre_receive_hook_id',
  numericIds: true,
  list: listHooks,
  // A new repository inherits all settings.
  async listNew(target, reader) {
    const listed = await listHooks(ownerOf(target), reader);
    return 'unreadable' in listed ? listed : { value: listed.value.map((hook) => ({ ...hook, isOwn: false })) };
  },
  bodyOf: ({ setting }) => setting,
  isOwn: ({ isOwn }) => isOwn,
  // An update starts from any setting; the other actions make and remove the target's own.
  isThere: ({ action }, { isOwn }) => action === 'update' || isOwn,
  marksLast: true,
  changesOf,
  effects: effectRows({
    'disabled < testing < enabled': {
      enforcement: '`enabled` indicates it will run and reject any pushes that result in a non-zero status.',
    },
    'true loosens': { allow_downstream_configuration: 'Whether repositories can override enforcement.' },
  }),
  // It replaces an inherited setting, which no plan has.
  creation: ({ enforcement: enforced, allow_downstream_configuration: allows }) =>
    enforced === 'enabled' && (allows === undefined || allows === false) ? undefined : 'loosens',
  exported: ({ name, setting }) => ({ name, ...setting }),
});

function hookRules({ enforcement: enforced, allow_downstream_configuration: allows }: Given): Problem[] {
  if (enforced === undefined && allows === undefined) return [missing('enforcement', 'is required')];
  return enforced === 'inherit' && allows !== undefined
    ? [invalid('allow_downstream_configuration', 'cannot be combined with enforcement inherit')]
    : [];
}

const { organization, repository } = preReceiveHooks.owners;
const hookFields = {
  id: v.number(),
  name: v.string(),
  enforcement: v.string(),
  configuration_url: v.optional(v.string()),
};
const ofOrganization = checked(organization.list, shape<PreReceiveHook>(hookFields, organization.update));
const ofRepository = checked(repository.list, shape<PreReceiveHook>(hookFields, repository.update));

/** Lists all hooks of the platform with the settings that a target has or inherits. */
async function listHooks(target: string, reader: Reader): Promise<Reading<readonly LiveHook[]>> {
  const path = pathOf(target);
  const listed =
    'repo' in path
      ? await reader.list(ofRepository, { path })
      : await reader.list(ofOrganization, { path: { org: target } });
  if ('unreadable' in listed) return listed;
  return {
    value: listed.value.map((hook) => {
      const { id, name, enforcement, allow_downstream_configuration: allows } = hook;
      const setting = { enforcement, ...(allows !== undefined && { allow_downstream_configuration: allows }) };
      return { id, name, setting, isOwn: preReceiveHooks.isOwn?.({ ...hook }, path) === true };
    }),
  };
}

async function changesOf(
  { name, inherits, body: { value, place } }: WantedHook,
  hook: LiveHook | undefined,
  { target, ofOwner, change, deletion }: ObjectContext<LiveHook>,
): Promise<readonly PlannedChange[]> {
  if (!hook) return [change('unresolved', name, place, { reason: `does not exist in ${target}` })];
  const { id, isOwn, setting } = hook;
  if (inherits) return isOwn ? [await deletion(hook, place)] : [];
  if (!isOwn) return ownSetting(value, hook, ofOwner).map((update) => change('update', name, place, update));
  const update = fieldUpdate(value, setting, hooks);
  return update ? [change('update', name, place, { id, ...update })] : [];
}

/**
 * Returns the update that gives a target its own setting in place of an inherited one; none if it inherits the wanted
 * setting, also after the changes of its organization.
 */
function ownSetting(
  wanted: Given,
  { id, setting: inherited }: LiveHook,
  ofOwner: readonly PlannedChange[],
): readonly Details<'update'>[] {
  const change = ofOwner.find((each) => each.kind === 'hook' && each.id === id);
  // What an organization inherits after a reset cannot be read.
  const inheritedLater = change ? change.body && { ...inherited, ...change.body } : inherited;
  if (inheritedLater && !fieldUpdate(wanted, inheritedLater, hooks)) return [];
  // The change of the organization is made first if it tightens.
  const before = inheritedLater && change?.effect === 'tightens' ? inheritedLater : inherited;
  const update = fieldUpdate(wanted, before, hooks) ?? {
    changes: fieldsOf(wanted),
    effect: 'neutral',
    before: liveFields(before, wanted),
    body: wanted,
  };
  return [{ id, inherited: true, ...update }];
}

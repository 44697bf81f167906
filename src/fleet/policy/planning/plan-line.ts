/** Checks the changes of saved plans: each has what its action needs, and nothing that another one would send. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../json/exact-json.ts';
import { isSecretName } from '../../../json/secrets.ts';
import { isFieldName } from '../../../platform/validate.ts';
import { merge } from '../../diff.ts';
import { isCreation, kindNamed } from '../kinds/lookup.ts';
import { plannedKinds } from '../kinds/names.ts';
import {
  type Action,
  type ApplicableChange,
  actions,
  isRefused,
  isStep,
  type PlannedChange,
  targetIdOf,
  type Update,
} from '../live/change.ts';
import { isMaskedText } from '../wanted/open-secrets.ts';
import { hasFittingReferences } from '../wanted/references.ts';
import { isSecretLocation, secretText } from '../wanted/secret-sources.ts';
import { isTarget, kindOfTarget } from '../wanted/target.ts';

const common = [
  'action',
  'kind',
  'target',
  'repository_id',
  'organization_id',
  'team_id',
  'user_id',
  'parent_id',
  'new_repository',
  'name',
  'source',
  'changes',
  'effect',
] as const satisfies (keyof PlannedChange)[];

/** The members of a change beside the common ones. What is sent again is never saved. */
const members: Readonly<Record<Exclude<Action, 'resend'>, readonly (keyof PlannedChange)[]>> = {
  create: ['id', 'body', 'writeOnly', 'secret', 'sent'],
  update: ['id', 'inherited', 'least', 'before', 'body', 'writeOnly', 'sent', 'between'],
  delete: ['id', 'undeclared', 'of', 'least', 'before', 'sent'],
  unset: ['id', 'undeclared', 'of', 'before', 'sent'],
  unverified: ['id', 'before', 'writeOnly', 'secret'],
  unreadable: ['reason'],
  unresolved: ['reason'],
  ambiguous: ['reason'],
};

const isText = (value: unknown): value is string => typeof value === 'string';
const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const isTrue = (value: unknown): boolean => value === true;
const isAbsentOr = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value);

/** The types of members, where they occur. */
const types: Readonly<Record<keyof PlannedChange, (value: unknown) => boolean>> = {
  action: (value) => actions.some((each) => each === value),
  kind: (value) => plannedKinds.some((each) => each === value),
  target: (value) => isText(value) && isTarget(value),
  repository_id: isAbsentOr(isId),
  organization_id: isAbsentOr(isId),
  team_id: isAbsentOr(isId),
  user_id: isAbsentOr(isId),
  parent_id: isAbsentOr(isId),
  new_repository: isAbsentOr(isTrue),
  name: isText,
  source: isText,
  changes: (value) => Array.isArray(value) && value.every((each) => isObject(each) && isText(each.path)),
  effect: isAbsentOr(isText),
  reason: isAbsentOr(isText),
  undeclared: isAbsentOr(isTrue),
  of: isAbsentOr(Number.isSafeInteger),
  least: isAbsentOr(isId),
  id: isAbsentOr((value) => isId(value) || (isText(value) && value !== '')),
  inherited: isAbsentOr(isTrue),
  before: isAbsentOr(isObject),
  body: isAbsentOr(isObject),
  writeOnly: isAbsentOr(isSelection),
  secret: isAbsentOr(isSecretReference),
  sent: isAbsentOr(isTrue),
  between: isAbsentOr(isObject),
};

/** Returns a change of a saved plan; undefined for anything else. */
export function plannedChange(value: unknown): PlannedChange | undefined {
  try {
    return checkedChange(value);
  } catch {
    // The key of the object is not text.
    return undefined;
  }
}

function checkedChange(value: unknown): PlannedChange | undefined {
  if (!isObject(value) || !Object.entries(types).every(([name, is]) => is(value[name]))) return undefined;
  const change = value as unknown as PlannedChange;
  const { action, kind, target } = change;
  if (action === 'resend' || !kindNamed(kind).targets.includes(kindOfTarget(target))) return undefined;
  const known: readonly string[] = [...common, ...members[action]];
  if (!Object.keys(value).every((name) => known.includes(name))) return undefined;
  if (isRefused(change)) return change;
  // An enterprise has no ID, and a repository has none before it is created.
  const hasId = targetIdOf(change) !== undefined;
  const isNew = change.new_repository === true;
  if (isNew ? hasId || kindOfTarget(target) !== 'repository' : hasId === (kindOfTarget(target) === 'enterprise'))
    return undefined;
  // A repository that exists was not created by the plan.
  if (isCreation(change) && (!isNew || change.sent)) return undefined;
  if (isStep(change)) return isWhole(change) ? change : undefined;
  // The fields that cannot be read have no other trace.
  const isListed = change.changes.every(({ path }) => isFieldName(path));
  return kindNamed(kind).hasWriteOnly && isText(change.id) && isListed ? change : undefined;
}

/** Returns whether a change that can be made has all that it needs. */
function isWhole(change: ApplicableChange): boolean {
  const { action, kind, id, before, between, body, sent, writeOnly, secret, new_repository: isNew } = change;
  const declared = kindNamed(kind);
  const { actions: possible, ids, numericIds, isNamedByOthers, hasWriteOnly, createsTarget, isNamed } = declared;
  // Of two steps, or of defaults that the plan changes.
  const mayHaveTwoStarts = declared.partsMove ?? declared.madeFirst ?? declared.ownValues;
  // What an earlier write created may have no known ID: it is found by its key.
  const needsId = ids === 'always' || (ids === 'existing' && (action === 'update' || (action !== 'create' && !sent)));
  const mayHaveId = ids === 'always' || action !== 'create' || (sent && isNamedByOthers);
  const needsBody = action === 'create' || action === 'update';
  return (
    possible.some((each) => each === action) &&
    (!needsId || id !== undefined) &&
    // The platform may find an object by another spelling of its ID, which guards do not know.
    !(numericIds && isText(id)) &&
    ((ids !== 'never' && mayHaveId) || id === undefined) &&
    (!needsBody || (body !== undefined && Object.keys(body).length > 0)) &&
    (action === 'create' || before !== undefined) &&
    (needsBody || Object.keys(before ?? {}).length > 0) &&
    (change.inherited === undefined || declared.replacesInherited === true) &&
    (between === undefined || mayHaveTwoStarts !== undefined) &&
    hasFittingReferences([body, between]) &&
    // An earlier write sent all that its undo sends: anything else has no value that could be compared.
    (action !== 'update' || !sent || Object.keys(body).every((field) => Object.hasOwn(before, field))) &&
    // Updates of a new repository start from whatever that has: a value that they kept would have no row.
    (!isNew || action !== 'update' || createsTarget || isDeepStrictEqual([before, between], [{}, undefined])) &&
    (hasWriteOnly || (writeOnly === undefined && secret === undefined)) &&
    (action !== 'update' || change.inherited || changesSomething(change)) &&
    // Properties have names of their own.
    (kind === 'properties' || hasFieldNames(body)) &&
    !hidesText(change) &&
    isNamed(change)
  );
}

/** Returns whether an update differs from a value that it starts from. Any other has no row, and may still have an effect. */
function changesSomething(change: Update): boolean {
  const { before, between, body } = change;
  const { keeps: _, ...comparison } = kindNamed(change.kind).comparison(change);
  return [before, between].some(
    (from) => from && merge(body, from, { ...comparison, replacesFields: true }).changes.length > 0,
  );
}

/**
 * Returns whether a change sends a new text that looks like a secret, or has the name of one: policies have none, and rows would
 * show it with masks, with what it really is behind them.
 */
function hidesText({ kind, name, before, between, body = {}, secret }: ApplicableChange): boolean {
  const values = [before, between].filter((value) => value !== undefined);
  const added = Object.entries(body).flatMap(([field, value]) => {
    const kept = values.map((each) => textsIn(each[field]));
    return textsIn(value, field).filter(
      ({ text }) => kept.length === 0 || !kept.every((texts) => texts.some((other) => other.text === text)),
    );
  });
  // Properties have names of their own.
  if (kind !== 'properties' && added.some(({ field }) => isSecretName(field))) return true;
  const sent = [...added.map(({ text }) => text), ...(before ? [] : [name]), ...(secret ? [secretText(secret)] : [])];
  return sent.some(isMaskedText);
}

/** Returns the texts in a value, at any depth, with the names of their fields; elements of a list have its name. */
function textsIn(value: unknown, field = ''): readonly { readonly text: string; readonly field: string }[] {
  if (typeof value === 'string') return [{ text: value, field }];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, field));
  return isObject(value) ? Object.entries(value).flatMap(([name, each]) => textsIn(each, name)) : [];
}

/** Returns whether all fields of a value, at any depth, can be those of a platform: effects and guards know no other spelling. */
const hasFieldNames = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(hasFieldNames)
    : !isObject(value) || Object.entries(value).every(([name, member]) => isFieldName(name) && hasFieldNames(member));

function isSelection(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { selected_repository_ids: ids, ...others } = value;
  return Array.isArray(ids) && ids.every(isId) && Object.keys(others).length === 0;
}

function isSecretReference(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { source, ...location } = value;
  return isText(source) && isSecretLocation(location);
}

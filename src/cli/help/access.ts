/** The access that an endpoint requires, for help and the reference. */
import { type Endpoint, type TokenKind, tokenKinds } from '../../platform/endpoint.ts';
import { appKeyName, permissionText, tokenKindNames } from '../report/advice.ts';
import type { Item } from './layout.ts';

/** The specification's "fine-grained tokens"; the other kinds have scopes. */
const fineGrained: readonly TokenKind[] = ['fine_grained', 'app_user', 'installation'];

/** Returns one item for each requirement, or a single item if there are none. */
export function accessTo(endpoint: Endpoint): Item[] {
  const { permission, scopes, role, tokens = tokenKinds, asApp, anonymous, editions } = endpoint;
  if (asApp) return [{ label: 'Token', text: `none: requires ${appKeyName}` }];
  const takes = (kinds: readonly TokenKind[]) => tokens.some((kind) => kinds.includes(kind));
  const needs = [
    { label: 'Token', text: acceptedTokens(tokens) },
    // Some declared permissions apply only to tokens that cannot hold them.
    { label: 'Fine-grained permission', text: permission && takes(fineGrained) ? permissionText(permission) : '' },
    { label: 'Scope', text: scopes?.join(' or ') ?? '' },
    { label: 'Role', text: role ?? '' },
    { label: 'Edition', text: editions?.join(', ') ?? '' },
  ].filter(({ text }) => text);
  if (!anonymous) return needs.length ? needs : [{ label: 'Token', text: 'any, without permissions or scopes' }];
  const open = permission || scopes || role ? 'optional for public resources' : 'optional';
  return [{ label: 'Token', text: open }, ...needs];
}

/** Returns the accepted kinds, the one rejected kind, or nothing if every kind is accepted. */
function acceptedTokens(tokens: readonly TokenKind[]): string {
  const others = tokenKinds.filter((kind) => !tokens.includes(kind));
  if (others.length === 0) return '';
  return others.length === 1 ? `all except ${tokenKindNames(others)}` : `only ${tokenKindNames(tokens)}`;
}

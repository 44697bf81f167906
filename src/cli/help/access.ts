/** What an endpoint needs of a token and of its owner, as help and the reference tell it. */
import { type Endpoint, type TokenKind, tokenKinds } from '../../platform/endpoint.ts';
import { permissionText, tokenKindNames } from '../report/advice.ts';
import type { Item } from './layout.ts';

/** The specification's "fine-grained tokens"; the others go by scopes. */
const fineGrained: readonly TokenKind[] = ['fine_grained', 'app_user', 'installation'];

/** One line for each thing that must hold; one that says so where nothing must. */
export function accessTo(endpoint: Endpoint): Item[] {
  const { permission, scopes, role, tokens = tokenKinds, anonymous, editions } = endpoint;
  const takes = (kinds: readonly TokenKind[]) => tokens.some((kind) => kinds.includes(kind));
  const needs = [
    { label: 'Token', text: tokensTaken(tokens) },
    // A permission says nothing where no token can hold one.
    {
      label: 'Permission',
      text: permission && takes(fineGrained) ? `${permissionText(permission)}, of fine-grained tokens` : '',
    },
    { label: 'Scope', text: scopes ? `${scopes.join(' or ')}, of classic and OAuth app tokens` : '' },
    { label: 'Role', text: role ?? '' },
    { label: 'Edition', text: editions ? `only ${editions.join(' and ')}` : '' },
  ].filter(({ text }) => text);
  if (!anonymous) return needs.length ? needs : [{ label: 'Token', text: 'any; no permission or scope is needed' }];
  const open = permission || scopes || role ? 'not needed for what is public' : 'not needed';
  return [{ label: 'Token', text: open }, ...needs];
}

/** Nothing where every kind will do; which will not where only one of them does not. */
function tokensTaken(tokens: readonly TokenKind[]): string {
  const others = tokenKinds.filter((kind) => !tokens.includes(kind));
  if (others.length === 0) return '';
  return others.length === 1 ? `any but ${tokenKindNames(others)}` : `only ${tokenKindNames(tokens)}`;
}

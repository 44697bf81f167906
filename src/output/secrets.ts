/** Masks the secrets inside records before anything else sees them. */
import { secretMask, secretNames, secretQueryParameters } from '../platform/secrets.ts';

const secretName = new RegExp(`(?:^|_)(?:${secretNames.join('|')})$`, 'i');
const secretParameter = new RegExp(`([?&;#](?:${secretQueryParameters.join('|')})=)[^&#\\s"'<>()]+`, 'gi');
const urlPassword = /(:\/\/[^\s/?#@:]*:)[^\s/?#@]+(?=@)/g;

/** Masks in any text what the run itself knows to be secret. */
export type MaskText = (text: string) => string;

/**
 * A copy of `value` in which, at any depth, the text of secret members is masked, and so are the signing parameters and
 * passwords of URLs in any text, and what `mask` knows. What holds no secret is not copied, and `value` itself is never
 * changed. Only text is masked: a flag or a null says that there is or is no secret, and so does empty text.
 */
export function maskSecrets<T>(value: T, mask: MaskText = (text) => text): T {
  return masked(value, mask) as T;
}

function masked(value: unknown, mask: MaskText): unknown {
  // What is known goes first: a part of it, masked by its place, would not be found any more.
  if (typeof value === 'string') return maskUrls(mask(value));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const copy = value.map((element) => masked(element, mask));
    return copy.some((element, index) => element !== value[index]) ? copy : value;
  }
  let changed = false;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const isSecret = typeof member === 'string' && member !== '' && secretName.test(name);
    const shown = isSecret ? secretMask : masked(member, mask);
    const shownName = mask(name);
    changed ||= shown !== member || shownName !== name;
    return [shownName, shown];
  });
  // fromEntries defines members, so that one named `__proto__` stays a member.
  return changed ? Object.fromEntries(members) : value;
}

function maskUrls(text: string): string {
  const shown = text.includes('=') ? text.replace(secretParameter, `$1${secretMask}`) : text;
  return shown.includes('@') ? shown.replace(urlPassword, `$1${secretMask}`) : shown;
}

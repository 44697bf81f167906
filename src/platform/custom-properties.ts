/** Checks values of custom properties against their definitions. */
import { asText } from '../json/exact-json.ts';
import type { CustomProperty, PropertyValue } from './records.ts';

/** Public platform, Managing custom properties: the characters of names. */
export const propertyNameForm = /^[\w$#-]{1,75}$/;

/**
 * Returns the problem with a value, worded to follow the name of the property; undefined if the platform accepts it.
 */
export function propertyProblem(
  { value_type: type, required, allowed_values }: CustomProperty,
  value: PropertyValue['value'],
): string | undefined {
  if (value === null) return required ? 'is required and cannot be unset' : undefined;
  if (type === 'multi_select' && !Array.isArray(value)) return 'must be a list of values';
  if (singleTypes.includes(type) && Array.isArray(value)) return 'must be one value, not a list';
  const allowed = type === 'true_false' ? ['true', 'false'] : allowed_values;
  if (!Array.isArray(allowed) || ![value].flat().some((each) => !allowed.includes(each))) return undefined;
  return `must be one of ${allowed.map(asText).join(', ')}`;
}

/** Values of types that this version does not know are not checked. */
const singleTypes: readonly string[] = ['string', 'single_select', 'true_false', 'url'];

/**
 * Returns the value of a property, whose name is case-insensitive; null if it has none. Some platforms omit a property
 * without a value.
 */
export function valueNamed<V>(name: string, values: Readonly<Record<string, V>>): V | null {
  const lower = name.toLowerCase();
  const [, value] = Object.entries(values).find(([each]) => each.toLowerCase() === lower) ?? [];
  return value ?? null;
}

/** The definitions of the custom properties of an organization. */
import * as v from 'valibot';
import { listProperties } from '../../../platform/endpoints/properties.ts';
import type { CustomProperty } from '../../../platform/records.ts';
import { checked, shape } from '../live/record-shapes.ts';
import type { Reader, Reading } from '../live/requests.ts';

/** The custom properties of an organization, by lower-case name. */
export type PropertyDefinitions = ReadonlyMap<string, CustomProperty>;

const definitionsOfAll = checked(
  listProperties,
  shape<CustomProperty>({
    property_name: v.string(),
    value_type: v.string(),
    required: v.optional(v.boolean()),
    default_value: v.optional(v.nullable(v.union([v.string(), v.array(v.string())]))),
    description: v.optional(v.nullable(v.string())),
    allowed_values: v.optional(v.nullable(v.array(v.string()))),
    values_editable_by: v.optional(v.nullable(v.string())),
  }),
);

/** Returns the custom properties of an organization. */
export async function propertyDefinitions(reader: Reader, org: string): Promise<Reading<PropertyDefinitions>> {
  const defined = await reader.get(definitionsOfAll, { path: { org } });
  if ('unreadable' in defined) return defined;
  const all = defined.value as unknown as readonly CustomProperty[];
  return { value: new Map(all.map((each) => [each.property_name.toLowerCase(), each])) };
}

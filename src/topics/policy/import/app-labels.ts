/** The labels of settings as safe-settings and the repository-settings app declare them. */
import { elements, type Placed, textOf, withParts } from '../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../json/exact-json.ts';
import { type AppTool, knownKeys } from './app-table.ts';
import { labelColor } from './labels.ts';
import { withEarlierNames } from './renames.ts';
import { type Item, type Lose, namedIn, unknownKey } from './source.ts';

/** Returns the labels of a list, or of a mapping with `include` and `exclude`. */
export function labelItems(section: Placed, tool: AppTool, lose: Lose): readonly Item[] {
  const isList = Array.isArray(section.value);
  if (!isList && !isObject(section.value)) lose(section, 'must be a list');
  // The labels that exclude names are kept, as all are that a policy does not declare.
  for (const [key, each] of isList ? [] : section.parts)
    if (key !== 'include' && !(key === 'exclude' && tool === 'safe-settings')) lose(each, unknownKey);
  const list = isList ? section : section.parts.get('include');
  const known = knownKeys('labels[].', tool);
  return namedIn(list, 'name', lose).map((label) => labelItem(label, known, lose));
}

/** A label is renamed from its `oldname` and `aliases`, or to its `new_name`. */
function labelItem(label: Placed, known: ReadonlySet<string>, lose: Lose): Item {
  const members: [string, Placed][] = [];
  const earlier: Placed[] = [];
  const addEarlier = (name: Placed) => {
    if (Array.isArray(name.value)) lose(name, 'An earlier name must be text');
    else earlier.push(name);
  };
  for (const [name, part] of label.parts) {
    const key = String(name);
    if (part.value === null && known.has(key)) continue;
    if (key === 'oldname' || (key === 'name' && label.parts.has('new_name'))) addEarlier(part);
    else if (key === 'aliases' && Array.isArray(part.value)) elements(part).forEach(addEarlier);
    else if (key === 'name' || key === 'new_name') members.push(['name', part]);
    else if (key === 'description') members.push([key, part]);
    else if (key !== 'color') lose(part, unknownKey);
    else {
      const color = labelColor(part, lose);
      if (color) members.push([key, color]);
    }
  }
  const body = withEarlierNames(withParts(label, members), earlier);
  return { path: ['labels', String(textOf(body, 'name'))], value: body };
}

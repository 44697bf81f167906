/** How deep what people give may be nested. Beyond it everything that goes through values runs out of stack. */
export const deepest = 100;

/** Whether a value is nested too deep; true also for one that, by an alias of YAML, holds itself. */
export function isTooDeep(value: unknown, left = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((member) => isTooDeep(member, left - 1));
}

/**
 * Returns a function that returns the first of equal texts. An SBOM repeats the reference of each package for all that
 * depend on it: shared, the largest ones take a third less memory.
 */
export function sharedTexts(): (text: string) => string {
  const texts = new Map<string, string>();
  return (text) => {
    const first = texts.get(text);
    if (first === undefined) texts.set(text, text);
    return first ?? text;
  };
}

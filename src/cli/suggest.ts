/** What a misspelled word was probably meant to be. */

/**
 * The one of `candidates` that the word abbreviates, else the nearest by edit distance, or none where nothing is near: more
 * than a third of its letters differ, or more than half of those that were typed.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const [whole, ...others] = candidates.filter((candidate) => abbreviates(word, candidate));
  if (whole !== undefined && others.length === 0) return whole;
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate);
    const isNear = distance <= Math.max(2, Math.floor(candidate.length / 3)) && distance * 2 <= word.length;
    if (isNear && (!best || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** True for `desc` and `description`, `member-repos` and `members-repositories`: each part begins the other's. */
function abbreviates(word: string, candidate: string): boolean {
  const parts = candidate.split(/[-_]/);
  const typed = word.split(/[-_]/);
  return word.length > 2 && typed.length === parts.length && typed.every((part, at) => parts[at]?.startsWith(part));
}

/** What `closest` finds, as a question in brackets for a message to end with; nothing where nothing is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = closest(word, candidates);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution);
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

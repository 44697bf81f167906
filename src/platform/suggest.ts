/** Suggestions for misspelled words. */

/**
 * Returns the candidate that the word abbreviates, otherwise the nearest by edit distance; undefined if more than a
 * third of the candidate's letters or more than half of the typed letters differ.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const [whole, ...others] = candidates.filter((candidate) => isShortFor(word, candidate));
  if (whole !== undefined && others.length === 0) return whole;
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    if (word.length > 3 * candidate.length) continue;
    const distance = editDistance(word, candidate);
    const isNear = distance <= Math.max(2, Math.floor(candidate.length / 3)) && distance * 2 <= word.length;
    if (isNear && (!best || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/**
 * Returns the candidate that the word misspells: equal except for case, hyphens and one letter in three, two at most.
 */
export function misspelled(word: string, candidates: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll('-', '_');
  const typed = plain(word);
  const most = Math.min(2, Math.floor(typed.length / 3));
  return candidates.find((candidate) => {
    if (Math.abs(candidate.length - typed.length) > most) return false;
    return editDistance(typed, plain(candidate)) <= most;
  });
}

/**
 * Returns whether the word is a part of the candidate, as in `token` and `with-token`, is its first parts, as in
 * `two-factor` and `two-factor-required`, or abbreviates each of its parts, as in `member-repos` and
 * `members-repositories`.
 */
function isShortFor(word: string, candidate: string): boolean {
  if (word.length < 3) return false;
  const parts = candidate.split(/[-_]/);
  const typed = word.split(/[-_]/);
  return (
    parts.includes(word) ||
    candidate.startsWith(`${word}-`) ||
    (typed.length === parts.length && typed.every((part, at) => parts[at]?.startsWith(part)))
  );
}

/** Returns the suggestion of `closest` in parentheses for the end of a message, or an empty string. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = closest(word, candidates);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** Returns the Levenshtein distance, computed one row at a time. */
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

/** What a misspelled word was probably meant to be. */

/**
 * The one of `candidates` that the word is short for, else the nearest by edit distance, or none where nothing is near: more
 * than a third of its letters differ, or more than half of those that were typed.
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
 * The one of `candidates` that the word is a typing error of: the same but for capitals and hyphens, or for a letter in three,
 * two at most.
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

/** True for a part of it, as in `token` and `with-token`, and where each part begins one: `member-repos`, `members-repositories`. */
function isShortFor(word: string, candidate: string): boolean {
  if (word.length < 3) return false;
  const parts = candidate.split(/[-_]/);
  const typed = word.split(/[-_]/);
  return (
    parts.includes(word) || (typed.length === parts.length && typed.every((part, at) => parts[at]?.startsWith(part)))
  );
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

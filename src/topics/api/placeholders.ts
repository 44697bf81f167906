/** `{owner}`, `{repo}` and `{branch}` in the words of `api`; `gh` also accepts the older forms with a colon. */
export const placeholder = /\{(owner|repo|branch)\}|:(owner|repo|branch)\b/g;

/** Returns text with its placeholders replaced by encoded values. */
export type Fill = (text: string, encode?: (value: string) => string) => Promise<string>;

export const hasPlaceholder = (text: string): boolean => text.search(placeholder) !== -1;

/** Returns a value for a path: a branch may contain slashes. */
export const inPath = (value: string): string => value.split('/').map(encodeURIComponent).join('/');

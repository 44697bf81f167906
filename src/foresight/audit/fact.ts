/**
 * A value, or why the caller may not read it, as a text that follows “cannot be read: ”. `isElsewhere`: other editions of the
 * platform have it.
 */
export type Fact<T> = { readonly value: T } | { readonly unreadable: string; readonly isElsewhere?: true };

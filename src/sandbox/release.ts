/** The release that the sandbox says it is. */
export const release = '3.19.2';

/** The versions of the API that it speaks; the first is taken where a request names none. */
export const apiVersions = ['2022-11-28', '2026-03-10'] as const;

/** Version of the platform. */
export const release = '3.19.2';

/** Supported API versions; the first is the default. */
export const apiVersions = ['2022-11-28', '2026-03-10'] as const;

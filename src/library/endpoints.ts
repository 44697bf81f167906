/** The endpoints that the library exports. scripts/library.ts writes their declarations. */
export * from '../platform/endpoints/families.ts';

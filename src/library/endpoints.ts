/** The endpoints that the library exports. Its declarations are written by scripts/library.ts. */
export * from '../platform/endpoints/families.ts';

/** Media types that select the format of a text: `application/vnd.<vendor>-commitcomment.html+json` and the like. */

export type TextFormat = 'raw' | 'text' | 'html' | 'full';

/**
 * Returns the format in an `accept` header. Like the public platform, accepts it after a version, and without `+json`.
 */
export function textFormat(vendor: string, accept: string): TextFormat | undefined {
  const mediaType = new RegExp(`application/vnd\\.${vendor}(?:-commitcomment)?(?:\\.v3)?\\.(raw|text|html|full)\\b`);
  return mediaType.exec(accept)?.[1] as TextFormat | undefined;
}

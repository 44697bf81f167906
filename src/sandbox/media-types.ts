/** Media types that choose the form of a text: `application/vnd.<vendor>-commitcomment.html+json` and the like. */

export type TextFormat = 'raw' | 'text' | 'html' | 'full';

/** The form that an `accept` header asks for. The public platform takes it after a version, and without `+json`, too. */
export function textFormat(vendor: string, accept: string): TextFormat | undefined {
  const mediaType = new RegExp(`application/vnd\\.${vendor}(?:-commitcomment)?(?:\\.v3)?\\.(raw|text|html|full)\\b`);
  return mediaType.exec(accept)?.[1] as TextFormat | undefined;
}

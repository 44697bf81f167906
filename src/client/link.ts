/** Parses the `Link` header (RFC 8288), as far as paging and deprecation notices need it. */

/** Targets by relation, as the header writes them; if a relation appears twice, the first one counts. */
export type Links = Readonly<Record<string, string>>;

// One parameter: a token, optionally `=` and a token or a quoted string.
const parameter = /\s*;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;
const target = /[\s,]*<([^>]*)>/y;

/** Parses a `Link` header. Ignores everything after the first syntax error. */
export function parseLinks(header: string | undefined): Links {
  const links: Record<string, string> = Object.create(null);
  let position = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(header ?? '');
    if (match) position = pattern.lastIndex;
    return match;
  };
  for (let uri = next(target); uri; uri = next(target)) {
    let relations: string | undefined;
    for (let given = next(parameter); given; given = next(parameter)) {
      const [, name, quoted, bare] = given;
      if (name?.toLowerCase() === 'rel') relations ??= quoted?.replace(/\\(.)/g, '$1') ?? bare;
    }
    for (const relation of relations?.toLowerCase().split(/\s+/).filter(Boolean) ?? [])
      links[relation] ??= uri[1] as string;
  }
  return links;
}

/**
 * Whether a name matches an fnmatch pattern in path mode: `*` and `?` stop at a slash, `**` before a slash stands for any
 * number of directories, `[…]` is one of several characters, and a backslash takes the next character literally. A pattern
 * with a range that runs backwards, as `[z-a]`, matches nothing.
 */
export function fnmatch(pattern: string, name: string): boolean {
  return expression(pattern).test(name);
}

const token = /\*\*\/|\*+|\?|\[[!^]?\]?[^\]/]*\]|\\.|[^*?[\\]+|[\s\S]/g;

function expression(pattern: string): RegExp {
  const source = pattern.replace(token, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part.startsWith('*')) return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.startsWith('[') && part.length > 2) return characterClass(part);
    return literal(part.length === 2 && part.startsWith('\\') ? part.slice(1) : part);
  });
  try {
    return new RegExp(`^${source}$`);
  } catch {
    return /(?!)/;
  }
}

function characterClass(part: string): string {
  const negated = /^\[[!^]/.test(part);
  const members = part
    .slice(negated ? 2 : 1, -1)
    .replace(/\\([\s\S])|[\\\]^[]/g, (text, escaped = text) => (/\w/.test(escaped) ? escaped : `\\${escaped}`));
  return `(?!/)[${negated ? '^' : ''}${members}]`;
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

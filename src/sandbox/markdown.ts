/** Renders comments as HTML and plain text. */
import { Marked, Tokenizer, type Tokens } from 'marked';

/** Maximum depth of quotes and lists; deeper ones are text. */
const maxNesting = 100;

/** Maximum number of emphasis marks per comment; others are text. Each takes time to match. */
const maxEmphasisMarks = 500;

/** Limits the stack and time for one comment. Counts for a single comment. */
class BoundedTokenizer extends Tokenizer {
  #nesting = 0;
  #emphasisMarks = 0;

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#nested(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#nested(() => super.list(src));
  }

  override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
    if (/^[*_]/.test(src) && ++this.#emphasisMarks > maxEmphasisMarks) return undefined;
    return super.emStrong(src, maskedSrc, prevChar);
  }

  #nested<T>(read: () => T | undefined): T | undefined {
    if (this.#nesting >= maxNesting) return undefined;
    this.#nesting += 1;
    try {
      return read();
    } finally {
      this.#nesting -= 1;
    }
  }
}

const renderer = new Marked({
  gfm: true,
  breaks: true,
  // HTML in comments is escaped, and links cannot run code.
  renderer: { html: ({ text }) => escapeHtml(text) },
  walkTokens: (token) => {
    if ((token.type === 'link' || token.type === 'image') && !isSafe(token.href)) token.href = '#';
  },
});

/** Renders a comment's Markdown as HTML. */
export const markdownHtml = (markdown: string): string =>
  renderer.parse(markdown, { async: false, tokenizer: new BoundedTokenizer() }).trim();

/** Renders a comment's Markdown as plain text. */
export const markdownText = (markdown: string): string =>
  markdownHtml(markdown)
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => characters[entity] ?? entity);

const isSafe = (href: string): boolean => !/^\s*[a-z][a-z0-9+.-]*:/i.test(href) || /^\s*(?:https?|mailto):/i.test(href);

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
};
const entities = Object.fromEntries(Object.entries(characters).map(([entity, character]) => [character, entity]));

const escapeHtml = (text: string): string => text.replace(/[<>&"']/g, (character) => entities[character] ?? character);

/** Comments as HTML and as plain text. */
import { Marked } from 'marked';

const renderer = new Marked({
  gfm: true,
  breaks: true,
  // HTML in a comment is shown, not obeyed, and links lead nowhere that runs code.
  renderer: { html: ({ text }) => escapeHtml(text) },
  walkTokens: (token) => {
    if ((token.type === 'link' || token.type === 'image') && !isSafe(token.href)) token.href = '#';
  },
});

/** A comment's Markdown as HTML. */
export const markdownHtml = (markdown: string): string => renderer.parse(markdown, { async: false }).trim();

/** A comment's Markdown as it reads, without any marks. */
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

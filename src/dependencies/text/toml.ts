import { parse, TomlError } from 'smol-toml';
import { type Companions, type JsonObject, ParseError } from '../dependency-graph.ts';

/** Parses TOML. Throws ParseError. */
export function parseToml(text: string): JsonObject {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) throw new ParseError('not valid TOML', error.line);
    throw error;
  }
}

/** Parses a file beside the lockfile. Returns undefined if there is none. Throws ParseError. */
export function parseTomlBeside(companions: Companions, path: string): JsonObject | undefined {
  const text = companions.read(path);
  if (text === undefined) return undefined;
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ParseError(`${path} beside it is not valid TOML${error.line ? ` (line ${error.line})` : ''}`);
  }
}

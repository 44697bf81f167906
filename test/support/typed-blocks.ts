/** The blocks of a document that a reader types. The test of the page runs each of them. */
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** Returns the blocks of shell commands of a page below docs/, or of README.md. */
export function typedBlocks(page: string): readonly string[] {
  const text = readFileSync(new URL(page === 'README.md' ? page : `docs/${page}`, root), 'utf8');
  return [...text.matchAll(/^ *```(?:bash|sh|console)\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) => block);
}

export class TypedBlocks {
  readonly #left: Set<string>;

  constructor(page: string) {
    this.#left = new Set(typedBlocks(page));
  }

  /** Notes the blocks that a script contains, and returns the script, which a shell then runs. */
  ran(script: string): string {
    for (const block of this.#left) if (script.includes(block)) this.#left.delete(block);
    return script;
  }

  /** The blocks that no test has run. */
  get left(): readonly string[] {
    return [...this.#left];
  }
}

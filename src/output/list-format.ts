/** A format, as it takes a list page by page. */
export interface ListFormat {
  /** The text that can be written once `records` are known; empty while the format has to see them all. */
  page(records: readonly unknown[]): string | Promise<string>;
  /** The rest, after the last page. */
  end(): string | Promise<string>;
}

/** A format that has to see all the records before it can write the first. */
export function collected(render: (records: readonly unknown[]) => string | Promise<string>): ListFormat {
  const records: unknown[] = [];
  return {
    page(page) {
      for (const record of page) records.push(record);
      return '';
    },
    end: () => render(records),
  };
}

/** Loads Node's SQLite, which few commands use. */

/** SQLite's error codes for a lock held by another process. */
const busy = [5, 6];

/** Returns the module, without the warning of Node 22 that it is experimental. */
export function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns the primary error code of SQLite; 0 for other errors. */
export const sqliteCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

/** Whether another process holds a lock on the database. */
export const isLocked = (error: unknown): boolean => busy.includes(sqliteCode(error));

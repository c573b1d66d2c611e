import type { DatabaseSyncInstance as Database } from '@photostructure/sqlite';

/** A file up to this size is checked as a whole, which takes about a third of a second. */
export const WHOLE_CHECK_BYTES_MAX = 64 * 1024 * 1024;
/** How long the pages of a larger file are walked: some gigabytes that the system has in memory. */
const WALK_MS_MAX = 1_000;

/**
 * Whether a page of a database is damaged, as far as that shows in a bounded time: `quick_check` of a file that is not
 * large, and of a larger one the form of its pages, since SQLite has no way to end a check before it is done.
 * @throws SQLite's errors, which may tell of damage as well
 */
export function hasDamagedPage(db: Database, fileBytes: number, walkMsMax = WALK_MS_MAX): boolean {
  if (fileBytes > WHOLE_CHECK_BYTES_MAX) return walkMeetsDamage(db, performance.now() + walkMsMax);
  const row: object | undefined = db.prepare('PRAGMA quick_check(1)').get();
  return row === undefined || Object.values(row)[0] !== 'ok';
}

/** One row a page: https://sqlite.org/dbstat.html */
function walkMeetsDamage(db: Database, deadline: number): boolean {
  const pages = db.prepare(`SELECT pagetype = 'corrupted' AS damaged FROM dbstat`);
  for (const { damaged } of pages.iterate() as Iterable<{ readonly damaged: number }>) {
    if (damaged === 1) return true;
    if (performance.now() > deadline) break;
  }
  return false;
}

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * By what name SQLite is to open a database for reading only. Beside a database in WAL mode it makes a `-shm` file,
 * also for reading; where the directory cannot be written and no such file is there, no process has the database open,
 * and it is opened as immutable: https://sqlite.org/uri.html#uriimmutable
 */
export function readOnlyLocation(
  file: string,
  isWritable: (directory: string) => boolean = canBeWritten,
): string {
  const isInUse = existsSync(`${file}-wal`) || existsSync(`${file}-shm`);
  if (isInUse || isWritable(dirname(resolve(file)))) return file;
  return `${pathToFileURL(resolve(file)).href}?immutable=1`;
}

/** False on a file system that is mounted for reading only, too. */
function canBeWritten(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

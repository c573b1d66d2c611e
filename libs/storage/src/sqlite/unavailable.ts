const BUSY = 5;
const IO_ERROR = 10;
const MALFORMED = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const PROTOCOL = 15;
const NO_DATABASE = 26;

/**
 * Primary result codes of SQLite that tell of the machine and not of the program (https://sqlite.org/rescode.html),
 * with what SQLite itself says of them (`sqlite3_errstr`), and what the operator reads. The binding gives no code of a
 * row that cannot be read among several (`all`, `iterate`), only what SQLite says.
 */
const FAILURES: readonly (readonly [code: number, message: string, sentence: string])[] = [
  [3, 'access permission denied', 'access to the database file is denied'],
  [BUSY, 'database is locked', 'the database file is locked by another process'],
  [6, 'database table is locked', 'a table of the database is locked'],
  [7, 'out of memory', 'out of memory'],
  [8, 'attempt to write a readonly database', 'the database file cannot be written'],
  [IO_ERROR, 'disk I/O error', 'reading or writing the database file failed; the disk may be full or broken'],
  [MALFORMED, 'database disk image is malformed', 'the database file is damaged'],
  [FULL, 'database or disk is full', 'the disk is full'],
  [CANNOT_OPEN, 'unable to open database file', 'the database file cannot be opened'],
  [PROTOCOL, 'locking protocol', 'the database file cannot be locked'],
  [NO_DATABASE, 'file is not a database', 'the file is not a database'],
];
const SENTENCES = new Map(FAILURES.map(([code, , sentence]) => [code, sentence]));
const CODES_OF_MESSAGES = new Map(FAILURES.map(([code, message]) => [message, code]));

/** An extended result code holds the primary one in its low byte. */
const PRIMARY_CODE_MASK = 0xff;
/** The database cannot serve now: locked for too long, full, unreadable, removed or closing. */
export class SqliteUnavailable extends Error {
  override readonly name = 'SqliteUnavailable';
}

/**
 * The file is not ours to open, or cannot be opened. The sentence names it and says why, and what can be done where
 * that is known; nothing was written.
 */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
  constructor(
    readonly file: string,
    /** What stands behind the colon of the sentence, such as `it is empty`. */
    private readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The file ${file} cannot be used: ${reason}.`, options);
  }

  /** The same of the file that this one is a copy of. */
  of(original: string): DatabaseRefused {
    return new DatabaseRefused(original, this.reason, { cause: this });
  }
}

/** SQLite's primary result code, or undefined for an error of another origin. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & PRIMARY_CODE_MASK;
  const isOfSqlite = 'code' in error && error.code === 'ERR_SQLITE_ERROR';
  return isOfSqlite ? CODES_OF_MESSAGES.get(error.message) : undefined;
}

function hasCode(...codes: readonly number[]): (error: unknown) => boolean {
  return error => codes.includes(sqliteCode(error) ?? 0);
}

/** Whether waiting may help: another connection holds the lock. */
export const isBusy = hasCode(BUSY);
/** Whether the disk had no room for what was to be written. */
export const isFull = hasCode(FULL);
/** Whether the file does not begin as databases do. */
export const isNoDatabase = hasCode(NO_DATABASE);
/** Whether the file has lost what makes it a database. */
export const isDamage = hasCode(MALFORMED, NO_DATABASE);
/** Whether nothing that the connection remembers of the file can be trusted: it has to be opened again. */
export const breaksHandle = hasCode(IO_ERROR, MALFORMED, CANNOT_OPEN, PROTOCOL, NO_DATABASE);

/**
 * Whether an error tells of the disk, the file or a lock, so that the service answers `503 unavailable`.
 * Every other error (a constraint, SQL that does not parse) is a bug and has to pass through.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof SqliteUnavailable || error instanceof DatabaseRefused) return true;
  const code = sqliteCode(error);
  return code !== undefined && SENTENCES.has(code);
}

/** A sentence for the operator on an error that `isUnavailable`: it holds no value from a statement. */
export function describeUnavailable(error: unknown): string {
  const code = sqliteCode(error);
  if (code !== undefined) return SENTENCES.get(code) ?? `SQLite failed with code ${code}`;
  return error instanceof Error ? error.message : 'the database is unavailable';
}

/** What to throw where work on a file failed: its refusal in one sentence, or the error as it came where it is a bug. */
export function refusalOf(file: string, error: unknown): unknown {
  if (!isUnavailable(error) || error instanceof DatabaseRefused) return error;
  return new DatabaseRefused(file, describeUnavailable(error), { cause: error });
}

import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Lines are written as soon as they have come to this many characters. */
const WRITE_FROM_LENGTH = 15_000;
/** How long fewer characters wait for further lines. */
const WRITE_EVERY_MS = 100;
/** How long nothing is tried after a write that failed. */
const TRY_AGAIN_MS = 100;
/** What waits while nobody reads, in characters; beyond it, lines are dropped. */
const WAITING_LENGTH_MAX = 16 * 1024 * 1024;
/** How long the end of the process waits for a reader. */
const END_MS_MAX = 500;
/** How often it looks meanwhile. */
const END_POLL_MS = 10;

/** Somebody may make room yet, and soon; after other failures the end of a process does not wait. */
const PASSING = new Set(['EAGAIN', 'EBUSY', 'EINTR']);

/**
 * Where a log goes: many lines in one write, since one for each line would cost as much as what it tells of.
 *
 * Nothing that becomes of the file holds the process up. While its disk is full, or its reader slow, lines wait; when
 * its reader is gone, they are dropped; and at the end of the process what waits is tried for `END_MS_MAX` at most. (The
 * output of pino's own library, sonic-boom 4.2, tries that for ever, so that SIGTERM does not end the process.)
 */
export class LogOutput implements DestinationStream {
  private waiting: string[] = [];
  private waitingLength = 0;
  /** Taken from what waited, and not written yet. */
  private rest: Buffer | null = null;
  private isWriting = false;
  private isReaderGone = false;
  private timer: NodeJS.Timeout | null = null;

  /** @param file a pipe must be one that does not block */
  constructor(
    private readonly file: number,
    private readonly lengthMax = WAITING_LENGTH_MAX,
  ) {}

  write(line: string): void {
    const length = this.waitingLength + (this.rest?.length ?? 0) + line.length;
    if (this.isReaderGone || length > this.lengthMax) return;
    this.waiting.push(line);
    this.waitingLength += line.length;
    // While the rest of something waits, a timer does; or it is on its way.
    if (this.rest === null) this.goOn();
  }

  /** Called by pino's own `flush`, as `end`: more may follow. */
  flush(): void {
    this.end();
  }

  /** For the end of the process: what waits is written before this returns, as far as the file takes it. */
  end(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    // What is on its way goes its way: nobody can say how much of it is written already.
    let rest = (this.isWriting ? null : this.rest) ?? this.taken();
    this.rest = null;
    const deadline = performance.now() + END_MS_MAX;
    while (rest && performance.now() < deadline) {
      try {
        rest = behind(rest, writeSync(this.file, rest)) ?? this.taken();
      } catch (error) {
        if (!PASSING.has(codeOf(error))) return;
        sleep(END_POLL_MS);
      }
    }
  }

  private goOn(): void {
    if (this.rest || this.waitingLength >= WRITE_FROM_LENGTH) this.begin();
    else if (this.waitingLength > 0) this.beginAfter(WRITE_EVERY_MS);
  }

  private beginAfter(milliseconds: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.begin();
    }, milliseconds).unref();
  }

  private begin(): void {
    if (this.isWriting) return;
    this.rest ??= this.taken();
    if (this.rest === null) return;
    this.isWriting = true;
    write(this.file, this.rest, 0, this.rest.length, null, (error, written) => this.wrote(error, written));
  }

  private wrote(error: NodeJS.ErrnoException | null, written: number): void {
    this.isWriting = false;
    if (error?.code === 'EPIPE') return this.stop();
    if (error) return this.beginAfter(TRY_AGAIN_MS);
    if (this.rest) this.rest = behind(this.rest, written);
    this.goOn();
  }

  private stop(): void {
    this.isReaderGone = true;
    this.rest = null;
    this.taken();
  }

  /** Everything that waits, which is to be written next. */
  private taken(): Buffer | null {
    if (this.waitingLength === 0) return null;
    const taken = Buffer.from(this.waiting.join(''));
    this.waiting = [];
    this.waitingLength = 0;
    return taken;
  }
}

/** What is left of a text of which `written` bytes are written. */
function behind(buffer: Buffer, written: number): Buffer | null {
  return written < buffer.length ? buffer.subarray(written) : null;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

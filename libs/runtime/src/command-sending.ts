import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandAnswer } from '#background/rebuild/rebuild-host';
import type { RebuildCommand } from '#background/rebuild/rebuild-work';
import {
  ANSWER_FILE,
  ANSWER_MS_MAX,
  COMMAND_FILE,
  isOutdated,
  parsed,
  type GivenAnswers,
  type GivenCommand,
} from './command-files.js';
import { giveToOwner } from './give-to-owner.js';

const LOOK_MS = 100;
/** A server takes one command after the other, each in about a second. */
const PLACE_MS_MAX = 10_000;
/** How often it is tried to do the work here instead; not at once, so that a healthy server is left to answer. */
const INSTEAD_EVERY_MS = 2_000;

const NOBODY_ANSWERS =
  'The data directory is in use, but its server does not respond. It hangs or is not ready, or another `ledger` command is running. Try again later.';
const OTHER_WAITS =
  'Another command for this data directory is waiting for its response. Try again when it is done.';
const TAKEN_AWAY = 'The command was removed before the server responded. Run it again.';

/** The command was not taken by the server that holds the data directory; one sentence for the operator. */
export class CommandUnanswered extends Error {
  override readonly name = 'CommandUnanswered';
}

/** An answer, or what was there to do the work here. */
type Sent<T> = { readonly answer: CommandAnswer } | { readonly instead: T };

/** How the command line hands a command to the server that holds a data directory. */
export class CommandSending {
  private readonly file: string;

  constructor(
    private readonly directory: string,
    private readonly answerMsMax: number = ANSWER_MS_MAX,
    private readonly placeMsMax: number = PLACE_MS_MAX,
  ) {
    this.file = join(directory, COMMAND_FILE);
  }

  /**
   * Hands a command over and waits for the answer. Without one the command is taken back, also where the program
   * ends before: it must not be done when nobody expects it any more. With one the server takes it away, and nobody
   * else: of two that do, the second may meet the command that was given next.
   * @param instead tried now and then: what holds the directory may end meanwhile, or be no server
   * @throws CommandUnanswered
   */
  async send<T extends object>(command: RebuildCommand, instead: () => T | null): Promise<Sent<T>> {
    const id = randomUUID();
    const takeBack = (): void => this.takeBack(id);
    process.once('exit', takeBack);
    let isAnswered = false;
    try {
      const sent = await this.answered(id, command, instead);
      isAnswered = 'answer' in sent;
      return sent;
    } finally {
      if (!isAnswered) takeBack();
      process.off('exit', takeBack);
    }
  }

  private async answered<T extends object>(
    id: string,
    command: RebuildCommand,
    instead: () => T | null,
  ): Promise<Sent<T>> {
    let placed = false;
    let deadline = performance.now() + this.placeMsMax;
    let insteadAt = performance.now() + INSTEAD_EVERY_MS;
    for (; performance.now() < deadline; await pause(LOOK_MS)) {
      if (!placed && this.place({ id, writtenAt: Date.now(), command })) {
        placed = true;
        deadline = performance.now() + this.answerMsMax;
      }
      const answer = placed ? this.answerTo(id) : null;
      if (answer) return { answer };
      if (performance.now() < insteadAt) continue;
      const here = instead();
      if (here) return { instead: here };
      insteadAt = performance.now() + INSTEAD_EVERY_MS;
    }
    this.takeBack(id);
    const late = placed ? this.readAnswer(id) : null;
    if (late) return { answer: late };
    const other = this.present();
    throw new CommandUnanswered(placed || (other && isOutdated(other)) ? NOBODY_ANSWERS : OTHER_WAITS);
  }

  /** @returns false while another command is there */
  private place(given: GivenCommand): boolean {
    if (existsSync(this.file)) return false;
    const temporary = `${this.file}.${given.id}.tmp`;
    try {
      writeFileSync(temporary, JSON.stringify(given), { mode: 0o600 });
      giveToOwner(this.directory, [temporary]);
      linkSync(temporary, this.file);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  /** @throws CommandUnanswered when there can be none any more */
  private answerTo(id: string): CommandAnswer | null {
    const isWaiting = this.present()?.id === id;
    // Read after that: a command goes away when its answer is there.
    const answer = this.readAnswer(id);
    if (!answer && !isWaiting) throw new CommandUnanswered(TAKEN_AWAY);
    return answer;
  }

  private readAnswer(id: string): CommandAnswer | null {
    const text = textOf(join(this.directory, ANSWER_FILE));
    if (text === null) return null;
    return (JSON.parse(text) as Partial<GivenAnswers>).answers?.findLast(answer => answer.id === id) ?? null;
  }

  private present(): GivenCommand | null {
    const text = textOf(this.file);
    return text === null ? null : parsed(text);
  }

  private takeBack(id: string): void {
    if (this.present()?.id === id) rmSync(this.file, { force: true });
  }
}

/** Null where there is no such file, or none that this user can read. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackgroundLog } from '#background/background-log';
import type { CommandAnswer, CommandBox, WaitingCommand } from '#background/rebuild/rebuild-host';
import type { RebuildCommand } from '#background/rebuild/rebuild-work';
import { StandingTrouble } from '#background/standing-trouble';

/** A file that is there is whole: it is written under another name first. */
export const COMMAND_FILE = 'projections-command.json';
export const ANSWER_FILE = 'projections-answer.json';
/** A server looks every second; one that has not answered by then is stuck, and nobody waits any more. */
export const ANSWER_MS_MAX = 30_000;
/** Whoever waits looks many times a second, so that none misses its answer for those that follow. */
const ANSWERS_KEPT = 10;

/** What the command file holds. */
export interface GivenCommand {
  readonly id: string;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly writtenAt: number;
  readonly command: RebuildCommand;
}

/** What the answer file holds: the latest ones, the last at the end. */
export interface GivenAnswers {
  readonly answers: readonly (CommandAnswer & { readonly id: string })[];
}

/**
 * How the server that holds a data directory is told what to do: only it may write its stores. One command waits at
 * a time. It is done only while whoever gave it may still wait for it: nobody expects one to be done days later.
 */
export class CommandFiles implements CommandBox {
  private answers: GivenAnswers['answers'] = [];
  private readonly trouble: StandingTrouble;

  private constructor(
    private readonly directory: string,
    private readonly log: BackgroundLog,
    /** What was there before this server. */
    private readonly former: string | null,
  ) {
    this.trouble = new StandingTrouble(log, 'a command file cannot be read');
  }

  /** To be called as soon as the data directory is held: what waits by then was given to a former server. */
  static async open(directory: string, log: BackgroundLog): Promise<CommandFiles> {
    const former = await readFile(join(directory, COMMAND_FILE), 'utf8').catch(() => null);
    return new CommandFiles(directory, log, former);
  }

  async next(): Promise<WaitingCommand | null> {
    const text = await this.waiting();
    if (text === null) return null;
    const given = parsed(text);
    const reason = this.whyNot(text, given);
    if (reason === null) return { command: given!.command, answer: answer => this.answer(given!.id, answer) };
    if (given) await this.answer(given.id, { refused: `The command was not run: ${reason}. Run it again.` });
    else await rm(join(this.directory, COMMAND_FILE), { force: true });
    this.log.info('a command was discarded', { command: given?.command.command ?? null, reason });
    return null;
  }

  private async waiting(): Promise<string | null> {
    try {
      const text = await readFile(join(this.directory, COMMAND_FILE), 'utf8');
      this.trouble.over();
      return text;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') this.trouble.over();
      else this.trouble.met(error);
      return null;
    }
  }

  /** @returns why the command is not done; null where it is to be done */
  private whyNot(text: string, given: GivenCommand | null): string | null {
    if (given === null) return 'the file holds no command';
    if (text === this.former) return 'it was sent before the server started';
    if (isOutdated(given)) return 'it was sent too long ago';
    return null;
  }

  private async answer(id: string, answer: CommandAnswer): Promise<void> {
    this.answers = [...this.answers, { ...answer, id }].slice(-ANSWERS_KEPT);
    const temporary = join(this.directory, `${ANSWER_FILE}.${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, JSON.stringify({ answers: this.answers }), { mode: 0o600 });
      await rename(temporary, join(this.directory, ANSWER_FILE));
    } finally {
      await rm(temporary, { force: true });
    }
    const waiting = await this.waiting();
    if (waiting !== null && parsed(waiting)?.id === id) {
      await rm(join(this.directory, COMMAND_FILE), { force: true });
    }
  }
}

/** Whether nobody waits any more for the answer. A clock that was set back makes it so, too. */
export function isOutdated({ writtenAt }: GivenCommand): boolean {
  return Math.abs(Date.now() - writtenAt) > ANSWER_MS_MAX;
}

/** @returns null for what is no command */
export function parsed(text: string): GivenCommand | null {
  try {
    const { id, writtenAt, command } = JSON.parse(text) as Partial<GivenCommand>;
    if (typeof id !== 'string' || typeof command?.command !== 'string') return null;
    return { id, writtenAt: typeof writtenAt === 'number' ? writtenAt : 0, command };
  } catch {
    return null;
  }
}

import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandAnswer, CommandBox, WaitingCommand } from '#background/rebuild/rebuild-host';
import type { RebuildCommand } from '#background/rebuild/rebuild-work';

const COMMAND_FILE = 'projections-command.json';
const ANSWER_FILE = 'projections-answer.json';
const ANSWER_POLL_MS = 100;
/** A server looks every second; one that has not answered by then is stuck. */
export const ANSWER_MS_MAX = 30_000;

/** A file that is there is whole: it is written under another name first. */
interface CommandFile {
  readonly id: string;
  readonly command: RebuildCommand;
}

type AnswerFile = CommandAnswer & { readonly id: string };

/** The server that holds the data directory did not answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * How the command line tells the server that holds a data directory what to do: only that server may write its
 * stores. One command waits at a time; a later one takes its place.
 */
export class CommandFiles implements CommandBox {
  constructor(
    private readonly directory: string,
    private readonly answerMsMax: number = ANSWER_MS_MAX,
  ) {}

  async next(): Promise<WaitingCommand | null> {
    const file = await readJson<CommandFile>(join(this.directory, COMMAND_FILE));
    if (!file) return null;
    return {
      command: file.command,
      answer: async answer => {
        await this.write(ANSWER_FILE, { ...answer, id: file.id });
        const waiting = await readJson<CommandFile>(join(this.directory, COMMAND_FILE));
        if (waiting?.id === file.id) await rm(join(this.directory, COMMAND_FILE), { force: true });
      },
    };
  }

  /** Hands a command over and waits for the answer. @throws NoAnswer; the command is then taken back */
  async send(command: RebuildCommand): Promise<CommandAnswer> {
    const id = randomUUID();
    await this.write(COMMAND_FILE, { id, command });
    for (const deadline = Date.now() + this.answerMsMax; Date.now() < deadline; await pause(ANSWER_POLL_MS)) {
      const answer = await readJson<AnswerFile>(join(this.directory, ANSWER_FILE));
      if (answer?.id === id) return answer;
    }
    await rm(join(this.directory, COMMAND_FILE), { force: true });
    throw new NoAnswer('The server on this data directory does not answer; is it up and ready?');
  }

  private async write(name: string, content: CommandFile | AnswerFile): Promise<void> {
    const temporary = join(this.directory, `${name}.${process.pid}.tmp`);
    await writeFile(temporary, JSON.stringify(content), { mode: 0o600 });
    await rename(temporary, join(this.directory, name));
  }
}

/** Null where there is no such file, or none that can be read. */
async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return null;
  }
}

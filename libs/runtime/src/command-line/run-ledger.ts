import { CommanderError } from 'commander';
import type { Demonstration } from './commands/demo.js';
import { AlreadyReported, sentenceFor } from './failures.js';
import { plainText, Terminal } from './output/terminal.js';
import { ledgerProgram } from './program.js';

const EXIT = { done: 0, failed: 1, wrongUsage: 2 } as const;

/** Runs `ledger` with the arguments of this process and sets its exit code. */
export async function runLedger(demonstration: Demonstration): Promise<void> {
  const terminal = new Terminal(process.stdout, process.stderr);
  endWithoutReader(terminal);
  endOnSignals();
  process.exitCode = await runCommand(process.argv.slice(2), terminal, demonstration);
}

/** @returns the exit code; only a fault of the program itself shows a stack, all else is one sentence */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  demonstration: Demonstration,
): Promise<number> {
  try {
    await ledgerProgram(terminal, demonstration).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

function exitCodeOf(error: unknown, terminal: Terminal): number {
  // Commander has said already what was wrong.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
  if (error instanceof AlreadyReported) return EXIT.failed;
  const sentence = sentenceFor(error);
  if (sentence !== null) terminal.remark(`ledger: ${plainText(sentence)}`);
  else terminal.remark(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.failed;
}

/** The reader of standard output may leave before its end, as `head` does; or a disk takes no more of it. */
function endWithoutReader(terminal: Terminal): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') terminal.remark(`ledger: Cannot write the output (${code ?? message}).`);
    process.exit(EXIT.failed);
  });
}

/**
 * Ends on Ctrl-C, or when the terminal is gone, as a process does, so that what was begun is cleaned away: `exit` listeners
 * run, which they do not where a signal ends the process. Commands that end in their own way listen themselves.
 */
function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(EXIT.failed);
    });
  }
}

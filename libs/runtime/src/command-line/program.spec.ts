import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { Terminal } from './output/terminal.js';
import { ledgerProgram } from './program.js';

class Text extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const HOUSEHOLD = '01JZ0000000000000000000ABC';

/** Every command below one, and it itself. */
function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

/** The program, with commands that only take down that they were called. */
function understanding(called: string[]): Command {
  const terminal = new Terminal(new Text(), new Text());
  const program = ledgerProgram(terminal, () => Promise.resolve());
  for (const command of allOf(program)) {
    command.configureOutput({ writeErr: () => undefined });
    if (command.commands.length === 0) command.action(() => void called.push(command.name()));
  }
  return program;
}

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: text => (help += text) });
  command.outputHelp();
  return help;
}

/** The arguments of `ledger` in a line for a shell, up to a comment, a pipe or a file. */
function argumentsIn(line: string): string[] {
  const [, after] = / {2}\$ (?:[A-Z_]+=\S+ )?ledger(.*)$/.exec(line) ?? [];
  assert.ok(after !== undefined, line);
  return after
    .split(/ [#|>]/)[0]!
    .split(' ')
    .filter(argument => argument !== '');
}

describe('the help of every command', () => {
  const commands = allOf(understanding([]));

  it('has examples', () => {
    for (const command of commands.filter(({ commands: below }) => below.length === 0)) {
      assert.match(helpOf(command), /\nExamples?:\n {2}\$ /, command.name());
    }
  });

  it('has examples that the program understands', async () => {
    const lines = commands.flatMap(command =>
      helpOf(command)
        .split('\n')
        .filter(line => /^ {2}\$ /.test(line)),
    );
    assert.ok(lines.length > 20);
    process.env['LEDGER_URL'] = 'https://ledger.example.org';
    process.env['LEDGER_TOKEN'] = 'hbp_example';
    for (const line of lines) {
      const called: string[] = [];
      await understanding(called)
        .parseAsync(argumentsIn(line), { from: 'user' })
        .catch((error: unknown) => assert.fail(`${line}: ${String(error)}`));
      assert.equal(called.length, 1, line);
    }
  });

  for (const [args, sentence] of [
    [
      ['events', 'mine'],
      `'mine' is not a household id. Ids are ULIDs: 26 letters and digits, without I, L, O and U.`,
    ],
    [['events', HOUSEHOLD, '--from', '-1'], `'-1' is not a whole number of 0 or more.`],
    [['nope'], `unknown command 'nope'`],
    [['month', HOUSEHOLD, 'January'], `'January' is not a month. Use a month such as 2026-01.`],
  ] as const) {
    it(`is named by the error of a wrong argument: ${args.join(' ')}`, async () => {
      let said = '';
      const program = understanding([]);
      for (const command of allOf(program)) command.configureOutput({ writeErr: text => (said += text) });
      await assert.rejects(program.parseAsync(args, { from: 'user' }));
      const command = args[0] === 'nope' ? 'ledger' : `ledger ${args[0]}`;
      assert.equal(said, `ledger: ${sentence}\nRun \`${command} --help\` for usage.\n`);
    });
  }
});

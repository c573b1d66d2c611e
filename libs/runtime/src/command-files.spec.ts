import assert from 'node:assert/strict';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { WaitingCommand } from '#background/rebuild/rebuild-host';
import { ANSWER_MS_MAX, CommandFiles } from './command-files.js';
import { CommandSending, CommandUnanswered } from './command-sending.js';

const DROP = { command: 'drop' } as const;
const GIVE_UP = { command: 'give-up' } as const;
const nowhere = (): null => null;

describe('commands for the server on a data directory', () => {
  let directory: string;
  let file: string;
  let told: string[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'commands-'));
    file = join(directory, 'projections-command.json');
    told = [];
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function server(): Promise<CommandFiles> {
    const tell = (message: string): void => void told.push(message);
    return CommandFiles.open(directory, { info: tell, error: tell });
  }

  async function waiting(files: CommandFiles): Promise<WaitingCommand> {
    for (;;) {
      const next = await files.next();
      if (next) return next;
      await pause(5);
    }
  }

  function write(writtenAt: number): void {
    writeFileSync(file, JSON.stringify({ id: 'of-somebody', writtenAt, command: DROP }));
  }

  it('are handed over, answered, and gone', async () => {
    const files = await server();
    assert.equal(await files.next(), null);
    const sent = new CommandSending(directory).send(DROP, nowhere);
    const { command, answer: reply } = await waiting(files);
    assert.deepEqual(command, DROP);
    await reply({ accepted: 'pointer-1' });
    const { answer } = (await sent) as { answer: { accepted: string } };
    assert.equal(answer.accepted, 'pointer-1');
    assert.equal(await files.next(), null);
    assert.deepEqual(readdirSync(directory), ['projections-answer.json']);
  });

  it('wait for each other, and none is lost', async () => {
    const files = await server();
    const sent = [DROP, GIVE_UP, DROP].map(each => new CommandSending(directory).send(each, nowhere));
    const done: string[] = [];
    for (let at = 0; at < sent.length; at++) {
      const { command, answer } = await waiting(files);
      done.push(command.command);
      await answer({ accepted: `${command.command}-${at}` });
    }
    assert.deepEqual(done.sort(), ['drop', 'drop', 'give-up']);
    const ids = (await Promise.all(sent)).map(
      each => (each as { answer: { accepted: string } }).answer.accepted,
    );
    assert.deepEqual(new Set(ids).size, 3);
    assert.match(ids[1]!, /^give-up-/);
  });

  it('are taken away by the server alone once they are answered', async () => {
    const sent = new CommandSending(directory).send(DROP, nowhere);
    const { id } = JSON.parse(readFileSync(file, 'utf8')) as { id: string };
    const answers = [{ id, accepted: 'pointer-1' }];
    writeFileSync(join(directory, 'projections-answer.json'), JSON.stringify({ answers }));
    assert.deepEqual(await sent, { answer: answers[0] });
    assert.ok(existsSync(file));
  });

  it('are told apart from another one that waits, which stays', async () => {
    write(Date.now());
    await assert.rejects(
      new CommandSending(directory, 200, 200).send(GIVE_UP, nowhere),
      (error: Error) =>
        error instanceof CommandUnanswered && /^Another command .* is waiting/.test(error.message),
    );
    assert.ok(existsSync(file));
    write(Date.now() - ANSWER_MS_MAX - 1_000);
    await assert.rejects(new CommandSending(directory, 200, 200).send(GIVE_UP, nowhere), /does not respond/);
  });

  it('are taken back when nobody answers', async () => {
    await assert.rejects(
      new CommandSending(directory, 200).send(GIVE_UP, nowhere),
      (error: Error) => error instanceof CommandUnanswered && /does not respond/.test(error.message),
    );
    assert.deepEqual(readdirSync(directory), []);
  });

  it('are taken back when they can be done elsewhere', async () => {
    const sent = await new CommandSending(directory).send(DROP, () => ({ lock: 1 }));
    assert.deepEqual(sent, { instead: { lock: 1 } });
    assert.deepEqual(readdirSync(directory), []);
  });

  it('are not done when they were there before the server', async () => {
    const sent = new CommandSending(directory).send(DROP, nowhere);
    const files = await server();
    assert.equal(await files.next(), null);
    const { answer } = (await sent) as { answer: { refused: string } };
    assert.match(answer.refused, /sent before the server started/);
    assert.deepEqual(told, ['a command was discarded']);
    assert.ok(!existsSync(file));
  });

  it('are not done when nobody can wait for them any more', async () => {
    const files = await server();
    write(Date.now() - ANSWER_MS_MAX - 1_000);
    assert.equal(await files.next(), null);
    assert.deepEqual(told, ['a command was discarded']);
    assert.ok(!existsSync(file));
  });

  it('are discarded when they are none', async () => {
    const files = await server();
    writeFileSync(file, '{"id":');
    assert.equal(await files.next(), null);
    assert.deepEqual(told, ['a command was discarded']);
    assert.ok(!existsSync(file));
  });

  it('that cannot be read are told of once', async () => {
    const files = await server();
    mkdirSync(file);
    for (let look = 0; look < 3; look++) assert.equal(await files.next(), null);
    assert.deepEqual(told, ['a command file cannot be read']);
  });

  const isRoot = process.getuid?.() === 0;
  it('of root can be read by the user of the data directory', { skip: !isRoot }, async () => {
    chownSync(directory, 12_345, 12_346);
    const files = await server();
    const sent = new CommandSending(directory).send(DROP, nowhere);
    const { answer } = await waiting(files);
    const { uid, gid, mode } = statSync(file);
    assert.deepEqual([uid, gid, mode & 0o777], [12_345, 12_346, 0o600]);
    await answer({ refused: 'enough' });
    await sent;
  });
});

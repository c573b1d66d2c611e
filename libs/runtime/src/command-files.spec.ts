import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { WaitingCommand } from '#background/rebuild/rebuild-host';
import { CommandFiles, NoAnswer } from './command-files.js';

describe('commands for the server on a data directory', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'commands-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  async function waiting(files: CommandFiles): Promise<WaitingCommand> {
    for (;;) {
      const next = await files.next();
      if (next) return next;
      await new Promise(resolve => setImmediate(resolve));
    }
  }

  it('are handed over, answered, and gone', async () => {
    const [server, operator] = [new CommandFiles(directory), new CommandFiles(directory)];
    assert.equal(await server.next(), null);
    const answer = operator.send({ command: 'drop' });
    const { command, answer: reply } = await waiting(server);
    assert.deepEqual(command, { command: 'drop' });
    await reply({ accepted: 'pointer-1' });
    assert.equal(((await answer) as { accepted: string }).accepted, 'pointer-1');
    assert.equal(await server.next(), null);
  });

  it('are taken back when nobody answers', async () => {
    const operator = new CommandFiles(directory, 200);
    await assert.rejects(operator.send({ command: 'give-up' }), NoAnswer);
    assert.equal(await operator.next(), null);
    assert.deepEqual(readdirSync(directory), ['projections-answer.json']);
  });

  it('are ignored when they cannot be read', async () => {
    writeFileSync(join(directory, 'projections-command.json'), '{"id":');
    assert.equal(await new CommandFiles(directory).next(), null);
  });
});

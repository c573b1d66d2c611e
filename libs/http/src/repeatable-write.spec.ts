import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashOfCommand } from './repeatable-write.js';

const COMMAND = { command: 'plan', body: { planned: 5, note: null, splits: [{ id: 'a', amount: 1 }, 2] } };

describe('the hash of a command', () => {
  it('is the same whatever the order of fields, at any depth', () => {
    const reordered = {
      body: { splits: [{ amount: 1, id: 'a' }, 2], note: null, planned: 5 },
      command: 'plan',
    };
    assert.equal(hashOfCommand(reordered), hashOfCommand(COMMAND));
    assert.match(hashOfCommand(COMMAND), /^[0-9a-f]{64}$/);
  });

  it('is another one for any other content', () => {
    const { body } = COMMAND;
    const commands = [
      COMMAND,
      { ...COMMAND, command: 'other' },
      { ...COMMAND, body: { ...body, planned: '5' } },
      { ...COMMAND, body: { ...body, note: '' } },
      { ...COMMAND, body: { ...body, splits: body.splits.toReversed() } },
      { ...COMMAND, body: { planned: 5, note: null } },
      { ...COMMAND, more: 1 },
    ];
    assert.equal(new Set(commands.map(hashOfCommand)).size, commands.length);
  });
});

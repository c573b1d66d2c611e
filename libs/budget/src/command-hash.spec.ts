import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from '#ledger/commands';
import { commandHash } from './household-call.js';

describe('commandHash', () => {
  it('leaves out ids that were drawn for the command', () => {
    const pairs: readonly [Command, Command][] = [
      [
        { type: 'CreateMonth', month: '2026-01', newIds: ['A'] },
        { type: 'CreateMonth', month: '2026-01', newIds: ['B'] },
      ],
      [
        { type: 'ResetMonth', month: '2026-01', mode: 'zero', newIds: ['A'] },
        { type: 'ResetMonth', month: '2026-01', mode: 'zero', newIds: [] },
      ],
      [
        { type: 'AddGroup', month: '2026-01', groupId: 'A', name: 'X' },
        { type: 'AddGroup', month: '2026-01', groupId: 'B', name: 'X' },
      ],
      [
        { type: 'AddItem', month: '2026-01', groupId: 'G', itemId: 'A', name: 'X', planned: 1, note: null },
        { type: 'AddItem', month: '2026-01', groupId: 'G', itemId: 'B', name: 'X', planned: 1, note: null },
      ],
    ];
    for (const [one, other] of pairs) assert.equal(commandHash(one), commandHash(other));
  });

  it('keeps ids that the client chose', () => {
    assert.notEqual(
      commandHash({ type: 'PlaceGroup', month: '2026-01', groupId: 'A' }),
      commandHash({ type: 'PlaceGroup', month: '2026-01', groupId: 'B' }),
    );
    assert.notEqual(
      commandHash({
        type: 'AddItem',
        month: '2026-01',
        groupId: 'G',
        itemId: 'A',
        name: 'X',
        planned: 1,
        note: null,
      }),
      commandHash({
        type: 'AddItem',
        month: '2026-01',
        groupId: 'H',
        itemId: 'A',
        name: 'X',
        planned: 1,
        note: null,
      }),
    );
  });

  it('does not depend on the order of fields, at any depth, but on that of lists', () => {
    const changes = { location: { lat: 1, lng: 2, accuracyM: 3 }, amount: 5 };
    const reordered = { amount: 5, location: { accuracyM: 3, lng: 2, lat: 1 } };
    assert.equal(
      commandHash({ type: 'ChangeTransaction', id: 'T', changes }),
      commandHash({ id: 'T', changes: reordered, type: 'ChangeTransaction' }),
    );
    assert.notEqual(
      commandHash({ type: 'OrderGroups', month: '2026-01', groupIds: ['A', 'B'] }),
      commandHash({ type: 'OrderGroups', month: '2026-01', groupIds: ['B', 'A'] }),
    );
  });

  it('tells absent fields from cleared ones', () => {
    assert.notEqual(
      commandHash({ type: 'ChangeTransaction', id: 'T', changes: {} }),
      commandHash({ type: 'ChangeTransaction', id: 'T', changes: { note: null } }),
    );
  });
});

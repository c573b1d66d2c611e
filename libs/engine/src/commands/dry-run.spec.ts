import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { IdempotencyConflict } from '#storage/documents/idempotency-keys';
import type { Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import type { Command } from '#ledger/commands';
import { Refusal } from '#ledger/refusal';
import {
  CommandStreams,
  createMonth,
  envelope,
  everyDocument,
  expense,
  freshId,
  MODELS,
  workplace,
  type Workplace,
} from '../households/streams.scenario.js';

const TRIED = { dryRun: true };

describe('a command that is only tried', () => {
  let place: Workplace;
  before(async () => {
    place = await workplace();
  });
  after(() => place.close());

  /** Streams that may read and must not write. @param done those that wrote before */
  async function reading(done: CommandStreams): Promise<CommandStreams> {
    // Else what it did might be applied again.
    await done.settle();
    const store = Object.create(place.store) as EventStore;
    store.append = () => assert.fail('it appended');
    const documents = Object.create(place.documents) as Documents;
    for (const name of ['put', 'putAll', 'insert', 'remove', 'removePrefix'] as const) {
      Object.assign(documents, { [name]: () => assert.fail(`it called ${name}`) });
    }
    return new CommandStreams(store, documents, MODELS);
  }

  it('answers what it would do, and writes nothing, not even its key', async () => {
    const [streams, household] = [place.instance(), freshId()];
    await streams.execute(household, createMonth('2026-01'), envelope());
    const id = freshId();
    const sent = envelope({ idempotency: { key: 'once', commandHash: 'a' } });
    const documents = await everyDocument(place.documents, MODELS);
    const tried = await (await reading(streams)).execute(household, expense(id), sent, TRIED);
    assert.deepEqual(await everyDocument(place.documents, MODELS), documents);
    const done = await streams.execute(household, expense(id), sent);
    assert.deepEqual({ ...tried, monthDocuments: [] }, { ...done, monthDocuments: [] });
    assert.equal(tried.events.length, 1);
  });

  it('is decided on what others recorded meanwhile', async () => {
    const [streams, late, household] = [place.instance(), place.instance(), freshId()];
    await streams.execute(household, createMonth('2026-01'), envelope());
    await late.catchUp(household);
    const id = freshId();
    await streams.execute(household, expense(id), envelope());
    const tried = await late.execute(household, expense(freshId()), envelope(), TRIED);
    assert.equal(tried.household.untracked.count, 2);
    const repeated = await late.execute(household, expense(id), envelope(), TRIED);
    assert.equal(repeated.replayed, true);
  });

  it('is refused as it would be', async () => {
    const [streams, household] = [place.instance(), freshId()];
    await streams.execute(household, createMonth('2026-01'), envelope());
    const again = (await reading(streams)).execute(household, createMonth('2026-01'), envelope(), TRIED);
    await assert.rejects(again, Refusal);
    const stale = { ...TRIED, precondition: () => false };
    const failing = (await reading(streams)).execute(household, expense(freshId()), envelope(), stale);
    await assert.rejects(failing, { code: 'precondition_failed' });
  });

  it('keeps to what is known of its key, and leaves that as it is', async () => {
    const [streams, household] = [place.instance(), freshId()];
    const keyed = (commandHash: string) =>
      envelope({ at: new Date().toISOString(), idempotency: { key: 'used', commandHash } });
    const command: Command = expense(freshId());
    await streams.execute(household, command, keyed('a'));
    const repeated = await (await reading(streams)).execute(household, command, keyed('a'), TRIED);
    assert.deepEqual([repeated.replayed, repeated.recorded], [true, { firstRevision: 0 }]);
    const other = (await reading(streams)).execute(household, expense(freshId()), keyed('b'), TRIED);
    await assert.rejects(other, IdempotencyConflict);
  });

  it('remembers under a key neither that it changed nothing, nor that it was refused', async () => {
    const [streams, household] = [place.instance(), freshId()];
    const id = freshId();
    await streams.execute(household, expense(id), envelope());
    const keyed = (key: string, commandHash: string) => envelope({ idempotency: { key, commandHash } });
    const same: Command = { type: 'RestoreTransaction', id };
    await (await reading(streams)).execute(household, same, keyed('same', 'a'), TRIED);
    const unknown: Command = { type: 'DeleteTransaction', id: freshId() };
    await assert.rejects(
      (await reading(streams)).execute(household, unknown, keyed('refused', 'a'), TRIED),
      Refusal,
    );
    for (const key of ['same', 'refused']) {
      const executed = await streams.execute(household, expense(freshId()), keyed(key, 'b'));
      assert.equal(executed.events.length, 1);
    }
  });
});

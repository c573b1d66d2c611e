import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { envelope, expense, freshId, type Workplace } from '../households/streams.scenario.js';
import { building, endOf, households, rebuildWorkplace, type Building } from './replay.scenario.js';

describe('replaying the log into other read models', () => {
  let place: Workplace;
  let generation = 1;
  before(async () => {
    place = await rebuildWorkplace();
  });
  after(() => place.close());

  const next = (): Promise<Building> => building(place, (generation += 1));

  async function listed({ builder }: Building): Promise<Map<string, number>> {
    const range = { from: '0', before: '~', limit: 1_000 };
    const heads = await place.documents.range(builder.models.heads, range);
    return new Map(heads.map(({ key, revision }) => [key, revision]));
  }

  it('lists every household up to the position, the last one included', async () => {
    const ids = await households(place, 3);
    const end = await endOf(place);
    await households(place, 1);
    const built = await next();
    const replay = built.replay();
    await replay.upTo(end);
    const found = await listed(built);
    assert.ok(ids.every(id => found.get(id) === 0));
    assert.equal((await replay.stored()).position, end);
    assert.equal(await replay.upTo(end), 0);
  });

  it('does not take a page for applied in the midst of which it was stopped', async () => {
    const ids = await households(place, 8);
    const end = await endOf(place);
    const stopping = new AbortController();
    const built = await next();
    const stopped = built.replay({ signal: stopping.signal, advanced: async () => stopping.abort() });
    await assert.rejects(stopped.upTo(end), { name: 'AbortError' });
    assert.equal((await stopped.stored()).position, null);
    await built.replay().upTo(end);
    const found = await listed(built);
    assert.ok(ids.every(id => found.has(id)));
  });

  it('goes on behind what was applied before it was interrupted', async () => {
    await households(place, 2);
    const built = await next();
    await built.replay().upTo(await endOf(place));
    const [later] = await households(place, 1);
    const applied: number[] = [];
    const again = built.replay({ advanced: async events => void applied.push(events) });
    const { events } = await again.stored();
    assert.ok(events > 0);
    assert.equal(await again.upTo(await endOf(place)), 1);
    assert.ok(applied.every(count => count === events + 1));
    assert.deepEqual(await built.replay().stored(), await again.stored());
    assert.equal((await listed(built)).get(later!), 0);
  });

  it('comes to a position before which all was applied ahead of it', async () => {
    const [id] = await households(place, 1);
    const first = await endOf(place);
    await place.instance().execute(id!, expense(freshId()), envelope());
    const last = await endOf(place);
    const [later] = await households(place, 1);
    const built = await next();
    const replay = built.replay();
    await replay.upTo(first);
    assert.equal((await listed(built)).get(id!), 1);
    assert.equal(await replay.upTo(last), 0);
    assert.equal((await replay.stored()).position, last);
    assert.equal((await listed(built)).has(later!), false);
  });

  it('leaves out a household that cannot be applied, and tells of it', async () => {
    const [broken, other] = await households(place, 2);
    const built = await next();
    const failed: string[] = [];
    failAdvancing(built, household => (household === broken ? new Error('no such event') : null));
    const replay = built.replay({ onFailure: async household => void failed.push(household) });
    const end = await endOf(place);
    await replay.upTo(end);
    assert.deepEqual(failed, [broken]);
    const found = await listed(built);
    assert.deepEqual([found.has(broken!), found.has(other!)], [false, true]);
    assert.equal((await replay.stored()).position, end);
  });

  it('ends where a store is down, and takes nothing for applied', async () => {
    await households(place, 2);
    const built = await next();
    failAdvancing(built, () => new DocumentsUnavailable('down'));
    const replay = built.replay({ onFailure: async () => undefined });
    await assert.rejects(replay.upTo(await endOf(place)), DocumentsUnavailable);
    assert.equal((await replay.stored()).position, null);
  });
});

function failAdvancing({ builder }: Building, failure: (householdId: string) => Error | null): void {
  const advance = builder.advance.bind(builder);
  builder.advance = async (householdId, ...rest) => {
    const error = failure(householdId);
    if (error) throw error;
    return advance(householdId, ...rest);
  };
}

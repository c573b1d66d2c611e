import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RecordedEvent } from '#storage/event-store/event-store';
import { hashOf, streamOf } from '../households/household-stream.js';
import { envelope, expense, freshId, workplace, type Workplace } from '../households/streams.scenario.js';
import { ChainAudit, type Head } from './chain-audit.js';

describe(ChainAudit.name, () => {
  const [one, other] = [freshId(), freshId()] as const;
  let place: Workplace;
  let events: readonly RecordedEvent[];
  let others: readonly RecordedEvent[];

  before(async () => {
    place = await workplace();
    const streams = place.instance();
    for (const household of [one, other]) {
      for (let posts = 0; posts < 5; posts++)
        await streams.execute(household, expense(freshId()), envelope());
    }
    [events, others] = [await recorded(one), await recorded(other)];
  });
  after(() => place.close());

  async function recorded(household: string): Promise<RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    for await (const page of place.store.readStream(streamOf(household))) found.push(...page);
    return found;
  }

  function audited(some: readonly RecordedEvent[], expected: readonly Head[] = []): ChainAudit {
    const audit = new ChainAudit(expected);
    for (const event of some) audit.add([event]);
    return audit;
  }

  const hashAt = (revision: number): string => hashOf(streamOf(one), events[revision]!);

  it('follows each household by itself, to its head', () => {
    const mixed = events.flatMap((event, at) => [others[at]!, event]);
    const audit = audited(mixed);
    assert.deepEqual([audit.events, audit.brokenLinks], [10, []]);
    assert.deepEqual(audit.heads(), [
      { householdId: one, revision: 4, hash: hashAt(4) },
      { householdId: other, revision: 4, hash: hashOf(streamOf(other), others[4]!) },
    ]);
  });

  it('tells where a chain breaks first, and nothing of what follows', () => {
    const changed = events.map(event => (event.revision === 1 ? { ...event, data: { amount: 1 } } : event));
    const { brokenLinks } = audited([...changed.slice(0, 3), changed[4]!]);
    assert.deepEqual(brokenLinks, [
      {
        householdId: one,
        revision: 2,
        eventId: events[2]!.id,
        kind: 'hash',
        expected: hashOf(streamOf(one), changed[1]!),
        found: hashAt(1),
      },
    ]);
    const [gap] = audited([events[0]!, ...events.slice(2)]).brokenLinks;
    assert.deepEqual([gap?.kind, gap?.revision, gap?.expected, gap?.found], ['gap', 2, 1, 2]);
  });

  it('tells which noted heads are there no more', () => {
    const head = (revision: number, hash: string | null): Head => ({ householdId: one, revision, hash });
    assert.deepEqual(audited(events, [head(2, hashAt(2))]).lostHeads(), []);
    assert.deepEqual(audited(events, [head(-1, null)]).lostHeads(), [], 'there was none');
    assert.deepEqual(audited(events, [head(2, 'another')]).lostHeads(), [
      { householdId: one, revision: 2, expected: 'another', found: hashAt(2) },
    ]);
    assert.deepEqual(audited(events, [head(9, 'beyond')]).lostHeads(), [
      { householdId: one, revision: 9, expected: 'beyond', found: null },
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Documents, IndexQuery } from '#storage/documents/documents';
import { dateOfDay, dayNumber } from '#imports/calendar-days';
import type { ProposedTransaction } from '#imports/import-rows';
import type { LiveStreams } from '#engine/versions/live-streams';
import { ulid } from 'ulid';
import { HouseholdReads } from '../household-reads.js';
import { RecordedImports } from './recorded-imports.js';

const FIRST_DAY = dayNumber('2020-01-01');
const DAYS = 2_000;

/** A household that has spent 1.00 on each of many days, entered by hand. */
function arranged() {
  const spent = Array.from({ length: DAYS }, (_, at) => {
    const date = dateOfDay(FIRST_DAY + at);
    const id = ulid(Date.parse(`${date}T18:00:00Z`));
    return { key: `H|${id}`, id, sort: `${date}|${id}`, record: { type: 'expense', amount: 100, date } };
  });
  let pages = 0;
  const documents = {
    query: async (_: unknown, { after, limit }: IndexQuery) => {
      pages += 1;
      return spent.filter(({ sort }) => sort > after!.sort).slice(0, limit);
    },
  } as unknown as Documents;
  const streams = { models: {} } as unknown as LiveStreams;
  const reads = new HouseholdReads(documents, { ready: () => undefined }, streams);
  return { recorded: new RecordedImports(documents, reads), spent, pages: () => pages };
}

function proposed(date: string, amount = 100): ProposedTransaction {
  return { id: '', type: 'expense', amount, date, merchant: 'X', note: null, budgetMonth: date.slice(0, 7) };
}

describe('similar transactions', () => {
  it('are found on every day of a long statement', async () => {
    const { recorded, spent } = arranged();
    const rows = spent.map(({ record }) => proposed(record.date));
    const similarTo = await recorded.similar('H', rows);
    for (const [at, row] of rows.entries()) {
      const ids = [0, -1, 1, -2, 2, -3, 3].flatMap(days => spent[at + days]?.id ?? []);
      assert.deepEqual(similarTo(row), ids.slice(0, 3));
    }
  });

  it('cost no look at the time between the entries', async () => {
    const { recorded, spent, pages } = arranged();
    const [early, late, after] = [proposed('2020-01-02'), proposed('2025-05-01'), proposed('9999-12-31')];
    const similarTo = await recorded.similar('H', [late, early, after, proposed('2020-01-02', 7)]);
    assert.equal(similarTo(early).length, 3);
    assert.equal(similarTo(late)[0], spent.find(({ record }) => record.date === late.date)!.id);
    assert.deepEqual(similarTo(after), []);
    assert.deepEqual(similarTo(proposed('2020-01-02', 7)), []);
    assert.equal(pages(), 2);
  });

  it('cost nothing where nothing is proposed', async () => {
    const { recorded, pages } = arranged();
    await recorded.similar('H', []);
    assert.equal(pages(), 0);
  });
});

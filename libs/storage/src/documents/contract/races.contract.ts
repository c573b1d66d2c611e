import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { DuplicateKey, type Documents, type IndexQuery } from '../documents.js';
import { CollectionModel } from './collection-model.fixture.js';
import type { Context, Sample } from './sample.fixture.js';
import { propertyRuns } from '../../../../../test/property-runs.js';

const RACERS = 20;
const LAST_REVISION = 50;
/** Histories of the property, each of a household of its own. */
const HISTORIES = propertyRuns(40);

export function raceContract(context: Context): void {
  const { collection, household } = context;
  const racers = Array.from({ length: RACERS }, (_, racer) => racer);

  it('lets exactly one of many replacements at one revision win', async () => {
    const key = household();
    await context.documents.insert(collection, { key, revision: 1 });
    const won = await Promise.all(
      racers.map(racer => context.documents.replace(collection, { key, revision: 2, amount: racer }, 1)),
    );
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal((await context.documents.get(collection, key))?.amount, won.indexOf(true));
  });

  for (const [what, document] of [
    ['key', (h: string): Sample => ({ key: h, revision: 1 })],
    ['by_email', (h: string, racer: number): Sample => ({ key: `${h}|${racer}`, revision: 1, email: h })],
  ] as const) {
    it(`lets exactly one of many inserts with one ${what} win`, async () => {
      const h = household();
      const outcomes = await Promise.allSettled(
        racers.map(racer => context.documents.insert(collection, { ...document(h, racer), amount: racer })),
      );
      const lost = outcomes.filter(outcome => outcome.status === 'rejected');
      assert.equal(lost.length, RACERS - 1);
      for (const { reason } of lost) assert.ok(reason instanceof DuplicateKey && reason.index === what);
      const [left, ...others] = await context.documents.range(collection, {
        from: h,
        before: `${h}~`,
        limit: 99,
      });
      assert.deepEqual(others, []);
      assert.equal(
        outcomes.findIndex(({ status }) => status === 'fulfilled'),
        left?.amount,
      );
    });
  }

  it('ends at the greatest of revisions put at once in any order', async () => {
    const h = household();
    const revisions = fc.sample(
      fc.shuffledSubarray(
        Array.from({ length: LAST_REVISION }, (_, index) => index + 1),
        { minLength: LAST_REVISION },
      ),
      1,
    )[0]!;
    await Promise.all(
      revisions.map(revision =>
        context.documents.put(collection, [
          { key: h, revision, household: h, tags: [`r${revision}`, 'all'] },
        ]),
      ),
    );
    assert.equal((await context.documents.get(collection, h))?.revision, LAST_REVISION);
    for (const [tag, found] of [
      ['all', 1],
      [`r${LAST_REVISION}`, 1],
      [`r${LAST_REVISION - 1}`, 0],
    ] as const) {
      const query = { index: 'by_tag', equals: { household: h, tags: tag }, limit: 9 };
      assert.equal((await context.documents.query(collection, query)).length, found);
    }
  });
}

/** Commands and queries in random order answer what the model answers. */
export function modelContract(context: Context): void {
  const { collection, household } = context;

  it('answers as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 30 }), async history => {
        const h = household();
        const model = new CollectionModel(collection);
        for (const step of history) await step(context.documents, model, h);
        const found = await context.documents.getMany(
          collection,
          NAMES.map(name => `${h}|${name}`),
        );
        assert.deepEqual(found.map(({ key }) => key).sort(), model.keys());
        for (const document of found) assert.deepEqual(document, model.get(document.key));
      }),
      { numRuns: HISTORIES },
    );
  });

  const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  type Step = (documents: Documents, model: CollectionModel<Sample>, h: string) => Promise<void>;

  const contents = fc.record(
    {
      date: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
      text: fc.constantFrom('one', 'two', 'three', '%', null),
      amount: fc.integer({ min: 0, max: 3 }),
      tags: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
      slot: fc.option(fc.integer({ min: 0, max: 3 })),
    },
    { requiredKeys: ['date'] },
  );
  const revision = fc.integer({ min: 1, max: 12 });
  const sample = fc
    .record({ name: fc.constantFrom(...NAMES), revision, content: contents })
    .map(({ name, revision, content }) => (h: string): Sample => ({
      key: `${h}|${name}`,
      revision,
      household: h,
      ...content,
    }));
  /** Without the unique value, which only `insert` and `replace` refuse as one. */
  const putSteps = fc
    .array(sample, { minLength: 1, maxLength: 4 })
    .map((samples): Step => async (documents, model, h) => {
      const written = samples.map(make => {
        const { slot: _, ...document } = make(h);
        return document;
      });
      await documents.put(collection, written);
      model.put(written);
    });
  const insertSteps = sample.map((make): Step => async (documents, model, h) => {
    const document = make(h);
    await sameOutcome(
      () => documents.insert(collection, document),
      () => model.insert(document),
    );
  });
  const replaceSteps = fc
    .tuple(sample, revision)
    .map(([make, expected]): Step => async (documents, model, h) => {
      const document = { ...make(h), revision: expected + 1 };
      await sameOutcome(
        () => documents.replace(collection, document, expected),
        () => model.replace(document, expected),
      );
    });
  const removeSteps = fc
    .tuple(fc.constantFrom(...NAMES), fc.option(revision, { nil: undefined }))
    .map(([name, expected]): Step => async (documents, model, h) => {
      await sameOutcome(
        () => documents.remove(collection, `${h}|${name}`, expected),
        () => model.remove(`${h}|${name}`, expected),
      );
    });
  const querySteps = fc
    .record({
      tag: fc.option(fc.constantFrom('x', 'y', 'z', ['x', 'y'], ['z', 'x'], ['y', 'x', 'z'])),
      order: fc.constantFrom('ascending', 'descending'),
      after: fc.option(
        fc.record({
          sort: fc.constantFrom('2026-01-01', '2026-01-02'),
          name: fc.option(fc.constantFrom(...NAMES)),
        }),
      ),
      where: fc.option(
        fc.constantFrom<NonNullable<IndexQuery['where']>>(
          [{ field: 'text', contains: 'e' }],
          [{ field: 'amount', equals: 2 }],
          [
            { field: 'text', contains: '%' },
            { field: 'amount', equals: 1 },
          ],
        ),
      ),
      limit: fc.integer({ min: 0, max: 8 }),
    })
    .map(({ tag, order, after, where, limit }): Step => async (documents, model, h) => {
      const query: IndexQuery = {
        index: tag === null ? 'by_date' : 'by_tag',
        equals: tag === null ? { household: h } : { household: h, tags: tag },
        order,
        limit,
        ...(where === null ? {} : { where }),
        ...(after === null
          ? {}
          : { after: { sort: after.sort, ...(after.name === null ? {} : { key: `${h}|${after.name}` }) } }),
      };
      assert.deepEqual(await documents.query(collection, query), model.query(query));
    });
  const steps = fc.oneof(
    { arbitrary: putSteps, weight: 3 },
    { arbitrary: insertSteps, weight: 2 },
    { arbitrary: replaceSteps, weight: 3 },
    { arbitrary: removeSteps, weight: 1 },
    { arbitrary: querySteps, weight: 4 },
  );
}

async function sameOutcome(act: () => Promise<unknown>, expect: () => unknown): Promise<void> {
  assert.deepEqual(await outcomeOf(act), await outcomeOf(async () => expect()));
}

async function outcomeOf(act: () => Promise<unknown>): Promise<unknown> {
  try {
    return { answer: await act() };
  } catch (error) {
    if (error instanceof DuplicateKey) return { duplicate: error.index };
    throw error;
  }
}

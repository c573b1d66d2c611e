import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { freshId, workplace, type Workplace } from '../households/streams.scenario.js';
import { Checkpoints, partitionKey, partitionOf, SoleOwner, type PartitionOwnership } from './partitions.js';
import { doubled } from './failing.scenario.js';

/** Partitions. */
const [A, B, C] = [0, 7, 15] as const;

describe(Checkpoints.name, () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await workplace();
    await place.documents.ensure([Checkpoints.collection]);
  });
  afterEach(() => place.close());

  /** @param beginTerm as the owner of some partitions begins it */
  function owned(
    partitions: readonly number[],
    beginTerm: PartitionOwnership['beginTerm'] = async (_, above) => above + 1,
  ): PartitionOwnership {
    return Object.assign(new SoleOwner(), { owned: () => new Set(partitions), beginTerm });
  }

  async function taken(
    partitions: readonly number[],
    beginTerm?: PartitionOwnership['beginTerm'],
  ): Promise<{ checkpoints: Checkpoints; position: string | null }> {
    const checkpoints = new Checkpoints(place.documents, owned(partitions, beginTerm));
    return { checkpoints, position: await checkpoints.take() };
  }

  async function storedAt(partition: number): Promise<string | undefined> {
    const key = partitionKey(partition);
    return (await place.documents.get(Checkpoints.collection, key))?.position;
  }

  function householdIn(partition: number): string {
    for (;;) {
      const id = freshId();
      if (partitionOf(id) === partition) return id;
    }
  }

  /** Three partitions, none of which has come as far as another. */
  async function apart(): Promise<void> {
    for (const [partition, position] of [
      [A, '5'],
      [B, '3'],
      [C, '9'],
    ] as const) {
      const { checkpoints } = await taken([partition]);
      await checkpoints.save(position);
    }
  }

  it('begin with the partition that is furthest behind, and handle in each what it has not', async () => {
    await apart();
    const { checkpoints, position } = await taken([A, B, C]);
    assert.equal(position, '3');
    for (const [partition, handled] of [
      [A, '5'],
      [B, '3'],
      [C, '9'],
    ] as const) {
      const household = householdIn(partition);
      assert.equal(checkpoints.isToBeHandled(household, handled), false);
      assert.equal(checkpoints.isToBeHandled(household, `${handled}1`), true);
    }
    assert.equal(checkpoints.isToBeHandled(householdIn(1), '99'), false, 'the partition of another');
    assert.equal((await taken([1, A])).position, null, 'one has not begun');
  });

  it('move what is behind, and nothing back', async () => {
    await apart();
    const { checkpoints } = await taken([A, B, C]);
    for (const position of ['4', '6', '7']) await checkpoints.save(position);
    assert.deepEqual([await storedAt(A), await storedAt(B), await storedAt(C)], ['7', '7', '9']);
    assert.equal((await taken([A, B, C])).position, '7');
  });

  it('are saved only once they are stored', async () => {
    let isAway = false;
    const documents = doubled(place.documents, (method, real) =>
      isAway && method === 'put' ? Promise.reject(new DocumentsUnavailable('away')) : real(),
    );
    const checkpoints = new Checkpoints(documents, owned([A]));
    isAway = true;
    await assert.rejects(checkpoints.take(), DocumentsUnavailable);
    assert.ok(checkpoints.areNone);
    isAway = false;
    await checkpoints.take();
    isAway = true;
    await assert.rejects(checkpoints.save('5'), DocumentsUnavailable);
    assert.equal(checkpoints.isToBeHandled(householdIn(A), '4'), true);
    isAway = false;
    await checkpoints.save('5');
    assert.equal(await storedAt(A), '5');
  });

  it('are none of a partition that was lost before its term began', async () => {
    const { checkpoints } = await taken([A, B], async (partition, above) =>
      partition === A ? null : above + 1,
    );
    assert.deepEqual(
      [A, B].map(partition => checkpoints.haveHousehold(householdIn(partition))),
      [false, true],
    );
    assert.deepEqual([await storedAt(A), await storedAt(B)], [undefined, '']);
  });

  it('ask for a term above that of the owner before, whose saves come too late then', async () => {
    const former = await taken([A], async () => 41);
    await former.checkpoints.save('1');
    let asked = 0;
    await taken([A], async (_, above) => (asked = above) + 1);
    assert.equal(asked, 41);
    await former.checkpoints.save('2');
    assert.equal(await storedAt(A), '1');
  });
});

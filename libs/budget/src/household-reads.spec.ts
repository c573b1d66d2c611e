import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Documents } from '#storage/documents/documents';
import { UnknownIdentity } from '#projections/month-document';
import type { LiveStreams } from '#engine/versions/live-streams';
import { HouseholdReads } from './household-reads.js';

describe('HouseholdReads', () => {
  /** Reads with a gate and streams that only write down when they are asked. */
  function arranged() {
    const asked: string[] = [];
    const streams = {
      models: {},
      catchUp: async (householdId: string) => void asked.push(`catch up ${householdId}`),
    } as unknown as LiveStreams;
    const gate = { ready: (householdId: string) => void asked.push(`gate ${householdId}`) };
    const documents = {
      range: async () => {
        asked.push('range');
        return [];
      },
    } as unknown as Documents;
    return { asked, reads: new HouseholdReads(documents, gate, streams) };
  }

  it('reads behind the gate', async () => {
    const { asked, reads } = arranged();
    assert.equal(await reads.joined('H', async () => 'view'), 'view');
    assert.deepEqual(asked, ['gate H']);
  });

  it('reads pages behind the gate', async () => {
    const { asked, reads } = arranged();
    for await (const page of reads.pages('transactions', 'H')) assert.deepEqual(page, []);
    assert.deepEqual(asked, ['gate H', 'range']);
  });

  it('reads again, once both documents are written, where it came between their writes', async () => {
    const { asked, reads } = arranged();
    let reading = 0;
    const view = await reads.joined('H', async () => {
      if (reading++ === 0) throw new UnknownIdentity('not yet');
      return 'view';
    });
    assert.equal(view, 'view');
    assert.deepEqual(asked, ['gate H', 'catch up H']);
  });

  it('does not hide an identity that is nowhere, nor another failure', async () => {
    const { asked, reads } = arranged();
    const unknown = reads.joined('H', async () => {
      throw new UnknownIdentity('never');
    });
    await assert.rejects(unknown, UnknownIdentity);
    const broken = reads.joined('H', async () => {
      throw new RangeError('broken');
    });
    await assert.rejects(broken, RangeError);
    assert.deepEqual(asked, ['gate H', 'catch up H', 'gate H']);
  });
});

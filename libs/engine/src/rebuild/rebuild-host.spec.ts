import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DocumentsUnavailable } from '#storage/documents/documents';
import { RebuildHost } from './rebuild-work.js';
import { RebuildPlace } from './rebuild.scenario.js';
import { until } from '../../../../test/until.js';

describe('a process that takes up rebuilds', () => {
  let place: RebuildPlace;

  beforeEach(async () => {
    place = await RebuildPlace.open();
  });

  afterEach(() => place.close());

  it('tells once for which reason it cannot, not at every look', async () => {
    let looks = 0;
    const documents = new Proxy(place.documents, {
      get: () => async () => {
        looks += 1;
        throw new DocumentsUnavailable('the documents are away');
      },
    });
    const told: string[] = [];
    const log = { info: () => undefined, error: (_: object, message: string) => void told.push(message) };
    const { store } = place;
    const confirm = async (): Promise<void> => undefined;
    const host = new RebuildHost({ store, documents, shared: true, confirm, log }, 'owner');
    host.start();
    await until(() => looks >= 3);
    await host.stop();
    assert.deepEqual(told, ['rebuilds are waiting']);
  });
});

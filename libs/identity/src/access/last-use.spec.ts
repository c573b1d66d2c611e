import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DocumentsUnavailable,
  type Collection,
  type Document,
  type Documents,
} from '#storage/documents/documents';
import { LastUse, LAST_USES_WAITING_MAX } from './credentials.js';

interface Used extends Document {
  readonly lastUsedAt: number | null;
}

const USED: Collection<Used> = { name: 'used', durability: 'durable', indexes: [] };
const NOW = Date.UTC(2026, 0, 1);

/** A store that keeps its writers waiting until it is released. */
class SlowStore {
  readonly written: string[] = [];
  atOnce = 0;
  most = 0;
  failing = false;
  private gate: Promise<void> = Promise.resolve();

  hold(): () => void {
    let release = (): void => undefined;
    this.gate = new Promise(resolve => {
      release = resolve;
    });
    return release;
  }

  async replace(_: unknown, document: Document, expected: number): Promise<boolean> {
    this.atOnce += 1;
    this.most = Math.max(this.most, this.atOnce);
    await this.gate;
    this.atOnce -= 1;
    if (this.failing) throw new DocumentsUnavailable('away');
    this.written.push(`${document.key}@${expected}`);
    return true;
  }
}

function opened(): {
  store: SlowStore;
  lastUse: LastUse;
  use(key: string, lastUsedAt?: number | null): void;
} {
  const store = new SlowStore();
  const lastUse = new LastUse(store as unknown as Documents);
  const use = (key: string, lastUsedAt: number | null = null): void =>
    lastUse.note(USED, { key, revision: 3, lastUsedAt }, NOW);
  return { store, lastUse, use };
}

describe(LastUse.name, () => {
  it('is written behind the request, at the revision that was read', async () => {
    const { store, lastUse, use } = opened();
    const release = store.hold();
    use('one');
    assert.deepEqual(store.written, []);
    release();
    await lastUse.flush();
    assert.deepEqual(store.written, ['one@3']);
  });

  it('is written once for many uses at the same moment, and at most once a minute', async () => {
    const { store, lastUse, use } = opened();
    const release = store.hold();
    for (let request = 0; request < 100; request += 1) use('one');
    release();
    await lastUse.flush();
    use('one', NOW - 59_999);
    await lastUse.flush();
    assert.deepEqual(store.written, ['one@3']);
    use('one', NOW - 60_000);
    await lastUse.flush();
    assert.equal(store.written.length, 2);
  });

  it('is written where it lies in the future, since the clock was set back', async () => {
    const { store, lastUse, use } = opened();
    use('one', NOW + 86_400_000);
    await lastUse.flush();
    assert.deepEqual(store.written, ['one@3']);
  });

  it('keeps few writes under way and a bounded number waiting', async () => {
    const { store, lastUse, use } = opened();
    const release = store.hold();
    for (let token = 0; token < LAST_USES_WAITING_MAX + 500; token += 1) use(`token-${token}`);
    release();
    await lastUse.flush();
    assert.equal(store.most, 4);
    assert.equal(store.written.length, LAST_USES_WAITING_MAX);
  });

  it('is lost without a sound when the store is away, and written by a later use', async () => {
    const { store, lastUse, use } = opened();
    store.failing = true;
    use('one');
    await lastUse.flush();
    store.failing = false;
    use('one');
    await lastUse.flush();
    assert.deepEqual(store.written, ['one@3']);
  });

  it('is written before the process ends', async () => {
    const { store, lastUse, use } = opened();
    for (let token = 0; token < 20; token += 1) use(`token-${token}`);
    await lastUse.beforeApplicationShutdown();
    assert.equal(store.written.length, 20);
  });
});

// A projector that sleeps past its lease in the midst of its writes, and wakes up when another has done its work and
// more: on embedded stores, with two projection hosts in this process and a gate before the writes of the first.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LeasedPartitions } from '#engine/projector/leased-partitions';
import { PARTITIONS } from '#engine/projector/partitions';
import { ProjectionHost } from '#engine/projector/projection-host';
import type { Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import { HouseholdStreams } from '#engine/households/household-streams';
import { FIRST_VERSION, readModelsOf } from '#engine/households/read-models';
import { appendHistory } from '../bench/history.js';
import { until } from '../until.js';
import { freshId } from './budget.scenario.js';
import { assertSameReadModels, reflectsEverything } from './read-models.scenario.js';

const HOUSEHOLDS = 12;
const EVENTS_EACH = 600;
/** The second projector's time flies, so that leases are over after a few of its turns. */
const HASTE = 20;

const WRITES: ReadonlySet<string | symbol> = new Set(['put', 'putAll', 'insert', 'replace', 'remove']);

/** Lets writes through, or holds them until it is opened again. */
class Gate {
  held = 0;
  /** Writes that are done. */
  passed = 0;
  private opened: Promise<void> = Promise.resolve();
  private open: () => void = () => undefined;

  before(documents: Documents): Documents {
    return new Proxy(documents, {
      get: (target, method) => {
        const value: unknown = Reflect.get(target, method, target);
        if (typeof value !== 'function') return value;
        if (!WRITES.has(method)) return value.bind(target) as unknown;
        return async (...args: readonly unknown[]): Promise<unknown> => {
          this.held += 1;
          await this.opened;
          try {
            return await Reflect.apply(value, target, args);
          } finally {
            this.held -= 1;
            this.passed += 1;
          }
        };
      },
    });
  }

  shut(): void {
    this.opened = new Promise(resolve => (this.open = resolve));
  }

  /** Lets through what is held, and holds what comes after it. @returns how many writes that are */
  releaseHeld(): number {
    const { open } = this;
    this.passed = 0;
    this.shut();
    open();
    return this.held;
  }

  release(): void {
    this.open();
  }
}

describe('a projector that wakes up past its lease', () => {
  const directory = mkdtempSync(join(tmpdir(), 'late-projector-'));
  const models = readModelsOf(FIRST_VERSION);
  const log = { info: () => undefined, error: () => undefined };
  const gate = new Gate();
  let store: EventStore;
  let documents: Documents;
  const hosts: ProjectionHost[] = [];

  before(async () => {
    ({ eventStore: store, documents } = LedgerDatabase.open({ directory }));
    await documents.ensure([
      ...HouseholdStreams.collections(models),
      ProjectionHost.checkpoints,
      ProjectionHost.failures,
      LeasedPartitions.leases,
      LeasedPartitions.workers,
    ]);
  });
  after(async () => {
    gate.release();
    for (const host of hosts) await host.stop();
    await documents.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function start(name: string, own: Documents, now: () => number): LeasedPartitions {
    const leases = new LeasedPartitions(own, name, log, now);
    const host = new ProjectionHost(store, own, new HouseholdStreams(store, own, models), {
      log,
      ownership: leases,
    });
    hosts.push(host);
    host.start();
    return leases;
  }

  it('changes nothing by the writes that come late', async () => {
    const households = Array.from({ length: HOUSEHOLDS }, freshId);
    const late = start('late', gate.before(documents), () => performance.now());
    await until(() => late.owned().size === PARTITIONS, 'the first has every part');
    await until(() => hosts[0]!.isCaughtUp());
    gate.shut();
    const appended = append(households);
    await until(() => gate.held > 2, 'it is in the midst of its writes');
    // What it holds is not the latest by now.
    await appended;
    const heir = start('heir', documents, () => performance.now() * HASTE);
    await until(() => heir.owned().size === PARTITIONS, 'the other has taken every part');
    await projected(households);
    assert.equal(late.owned().size, PARTITIONS, 'the first knows nothing of it');
    await assertSameReadModels(store, documents, households);
    // Nothing mends now what they would spoil.
    const overdue = gate.releaseHeld();
    await until(() => gate.passed === overdue, 'what was held is written');
    await assertSameReadModels(store, documents, households);
    gate.release();
    await until(
      () => late.owned().size > 0 && late.owned().size + heir.owned().size === PARTITIONS,
      'the first knows what it lost, and shares',
    );
    // Each works on some of these only after all that it had before.
    const more = Array.from({ length: HOUSEHOLDS }, freshId);
    await append(more);
    await projected(more);
    await until(() => gate.held === 0, 'nothing is under way');
    await assertSameReadModels(store, documents, [...households, ...more]);
  });

  async function append(householdIds: readonly string[]): Promise<void> {
    const options = { householdIds, userId: freshId(), eventsPerHousehold: EVENTS_EACH, months: 2 } as const;
    await appendHistory(store, { ...options, mix: 'mixed' });
  }

  async function projected(householdIds: readonly string[]): Promise<void> {
    for (const id of householdIds) {
      await until(() => reflectsEverything(store, documents, id), `${id} is projected`);
    }
  }
});

// Several API processes and projectors on the same servers: what is written at one is read at every other, and no
// projector that dies, or wakes up late, makes a figure wrong.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { appendHistory } from '../bench/history.js';
import type { LedgerProcess } from '../ledger-process.js';
import { until } from '../until.js';
import { Budget, freshId } from './budget.scenario.js';
import { canStartServers, Cluster } from './cluster.scenario.js';
import { ReadModelsView } from './cluster-view.scenario.js';

const WRITES = 40;
const HOUSEHOLDS = 24;
const EVENTS_EACH = 150;
const PARTS = 16;

function readYourWrites(): void {
  let cluster: Cluster;
  let budget: Budget;

  before(async () => {
    cluster = await Cluster.start({ apis: 2, projectors: 2 });
    const [api] = cluster.apis as [LedgerProcess];
    budget = await Budget.begin(api, await api.signUp(cluster.directory));
  });
  after(() => cluster.stop());

  /** Writes at one instance, reads at the other, in turn. */
  async function alternate(): Promise<void> {
    const [one, other] = cluster.apis as [LedgerProcess, LedgerProcess];
    for (let write = 0; write < WRITES; write++) {
      const [writer, reader] = write % 2 === 0 ? [one, other] : [other, one];
      const id = freshId();
      const answer = await budget.spend(writer, id);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      const [ids, spent, { body }] = await Promise.all([
        budget.transactionIds(reader),
        budget.spentTransactions(reader),
        budget.get(reader, `/transactions/${id}`),
      ]);
      assert.equal(ids[0], id, `write ${write}`);
      assert.equal(spent, ids.length);
      assert.deepEqual(body, answer.body['transaction']);
    }
  }

  it('what one instance answered, the other shows at once', alternate);

  it('… also while every projector stands still', async () => {
    for (const { child } of cluster.projectors) child.kill('SIGSTOP');
    try {
      await alternate();
    } finally {
      for (const { child } of cluster.projectors) child.kill('SIGCONT');
    }
  });

  it('… also after every projector is gone, and a new one changes nothing', async () => {
    for (const projector of cluster.projectors) await projector.end('SIGKILL');
    await alternate();
    const [api] = cluster.apis as [LedgerProcess];
    const month = (await budget.get(api, '/months/2026-01')).body;
    const projector = await cluster.addProjector();
    await projector.ready();
    assert.deepEqual((await budget.get(api, '/months/2026-01')).body, month);
  });

  it('what one instance made, the other undoes, though it knew an older state', async () => {
    const [one, other] = cluster.apis as [LedgerProcess, LedgerProcess];
    const { token } = budget;
    for (const month of ['2026-02', '2026-03']) {
      await budget.spend(other);
      const made = await one.call('POST', `/months/${month}`, { token });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const { body } = await budget.get(one, '/activity?limit=1');
      const [latest] = body['activity'] as [{ readonly event_id: string }];
      const undone = await other.call('POST', `/activity/${latest.event_id}/undo`, { token });
      assert.equal(undone.status, 200, JSON.stringify(undone.body));
      const months = (await budget.get(one, '/months')).body['months'] as { readonly month: string }[];
      assert.ok(months.every(listed => listed.month !== month));
    }
  });
}

function lateAndDeadProjectors(): void {
  let cluster: Cluster;
  let view: ReadModelsView;

  before(async () => {
    cluster = await Cluster.start({ apis: 0, projectors: 2 });
    view = await ReadModelsView.open(cluster.servers);
    await until(async () => (await view.partitionsByOwner()).size === 2, 'both projectors have partitions');
  });
  after(async () => {
    await view.close();
    await cluster.stop();
  });

  /** Events that no process has applied, as those of an API process that died after appending them. */
  async function unapplied(count: number, eventsEach: number): Promise<string[]> {
    const householdIds = Array.from({ length: count }, freshId);
    const options = { householdIds, userId: freshId(), eventsPerHousehold: eventsEach, months: 3 } as const;
    await appendHistory(view.store, { ...options, mix: 'mixed' });
    return householdIds;
  }

  it('a projector that wakes up past its lease changes nothing any more', async () => {
    const [sleeper] = cluster.projectors as [LedgerProcess];
    const households: string[] = [];
    for (const workingMs of [200, 900]) {
      const appended = unapplied(HOUSEHOLDS, EVENTS_EACH);
      // In the midst of its work, which is never at the same place.
      await pause(workingMs);
      sleeper.child.kill('SIGSTOP');
      try {
        await until(async () => (await view.partitionsByOwner()).size === 1, 'the other took everything');
        households.push(...(await appended));
        await projected(households);
      } finally {
        sleeper.child.kill('SIGCONT');
      }
      await until(async () => (await view.partitionsByOwner()).size === 2, 'it works again');
    }
    for (const projector of cluster.projectors) await projector.ready();
    await view.assertEqualToFold(households);
  });

  it('the partitions of a projector that dies are worked on by the other', async () => {
    const [dying, heir] = cluster.projectors as [LedgerProcess, LedgerProcess];
    await dying.end('SIGKILL');
    const households = await unapplied(HOUSEHOLDS, 5);
    await projected(households);
    assert.deepEqual([...(await view.partitionsByOwner()).values()], [PARTS]);
    await heir.ready();
    await view.assertEqualToFold(households);
  });

  /** Waits until every event of the households is applied. */
  async function projected(householdIds: readonly string[]): Promise<void> {
    for (const householdId of householdIds) {
      await until(() => view.reflectsEverything(householdId), `${householdId} is projected`);
    }
  }
}

if (canStartServers()) {
  describe('two API processes and two projectors', readYourWrites);
  describe('two projectors', lateAndDeadProjectors);
}

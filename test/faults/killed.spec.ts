// The server is killed at random moments under load, many times. An acknowledged write is never lost, and what the
// killed server left has read models that equal the events, before a start could repair them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { MonthView } from '#projections/month-document';
import { ledgerJson } from '../cli/ledger-program.scenario.js';
import { LedgerProcess, type Answer } from '../ledger-process.js';
import { Budget, freshId } from '../processes/budget.scenario.js';
import { propertyRuns } from '../property-runs.js';

const KILLS = propertyRuns(100);
/** A slow machine stops after this time, with at least `KILLS_MIN`. */
const KILLING_MS_MAX = 180_000;
const KILLS_MIN = 5;
const HOUSEHOLDS = 3;
/** A server is killed at a random moment within this time of load. */
const LOAD_MS_MAX = 500;
const BATCH_TRANSACTIONS = 5;

describe('a server that is killed under load', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'killed-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('has each acknowledged write once and right read models, before it starts again', async () => {
    const options = { directory, environment: { VERIFY_EVERY: 'off' } };
    let server = await LedgerProcess.start(options);
    const households: LoadedHousehold[] = [];
    for (let at = 0; at < HOUSEHOLDS; at++) {
      const token = await server.signUp(directory, `user${at}@example.com`);
      households.push(await LoadedHousehold.begin(server, token));
    }
    const began = performance.now();
    const isTimeLeft = (): boolean => performance.now() - began < KILLING_MS_MAX;
    let kills = 0;
    for (; kills < KILLS && (kills < KILLS_MIN || isTimeLeft()); kills++) {
      const load = Promise.all(households.map(household => household.load(server)));
      await pause(Math.random() * LOAD_MS_MAX);
      await server.end('SIGKILL');
      await load;
      const verification = await ledgerJson<{ ok: boolean }>(['projections', 'verify'], { directory });
      assert.equal(verification.ok, true);
      server = await LedgerProcess.start(options);
      for (const household of households) await household.assertWhole(server);
    }
    const written = households.reduce((sum, { transactions }) => sum + transactions, 0);
    assert.ok(written > kills * HOUSEHOLDS, `only ${written} transactions after ${kills} kills`);
    assert.equal(await server.end('SIGTERM'), 0);
  });
});

/** A household that several clients change at once, and what it must contain. */
class LoadedHousehold {
  private readonly recorded = new Set<string>();
  /** Transactions of commands without a response, and how a client repeats the command. */
  private readonly unclear = new Map<readonly string[], (server: LedgerProcess) => Promise<unknown>>();
  /** Of the item whose plan is changed. */
  private planned = 0;
  private requestedPlan = 0;

  private constructor(
    private readonly budget: Budget,
    private readonly plannedItemId: string,
  ) {}

  static async begin(server: LedgerProcess, token: string): Promise<LoadedHousehold> {
    const budget = await Budget.begin(server, token);
    const { id } = (await itemsOf(budget, server)).find(item => item.id !== budget.itemId)!;
    return new LoadedHousehold(budget, id);
  }

  get transactions(): number {
    return this.recorded.size;
  }

  /** Writes until the server is gone. */
  async load(server: LedgerProcess): Promise<void> {
    const writes = [this.spend, this.spend, this.spendAndUndo, this.spendInBatch, this.plan];
    const untilGone = async (write: (server: LedgerProcess) => Promise<unknown>): Promise<void> => {
      try {
        for (;;) await write(server);
      } catch (error) {
        // The connection is lost.
        if (!(error instanceof TypeError)) throw error;
      }
    };
    await Promise.all(writes.map(untilGone));
  }

  /** Checks what a server has that took over from a killed one. Then commands without a response are repeated. */
  async assertWhole(server: LedgerProcess): Promise<void> {
    const listed = await this.budget.transactionIds(server);
    const found = new Set(listed);
    for (const ids of this.unclear.keys()) {
      const present = ids.filter(id => found.has(id));
      assert.ok(present.length === 0 || present.length === ids.length, 'half of a batch was recorded');
      for (const id of present) this.recorded.add(id);
    }
    assert.deepEqual(listed.sort(), [...this.recorded].sort());
    assert.equal(await this.budget.spentTransactions(server), listed.length);
    const { planned } = (await itemsOf(this.budget, server)).find(({ id }) => id === this.plannedItemId)!;
    assert.ok(planned === this.planned || planned === this.requestedPlan, `the plan is ${planned}`);
    this.planned = planned;
    for (const repeat of this.unclear.values()) await repeat(server);
    this.unclear.clear();
  }

  private readonly spend = async (server: LedgerProcess): Promise<string> => {
    const id = freshId();
    await this.create(server, [id], to => this.budget.spend(to, id));
    return id;
  };

  private readonly spendInBatch = async (server: LedgerProcess): Promise<void> => {
    const ids = Array.from({ length: BATCH_TRANSACTIONS }, freshId);
    await this.create(server, ids, to => this.budget.spendInBatch(to, ids));
  };

  private readonly spendAndUndo = async (server: LedgerProcess): Promise<void> => {
    const id = await this.spend(server);
    const { body } = await this.budget.get(server, `/transactions/${id}/history`);
    const [{ event_id: eventId }] = body['history'] as [{ readonly event_id: string }];
    this.recorded.delete(id);
    const ids = [id];
    this.unclear.set(ids, async () => undefined);
    succeeded(await this.budget.send(server, 'POST', `/activity/${eventId}/undo`));
    this.unclear.delete(ids);
  };

  private readonly plan = async (server: LedgerProcess): Promise<void> => {
    const planned = ++this.requestedPlan;
    const path = `/months/2026-01/items/${this.plannedItemId}`;
    succeeded(await this.budget.send(server, 'PATCH', path, { planned }));
    this.planned = planned;
  };

  private async create(
    server: LedgerProcess,
    ids: readonly string[],
    command: (server: LedgerProcess) => Promise<Answer>,
  ): Promise<void> {
    const repeat = async (to: LedgerProcess): Promise<void> => {
      succeeded(await command(to));
      for (const id of ids) this.recorded.add(id);
    };
    this.unclear.set(ids, repeat);
    await repeat(server);
    this.unclear.delete(ids);
  }
}

function succeeded({ status, body }: Answer): void {
  assert.ok(status === 200 || status === 201, `${status}: ${JSON.stringify(body)}`);
}

async function itemsOf(budget: Budget, server: LedgerProcess): Promise<MonthView['groups'][number]['items']> {
  const { body } = await budget.get(server, '/months/2026-01');
  return (body as object as MonthView).groups.flatMap(({ items }) => items);
}

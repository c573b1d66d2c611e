import assert from 'node:assert/strict';
import { it } from 'node:test';
import { APPEND_BYTES_MAX } from '#storage/event-store/event-store';
import type { EventMetadata } from '#ledger/event-codec';
import type { RecordedLedgerEvent } from '#ledger/events';
import { type Budget, type Household } from '#ledger/household';
import { expense, firstMonth, Scenario } from '#ledger/ledger.scenario';
import {
  ADJUSTMENTS_PER_MONTH_MAX,
  BUDGETS_MAX,
  GROUPS_PER_MONTH_MAX,
  ITEMS_PER_MONTH_MAX,
  NOTES_LENGTH_PER_MONTH_MAX,
  TRANSACTIONS_PER_MONTH_MAX,
} from '#ledger/limits';
import { AMOUNT_MAX } from '#http/field-rules';
import { decide } from '#ledger/commands';
import { NO_FACTS } from '#ledger/command-declaration';
import type { TransactionRecord } from '#ledger/transactions/transaction-record';
import { chained, recordedEvents } from '#engine/households/household-stream';

const ULID = '01KE3142H274WJ7JT4XXJPM6QK';
const WIDEST = -Number.MAX_SAFE_INTEGER;

/** A budget as full of groups, items, plans, notes and adjustments as a month may be. */
function fullest(budget: Budget): Budget {
  const note = '😀'.repeat(Math.floor(NOTES_LENGTH_PER_MONTH_MAX / ITEMS_PER_MONTH_MAX));
  const adjustment = {
    amount: WIDEST,
    at: '2026-12-31T23:59:59.999Z',
    by: ULID,
    eventId: 'fa20ee6a-8738-8490-874c-6c4eb6393fab',
    term: 9_999,
  };
  const items = [...budget.items].map(([itemId, laid], i) => {
    const adjustments = i === 0 ? Array.from({ length: ADJUSTMENTS_PER_MONTH_MAX }, () => adjustment) : [];
    return [itemId, { ...laid, planned: AMOUNT_MAX, note, adjustments }] as const;
  });
  return { ...budget, items: new Map(items) };
}

/** A household whose February is full, and copies a January with as many other groups and items. */
function fullHousehold(): Household {
  const perGroup = ITEMS_PER_MONTH_MAX / GROUPS_PER_MONTH_MAX;
  const groups = (prefix: string): Record<string, Record<string, number>> =>
    Object.fromEntries(
      Array.from({ length: GROUPS_PER_MONTH_MAX }, (_, group) => {
        const items = Array.from({ length: perGroup }, (_, i) => [`${prefix}${group}I${i}`, AMOUNT_MAX]);
        return [`${prefix}${group}`, Object.fromEntries(items) as Record<string, number>];
      }),
    );
  const { household } = new Scenario().given(
    firstMonth('2026-01', groups('J')),
    firstMonth('2026-02', groups('F')),
  );
  const months = household.months.map(state =>
    state.month === '2026-02' ? { ...state, budget: fullest(state.budget!) } : state,
  );
  return { ...household, months };
}

function fullOfTransactions(household: Household): TransactionRecord[] {
  const items = [...household.months[1]!.budget!.items.keys()];
  const { id, content } = expense('T', {}, { budgetMonth: '2026-02' });
  const scenario = new Scenario().given({ type: 'TransactionCreated', data: { id, content } });
  const record = scenario.transactions.get(id)!;
  return Array.from({ length: TRANSACTIONS_PER_MONTH_MAX }, (_, i) => ({
    ...record,
    id: `01KE3142H274WJ7JT4XXJ${String(i).padStart(5, '0')}`,
    // As much on every item as is still exact.
    splits: i < items.length ? [{ itemId: items[i]!, amount: -WIDEST }] : [{ itemId: items[0]!, amount: 0 }],
  }));
}

it('the largest event that there can be, the replacement of a full month, fits into one append', () => {
  const household = fullHousehold();
  const [event] = decide(
    household,
    { type: 'ResetMonth', month: '2026-02', mode: 'replace', newIds: [] },
    { ...NO_FACTS, tracked: fullOfTransactions(household) },
  );
  assert.ok(event?.type === 'MonthReplaced');
  const { untracked, taken, layout } = event.data;
  assert.equal(untracked.transactionIds.length, TRANSACTIONS_PER_MONTH_MAX);
  assert.equal(untracked.activity.length, ITEMS_PER_MONTH_MAX);
  assert.equal(taken.groups.length + layout.length, 2 * GROUPS_PER_MONTH_MAX);
  const envelope = {
    actor: { userId: ULID, credential: { kind: 'session', id: ULID } },
    at: '2026-12-31T23:59:59.999Z',
    commandId: 'c'.repeat(64),
    requestId: 'r'.repeat(64),
    idempotency: { key: 'k'.repeat(64), commandHash: 'f'.repeat(64) },
  } as const;
  // A fund may reach every later month.
  const months = Array.from({ length: BUDGETS_MAX }, () => '2026-02');
  const recorded = recordedEvents(ULID, 99_999_999, [event], envelope);
  const { events } = chained(ULID, recorded, 'f'.repeat(64), months, envelope);
  const [stored] = events as [RecordedLedgerEvent & { readonly metadata: EventMetadata }];
  const bytes = Buffer.byteLength(JSON.stringify([stored.data, stored.metadata, stored.type, stored.id]));
  assert.ok(bytes <= APPEND_BYTES_MAX, `${bytes} bytes`);
  // And it is no caricature: a limit that is raised must be weighed against the others.
  assert.ok(bytes > 0.85 * APPEND_BYTES_MAX, `${bytes} bytes`);
});

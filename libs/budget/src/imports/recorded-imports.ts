import { Documents } from '#storage/documents/documents';
import { Injectable } from '@nestjs/common';
import { dateOfDay, dayNumber } from '#imports/calendar-days';
import { isAtMidnight } from '#imports/derived-id';
import type { ProposedTransaction } from '#imports/import-rows';
import {
  transactionIdOf,
  transactionKey,
  transactionPlace,
  type TransactionDocument,
} from '#projections/transaction-document';
import { ownTurn } from '#concurrency/turns';
import { HouseholdReads } from '../household-reads.js';

/** Documents that are read in one turn of the event loop. */
const PAGE = 500;
/** The most transactions that are compared with a file. */
const COMPARED_MAX = 100_000;
/** Days by which an entry of a statement is later, or earlier, than what was entered by hand. */
const DAYS_APART = 3;
const SIMILAR_MAX = 3;
/** The nearest first. */
const NEAR_DAYS = [0, -1, 1, -2, 2, -3, 3];

type Recorded = 'known' | 'deleted';

/** Ids of transactions by `TYPE|AMOUNT|DAY`, at most `SIMILAR_MAX` for each. */
type ByDay = ReadonlyMap<string, readonly string[]>;

/** What a household has recorded of what a file proposes. */
@Injectable()
export class RecordedImports {
  constructor(
    private readonly documents: Documents,
    private readonly reads: HouseholdReads,
  ) {}

  /** The transactions that are recorded already, by their ids. @throws DocumentsUnavailable */
  async recorded(
    householdId: string,
    proposed: readonly ProposedTransaction[],
  ): Promise<ReadonlyMap<string, Recorded>> {
    const recorded = new Map<string, Recorded>();
    const keys = proposed.map(({ id }) => transactionKey(householdId, id));
    for await (const page of this.reads.named('transactions', keys, PAGE)) {
      for (const { key, record } of page) {
        recorded.set(transactionIdOf(key), record.deletedAt === undefined ? 'known' : 'deleted');
      }
    }
    return recorded;
  }

  /**
   * Finds live transactions that were entered by hand and are probably the same as proposed ones.
   * @returns for a proposed one the ids of up to three, the nearest first
   * @throws DocumentsUnavailable
   */
  async similar(
    householdId: string,
    proposed: readonly ProposedTransaction[],
  ): Promise<(transaction: ProposedTransaction) => readonly string[]> {
    const wanted = new Set(proposed.map(({ type, amount }) => `${type}|${amount}`));
    const windows = windowsOf(proposed.map(({ date }) => dayNumber(date)));
    const byDay = new Map<string, string[]>();
    for await (const page of this.within(householdId, windows)) collect(page, wanted, byDay);
    return transaction => similarTo(transaction, byDay);
  }

  /** The live transactions in some windows of time, and few others. */
  private async *within(
    householdId: string,
    windows: readonly Window[],
  ): AsyncGenerator<readonly TransactionDocument[]> {
    let at = 0;
    let compared = 0;
    let after = windows[0] && dateOfDay(windows[0].from);
    while (after !== undefined && compared < COMPARED_MAX) {
      await ownTurn();
      const page: readonly TransactionDocument[] = await this.documents.query(
        this.reads.models.transactions,
        {
          index: 'by_date',
          equals: { household: householdId, live: true },
          after: { sort: after },
          limit: PAGE,
        },
      );
      yield page;
      compared += page.length;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      const day = dayNumber(last.record.date);
      while (windows[at] && windows[at]!.to < day) at += 1;
      const window = windows[at];
      const place = transactionPlace({ date: last.record.date, id: transactionIdOf(last.key) });
      after = window && (window.from > day ? dateOfDay(window.from) : place);
    }
  }
}

interface Window {
  readonly from: number;
  readonly to: number;
}

/** The days around these, as few windows as there can be. */
function windowsOf(days: readonly number[]): Window[] {
  const windows: { from: number; to: number }[] = [];
  for (const day of Array.from(new Set(days)).sort((a, b) => a - b)) {
    const last = windows.at(-1);
    if (last && day - DAYS_APART <= last.to) last.to = day + DAYS_APART;
    else windows.push({ from: day - DAYS_APART, to: day + DAYS_APART });
  }
  return windows;
}

function collect(
  page: readonly TransactionDocument[],
  wanted: ReadonlySet<string>,
  byDay: Map<string, string[]>,
): void {
  for (const { key, record } of page) {
    const kind = `${record.type}|${record.amount}`;
    const id = transactionIdOf(key);
    if (!wanted.has(kind) || isAtMidnight(id)) continue;
    const place = `${kind}|${dayNumber(record.date)}`;
    const ids = byDay.get(place);
    if (ids === undefined) byDay.set(place, [id]);
    else if (ids.length < SIMILAR_MAX) ids.push(id);
  }
}

function similarTo({ type, amount, date }: ProposedTransaction, byDay: ByDay): readonly string[] {
  const day = dayNumber(date);
  const ids = NEAR_DAYS.flatMap(days => byDay.get(`${type}|${amount}|${day + days}`) ?? []);
  return ids.slice(0, SIMILAR_MAX);
}

import { EVERY_KEY } from '#storage/documents/declared';
import type { Collection, Document, Documents } from '#storage/documents/documents';
import { Erasures, type Erasure } from '#storage/documents/erasures';
import type { EventStore } from '#storage/event-store/event-store';
import { NO_HOUSEHOLD, type Household } from '#ledger/household';
import {
  activityOf,
  statusOf,
  sumActivity,
  type Activity,
  type TransactionRecord,
} from '#ledger/transactions/transaction-record';
import { householdOf, lastEventOf, STREAM_PREFIX, streamOf } from '../households/household-stream.js';
import type { HouseholdFold } from '../households/household-fold.js';
import { householdRange } from '../households/bulk-build.js';
import { collectionsOf, type ReadModels } from '../households/read-models.js';
import { ChainAudit, type BrokenLink, type Head, type LostHead } from './chain-audit.js';
import { entriesOf, HouseholdComparison, type Difference } from './household-comparison.js';
import { isStoreDown, sentenceOf } from '../households/store-failures.js';

/** Of differences, and of wrong sums; more are only counted. */
const DIFFERENCES_LISTED_MAX = 1_000;

/** Transactions that are added up at once. */
const SUMMED_AT_ONCE = 5_000;

/** Of a household that has no events, in each collection. */
const STRAY_DOCUMENTS_MAX = 100;

/** Another version is active than the verified one, whose writes have ended or which is gone. */
export class ReadModelsReplaced extends Error {
  override readonly name = 'ReadModelsReplaced';
  constructor() {
    super('The read models were replaced during verification.');
  }
}

/** Thrown by `rest` to end a verification without a result. */
export class VerificationStopped extends Error {
  override readonly name = 'VerificationStopped';
}

/** A household whose events cannot be folded, so that its documents cannot be checked. */
export interface Unfoldable {
  readonly householdId: string;
  /** The last revision that could be folded. */
  readonly revision: number;
  readonly reason: string;
}

/** An expected head that went with its household. */
export interface ErasedHead {
  readonly householdId: string;
  readonly revision: number;
  /** When it was erased; ISO timestamp. */
  readonly erasedAt: string;
}

/** A figure of a household that its transactions do not add up to. */
export interface WrongSum {
  readonly householdId: string;
  /** `YYYY-MM`; null for the count of untracked transactions. */
  readonly month: string | null;
  /** The item whose splits are added up in minor units, expenses upwards; null for that count. */
  readonly itemId: string | null;
  /** The sum over the transactions. */
  readonly expected: number;
  /** What the figures are made of. */
  readonly found: number;
}

export interface Verification {
  readonly heads: readonly Head[];
  readonly events: number;
  readonly documents: number;
  readonly brokenLinks: readonly BrokenLink[];
  readonly lostHeads: readonly LostHead[];
  /** Expected heads of households that were erased since, with their history. */
  readonly erasedHeads: readonly ErasedHead[];
  readonly unfoldable: readonly Unfoldable[];
  /** At most `DIFFERENCES_LISTED_MAX` of them, and of wrong sums. */
  readonly differences: readonly Difference[];
  readonly differencesTotal: number;
  readonly wrongSums: readonly WrongSum[];
  readonly wrongSumsTotal: number;
}

export interface VerifyOptions {
  /** This one only; every household when absent. */
  readonly householdId?: string | undefined;
  /** Heads that were noted earlier. */
  readonly expected?: readonly Head[];
  /** Milliseconds since the epoch, by which documents are behind or only late. */
  readonly now?: () => number;
  /** Whether the verified read models are still active; they are by default. */
  readonly areActive?: () => Promise<boolean>;
  /** Called with the progress of reading the chains, and then of comparing documents. */
  readonly progress?: (stage: 'chains' | 'documents', events: number, total: number | null) => void;
  /** Waited for after each step, so that the work may rest. May throw `VerificationStopped`. */
  readonly rest?: () => Promise<void>;
}

/**
 * Checks the chains of hashes, compares the served read models with the events, and checks that the figures are the sums
 * of the transactions. It only reads, and may run beside servers that write.
 */
export class LedgerVerification {
  private readonly differences: Difference[] = [];
  private readonly unfoldable: Unfoldable[] = [];
  private differencesTotal = 0;
  private readonly wrongSums: WrongSum[] = [];
  private wrongSumsTotal = 0;
  private documentsTotal = 0;
  private eventsFolded = 0;
  private readonly erasures: Erasures;
  /** Of an erased household, nothing is verified. */
  private erased: ReadonlyMap<string, Erasure> = new Map();

  constructor(
    private readonly store: EventStore,
    private readonly documents: Documents,
    private readonly models: ReadModels,
    private readonly options: VerifyOptions = {},
  ) {
    this.erasures = new Erasures(documents);
  }

  /**
   * Once only. If another version becomes active meanwhile, it ends as soon as something looks wrong.
   * @throws ReadModelsReplaced, VerificationStopped, EventStoreUnavailable, DocumentsUnavailable
   */
  async run(): Promise<Verification> {
    try {
      return await this.verify();
    } catch (error) {
      // Reading what is dropped fails in any way.
      if (await this.isActive().catch(() => true)) throw error;
      throw new ReadModelsReplaced();
    }
  }

  private async verify(): Promise<Verification> {
    this.erased = await this.erasures.all();
    const audit = await this.followChains();
    const heads = audit.heads();
    for (const { householdId } of heads) {
      await this.checkHousehold(householdId, audit.events);
      await this.options.rest?.();
    }
    await this.findStrays(new Set(heads.map(({ householdId }) => householdId)));
    // Some may have been erased meanwhile.
    this.erased = await this.erasures.all();
    const stays = ({ householdId }: { readonly householdId: string }): boolean =>
      !this.erased.has(householdId);
    const lostHeads = audit.lostHeads();
    return {
      heads: heads.filter(stays),
      events: audit.events,
      documents: this.documentsTotal,
      brokenLinks: audit.brokenLinks.filter(stays),
      lostHeads: lostHeads.filter(head => this.erasedHead(head) === null),
      erasedHeads: lostHeads.flatMap(head => this.erasedHead(head) ?? []),
      unfoldable: this.unfoldable.filter(stays),
      differences: this.differences,
      differencesTotal: this.differencesTotal,
      wrongSums: this.wrongSums,
      wrongSumsTotal: this.wrongSumsTotal,
    };
  }

  private async followChains(): Promise<ChainAudit> {
    const { householdId, expected = [], progress, rest } = this.options;
    const wanted = expected.filter(head => householdId === undefined || head.householdId === householdId);
    const audit = new ChainAudit(wanted);
    const pages =
      householdId === undefined
        ? this.store.readAll({ prefix: STREAM_PREFIX })
        : this.store.readStream(streamOf(householdId));
    for await (const page of pages) {
      audit.add(page.filter(({ stream }) => !this.erased.has(householdOf(stream))));
      progress?.('chains', audit.events, null);
      await rest?.();
    }
    return audit;
  }

  /** Null for a head that its household did not have when it was erased. */
  private erasedHead({ householdId, revision, expected }: LostHead): ErasedHead | null {
    const erasure = this.erased.get(householdId);
    const { head, at } = erasure ?? { head: null, at: 0 };
    if (head === null || revision > head.revision) return null;
    if (revision === head.revision && expected !== head.hash) return null;
    return { householdId, revision, erasedAt: new Date(at).toISOString() };
  }

  private async checkHousehold(householdId: string, total: number): Promise<void> {
    const sums = new TransactionSums();
    let household: Household = NO_HOUSEHOLD;
    let shares = 0;
    const comparison = new HouseholdComparison(this.store, this.documents, this.models, householdId, {
      now: this.options.now,
      requireActive: () => this.requireActive(),
      rest: this.options.rest,
      folded: fold => {
        addTo(sums, fold);
        if (shares++ > 0) return;
        ({ household } = fold);
        this.eventsFolded += fold.revision + 1;
        this.options.progress?.('documents', this.eventsFolded, total);
      },
    });
    try {
      for await (const difference of comparison.differences()) await this.note(difference);
      const wrong = sums.differing(householdId, household);
      this.wrongSumsTotal += wrong.length;
      this.wrongSums.push(...wrong.slice(0, DIFFERENCES_LISTED_MAX - this.wrongSums.length));
    } catch (error) {
      const ends = error instanceof ReadModelsReplaced || error instanceof VerificationStopped;
      if (ends || isStoreDown(error)) throw error;
      await this.requireActive();
      this.unfoldable.push({ householdId, revision: comparison.revision, reason: sentenceOf(error) });
    }
    this.documentsTotal += comparison.documents;
  }

  /** Documents of households that have no events at all. */
  private async findStrays(known: ReadonlySet<string>): Promise<void> {
    const { householdId } = this.options;
    for (const collection of collectionsOf(this.models)) {
      const present = householdId === undefined ? this.householdsIn(collection) : [householdId];
      for await (const stray of present) {
        if (known.has(stray) || (await lastEventOf(this.store, stray))) continue;
        await this.noteStrays(collection, stray);
      }
    }
  }

  private async noteStrays(collection: Collection<Document>, householdId: string): Promise<void> {
    let noted = 0;
    const range = householdRange(householdId);
    for await (const { key } of entriesOf(this.documents, collection, range, STRAY_DOCUMENTS_MAX)) {
      await this.note({ householdId, collection: collection.name, key, kind: 'unexpected', fields: [] });
      if (++noted === STRAY_DOCUMENTS_MAX) return;
    }
  }

  /** Passes from one household to the next without reading what is between. */
  private async *householdsIn(collection: Collection<Document>): AsyncGenerator<string> {
    let range = EVERY_KEY;
    for (;;) {
      const { value: first } = await entriesOf(this.documents, collection, range, 1).next();
      if (!first) return;
      const householdId = first.key.split('|', 1)[0]!;
      yield householdId;
      range = { ...range, from: householdRange(householdId).before };
    }
  }

  private async note(difference: Difference): Promise<void> {
    await this.requireActive();
    if (difference.kind !== 'unexpected' && (await this.erasures.find(difference.householdId))) return;
    this.differencesTotal++;
    if (this.differences.length < DIFFERENCES_LISTED_MAX) this.differences.push(difference);
  }

  /** To be asked once something looks wrong, since what was replaced before looks so. @throws ReadModelsReplaced */
  private async requireActive(): Promise<void> {
    if (!(await this.isActive())) throw new ReadModelsReplaced();
  }

  private async isActive(): Promise<boolean> {
    return this.options.areActive?.() ?? true;
  }
}

function addTo(sums: TransactionSums, fold: HouseholdFold): void {
  let some: TransactionRecord[] = [];
  for (const record of fold.records()) {
    if (some.push(record) < SUMMED_AT_ONCE) continue;
    sums.add(some);
    some = [];
  }
  sums.add(some);
}

/**
 * Adds up the transactions of a household, to be compared with the sums that its events carried along: so events that
 * contradict each other show, even where every document agrees with them.
 */
class TransactionSums {
  private readonly activity = new Map<string, Activity>();
  private untracked = 0;

  /** @param records some of them, at most some thousand */
  add(records: readonly TransactionRecord[]): void {
    const added = new Map<string, Activity[]>();
    for (const record of records) {
      const { type, budgetMonth, splits, deletedAt } = record;
      if (statusOf(record) === 'untracked') this.untracked++;
      if (deletedAt !== null || splits.length === 0) continue;
      const list = added.get(budgetMonth) ?? [];
      list.push(activityOf(type, splits));
      added.set(budgetMonth, list);
    }
    for (const [month, list] of added) {
      this.activity.set(month, sumActivity([this.activity.get(month) ?? [], ...list]));
    }
  }

  /** What differs from a state that all these transactions belong to. */
  differing(householdId: string, household: Household): WrongSum[] {
    const wrong: WrongSum[] = [];
    const compare = (month: string | null, itemId: string | null, expected: number, found: number): void => {
      if (expected !== found) wrong.push({ householdId, month, itemId, expected, found });
    };
    const left = new Map(this.activity);
    for (const { month, budget } of household.months) {
      const sums = new Map(left.get(month));
      for (const [itemId, { activity: found }] of budget?.items ?? []) {
        compare(month, itemId, sums.get(itemId) ?? 0, found);
        sums.delete(itemId);
      }
      left.set(month, [...sums]);
    }
    // Splits on what the month does not have count nowhere.
    for (const [month, sums] of left) {
      for (const [itemId, expected] of sums) compare(month, itemId, expected, 0);
    }
    compare(null, null, this.untracked, household.untracked.count);
    return wrong;
  }
}

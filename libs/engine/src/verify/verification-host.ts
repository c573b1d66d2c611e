import { setTimeout as pause } from 'node:timers/promises';
import type { Document, Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { readModelsOf, derived } from '../households/read-models.js';
import { HeldDocument, StandingDocuments, TAKEN_OVER_MS } from '../households/standing-documents.js';
import { readActiveVersion } from '../versions/active-version.js';
import { StandingTrouble, workUntilStopped, type BackgroundLog } from '../projector/background-log.js';
import {
  LedgerVerification,
  ReadModelsReplaced,
  VerificationStopped,
  type Verification,
} from './verify-ledger.js';

const HOUR_MS = 3_600_000;
/** How often a process looks whether a verification is due. */
const LOOK_MS = 5_000;
/** After findings the next verification comes this early at the latest, so that a repair is noticed. */
const AFTER_FINDINGS_MS = 24 * HOUR_MS;
/** Work for this long at most is followed by a rest as long as the work was. */
const WORK_MS = 10;
const REST_MS_MAX = 1_000;
/** What is found counts if it is found again so much later: by then another projector has taken over from one that died. */
const CONFIRMED_AFTER_MS = 60_000;

/** What a verification can find, in the order of their weight. */
export const FINDING_KINDS = ['broken_chains', 'unfoldable', 'documents', 'sums', 'memberships'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface EndedVerification {
  /** ISO timestamps, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Of the read models that were compared. */
  readonly version: number;
  readonly households: number;
  readonly events: number;
  readonly documents: number;
  readonly findings: Readonly<Record<FindingKind, number>>;
}

/** Who verifies, and how the last verification ended. */
interface VerificationRecord extends Document {
  /** Null while no process verifies. */
  readonly owner: string | null;
  /** Null before the first. */
  readonly last: EndedVerification | null;
}

export const VERIFICATION_KEY = 'verification';

export const VERIFICATIONS = derived<VerificationRecord>('verifications');

/** How many there are of all kinds. */
export function findingsIn(findings: EndedVerification['findings']): number {
  return FINDING_KINDS.reduce((sum, kind) => sum + findings[kind], 0);
}

interface VerificationPlace {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly log: BackgroundLog;
  /** Whether the documents reflect the events, so that they can be compared. */
  readonly isCaughtUp: () => boolean;
  /** What is wrong with the memberships of each household, one household after the other. */
  readonly membershipFindings: () => AsyncIterable<readonly { readonly householdId: string }[]>;
}

interface HostOptions {
  /** Unique to this process. */
  readonly owner: string;
  /** How long after the end of a verification the next one begins. */
  readonly everyMs: number;
  readonly lookMs?: number;
  /** Instead of `CONFIRMED_AFTER_MS`. */
  readonly confirmedAfterMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Milliseconds of this process's own time. */
  readonly elapsed?: () => number;
}

/**
 * Verifies the ledger from time to time, one process at a time, with rests as long as the work. A verification that a
 * process did not finish begins again in whichever process looks next.
 */
export class VerificationHost {
  private readonly stopping = new AbortController();
  private readonly standing: StandingDocuments;
  private readonly now: () => number;
  private readonly elapsed: () => number;
  private ended: EndedVerification | null = null;
  private running: Promise<void> | null = null;
  /** When the run before this one found something, which may have been a document on its way; by `elapsed`. */
  private suspectedAt: number | null = null;

  constructor(
    private readonly place: VerificationPlace,
    private readonly options: HostOptions,
  ) {
    this.now = options.now ?? Date.now;
    this.elapsed = options.elapsed ?? (() => performance.now());
    this.standing = new StandingDocuments(TAKEN_OVER_MS, this.elapsed);
  }

  /** The last verification that ended, by any process; null before the first. */
  get last(): EndedVerification | null {
    return this.ended;
  }

  start(): void {
    const { lookMs = LOOK_MS } = this.options;
    const trouble = new StandingTrouble(this.place.log, 'verification is waiting');
    const beginsAgain = (error: unknown): boolean =>
      error instanceof ReadModelsReplaced || error instanceof VerificationStopped;
    this.running ??= workUntilStopped(this.stopping.signal, lookMs, trouble, () => this.look(), beginsAgain);
  }

  /** Ends a verification under way without a result. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Verifies if it is time to and no other process does. */
  private async look(): Promise<void> {
    const { documents, isCaughtUp } = this.place;
    const confirmedAfterMs = this.options.confirmedAfterMs ?? CONFIRMED_AFTER_MS;
    if (this.suspectedAt !== null && this.elapsed() - this.suspectedAt < confirmedAfterMs) return;
    const record = await documents.get(VERIFICATIONS, VERIFICATION_KEY);
    this.ended = record?.last ?? null;
    const { rebuild, active } = await readActiveVersion(documents);
    if (!isCaughtUp() || rebuild || !this.isDue(active)) return;
    const isHeld = record && record.owner !== null && record.owner !== this.options.owner;
    if (isHeld && this.standing.stale([record]).size === 0) return;
    const revision = (record?.revision ?? 0) + 1;
    const mine = { key: VERIFICATION_KEY, revision, owner: this.options.owner, last: this.ended };
    const lease = await HeldDocument.take<VerificationRecord>(documents, VERIFICATIONS, record, mine);
    if (lease) await this.verify(lease, active);
  }

  private isDue(active: number): boolean {
    if (this.ended === null) return true;
    const { endedAt, version, findings } = this.ended;
    const sound = findingsIn(findings) === 0;
    if (!sound && version !== active) return true;
    const everyMs = sound ? this.options.everyMs : Math.min(this.options.everyMs, AFTER_FINDINGS_MS);
    return this.now() - Date.parse(endedAt) >= everyMs;
  }

  private async verify(lease: HeldDocument<VerificationRecord>, version: number): Promise<void> {
    const { store, documents, isCaughtUp, membershipFindings } = this.place;
    const startedAt = new Date(this.now()).toISOString();
    const rest = this.rests(lease);
    let last = this.ended;
    try {
      const verification = new LedgerVerification(store, documents, readModelsOf(version), {
        areActive: async () => (await readActiveVersion(documents)).active === version,
        rest,
      });
      const verified = await verification.run();
      const memberships: { readonly householdId: string }[] = [];
      for await (const wrong of membershipFindings()) {
        memberships.push(...wrong);
        await rest();
      }
      const { heads, events, documents: compared } = verified;
      const findings = countsOf(verified, memberships.length);
      const counted = { households: heads.length, events, documents: compared, findings };
      const ended = { startedAt, endedAt: new Date(this.now()).toISOString(), version, ...counted };
      const found = findingsIn(findings) > 0;
      // Projections that fell behind meanwhile are not a finding.
      if (found && !isCaughtUp()) return;
      // After a store or a projector was away, documents lag behind events for a while.
      const isConfirmed = this.suspectedAt !== null;
      this.suspectedAt = found && !isConfirmed ? this.elapsed() : null;
      if (this.suspectedAt !== null) return;
      last = ended;
      this.report(ended, { ...verified, memberships });
    } finally {
      // A lease that cannot be given back lapses by itself.
      if (await lease.end({ owner: null, last }).catch(() => false)) this.ended = last;
    }
  }

  /** @returns to be called after each step of the work: rests, unless the work has only just begun */
  private rests(lease: HeldDocument<VerificationRecord>): () => Promise<void> {
    const { signal } = this.stopping;
    let since = performance.now();
    return async () => {
      if (signal.aborted || !lease.isHeld()) throw new VerificationStopped();
      const workedMs = performance.now() - since;
      if (workedMs < WORK_MS) return;
      const restMs = Math.min(workedMs, REST_MS_MAX);
      await pause(restMs, undefined, { signal, ref: false }).catch(() => undefined);
      since = performance.now();
    };
  }

  private report(
    ended: EndedVerification,
    found: Verification & { readonly memberships: readonly { readonly householdId: string }[] },
  ): void {
    const { log } = this.place;
    const { startedAt, households, events, documents, findings } = ended;
    const counts = { households, events, documents, started_at: startedAt };
    if (findingsIn(findings) === 0) return log.info(counts, 'the ledger is verified');
    const { brokenLinks, unfoldable, differences, wrongSums, memberships } = found;
    const [concerned] = [...brokenLinks, ...unfoldable, ...differences, ...wrongSums, ...memberships];
    const told = { ...counts, findings, household: concerned?.householdId };
    log.error(told, 'the verification found faults; see `ledger projections verify`');
  }
}

function countsOf(found: Verification, memberships: number): EndedVerification['findings'] {
  return {
    broken_chains: found.brokenLinks.length,
    unfoldable: found.unfoldable.length,
    documents: found.differencesTotal,
    sums: found.wrongSumsTotal,
    memberships,
  };
}

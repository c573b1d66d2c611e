import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Documents } from '#storage/documents/documents';
import { MongoDocuments } from '#storage/mongodb/mongo-documents';
import { LedgerDatabase } from '#storage/sqlite/ledger-database';
import type { EventStore } from '#storage/event-store/event-store';
import {
  ACTIVE_VERSION,
  readActiveVersion,
  BESIDE_FAILURES,
  HEARTBEATS,
} from '../versions/active-version.js';
import { HouseholdStreams } from '../households/household-streams.js';
import { readModelsOf } from '../households/read-models.js';
import {
  createMonth,
  envelope,
  expense,
  freshId,
  SILENT,
  LiveCommandStreams,
} from '../households/streams.scenario.js';
import { ProjectionHost } from '../projector/projection-host.js';
import { StandingDocuments, TAKEN_OVER_MS } from '../households/standing-documents.js';
import { readProgress, REBUILD_PROGRESS } from './rebuild.js';
import { announce, workOff, type RebuildCommand, type WorkOutcome } from './rebuild-work.js';
import { REBUILD_CHECKPOINTS } from './replay.js';
import { until } from '../../../../test/until.js';
import { VersionWatch } from '../versions/live-streams.js';

/** Acts by the active version as a process of its own does. */
export interface ActingProcess {
  readonly watch: VersionWatch;
  readonly streams: LiveCommandStreams;
  /** Nothing moves any more, as in a process that is frozen: neither its timer nor its clock. */
  freeze(): void;
  /** Time has passed meanwhile. */
  thaw(): void;
}

/** Stores that several processes act on. */
export class RebuildPlace {
  private readonly started: LiveCommandStreams[] = [];
  private number = 0;

  private constructor(
    private readonly directory: string,
    readonly store: EventStore,
    readonly documents: Documents,
    private readonly bulkEventsMax: number | undefined,
  ) {}

  /**
   * @param mongodbUrl a database of its own; embedded documents without it
   * @param bulkEventsMax as `RebuildWorkplace.bulkEventsMax`
   */
  static async open(mongodbUrl?: string, bulkEventsMax?: number): Promise<RebuildPlace> {
    const directory = mkdtempSync(join(tmpdir(), 'rebuild-'));
    const { eventStore: store, documents: embedded } = LedgerDatabase.open({ directory });
    const documents = mongodbUrl ? MongoDocuments.open({ url: mongodbUrl }) : embedded;
    await documents.ensure([
      ...HouseholdStreams.sharedCollections,
      ProjectionHost.checkpoints,
      ProjectionHost.failures,
      ACTIVE_VERSION,
      HEARTBEATS,
      BESIDE_FAILURES,
      REBUILD_PROGRESS,
      REBUILD_CHECKPOINTS,
    ]);
    return new RebuildPlace(directory, store, documents, bulkEventsMax);
  }

  async process(documents: Documents = this.documents): Promise<ActingProcess> {
    this.number++;
    const clock: { frozenAt: number | null } = { frozenAt: null };
    const now = (): number => clock.frozenAt ?? performance.now();
    const looking = new Proxy(documents, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...parameters: unknown[]): Promise<unknown> => {
          while (clock.frozenAt !== null) await pause(20);
          return Reflect.apply(value, target, parameters) as unknown;
        };
      },
    });
    const owner = `process-${this.number}`;
    const watch = new VersionWatch(looking, { owner, shared: true, log: SILENT, now });
    const streams = new LiveCommandStreams(this.store, looking, watch);
    await streams.start();
    this.started.push(streams);
    return {
      watch,
      streams,
      freeze: () => void (clock.frozenAt = performance.now()),
      thaw: () => void (clock.frozenAt = null),
    };
  }

  /** Writes down a command and does it, as one process that serves nothing. */
  async carryOut(command: RebuildCommand, signal = new AbortController().signal): Promise<WorkOutcome> {
    await announce(this.documents, command);
    return this.workOff(signal);
  }

  /** As a process whose predecessor has stood still for long enough. */
  async workOff(
    signal = new AbortController().signal,
    documents: Documents = this.documents,
    store: EventStore = this.store,
  ): Promise<WorkOutcome> {
    const { bulkEventsMax } = this;
    const place = {
      store,
      documents: ofOperator(documents),
      shared: true,
      confirm: async () => undefined,
      log: SILENT,
      ...(bulkEventsMax !== undefined && { bulkEventsMax }),
    };
    const owner = `rebuilder-${freshId()}`;
    let now = 0;
    const standing = new StandingDocuments(TAKEN_OVER_MS, () => (now += 2 * TAKEN_OVER_MS));
    // Seen here, it has stood still for long enough at the next poll.
    const progress = await this.progress();
    if (progress) standing.stale([progress]);
    return workOff(place, { owner, standing, signal, retryFailed: true });
  }

  async activeModels() {
    return readModelsOf((await readActiveVersion(this.documents)).active);
  }

  progress() {
    return readProgress(this.documents);
  }

  async close(): Promise<void> {
    for (const streams of this.started) await streams.stop();
    await this.documents.close();
    await this.store.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A household with a month and transactions, some of them changed. @returns its id and its transactions */
export async function household(
  streams: LiveCommandStreams,
  transactions: number,
): Promise<{ readonly id: string; readonly transactions: readonly string[] }> {
  const id = freshId();
  await streams.execute(id, createMonth('2026-01'), envelope());
  const created: string[] = [];
  for (let i = 0; i < transactions; i++) {
    const transaction = freshId();
    await streams.execute(id, expense(transaction, { merchant: `Shop ${i % 7}` }), envelope());
    if (i % 3 === 0) {
      await streams.execute(
        id,
        { type: 'ChangeTransaction', id: transaction, changes: { note: `note ${i}` } },
        envelope(),
      );
    }
    created.push(transaction);
  }
  return { id, transactions: created };
}

/** Writes to households until it is stopped, and reads what it has written, each time through another process. */
export class Load {
  private stopped = false;
  private readonly working: Promise<void>[];
  /** Commands that were answered. */
  answered = 0;
  /** Reads that did not show what had been answered. */
  readonly stale: string[] = [];

  constructor(
    private readonly documents: Documents,
    private readonly processes: readonly ActingProcess[],
    households: readonly string[],
  ) {
    this.working = households.map((id, at) => this.work(id, at));
  }

  /** Resolves once so many more commands were answered. */
  async proceed(commands: number): Promise<void> {
    const wanted = this.answered + commands;
    await until(() => this.answered >= wanted);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.working);
  }

  private async work(householdId: string, at: number): Promise<void> {
    for (let round = 0; !this.stopped; round++) {
      const writer = this.processes[(at + round) % this.processes.length]!;
      const reader = this.processes[(at + round + 1) % this.processes.length]!;
      const id = freshId();
      const commands = [
        expense(id, { amount: 100 + round }),
        { type: 'ChangeTransaction', id, changes: { amount: 7 } } as const,
        { type: 'DeleteTransaction', id } as const,
      ].slice(0, 1 + (round % 3));
      for (const command of commands) {
        const executed = await writer.streams.execute(householdId, command, envelope());
        this.answered++;
        const { transactions } = reader.streams.models;
        const found = await this.documents.get(transactions, `${householdId}|${id}`);
        if ((found?.revision ?? -1) < executed.household.revision) {
          // Others may have written the household, but never without this.
          this.stale.push(`${householdId} ${id} at ${executed.household.revision}: ${found?.revision}`);
        }
      }
      await pause(1);
    }
  }
}

/** Documents that know of a read model only what was ensured through them, as those of an operator's process. */
function ofOperator(documents: Documents): Documents {
  const known = new Set<string>();
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]): unknown => {
        const [first] = parameters as { name?: string; collection?: { name: string } }[][];
        if (name === 'ensure') for (const collection of first!) known.add(collection.name!);
        const named = Array.isArray(first) ? first.map(({ collection }) => collection) : [first];
        for (const collection of named as ({ name?: string } | undefined)[]) {
          const used = collection?.name;
          if (used !== undefined && /_g\d+$/.test(used) && !known.has(used)) {
            throw new RangeError(`collection ${used} was not ensured`);
          }
        }
        return Reflect.apply(value, target, parameters) as unknown;
      };
    },
  });
}

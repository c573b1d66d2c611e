import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Document, Documents } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import { LEDGER_FILE, LedgerDatabase } from '#storage/sqlite/ledger-database';
import { TEMPLATE_IDS } from '#ledger/months/month-commands';
import type { Command } from '#ledger/commands';
import type { TransactionContent } from '#ledger/transactions/transaction-record';
import { HouseholdCommands } from '../commands/household-commands.js';
import type { Executed, Precondition } from '../commands/command-call.js';
import { LiveStreams, type LiveStreamsOptions, type VersionWatch } from '../versions/live-streams.js';
import { type Envelope, lastEventOf } from './household-stream.js';
import { HouseholdStreams } from './household-streams.js';
import { collectionsOf, readModelsOf, type ReadModels } from './read-models.js';
import { StateCache } from './known-households.js';

export const HOUSEHOLD = '01JHQUSEH0LD00000000000000';
export const USER = '01JVSER0000000000000000000';
export const MODELS = readModelsOf(1);
/** A log that keeps nothing. */
export const SILENT = { info: () => undefined, error: () => undefined };

let counter = 0;

/** A ULID that no other call gives; in the order of the calls. */
export function freshId(): string {
  counter++;
  return `01JZ${String(counter).padStart(22, '0')}`;
}

interface SentOptions {
  readonly precondition?: Precondition;
  readonly dryRun?: boolean;
}

/** Carries out commands, each with an envelope of its own. */
class SentCommands {
  private readonly sent = new AsyncLocalStorage<Envelope>();
  private readonly commands: HouseholdCommands;

  constructor(documents: Documents, households: Pick<LiveStreams, 'begin'>) {
    const clock = { now: () => Date.parse(this.sent.getStore()!.at) };
    const randomness = { ulid: () => this.sent.getStore()!.commandId };
    this.commands = new HouseholdCommands(documents, households, clock, randomness);
  }

  execute(
    householdId: string,
    command: Command,
    envelope: Envelope,
    { precondition, dryRun = false }: SentOptions = {},
  ): Promise<Executed> {
    const { actor, requestId, idempotency: keyed } = envelope;
    const idempotency = keyed && { key: keyed.key, hashOf: () => keyed.commandHash };
    const call = { householdId, archived: false, actor, requestId, idempotency, precondition, dryRun };
    return this.sent.run(envelope, () => this.commands.handle(call, command));
  }
}

/** Streams over one set of read models, which also carry out commands. */
export class CommandStreams extends HouseholdStreams {
  private readonly commands: SentCommands;

  constructor(...streams: ConstructorParameters<typeof HouseholdStreams>) {
    super(...streams);
    const [, documents] = streams;
    this.commands = new SentCommands(documents, {
      begin: () => ({ streams: this, end: async () => undefined }),
    });
  }

  execute(
    householdId: string,
    command: Command,
    envelope: Envelope,
    options?: SentOptions,
  ): Promise<Executed> {
    return this.commands.execute(householdId, command, envelope, options);
  }
}

/** The same over the active version. */
export class LiveCommandStreams extends LiveStreams {
  private readonly commands: SentCommands;

  constructor(store: EventStore, documents: Documents, watch: VersionWatch, options?: LiveStreamsOptions) {
    super(store, documents, watch, options);
    this.commands = new SentCommands(documents, this);
  }

  execute(
    householdId: string,
    command: Command,
    envelope: Envelope,
    options?: SentOptions,
  ): Promise<Executed> {
    return this.commands.execute(householdId, command, envelope, options);
  }
}

/** Stores in a directory of their own, and everything to work on them. */
export interface Workplace {
  readonly directory: string;
  readonly store: EventStore;
  readonly documents: Documents;
  /** A process of its own, as far as memory goes. */
  instance(cacheBytes?: number): CommandStreams;
  close(): Promise<void>;
}

export async function workplace(): Promise<Workplace> {
  const directory = mkdtempSync(join(tmpdir(), 'streams-'));
  const { eventStore: store, documents } = LedgerDatabase.open({ directory });
  await documents.ensure(HouseholdStreams.collections(MODELS));
  return {
    directory,
    store,
    documents,
    instance: cacheBytes =>
      new CommandStreams(store, documents, MODELS, { cache: new StateCache(cacheBytes) }),
    close: async () => {
      await documents.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The revision of a household's last event; it has one at least. */
export async function endRevisionOf({ store }: Workplace, householdId: string): Promise<number> {
  return (await lastEventOf(store, householdId))!.revision;
}

/** Cuts the text of the event at a revision short, in every household. */
export function damageEvents({ directory }: Workplace, revision: number): void {
  const database = new DatabaseSync(join(directory, LEDGER_FILE));
  try {
    database.prepare(`UPDATE events SET metadata = '{"at":"20' WHERE revision = ?`).run(revision);
  } finally {
    database.close();
  }
}

export function envelope(extra: Partial<Envelope> = {}): Envelope {
  return {
    actor: { userId: USER, credential: { kind: 'session', id: USER } },
    at: '2026-01-15T12:00:00.000Z',
    commandId: freshId(),
    requestId: 'request',
    ...extra,
  };
}

export function createMonth(month: string): Command {
  return { type: 'CreateMonth', month, newIds: Array.from({ length: TEMPLATE_IDS }, freshId) };
}

export function expense(id: string, content: Partial<TransactionContent> = {}): Command {
  return {
    type: 'CreateTransaction',
    id,
    content: {
      type: 'expense',
      amount: 1_250,
      date: '2026-01-10',
      merchant: 'Bakery',
      note: null,
      budgetMonth: '2026-01',
      splits: [],
      location: null,
      ...content,
    },
  };
}

/** Every document of the read models, by collection and key, as text. */
export async function everyDocument(documents: Documents, models: ReadModels): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const collection of collectionsOf(models)) {
    // Heads may lag behind; they are not a read model.
    if (collection === models.heads) continue;
    const range = { from: '0', before: '~', limit: 25_000 };
    for (const document of await documents.range<Document>(collection, range)) {
      const name = collection.name.replace(/_g\d+$/, '');
      found.set(`${name}/${document.key}`, JSON.stringify(document));
    }
  }
  return found;
}

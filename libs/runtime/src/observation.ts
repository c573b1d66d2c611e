import type { HouseholdCommands } from '#engine/commands/household-commands';
import type { Documents } from '#storage/documents/documents';
import {
  AppendTooLarge,
  EventStoreUnavailable,
  WrongExpectedRevision,
  type Appended,
  type EventStore,
} from '#storage/event-store/event-store';
import type { UnitOfWork } from '#storage/event-store/unit-of-work';
import type { AppendOutcome, ServiceMetrics } from './metrics.js';
import type { Tracing } from './tracing.js';

/** Where what the stores do is counted and traced. */
export interface Observers {
  readonly metrics: ServiceMetrics;
  /** Null where no collector is named. */
  readonly tracing: Tracing | null;
}

/** The same object, with other functions for some of its methods. */
export function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name);
      return typeof value === 'function' && name !== 'constructor' ? value.bind(target) : value;
    },
  });
}

/** An event store whose appends are measured and which traces its appends and its reads of streams. */
export function observedEventStore(store: EventStore, { metrics, tracing }: Observers): EventStore {
  const append: EventStore['append'] = (stream, expected, events) =>
    metered(metrics, events.length, () => store.append(stream, expected, events));
  if (tracing === null) return withMethods(store, { append });
  return withMethods(store, {
    append: (stream, expected, events) =>
      tracing.child('append events', { 'ledger.events': events.length }, () =>
        append(stream, expected, events),
      ),
    readStream: (stream, range) => tracing.childPages('read events', {}, store.readStream(stream, range)),
  });
}

/** A unit of work whose commits are measured as the appends that they are, and traced. */
export function observedUnitOfWork(work: UnitOfWork, { metrics, tracing }: Observers): UnitOfWork {
  const commit: UnitOfWork['commit'] = each => metered(metrics, each.events.length, () => work.commit(each));
  if (tracing === null) return { commit };
  return {
    commit: each => {
      const documents = each.writes.reduce((sum, write) => sum + write.documents.length, 0);
      const attributes = { 'ledger.events': each.events.length, 'ledger.documents': documents };
      return tracing.child('commit events', attributes, () => commit(each));
    },
  };
}

/** The names of traced operations, by the methods whose first argument is a collection. */
const OPERATIONS: Readonly<Record<string, string>> = {
  get: 'get',
  getMany: 'get many',
  range: 'range',
  digest: 'digest',
  query: 'query',
  count: 'count',
  put: 'put',
  putTexts: 'put',
  insert: 'insert',
  replace: 'replace',
  remove: 'remove',
  removePrefix: 'remove prefix',
};

/** Documents whose reads and writes show in traces, by the name of their collection. */
export function tracedDocuments(documents: Documents, tracing: Tracing): Documents {
  const traced = Object.entries(OPERATIONS).map(([method, operation]) => {
    const call = (collection: { readonly name: string }, ...rest: readonly unknown[]): Promise<unknown> => {
      const [argument] = rest;
      const attributes = {
        'db.operation.name': operation,
        'db.collection.name': collection.name,
        ...(Array.isArray(argument) && { 'ledger.documents': argument.length }),
      };
      const run = Reflect.get(documents, method) as (...args: unknown[]) => Promise<unknown>;
      return tracing.child(`${operation} ${collection.name}`, attributes, () =>
        run.call(documents, collection, ...rest),
      );
    };
    return [method, call];
  });
  return withMethods<Documents>(documents, {
    ...Object.fromEntries(traced),
    putAll: writes => {
      const count = writes.reduce((sum, write) => sum + write.documents.length, 0);
      return tracing.child('put documents', { 'ledger.documents': count }, () => documents.putAll(writes));
    },
  });
}

/** Commands that show in traces, by their type and household. */
export function tracedCommands(commands: HouseholdCommands, tracing: Tracing): HouseholdCommands {
  return withMethods(commands, {
    handle: (call, command) => {
      const attributes = { 'ledger.command': command.type, 'ledger.household_id': call.householdId };
      return tracing.child(`execute ${command.type}`, attributes, () => commands.handle(call, command));
    },
  });
}

async function metered(
  metrics: ServiceMetrics,
  events: number,
  append: () => Promise<Appended>,
): Promise<Appended> {
  const started = performance.now();
  let outcome: AppendOutcome = 'appended';
  try {
    return await append();
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    metrics.appended(outcome, (performance.now() - started) / 1000, events);
  }
}

function outcomeOf(error: unknown): AppendOutcome {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  if (error instanceof EventStoreUnavailable) return 'unavailable';
  if (error instanceof AppendTooLarge) return 'refused';
  return 'failed';
}

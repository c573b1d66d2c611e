import type { HouseholdCommands } from '#engine/commands/household-commands';
import type { Documents, Write } from '#storage/documents/documents';
import type { EventStore } from '#storage/event-store/event-store';
import type { UnitOfWork } from '#storage/event-store/unit-of-work';
import { withMethods } from './metrics.js';
import type { Tracing } from './tracing.js';

export function tracedEventStore(store: EventStore, tracing: Tracing): EventStore {
  return withMethods(store, {
    append: (stream, expected, events) =>
      tracing.child('append events', { 'ledger.events': events.length }, () =>
        store.append(stream, expected, events),
      ),
    readStream: (stream, range) => tracing.childPages('read events', store.readStream(stream, range)),
  });
}

export function tracedUnitOfWork(work: UnitOfWork, tracing: Tracing): UnitOfWork {
  return {
    commit: each => {
      const attributes = {
        'ledger.events': each.events.length,
        'ledger.documents': documentsIn(each.writes),
      };
      return tracing.child('commit events', attributes, () => work.commit(each));
    },
  };
}

/** The methods of a documents store whose first argument is a collection. */
const OF_COLLECTION = [
  'get',
  'getMany',
  'range',
  'digest',
  'query',
  'put',
  'putTexts',
  'insert',
  'replace',
  'remove',
  'removePrefix',
] as const;

/** Documents whose reads and writes show in traces, by the name of their collection. */
export function tracedDocuments(documents: Documents, tracing: Tracing): Documents {
  const traced = OF_COLLECTION.map(method => {
    const operation = method.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
    const run = documents[method].bind(documents) as (...args: unknown[]) => Promise<unknown>;
    const call = (collection: { readonly name: string }, ...rest: readonly unknown[]): Promise<unknown> => {
      const [argument] = rest;
      const attributes = {
        'db.operation.name': operation,
        'db.collection.name': collection.name,
        ...(Array.isArray(argument) && { 'ledger.documents': argument.length }),
      };
      return tracing.child(`${operation} ${collection.name}`, attributes, () => run(collection, ...rest));
    };
    return [method, call];
  });
  return withMethods<Documents>(documents, {
    ...Object.fromEntries(traced),
    putAll: writes => {
      const attributes = { 'ledger.documents': documentsIn(writes) };
      return tracing.child('put documents', attributes, () => documents.putAll(writes));
    },
  });
}

export function tracedCommands(commands: HouseholdCommands, tracing: Tracing): HouseholdCommands {
  return withMethods(commands, {
    handle: (call, command) => {
      const attributes = { 'ledger.command': command.type, 'ledger.household_id': call.householdId };
      return tracing.child(`execute ${command.type}`, attributes, () => commands.handle(call, command));
    },
  });
}

function documentsIn(writes: readonly Write[]): number {
  return writes.reduce((sum, { documents }) => sum + documents.length, 0);
}

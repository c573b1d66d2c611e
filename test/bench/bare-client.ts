// What the servers allow: the official clients with nothing in between. A write is one append and one guarded write
// with the concerns of the service; following the log is a subscription that counts.
import { EventStoreDBClient, jsonEvent, NO_STREAM, START, streamNameFilter } from '@eventstore/db-client';
import { MongoClient } from 'mongodb';
import { monotonicFactory } from 'ulid';
import { offer } from './worker-process.js';

interface BareWrites {
  readonly eventStoreUrl: string;
  readonly mongodbUrl: string;
  readonly connections: number;
  readonly seconds: number;
}

/** As the service appends: with credentials the client makes the call that has a deadline. Nothing is sent of them here. */
const CLASSIC_APPEND = { credentials: { username: 'bare', password: 'bare' }, deadline: 10_000 } as const;

const ulid = monotonicFactory();

/** As large as a transaction's event, and what makes up its document. */
function content(turn: number): Record<string, string | number | object> {
  const amount = 100 + (turn % 10_000);
  const splits = [{ itemId: ulid(), amount }];
  const merchant = `Merchant ${turn % 120} of Main Street`;
  return {
    id: ulid(),
    type: 'expense',
    amount,
    date: '2000-01-10',
    merchant,
    budgetMonth: '2000-01',
    splits,
  };
}

function metadata(): Record<string, string | object> {
  const hash = 'f'.repeat(64);
  const actor = { userId: ulid(), credential: { kind: 'session', id: ulid() } };
  return { actor, at: new Date().toISOString(), commandId: ulid(), requestId: ulid(), previousHash: hash };
}

/** @returns writes a second */
async function write({ eventStoreUrl, mongodbUrl, connections, seconds }: BareWrites): Promise<number> {
  const events = EventStoreDBClient.connectionString(eventStoreUrl);
  const mongo = new MongoClient(mongodbUrl, { maxPoolSize: connections });
  const collection = mongo.db().collection<{ _id: string; revision: number }>('bare_writes');
  const writeConcern = { w: 'majority', journal: true } as const;
  const end = performance.now() + seconds * 1_000;
  let writes = 0;
  const writer = async (): Promise<void> => {
    const stream = `bare-${ulid()}`;
    for (let revision = 0; performance.now() < end; revision++) {
      const data = content(writes);
      const event = jsonEvent({ type: 'TransactionCreated', data, metadata: metadata() });
      const expectedRevision = revision === 0 ? NO_STREAM : BigInt(revision - 1);
      await events.appendToStream(stream, event, { expectedRevision, ...CLASSIC_APPEND });
      const _id = `${stream}|${ulid()}`;
      const isOlder = { $lt: ['$revision', revision] };
      const document = { _id, revision, ...data };
      await collection.updateOne(
        { _id },
        [{ $replaceWith: { $cond: [isOlder, { $literal: document }, '$$ROOT'] } }],
        { upsert: true, writeConcern },
      );
      writes++;
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: connections }, writer));
  const rate = writes / ((performance.now() - begun) / 1_000);
  await mongo.close();
  await events.dispose();
  return rate;
}

/** Counts the events of a log from its beginning. @returns events a second */
async function follow({
  eventStoreUrl,
  prefix,
  events: wanted,
}: {
  eventStoreUrl: string;
  prefix: string;
  events: number;
}): Promise<number> {
  const client = EventStoreDBClient.connectionString(eventStoreUrl);
  const begun = performance.now();
  const filter = streamNameFilter({ prefixes: [prefix] });
  const subscription = client.subscribeToAll({ fromPosition: START, filter });
  let counted = 0;
  for await (const { event } of subscription) {
    if (event !== undefined) counted++;
    if (counted === wanted) break;
  }
  const rate = counted / ((performance.now() - begun) / 1_000);
  await client.dispose();
  return rate;
}

const functions = { write, follow };
export type BareClient = typeof functions;
offer(functions);

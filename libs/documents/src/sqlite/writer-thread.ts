import { parentPort, workerData } from 'node:worker_threads';
import { DuplicateKey, type Collection, type Document } from '../documents.js';
import { DocumentFile, type DocumentFileOptions } from './document-file.js';
import { FileDocuments } from './file-documents.js';
import { SuccessiveBatches, type SuccessiveBatch } from './successive-batches.js';
import type { WriterAnswer, WriterCall, WriterError } from './thread-writer.js';

/** Causes that cross with an error: a store's, the database's, and one more. */
const CAUSES_MAX = 3;

/**
 * The thread's side of `ThreadWriter`: does what it is asked for, call by call.
 * @param indexedOf a collection's `indexed`, undefined where it has none
 */
export function serveWriter(indexedOf: (collection: string) => Collection<Document>['indexed']): void {
  const port = parentPort;
  if (port === null) throw new Error('this program is started as a thread');
  const options = workerData as DocumentFileOptions;
  let now = 0;
  const documents = new FileDocuments(new DocumentFile(options), () => now);
  const batches = new SuccessiveBatches(documents);
  const known = (collection: Collection<Document>): Collection<Document> => {
    const indexed = indexedOf(collection.name);
    return indexed === undefined ? collection : { ...collection, indexed };
  };
  let ensured: Promise<unknown> = Promise.resolve();
  const run = async ({ method, args }: WriterCall): Promise<unknown> => {
    if (method === 'end') process.exit();
    if (method === 'ensure') {
      const collections = (args[0] as Collection<Document>[]).map(known);
      const ensuring = ensured.then(() => documents.ensure(collections));
      ensured = ensuring.catch(() => undefined);
      return ensuring;
    }
    // What comes after the making of collections may be about them.
    await ensured;
    if (method === 'putInTurn') return batches.put(args[0] as SuccessiveBatch);
    return (documents[method] as (...all: readonly unknown[]) => Promise<unknown>).call(documents, ...args);
  };
  port.on('message', (call: WriterCall) => {
    now = call.now;
    const { id } = call;
    const answer = (given: WriterAnswer): void => port.postMessage(given);
    run(call).then(
      value => answer({ id, value }),
      (error: unknown) => answer({ id, error: writerError(error) }),
    );
  });
}

/** @param depth of causes that cross with it */
function writerError(error: unknown, depth = CAUSES_MAX): WriterError {
  if (error instanceof DuplicateKey) {
    const { name, message, collection, index } = error;
    return { name, message, collection, index };
  }
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && depth > 0 && { cause: writerError(cause, depth - 1) }),
  };
}

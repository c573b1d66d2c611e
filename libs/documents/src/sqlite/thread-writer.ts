import type { Worker } from 'node:worker_threads';
import { startDatabaseThread } from '#sqlite/database-thread';
import { DocumentsUnavailable, DuplicateKey, type Collection, type Document } from '../documents.js';
import type { DocumentFileOptions } from './document-file.js';
import type { FileDocuments } from './file-documents.js';

/** What the thread is asked for: methods of `FileDocuments`, and of `SuccessiveBatches` to put a batch. */
export type WriterMethod =
  | keyof Pick<
      FileDocuments,
      | 'ensure'
      | 'putAll'
      | 'insert'
      | 'replace'
      | 'remove'
      | 'removePrefix'
      | 'drop'
      | 'purge'
      | 'digest'
      | 'close'
    >
  | 'putInTurn';

/** One call, as it crosses to the thread. */
export interface WriterCall {
  readonly id: number;
  /** The time by which documents expire. */
  readonly now: number;
  /** `end` ends the thread between two of its jobs. */
  readonly method: WriterMethod | 'end';
  readonly args: readonly unknown[];
}

/** What comes back. */
export type WriterAnswer =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: WriterError };

/** An error as it crosses between threads, which keep no classes. */
export interface WriterError {
  readonly name: string;
  readonly message: string;
  /** Where it was thrown, and why, for the log; of what callers expect, neither. */
  readonly stack?: string;
  readonly cause?: WriterError;
  /** Of a `DuplicateKey`. */
  readonly collection?: string;
  readonly index?: string;
}

/**
 * The most that new objects of the thread may take, in MiB: what it is sent is written at once, so that few outlive a
 * collection. Half of V8's own bound costs nothing that could be measured; a fourth of it took a tenth longer to
 * rebuild.
 */
const YOUNG_GENERATION_MIB = 24;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Writes one file of documents, elsewhere. */
export interface RemoteWriter {
  ensure(collections: readonly Collection<Document>[]): Promise<void>;
  /** @throws whatever the method throws, DocumentsUnavailable where the writer is gone */
  call<R>(method: WriterMethod, ...args: readonly unknown[]): Promise<R>;
  close(): Promise<void>;
}

/** Collections cross without their functions; the thread's program knows these. */
function withoutFunctions(collection: Collection<Document>): unknown {
  return JSON.parse(JSON.stringify(collection));
}

/**
 * Writes a file of documents in a thread of its own, so that no request waits for SQLite's pages. A thread that ends
 * is started again by the next call.
 */
export class ThreadWriter implements RemoteWriter {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  /** By name, for a thread that has to be started again. */
  private readonly ensured = new Map<string, unknown>();
  private lastId = 0;

  /** @param program the file of a program that calls `serveWriter` */
  constructor(
    private readonly program: URL,
    private readonly file: DocumentFileOptions,
    private readonly now: () => number,
  ) {}

  async ensure(collections: readonly Collection<Document>[]): Promise<void> {
    const plain = collections.map(withoutFunctions);
    await this.call('ensure', plain);
    for (const [at, { name }] of collections.entries()) this.ensured.set(name, plain[at]);
  }

  /** Where no thread can be started, that is thrown as everything else. */
  async call<R>(method: WriterMethod, ...args: readonly unknown[]): Promise<R> {
    if (method === 'drop') this.ensured.delete(String(args[0]));
    this.worker ??= this.start();
    return this.send<R>(this.worker, method, args);
  }

  async close(): Promise<void> {
    const { worker } = this;
    if (worker === null) return;
    await this.send(worker, 'close', []);
    await worker.terminate();
  }

  private start(): Worker {
    const worker = startDatabaseThread<WriterAnswer>({
      program: this.program,
      workerData: this.file,
      name: 'the thread that writes documents',
      youngGenerationMib: YOUNG_GENERATION_MIB,
      answered: answer => this.settle(answer),
      ended: (gone, reason) => this.ended(gone, reason),
    });
    if (this.ensured.size > 0) {
      // A thread that does not know its collections is of no use; the next one may. It ends itself: terminated in the
      // middle of a job, SQLite's binding would abort the whole process.
      this.send(worker, 'ensure', [[...this.ensured.values()]])
        .catch(() => this.send(worker, 'end', []))
        .catch(() => undefined);
    }
    return worker;
  }

  private ended(worker: Worker, reason: string): void {
    if (this.worker === worker) this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new DocumentsUnavailable(reason));
    this.waiting.clear();
  }

  private send<R>(worker: Worker, method: WriterCall['method'], args: readonly unknown[]): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const id = (this.lastId += 1);
      this.waiting.set(id, { resolve: value => resolve(value as R), reject });
      const call: WriterCall = { id, now: this.now(), method, args };
      worker.postMessage(call);
    });
  }

  private settle(answer: WriterAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (waiting === undefined) return;
    if ('error' in answer) waiting.reject(errorOf(answer.error));
    else waiting.resolve(answer.value);
  }
}

function errorOf({ name, message, stack, cause, collection, index }: WriterError): Error {
  if (name === 'DuplicateKey') return new DuplicateKey(collection ?? '', index ?? '');
  const error = errorNamed(name, message, cause && { cause: errorOf(cause) });
  // Of this thread it would say no more than that an answer came.
  if (stack !== undefined) error.stack = stack;
  return error;
}

function errorNamed(name: string, message: string, options?: ErrorOptions): Error {
  if (name === 'DocumentsUnavailable') return new DocumentsUnavailable(message, options);
  if (name === 'RangeError') return new RangeError(message, options);
  const error = new Error(message, options);
  error.name = name;
  return error;
}

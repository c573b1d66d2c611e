// The thread's side of `StorageThread`.
import { parentPort, workerData } from 'node:worker_threads';
import { writeBatch } from './batch-writer.js';
import { LedgerHandle } from './connection.js';
import type { Job } from './storage-jobs.js';

/** What the thread reads are mostly the pages that it changes. */
const CACHE_BYTES = 24 * 1024 * 1024;

const port = parentPort;
if (port === null) throw new Error('this program is started as a thread');
const handle = new LedgerHandle({
  file: String(workerData),
  openInOtherThread: true,
  cacheBytes: CACHE_BYTES,
});

port.on('message', (jobs: readonly Job[] | 'close') => {
  if (jobs !== 'close') return port.postMessage(writeBatch(handle, jobs));
  handle.close();
  port.close();
});

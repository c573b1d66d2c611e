// The thread's side of `StorageThread`.
import { parentPort, workerData } from 'node:worker_threads';
import { BatchWriter } from './batch-writer.js';
import type { Job } from './storage-jobs.js';

const port = parentPort;
if (port === null) throw new Error('this program is started as a thread');
const writer = new BatchWriter(String(workerData));

port.on('message', (jobs: readonly Job[] | 'close') => {
  if (jobs !== 'close') return port.postMessage(writer.write(jobs));
  writer.close();
  port.close();
});

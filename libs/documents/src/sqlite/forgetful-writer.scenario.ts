import { existsSync, rmSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { DocumentFileOptions } from './document-file.js';
import { serveWriter } from './writer-thread.js';

// A thread that cannot take its collections up once, where there is a file of this name beside the documents.
const once = `${(workerData as DocumentFileOptions).file}.once`;

serveWriter(() => {
  if (!existsSync(once)) return undefined;
  rmSync(once);
  const cause = new RangeError('there is a file');
  // Causes without an end.
  cause.cause = cause;
  throw new Error('the collections are not taken up', { cause });
});

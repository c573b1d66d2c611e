import { Worker } from 'node:worker_threads';

interface DatabaseThreadOptions<A> {
  readonly program: URL;
  readonly workerData: unknown;
  /** What it is called where it fails, such as `the thread that writes documents`. */
  readonly name: string;
  /** The most that its new objects may take, in MiB. */
  readonly youngGenerationMib: number;
  readonly answered: (answer: A) => void;
  /** It is gone, and answers nothing more. @param reason a sentence without its full stop */
  readonly ended: (worker: Worker, reason: string) => void;
}

/**
 * Starts a thread that has a database open. Whoever ends it from outside must know that it is in no job: in the middle
 * of one, SQLite's binding aborts the whole process.
 */
export function startDatabaseThread<A>(options: DatabaseThreadOptions<A>): Worker {
  const { program, workerData, name, youngGenerationMib, answered, ended } = options;
  const worker = new Worker(program, {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMib },
  });
  let reason = `${name} has ended`;
  worker.on('message', answered);
  worker.on('error', error => (reason = `${name} failed: ${error.message}`));
  worker.on('exit', () => ended(worker, reason));
  return worker;
}

import { JobsUnavailable } from './job-queue.js';

/**
 * What a store does not respond in time counts as unavailable; it may happen all the same.
 * @throws JobsUnavailable with the sentence, or whatever `work` rejects with
 */
export async function withinDeadline<T>(work: Promise<T>, deadlineMs: number, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new JobsUnavailable(sentence)), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work to end, however it ends, but no longer than the bound. @returns whether it ended */
export async function endsWithin(work: Promise<unknown>, boundMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), boundMs);
  });
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What was asked, or the network, said nothing for the time that was allowed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * What a piece of work comes to, or what stands in for it once a time is over. The work goes on then, and what becomes
 * of it is ignored.
 * @param late may throw
 */
export async function within<T, L>(work: Promise<T>, milliseconds: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Commands are sent one after the other, in the order in which they were given. */
let last: Promise<unknown> = Promise.resolve();

/** Sends a command after those given before it. */
export function inTurn<Result>(send: () => Promise<Result>): Promise<Result> {
  const result = last.then(send, send);
  last = result.catch(() => undefined);
  return result;
}

/** Resolves when all commands given so far are answered. */
export async function commandsUnderWay(): Promise<void> {
  await last;
}

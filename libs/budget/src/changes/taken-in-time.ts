/**
 * The same messages, each of which must be taken before a time has passed: the next one is asked for when there
 * is room for it. Waiting for a message costs no time of it.
 * @param late called once for each that is not
 */
export async function* takenInTime(
  messages: AsyncIterable<string>,
  millisecondsMax: number,
  late: () => void,
): AsyncGenerator<string> {
  for await (const message of messages) {
    const timer = setTimeout(late, millisecondsMax);
    try {
      yield message;
    } finally {
      clearTimeout(timer);
    }
  }
}

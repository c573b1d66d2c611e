import { requestsFirst } from '#concurrency/turns';
import { APPEND_BYTES_MAX } from '#storage/event-store/event-store';
import type { DecodedEvent } from '#ledger/event-codec';
import type { Chained } from '../households/household-stream.js';

/** What an undoing says of a transaction besides its splits, its merchant and its content. */
const WAY_BACK_BYTES = 300;
/** The longest merchant: an undoing names the present one. */
const MERCHANT_BYTES_MAX = 800;
/** Of the metadata of an undoing, of which most is the names of up to 1,200 months. */
const METADATA_BYTES_MAX = 14_000;

/** The size of an append, as event stores bound it. */
export function bytesOf({ events, texts }: Chained): number {
  return events.reduce((bytes, { id, type }, at) => {
    const { data, metadata } = texts[at]!;
    return bytes + Buffer.byteLength(data) + Buffer.byteLength(metadata) + type.length + id.length;
  }, 0);
}

/**
 * Whether the events of a batch fit into one append, and so do its undoing and redoing, which are one event each and
 * have no metadata for each part.
 */
export function fitsIntoOneAppend(chained: Chained): boolean {
  const undoingBytes = chained.events.reduce(
    (bytes, event, at) =>
      bytes + WAY_BACK_BYTES + undoneBytes(event, Buffer.byteLength(chained.texts[at]!.data)),
    METADATA_BYTES_MAX,
  );
  return Math.max(bytesOf(chained), undoingBytes) <= APPEND_BYTES_MAX;
}

function undoneBytes(event: DecodedEvent, dataBytes: number): number {
  switch (event.type) {
    case 'TransactionCreated':
      // It becomes a deleted one, without its note and the like.
      return Buffer.byteLength(JSON.stringify(event.data.content.splits)) + MERCHANT_BYTES_MAX;
    case 'TransactionChanged':
      return dataBytes;
    default:
      return dataBytes + MERCHANT_BYTES_MAX;
  }
}

/** How many of the first elements fit together, where fewer always do if more do, and all of them do not. */
export async function mostThatFit<T>(
  list: readonly T[],
  fits: (some: readonly T[]) => boolean,
): Promise<number> {
  let [most, tooMany] = [0, list.length];
  while (tooMany - most > 1) {
    await requestsFirst();
    const middle = Math.trunc((most + tooMany) / 2);
    if (fits(list.slice(0, middle))) most = middle;
    else tooMany = middle;
  }
  return most;
}

import { DocumentsUnavailable } from '../documents.js';
import type { FileDocuments } from './file-documents.js';
import type { SerialisedDocuments } from './serialised-documents.js';

/** Documents to be written in one transaction, after another batch or after none. */
export interface SuccessiveBatch {
  /** Greater than that of any batch before. */
  readonly number: number;
  /** The last of the batches that were on their way when this one was sent; null where none was. */
  readonly follows: number | null;
  readonly documents: readonly SerialisedDocuments[];
}

/**
 * Writes batches one after the other, as they come. One that was sent while others were on their way is refused unless
 * the last of these was written: what was put earlier is never missing from a file that has what was put later.
 */
export class SuccessiveBatches {
  private latest: Promise<void> = Promise.resolve();
  private lastWritten: number | null = null;
  /** Why a batch was not written, for those behind it. */
  private failure: unknown = new DocumentsUnavailable('what was put before was not written');

  constructor(private readonly documents: Pick<FileDocuments, 'putTogether'>) {}

  /** @throws DocumentsUnavailable, also because the batch that this one follows was not written */
  put(batch: SuccessiveBatch): Promise<void> {
    const written = this.latest.then(() => this.write(batch));
    this.latest = written.catch((error: unknown) => {
      this.failure = error;
    });
    return written;
  }

  private async write({ number, follows, documents }: SuccessiveBatch): Promise<void> {
    if (follows !== null && follows !== this.lastWritten) throw this.failure;
    await this.documents.putTogether(documents);
    this.lastWritten = number;
  }
}

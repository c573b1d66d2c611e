import type { FileDocuments, SerialisedDocuments } from './file-documents.js';

/** Documents to be written in one transaction, after another batch or after none. */
export interface SuccessiveBatch {
  /** Greater than that of any batch before. */
  readonly number: number;
  /** The batch that was on its way when this one was sent; null where none was. */
  readonly follows: number | null;
  readonly documents: readonly SerialisedDocuments[];
}

/**
 * Writes batches one after the other, as they come. One that was sent while another was on its way is refused where
 * that one failed: what was put earlier is never missing from a file that has what was put later.
 */
export class SuccessiveBatches {
  private latest: Promise<void> = Promise.resolve();
  private failed: { readonly number: number; readonly error: unknown } | null = null;

  constructor(private readonly documents: Pick<FileDocuments, 'putTogether'>) {}

  /** @throws DocumentsUnavailable, also because the batch that this one follows was not written */
  put(batch: SuccessiveBatch): Promise<void> {
    const written = this.latest.then(() => this.write(batch));
    this.latest = written.catch((error: unknown) => {
      this.failed = { number: batch.number, error };
    });
    return written;
  }

  private async write({ follows, documents }: SuccessiveBatch): Promise<void> {
    if (follows !== null && this.failed?.number === follows) throw this.failed.error;
    await this.documents.putTogether(documents);
  }
}

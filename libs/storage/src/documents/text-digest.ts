import { createHash } from 'node:crypto';

/**
 * A digest of documents: SHA-256 over the JSON text of each, followed by a line feed, in the order in which they are
 * added. JSON holds no line feed, so that no two lists of texts have the same bytes.
 */
export class TextDigest {
  private readonly hash = createHash('sha256');

  add(texts: readonly string[]): void {
    // Handed over together: a call for each would cost more than hashing.
    if (texts.length > 0) this.hash.update(`${texts.join('\n')}\n`);
  }

  /** In hexadecimal. Nothing can be added afterwards. */
  end(): string {
    return this.hash.digest('hex');
  }
}

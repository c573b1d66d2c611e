import { createHash } from 'node:crypto';

/**
 * At most this many texts are handed to the hash together: a call for each would cost more than hashing, and so would
 * fresh memory for a long text.
 */
const TEXTS_AT_ONCE = 16;

/**
 * A digest of documents: SHA-256 over the JSON text of each, followed by a line feed, in the order in which they are
 * added. JSON holds no line feed, so that no two lists of texts have the same bytes.
 */
export class TextDigest {
  private readonly hash = createHash('sha256');

  add(texts: readonly string[]): void {
    for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE) {
      this.addLines(texts.slice(at, at + TEXTS_AT_ONCE).join('\n'));
    }
  }

  /** @param lines texts, joined by line feeds; at least one */
  addLines(lines: string): void {
    this.hash.update(`${lines}\n`);
  }

  /** In hexadecimal. Nothing can be added afterwards. */
  end(): string {
    return this.hash.digest('hex');
  }
}

import { Injectable } from '@nestjs/common';
import { Documents, type DocumentKey } from '#documents/documents';
import type { Versioned } from './household-call.js';

/** What all kept answers together may take, in bytes. */
export const RENDERED_BYTES_MAX = 16 * 1024 * 1024;
/** V8 keeps a character of most texts in one byte, but may need two. */
const BYTES_PER_CHARACTER = 2;

/** An answer's JSON text, and what it was made of. */
export interface Rendered extends Versioned<string> {
  /** The revisions of the documents that it was made of, as they were read. */
  readonly sources: readonly (number | null)[];
}

/**
 * JSON texts of answers that are functions of a few documents. Each request asks the store for the revisions that
 * these documents have now, and only where all are those of the kept text is it answered: nothing stale is ever
 * shown, whoever wrote. The least recently used texts are given up when all together pass a bound.
 */
@Injectable()
export class RenderedAnswers {
  private readonly kept = new Map<string, Rendered>();
  private bytes = 0;

  constructor(private readonly documents: Documents) {}

  /**
   * @param name tells the answer from all others
   * @param sources the documents that it is made of
   * @param render makes it anew; the revisions that it read are in the order of `sources`
   * @throws DocumentsUnavailable, or what `render` throws
   */
  async answer(
    name: string,
    sources: readonly DocumentKey[],
    render: () => Promise<Rendered>,
  ): Promise<Versioned<string>> {
    const kept = this.kept.get(name);
    if (kept !== undefined) {
      const revisions = await this.documents.revisions(sources);
      if (revisions.every((revision, at) => revision === kept.sources[at])) {
        // In the order of their last use.
        this.kept.delete(name);
        this.kept.set(name, kept);
        return kept;
      }
    }
    const rendered = await render();
    this.keep(name, rendered);
    return rendered;
  }

  private keep(name: string, rendered: Rendered): void {
    this.giveUp(name);
    this.kept.set(name, rendered);
    this.bytes += bytesOf(rendered);
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= RENDERED_BYTES_MAX) break;
      this.giveUp(oldest);
    }
  }

  private giveUp(name: string): void {
    const former = this.kept.get(name);
    if (former === undefined) return;
    this.bytes -= bytesOf(former);
    this.kept.delete(name);
  }
}

function bytesOf({ body }: Rendered): number {
  return body.length * BYTES_PER_CHARACTER;
}

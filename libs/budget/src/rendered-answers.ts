import { Injectable } from '@nestjs/common';
import { Documents, REVISIONS_MAX, type DocumentKey } from '#documents/documents';
import { hashOfAnswer } from '#http/entity-tag';
import type { Versioned } from './household-call.js';

/** What all kept answers together may take, in bytes. */
export const RENDERED_BYTES_MAX = 16 * 1024 * 1024;

/** A document with the revision that it had, null where it was not there. */
export interface Source {
  readonly document: DocumentKey;
  readonly revision: number | null;
}

/** An answer's JSON text, and what it was made of. */
export interface Rendered extends Versioned<string> {
  /** The documents that it was made of, as they were when they were read, or before. */
  readonly sources: readonly Source[];
}

/** The bytes that are sent: making them of a long text costs more than all else that an answer needs. */
export type AnswerBytes = Required<Versioned<Buffer>>;

interface Kept extends AnswerBytes {
  readonly sources: readonly Source[];
  readonly version: number | null;
}

/**
 * JSON texts of answers that are functions of a few documents. A kept text is answered only where its version is the
 * present one and the store, asked at each request, has its sources at the revisions of which it was made: nothing
 * stale is ever shown, whoever wrote. A text without sources depends on its version alone. The least recently used
 * texts are given up when all together pass a bound.
 */
@Injectable()
export class RenderedAnswers {
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;

  constructor(private readonly documents: Documents) {}

  /**
   * @param name tells the answer from all others
   * @param version what it depends on besides its sources; to be asked for before anything is read
   * @param render makes it anew
   * @throws DocumentsUnavailable, or what `render` throws
   */
  async answer(name: string, version: number | null, render: () => Promise<Rendered>): Promise<AnswerBytes> {
    const kept = this.kept.get(name);
    if (kept !== undefined && kept.version === version && (await this.isPresent(kept))) {
      // In the order of their last use.
      this.kept.delete(name);
      this.kept.set(name, kept);
      return kept;
    }
    const rendered = await render();
    const { revision, sources } = rendered;
    const made = { ...bytesOf(rendered), revision, sources, version };
    if (sources.length <= REVISIONS_MAX) this.keep(name, made);
    return made;
  }

  private async isPresent({ sources }: Kept): Promise<boolean> {
    if (sources.length === 0) return true;
    const revisions = await this.documents.revisions(sources.map(({ document }) => document));
    return sources.every(({ revision }, at) => revision === revisions[at]);
  }

  private keep(name: string, made: Kept): void {
    this.giveUp(name);
    this.kept.set(name, made);
    this.bytes += made.body.length;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= RENDERED_BYTES_MAX) break;
      this.giveUp(oldest);
    }
  }

  private giveUp(name: string): void {
    const former = this.kept.get(name);
    if (former === undefined) return;
    this.bytes -= former.body.length;
    this.kept.delete(name);
  }
}

/** The bytes of an answer's text. */
export function bytesOf({ body, revision }: Versioned<string>): AnswerBytes {
  return { body: Buffer.from(body), revision, hash: hashOfAnswer(body) };
}

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

/** The bytes of an answer's JSON text: making them of a long one costs more than all else that an answer needs. */
export interface AnswerBytes {
  readonly body: Buffer;
}

/** With its entity tag. */
export type TaggedBytes = Required<Versioned<Buffer>>;

/** An answer, and what it was made of. */
export interface Rendered<T extends AnswerBytes> {
  readonly answer: T;
  /** The documents that it was made of, as they were when they were read, or before. */
  readonly sources: readonly Source[];
}

interface Kept extends Rendered<AnswerBytes> {
  readonly version: number | null;
}

/**
 * Answers that are functions of a few documents. A kept one is given only where its version is the present one and the
 * store, asked at each request, has its sources at the revisions of which it was made: nothing stale is ever shown,
 * whoever wrote. One without sources depends on its version alone. The least recently used ones are given up when all
 * together pass a bound.
 */
@Injectable()
export class RenderedAnswers {
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;

  constructor(private readonly documents: Documents) {}

  /**
   * @param name tells the answer from all others, those of other types included
   * @param version what it depends on besides its sources; to be asked for before anything is read
   * @param render makes it anew
   * @throws DocumentsUnavailable, or what `render` throws
   */
  async answer<T extends AnswerBytes>(
    name: string,
    version: number | null,
    render: () => Promise<Rendered<T>>,
  ): Promise<T> {
    const kept = this.kept.get(name);
    if (kept !== undefined && kept.version === version && (await this.isPresent(kept))) {
      // In the order of their last use.
      this.kept.delete(name);
      this.kept.set(name, kept);
      // Under one name there is one type.
      return kept.answer as T;
    }
    const rendered = await render();
    if (rendered.sources.length <= REVISIONS_MAX) this.keep(name, { ...rendered, version });
    return rendered.answer;
  }

  private async isPresent({ sources }: Kept): Promise<boolean> {
    if (sources.length === 0) return true;
    const revisions = await this.documents.revisions(sources.map(({ document }) => document));
    return sources.every(({ revision }, at) => revision === revisions[at]);
  }

  private keep(name: string, made: Kept): void {
    this.giveUp(name);
    this.kept.set(name, made);
    this.bytes += made.answer.body.length;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= RENDERED_BYTES_MAX) break;
      this.giveUp(oldest);
    }
  }

  private giveUp(name: string): void {
    const former = this.kept.get(name);
    if (former === undefined) return;
    this.bytes -= former.answer.body.length;
    this.kept.delete(name);
  }
}

/** The bytes of an answer's text, with their tag. */
export function taggedBytes({ body, revision }: Versioned<string>): TaggedBytes {
  return { body: Buffer.from(body), revision, hash: hashOfAnswer(body) };
}

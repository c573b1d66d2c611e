import { hash as digest } from 'node:crypto';
import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Also, Fails } from './answers.js';

/** Hexadecimal digits of the hash in an entity tag: enough that two answers to one client do not meet. */
const HASH_DIGITS = 16;
/** The longest list of entity tags that is read, in characters. */
const LIST_MAX = 4_096;

/** One of ours. A write does not compare the hash, so it may be anything. */
const ENTITY_TAG = /^"(0|[1-9][0-9]{0,14})-[^"]*"$/;

/** The condition of `If-Match`: that the resource exists, or is at one of these revisions. */
export type IfMatch = 'anything' | readonly number[];

const revisions = new WeakMap<FastifyReply, number>();

/**
 * Gives a response its entity tag `"R-H"`: the revision at which its own content last changed, and a hash of the whole
 * response. A read whose `If-None-Match` names it returns `304`.
 */
export function tagAnswer(reply: FastifyReply, revision: number): void {
  revisions.set(reply, revision);
}

/** Completes a tagged response just before it is sent. @returns the body to send */
export function completeTagged(request: FastifyRequest, reply: FastifyReply, body: unknown): unknown {
  const revision = revisions.get(reply);
  if (revision === undefined || typeof body !== 'string') return body;
  const tag = `"${revision}-${digest('sha256', body).slice(0, HASH_DIGITS)}"`;
  void reply.header('ETag', tag);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || !namesTag(request.headers['if-none-match'], tag)) return body;
  void reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length');
  return '';
}

/** Whether an `If-None-Match` names a tag, compared weakly. */
export function namesTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && (header.trim() === '*' || tagsIn(header).includes(tag));
}

/** The `If-Match` of a write; undefined if it has none. A tag that the service never sends matches nothing. */
export function ifMatchOf({ headers }: Pick<FastifyRequest, 'headers'>): IfMatch | undefined {
  const header = headers['if-match'];
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'anything';
  return tagsIn(header).flatMap(tag => {
    const [, revision] = ENTITY_TAG.exec(tag) ?? [];
    return revision === undefined ? [] : [Number(revision)];
  });
}

/**
 * The tags of a list, without the `W/` that marks them as weak. RFC 9110 §13.1.1 wants `If-Match` compared strongly, but
 * a proxy that compresses responses marks every tag, and no write would ever match.
 */
function tagsIn(list: string): readonly string[] {
  return list.length > LIST_MAX ? [] : list.split(',').map(tag => tag.trim().replace(/^W\//, ''));
}

export const ETAG_HEADER = {
  ETag: '`"R-H"`: the revision at which the content last changed, and a hash of the whole response',
};

/** A read that may be answered `304`. */
export function Revalidates(): MethodDecorator {
  const description =
    'The `ETag` of an earlier response. If nothing has changed since, the response is `304`.';
  return applyDecorators(
    ApiHeader({ name: 'If-None-Match', description, required: false, schema: { type: 'string' } }),
    Also(304, undefined, 'Unchanged since the `ETag` in `If-None-Match`', { headers: ETAG_HEADER }),
  );
}

/** A write that `If-Match` makes conditional. */
export function HonoursIfMatch(): MethodDecorator {
  const description =
    'The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed ' +
    'names and counts do not matter, nor does a `W/` that a proxy put before it.';
  return applyDecorators(
    ApiHeader({ name: 'If-Match', description, required: false, schema: { type: 'string' } }),
    Fails('precondition_failed'),
  );
}

import { hash as digest } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Also, Fails } from './answers.js';

// What HTTP says about a response's content besides (RFC 9110): entity tags, conditions on them, and encodings.

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
    Also(304, undefined, 'Unchanged since the `ETag` in `If-None-Match`', ETAG_HEADER),
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

/** Shorter bodies hardly shrink, in bytes. */
export const COMPRESSED_BYTES_MIN = 1_024;

const COMPRESSIBLE = /^text\/(?!event-stream)|[/+](?:json|xml)\b/;

/** Brotli's default quality is meant for files that are compressed once. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

type Done = (error: Error | null, body?: unknown) => void;

/** By preference, where a client accepts both equally. */
const ENCODINGS = {
  br: {
    whole: (body: Buffer, done: Done) => brotliCompress(body, BROTLI, done),
    stream: () => createBrotliCompress(BROTLI),
  },
  gzip: { whole: (body: Buffer, done: Done) => gzip(body, done), stream: () => createGzip() },
} as const;

type Encoding = keyof typeof ENCODINGS;

/**
 * Compresses a response if the client accepts it, off the event loop. The entity tag stays the same: ranges, in which
 * encodings could mix, are not supported.
 * @param done gets the body to send
 */
export function compress({ headers }: FastifyRequest, reply: FastifyReply, body: unknown, done: Done): void {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined || !isCompressible(reply, body)) return done(null, body);
  const encoding = encodingFor(accepted);
  if (encoding === null) return done(null, body);
  void reply.header('Content-Encoding', encoding).removeHeader('Content-Length');
  const { whole, stream } = ENCODINGS[encoding];
  if (body instanceof Readable) {
    // An error of either stream ends both, and then the connection.
    const encoded = pipeline(body, stream(), () => undefined);
    return done(null, encoded);
  }
  whole(typeof body === 'string' ? Buffer.from(body) : body, done);
}

function isCompressible(reply: FastifyReply, body: unknown): body is string | Buffer | Readable {
  if (!COMPRESSIBLE.test(String(reply.getHeader('Content-Type')))) return false;
  if (reply.hasHeader('Content-Encoding')) return false;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body.length >= COMPRESSED_BYTES_MIN;
  return body instanceof Readable && !(Number(reply.getHeader('Content-Length')) < COMPRESSED_BYTES_MIN);
}

/** The encoding that an `Accept-Encoding` prefers; null if it accepts neither. */
export function encodingFor(accepted: string): Encoding | null {
  const weights = weightsOf(accepted);
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null;
}

/** What a header such as `Accept` names, in lower case, each with its weight. */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  return new Map(header.toLowerCase().split(',').map(weighted));
}

function weighted(entry: string): [name: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map(part => part.trim());
  const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}

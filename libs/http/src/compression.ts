import { pipeline, Readable } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

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
  const weights = new Map(accepted.toLowerCase().split(',').map(weighted));
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null;
}

function weighted(entry: string): [name: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map(part => part.trim());
  const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}

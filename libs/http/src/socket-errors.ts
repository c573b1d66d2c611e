import type { Socket } from 'node:net';
import { ApiError, type ErrorCode } from './api-error.js';
import { errorBody } from './error-filter.js';
import { newRequestId } from './request-id.js';
import { STATUS_CODES } from 'node:http';

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Answers what could not be read as a request, in the shape of every error, and closes the connection: after such
 * bytes nothing on it can be trusted.
 */
export function answerClientError(cause: Error & { code?: string }, socket: Socket): void {
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  if (cause.code === 'ECONNRESET' || !socket.writable || answering?.headersSent === true) {
    socket.destroy(cause);
    return;
  }
  const error = new ApiError(CODES[cause.code ?? ''] ?? 'malformed_request');
  const requestId = newRequestId();
  const body = errorBody(error, requestId);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroySoon());
}
